/* SQLite, and what Swift cannot take from its macros and its variadic functions. */
#ifndef NETCORE_CSQLITE_H
#define NETCORE_CSQLITE_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT: SQLite copies what is bound, before the call returns. */
static inline sqlite3_destructor_type netcore_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Turns one of the SQLITE_DBCONFIG_… switches on (1) or off (0). */
static inline int netcore_sqlite_switch(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

#endif
