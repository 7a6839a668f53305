/**
 * What a body says of the request that it belongs to.
 *
 * A case is a number; its requests ask for "/CASE/HOP", and each whole body that the server sends in answer holds the
 * case's token. A token has a check, so that no damage makes another case's out of it.
 */
#ifndef NETCORE_FUZZ_TOKEN_H
#define NETCORE_FUZZ_TOKEN_H

#include "bytes.h"
#include "fuzz.h"

/** What a foreign token says: that netcore mixed answers up, or that the server wrote where it should not have. */
enum { TOKEN_STRICT = 'S', TOKEN_LOOSE = 'L' };
enum { TOKEN_BYTES = 36 };

/** The case of answers that nobody asked for. */
#define CASE_UNASKED 0xfffffffffffu
/** The number of requests whose path has none, as a Location that the fuzzer made leads to. */
#define CASE_UNNUMBERED 0xffffffffffeu

static inline void token_add(struct bytes *body, uint64_t number, int kind) {
  bytes_format(body, "<id:%011llx:%c:%016llx>\n", (unsigned long long)number, kind,
               (unsigned long long)mix(fuzz.seed ^ mix(number * 256 + (unsigned)kind)));
}

/** Finds the next token from `*at` on. */
static inline bool token_find(const uint8_t *data, size_t size, size_t *at, uint64_t *out_number, int *out_kind) {
  while (*at + TOKEN_BYTES - 1 <= size) {
    const uint8_t *found = memchr(data + *at, '<', size - *at);
    if (found == NULL || (size_t)(found - data) + TOKEN_BYTES - 1 > size) return false;
    unsigned long long number, check;
    char text[TOKEN_BYTES + 1], kind;
    size_t left = size - (size_t)(found - data);
    memcpy(text, found, left < TOKEN_BYTES ? left : TOKEN_BYTES);
    text[left < TOKEN_BYTES ? left : TOKEN_BYTES] = '\0';
    *at = (size_t)(found - data) + 1;
    if (sscanf(text, "<id:%11llx:%c:%16llx>", &number, &kind, &check) != 3) continue;
    if (check != mix(fuzz.seed ^ mix(number * 256 + (unsigned char)kind))) continue;
    *out_number = number;
    *out_kind = kind;
    return true;
  }
  return false;
}

#endif
