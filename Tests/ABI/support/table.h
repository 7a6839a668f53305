/** The tables of cases that all doors share: Tests/Cases/NAME, a line for each case, its columns apart by tabs. */
#ifndef NETCORE_TESTS_TABLE_H
#define NETCORE_TESTS_TABLE_H

#include "check.h"

/** Opens a table; `file` is the __FILE__ of a program of Tests/ABI. */
static inline FILE *table_open(const char *file, const char *name) {
  char path[1000];
  snprintf(path, sizeof path, "%.*s/../Cases/%s", (int)(strrchr(file, '/') - file), file, name);
  FILE *table = fopen(path, "r");
  REQUIRE(table != NULL);
  return table;
}

/** Reads the next case, and parts it in place: the number of its columns, 0 at the end. */
static inline int table_next(FILE *table, char *line, int size, char **columns, int most) {
  while (fgets(line, size, table) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#' || line[0] == 0) continue;
    int count = 0;
    for (char *rest = line; rest != NULL && count < most; count++) columns[count] = strsep(&rest, "\t");
    return count;
  }
  return 0;
}

#endif
