/* The functions of SQLite that netcore calls, taken from a library that is loaded when it is needed, and what Swift cannot
 * take from SQLite's macros and its variadic functions. */
#ifndef NETCORE_CSQLITE_H
#define NETCORE_CSQLITE_H

#include <dlfcn.h>
#include <sqlite3.h>

/* The names, without "sqlite3_". */
#define NETCORE_SQLITE_FUNCTIONS(F) \
  F(initialize); \
  F(mutex_alloc); \
  F(mutex_enter); \
  F(mutex_leave); \
  F(open_v2); \
  F(close_v2); \
  F(errmsg); \
  F(busy_timeout); \
  F(db_config); \
  F(file_control); \
  F(exec); \
  F(get_autocommit); \
  F(db_readonly); \
  F(prepare_v3); \
  F(finalize); \
  F(step); \
  F(reset); \
  F(clear_bindings); \
  F(bind_int64); \
  F(bind_null); \
  F(bind_text64); \
  F(bind_zeroblob); \
  F(bind_blob64); \
  F(column_int64); \
  F(column_type); \
  F(column_blob); \
  F(column_bytes);

/* The functions, with the types that sqlite3.h declares. */
struct netcore_sqlite {
#define NETCORE_SQLITE_MEMBER(name) __typeof__(&sqlite3_##name) name
  NETCORE_SQLITE_FUNCTIONS(NETCORE_SQLITE_MEMBER)
#undef NETCORE_SQLITE_MEMBER
};

/* Finds all functions in a library that dlopen() returned. Returns 0 if one is missing: dlerror() names it. */
static inline int netcore_sqlite_find(struct netcore_sqlite *functions, void *library) {
#define NETCORE_SQLITE_FIND(name) \
  if ((functions->name = (__typeof__(&sqlite3_##name))dlsym(library, "sqlite3_" #name)) == 0) return 0
  NETCORE_SQLITE_FUNCTIONS(NETCORE_SQLITE_FIND)
#undef NETCORE_SQLITE_FIND
  return 1;
}

/* SQLITE_TRANSIENT: SQLite copies what is bound, before the call returns. */
static inline sqlite3_destructor_type netcore_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Turns one of the SQLITE_DBCONFIG_… switches on (1) or off (0). */
static inline int netcore_sqlite_switch(const struct netcore_sqlite *functions, sqlite3 *database, int option, int on) {
  return functions->db_config(database, option, on, (int *)0);
}

#endif
