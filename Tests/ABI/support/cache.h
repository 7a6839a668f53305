/** Caches: folders to put them in, clients that use them, and what they did. */
#ifndef NETCORE_TESTS_CACHE_H
#define NETCORE_TESTS_CACHE_H

#include <ftw.h>

#include "check.h"
#include "door.h"

/** Makes a folder for a cache. Remove and free it by folder_remove(). */
static inline char *folder_new(void) {
  const char *parent = getenv("TMPDIR");
  char *path = malloc(4096);
  REQUIRE(path != NULL);
  snprintf(path, 4096, "%s/netcore-cache-XXXXXX", parent == NULL ? "/tmp" : parent);
  REQUIRE(mkdtemp(path) != NULL);
  return path;
}

static inline int folder_remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

static inline void folder_remove(char *path) {
  CHECK_EQUAL(nftw(path, folder_remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
  free(path);
}

/** A cache with defaults; in memory alone when the folder is null. */
static inline netcore_cache cache_new(const char *folder) {
  netcore_cache_options options = {0};
  netcore_cache cache = 0;
  options.size = sizeof options;
  options.folder = folder;
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  return cache;
}

static inline netcore_client cached_client(netcore_completion_mode mode, netcore_cache cache) {
  netcore_client_options options = {0};
  netcore_client client = 0;
  options.size = sizeof options;
  options.completions = mode;
  options.cache = cache;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static inline struct door cached_door(netcore_completion_mode mode, netcore_cache cache) {
  struct door door = {mode, cached_client(mode, cache), -1};
  if (mode != NETCORE_COMPLETIONS_CALLBACK)
    REQUIRE_OK(netcore_client_get_descriptor(door.client, &door.descriptor));
  return door;
}

static inline netcore_cache_statistics cache_statistics(netcore_cache cache) {
  netcore_cache_statistics statistics = {0};
  statistics.size = sizeof statistics;
  CHECK_OK(netcore_cache_get_statistics(cache, &statistics));
  return statistics;
}

#endif
