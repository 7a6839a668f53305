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
  /* A client that was destroyed inside a callback may end, and its cache with it, after that call: files then still go. */
  int failed = 0;
  for (unsigned tries = 500; (failed = nftw(path, folder_remove_entry, 16, FTW_DEPTH | FTW_PHYS)) != 0 && tries > 0;
       tries--)
    pause_ms(10);
  CHECK_EQUAL(failed, 0);
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
  if (mode != NETCORE_COMPLETION_MODE_CALLBACK)
    REQUIRE_OK(netcore_client_get_descriptor(door.client, &door.descriptor));
  return door;
}

/** A path at the origin whose answer may be kept for 1000 seconds, and that no other program asks for. More fields of the
 *  answer go into `fields`, as "&Name=Value". The text is the thread's, and good for the next seven calls. */
static inline const char *keepable(const char *mark, const char *fields) {
  static __thread char texts[8][512];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "/headers?Mark=%s-%ld&Cache-Control=max-age%%3D1000%s", mark, (long)getpid(), fields);
  return text;
}

/** Gets a URL; returns what the cache did. */
static inline netcore_cache_result result_of(netcore_client client, const char *url) {
  struct answer answer = fetch(client, url);
  netcore_cache_result result = answer.info.cache_result;
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  return result;
}

/** The same for a request, which stays. */
static inline netcore_cache_result result_for(netcore_client client, netcore_request request) {
  struct answer answer = perform(client, request);
  netcore_cache_result result = answer.info.cache_result;
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  return result;
}

#define CHECK_RESULT(actual, expected) CHECK_EQUAL(actual, NETCORE_CACHE_RESULT_##expected)

static inline netcore_cache_statistics cache_statistics(netcore_cache cache) {
  netcore_cache_statistics statistics = {0};
  statistics.size = sizeof statistics;
  CHECK_OK(netcore_cache_get_statistics(cache, &statistics));
  return statistics;
}

#endif
