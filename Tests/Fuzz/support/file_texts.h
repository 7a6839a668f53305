/** Texts of files that a client keeps or reads: lines of their format with extreme parts, and damage. */
#ifndef NETCORE_FUZZ_FILE_TEXTS_H
#define NETCORE_FUZZ_FILE_TEXTS_H

#include "bytes.h"

enum file_kind { FILE_COOKIES, FILE_HSTS, FILE_ALT_SVC, FILE_NETRC, FILE_KINDS };

static const char *const file_names[FILE_KINDS] = {"cookies", "hsts", "alt_svc", "netrc"};
static const char *const file_options[FILE_KINDS] = {"cookie_file", "hsts_file", "alt_svc_file", "netrc_file"};

/** A host: mostly one that is visited. */
static inline const char *host_word(struct rng *rng) {
  static const char *const visited[] = {"127.0.0.1", "a.test", ".a.test", "b.a.test", "c.test"};
  static const char *const odd[] = {"",
                                    ".",
                                    "..",
                                    "test",
                                    "co.uk",
                                    "A.TEST",
                                    "a.test.",
                                    "[::1]",
                                    "::1",
                                    "[",
                                    "a:1",
                                    "xn--",
                                    "%41",
                                    "\xC3\xA9.test",
                                    "-",
                                    "256.256.256.256",
                                    "*.test",
                                    "a..test",
                                    "[fe80::1%25lo]",
                                    "a/b",
                                    "\"a.test\"",
                                    "127.0.0.1.",
                                    "0x7f.1"};
  return per_mille(rng, 750) ? PICK(rng, visited) : PICK(rng, odd);
}

/** A time in a file of curl's. */
static inline void date_add(struct bytes *out, struct rng *rng) {
  static const char *const odd[] = {
      "unlimited",         "99999999 99:99:99", "00000000 00:00:00", "19700101 00:00:00", "20240230 00:00:00",
      "99991231 23:59:60", "20991231",          "-0011231 23:59:59", "20990001 00:00:00", ""};
  if (per_mille(rng, 300))
    bytes_text(out, PICK(rng, odd));
  else
    bytes_format(out, "%04u%02u%02u %02u:%02u:%02u", 2030 + (unsigned)below(rng, 70), 1 + (unsigned)below(rng, 12),
                 1 + (unsigned)below(rng, 28), (unsigned)below(rng, 24), (unsigned)below(rng, 60),
                 (unsigned)below(rng, 60));
}

/** A number as it stands there mostly, or one at the edges. */
static inline const char *number_word(struct rng *rng, const char *usual) {
  static char text[64];
  if (per_mille(rng, 600)) return usual;
  edge_digits(rng, text, sizeof text);
  return text;
}

static inline void cookie_line(struct bytes *out, struct rng *rng, uint64_t number) {
  static const char *const flags[] = {"TRUE", "FALSE", "true", "x", ""};
  static const char *const paths[] = {"/", "/x", "/x/", "", "x", "//", "/%00"};
  static const char *const names[] = {"a", "__Host-a", "__Secure-a", "", "a=b", "\xFF", "a b", "new"};
  const char *host = host_word(rng);
  bytes_format(out, "%s%s\t%s\t%s\t%s\t", per_mille(rng, 200) ? "#HttpOnly_" : "", host, PICK(rng, flags),
               PICK(rng, paths), PICK(rng, flags));
  bytes_format(out, "%s\t%s%llu\tv\n", number_word(rng, per_mille(rng, 500) ? "0" : "9999999999"), PICK(rng, names),
               (unsigned long long)number);
}

static inline void hsts_line(struct bytes *out, struct rng *rng, uint64_t number) {
  if (per_mille(rng, 700)) bytes_format(out, "h%llu.", (unsigned long long)number);
  bytes_format(out, "%s \"", host_word(rng));
  date_add(out, rng);
  bytes_text(out, "\"\n");
}

static inline void alt_svc_line(struct bytes *out, struct rng *rng, uint64_t number) {
  static const char *const protocols[] = {"h1", "h2", "h2", "h3", "h4", ""};
  char origin[16];
  snprintf(origin, sizeof origin, "%s", number_word(rng, visited_port));
  bytes_format(out, "%s %s %s ", PICK(rng, protocols), host_word(rng), origin);
  if (per_mille(rng, 500))
    bytes_format(out, "%s s%llu.test", PICK(rng, protocols), (unsigned long long)number);
  else
    bytes_format(out, "%s %s", PICK(rng, protocols), host_word(rng));
  bytes_format(out, " %s \"", number_word(rng, visited_port));
  date_add(out, rng);
  bytes_format(out, "\" %s", number_word(rng, "1"));
  bytes_format(out, " %s\n", number_word(rng, "0"));
}

static inline void netrc_line(struct bytes *out, struct rng *rng, uint64_t number) {
  static const char *const words[] = {"machine", "login", "password", "default",     "macdef",
                                      "account", "\"",    "\"a b\"",  "\"\\\"\\n\"", "\\",
                                      "#",       "\xFF",  "user",     "secret",      "\"no end"};
  if (per_mille(rng, 700)) {
    bytes_format(out, "machine %s login u%llu password p\n", host_word(rng), (unsigned long long)number);
    return;
  }
  for (uint64_t count = below(rng, 9); count > 0; count--)
    bytes_format(out, "%s%s", PICK(rng, words), per_mille(rng, 800) ? " " : "\n");
  bytes_text(out, "\n");
}

/** Makes lines so long, so many or so alike as no client would. */
static inline void text_exaggerate(struct bytes *text, struct rng *rng) {
  struct bytes copy = {0};
  switch (below(rng, 4)) {
    case 0:
      bytes_fill(text, below(rng, 2) == 0 ? 'a' : ' ', below(rng, 300000));
      break;
    case 1:
      bytes_fill(text, '\0', 1 + below(rng, 5000));
      break;
    default:
      bytes_add(&copy, text->data, text->size);
      for (uint64_t times = below(rng, 40); times > 0 && text->size < 2000000; times--)
        bytes_add(text, copy.data, copy.size);
      bytes_free(&copy);
  }
}

/** The text of a file: sound in a third of all cases. */
static inline void file_text(struct bytes *out, enum file_kind kind, struct rng *rng) {
  static void (*const lines[FILE_KINDS])(struct bytes *, struct rng *, uint64_t) = {cookie_line, hsts_line,
                                                                                    alt_svc_line, netrc_line};
  uint64_t count = per_mille(rng, 950) ? below(rng, 30) : below(rng, 20000);
  for (uint64_t number = 0; number < count; number++) lines[kind](out, rng, below(rng, count));
  if (per_mille(rng, 300)) return;
  if (per_mille(rng, 100)) text_exaggerate(out, rng);
  for (uint64_t times = below(rng, 8); times > 0; times--) bytes_damage(out, 0, rng);
}

#endif
