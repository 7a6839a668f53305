/* For LD_PRELOAD: a process in which no file system has locks of open files (fcntl, F_OFD_SETLK and F_OFD_GETLK). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

typedef int (*fcntl_fn)(int, int, ...);

static int call(const char *name, int file, int command, void *argument) {
  fcntl_fn real;
  void *symbol = dlsym(RTLD_NEXT, name);
  if (command == F_OFD_SETLK || command == F_OFD_GETLK || symbol == NULL) {
    errno = ENOLCK;
    return -1;
  }
  memcpy(&real, &symbol, sizeof real);
  return real(file, command, argument);
}

#define REPLACE(name) \
  int name(int file, int command, ...) { \
    va_list arguments; \
    va_start(arguments, command); \
    void *first = va_arg(arguments, void *); \
    va_end(arguments); \
    return call(#name, file, command, first); \
  }

REPLACE(fcntl)
REPLACE(fcntl64)
