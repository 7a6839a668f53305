/** Cookies that change together, so that a file can be seen to be whole, and the moments at which it is written. */
#ifndef NETCORE_TESTS_COOKIE_FILE_H
#define NETCORE_TESTS_COOKIE_FILE_H

#include <poll.h>
#include <sys/inotify.h>

#include "cookies.h"
#include "wait.h"

enum { COOKIES = 50 };

/** Gives all cookies another value, in one step. */
static inline void import_generation(netcore_client client, unsigned generation) {
  static char text[COOKIES * 100];
  char *end = text;
  for (int i = 0; i < COOKIES; i++)
    end += sprintf(end, "example.com\tFALSE\t/\tFALSE\t0\tcookie%d\tgeneration%u\n", i, generation);
  CHECK_OK(netcore_client_import_cookies(client, text, (size_t)(end - text), NULL));
}

/** Waits until something happens in a folder; false when that takes too long. */
static inline bool folder_changes(int watch) {
  char events[4096];
  struct pollfd wanted = {watch, POLLIN, 0};
  return poll(&wanted, 1, (int)patience_ms()) == 1 && read(watch, events, sizeof events) > 0;
}

/** The value that all cookies have, and how many there are. */
struct generation {
  char value[40];
  unsigned count;
};

static inline int32_t note_generation(const netcore_cookie *cookie, void *user_data) {
  struct generation *generation = user_data;
  if (generation->count++ == 0) snprintf(generation->value, sizeof generation->value, "%s", cookie->value);
  CHECK(strcmp(generation->value, cookie->value) == 0);
  return 1;
}

static inline void check_generation(const char *file) {
  struct generation generation = {"", 0};
  netcore_client client = cookie_client(file, 0);
  CHECK_OK(netcore_client_list_cookies(client, note_generation, &generation));
  CHECK_EQUAL(generation.count, COOKIES);
  CHECK_OK(netcore_client_destroy(client));
}

#endif
