/* SQLite, and what Swift cannot take from its macros. */
#ifndef NETCORE_CSQLITE_H
#define NETCORE_CSQLITE_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT: SQLite copies what is bound, before the call returns. */
static inline sqlite3_destructor_type netcore_sqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif
