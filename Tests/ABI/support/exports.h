/** A count of the calls that a program has made to each function of the ABI (lists.h). Each name also has to link, so that
 *  a function which the library does not export stops the build of the tests. */
#ifndef NETCORE_TESTS_EXPORTS_H
#define NETCORE_TESTS_EXPORTS_H

#include "check.h"
#include "lists.h"

enum {
#define EXPORT_INDEX(name) INDEX_##name,
  NETCORE_EXPORTS(EXPORT_INDEX)
#undef EXPORT_INDEX
      EXPORT_COUNT
};

static unsigned export_calls[EXPORT_COUNT];

/** Says that a function is about to be called, and that failures from here on are about it. */
#define CALLING(name) (export_calls[INDEX_##name]++, (void)(check_case = #name))

static inline void check_all_exports_called(void) {
#define EXPORT_ENTRY(name) {#name, (void (*)(void))(name)},
  static const struct {
    const char *name;
    void (*function)(void);
  } entries[] = {NETCORE_EXPORTS(EXPORT_ENTRY)};
#undef EXPORT_ENTRY
  check_case = "every function of the ABI was called";
  for (size_t i = 0; i < LENGTH(entries); i++)
    if (entries[i].function == NULL || export_calls[i] == 0) check_true(false, entries[i].name, __FILE__, __LINE__);
}

#endif
