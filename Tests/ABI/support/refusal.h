/** Checks that a call is refused: status, the argument that the message names, and a handle result set to 0. */
#ifndef NETCORE_TESTS_REFUSAL_H
#define NETCORE_TESTS_REFUSAL_H

#include <ctype.h>

#include "check.h"
#include "exports.h"

static uint64_t refusal_result;
static bool refusal_has_result;

/** Where a call that will be refused may put its handle. */
static inline uint64_t *fresh(void) {
  refusal_result = 77;
  refusal_has_result = true;
  return &refusal_result;
}

/** Whether the text has this word, and not as a part of a longer one. */
static inline bool has_word(const char *text, const char *word) {
  size_t size = strlen(word);
  for (const char *found = text; (found = strstr(found, word)) != NULL; found++) {
    char before = found == text ? ' ' : found[-1], after = found[size];
    if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) && after != '_') return true;
  }
  return false;
}

#define REFUSES(function, expected, argument, ...) \
  (CALLING(function), check_refused(function(__VA_ARGS__), expected, argument, "", __LINE__))
/** The same, with a word for the message on which input it was. */
#define REFUSES_INPUT(function, expected, argument, input, ...) \
  (CALLING(function), check_refused(function(__VA_ARGS__), expected, argument, input, __LINE__))

static inline void check_refused(netcore_status status, netcore_status expected, const char *argument,
                                 const char *input, int line) {
  const char *message = netcore_last_error_message();
  netcore_error last = {.size = sizeof last};
  bool is_right = CHECK_OK(netcore_last_error(&last));
  if (status == expected && last.status != status) {
    fprintf(stderr, "    netcore_last_error() says %s\n", netcore_status_name(last.status));
    is_right = false;
  }
  /* Of a struct the message names the member `size`; it is the struct that is refused. */
  bool is_size = status == NETCORE_ERR_INVALID_STRUCT && last.argument.size_bytes > 0;
  if (status == expected && !is_size && !has_word((const char *)last.argument.data, argument)) {
    fprintf(stderr, "    the argument is `%s`, not `%s`\n", (const char *)last.argument.data, argument);
    is_right = false;
  }
  if (status != expected) {
    fprintf(stderr, "    %s, not %s\n", netcore_status_name(status), netcore_status_name(expected));
    is_right = false;
  } else if (!has_word(message, argument)) {
    fprintf(stderr, "    the message does not name `%s`\n", argument);
    is_right = false;
  }
  if (refusal_has_result && refusal_result != 0) {
    fprintf(stderr, "    the result is not zeroed\n");
    is_right = false;
  }
  refusal_has_result = false;
  if (is_right) return;
  fprintf(stderr, "    line %d, with \"", line);
  for (const char *c = input; *c != '\0' && c < input + 100; c++)
    fprintf(stderr, isprint((unsigned char)*c) ? "%c" : "\\x%02x", (unsigned char)*c);
  fprintf(stderr, "\"; message: \"%s\"\n", message);
  check_true(false, "the call is refused in the documented way", "refusal", line);
}

#endif
