/** Functions that give tokens, and what they were asked. */
#ifndef NETCORE_TESTS_TOKENS_H
#define NETCORE_TESTS_TOKENS_H

#include "answer.h"
#include "auth.h"
#include "wait.h"

/** Gives its tokens one after the other; null stands for none, as does the end. */
struct giver {
  const char *tokens[4];
  /** Each call raises it. */
  struct tally calls;
  /** The last refused token; empty where there was none. */
  char refused[100];
  /** Runs in each call, with its number from 1 on; may be null. */
  void (*hook)(unsigned call);
};

#define GIVER(...) {.tokens = {__VA_ARGS__}, .calls = TALLY_INITIAL}

static inline int32_t give(const char *refused, char *token, size_t capacity, void *user_data) {
  struct giver *giver = user_data;
  CHECK_EQUAL(capacity, 65536);
  snprintf(giver->refused, sizeof giver->refused, "%s", refused == NULL ? "" : refused);
  tally_raise(&giver->calls);
  unsigned call = tally_count(&giver->calls);
  if (giver->hook != NULL) giver->hook(call);
  const char *text = call <= LENGTH(giver->tokens) ? giver->tokens[call - 1] : NULL;
  return text == NULL ? -1 : snprintf(token, capacity, "%s", text);
}

/** A path of the origin's that asks for a token, and that no other program of a parallel run uses. Its requests are counted under
 *  the path without the query. */
static inline const char *guarded_path(const char *mark) {
  static __thread char texts[8][200];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "/guarded/%s-%ld", mark, (long)getpid());
  return text;
}

static inline const char *guarded(const char *mark, const char *token) {
  static __thread char texts[8][400];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "%s?for=Bearer%%20%s&WWW-Authenticate=Bearer", guarded_path(mark), token);
  return at(ORIGIN, text);
}

/** How many requests there were to guarded(mark, …). */
static inline long guarded_seen(const char *mark) {
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  long count = requests_seen(client, guarded_path(mark));
  CHECK_OK(netcore_client_destroy(client));
  return count;
}

#endif
