/** Steps of the table of building requests (Tests/Cases/building.tsv), and what the origin's /echo saw. */
#ifndef NETCORE_TESTS_STEPS_H
#define NETCORE_TESTS_STEPS_H

#include "check.h"
#include "peers.h"

/** Bytes, and a NUL byte behind them. */
struct text {
  char data[4000];
  size_t size;
};

/** A step: its word, all that is behind it, and that as two. */
struct step {
  char word[30];
  struct text rest, name, value;
};

static inline void append(struct text *text, const char *data, size_t size) {
  REQUIRE(text->size + size < sizeof text->data);
  memcpy(text->data + text->size, data, size);
  text->data[text->size += size] = 0;
}

/** Puts bytes, hosts and a boundary in the place of what the table has for them. */
static inline struct text decode(const char *from, size_t size, const char *boundary) {
  const struct {
    const char *name, *value;
  } names[] = {{"$ORIGIN", strstr(peer(ORIGIN), "//") + 2},
               {"$TLS", strstr(peer(ORIGIN_TLS), "//") + 2},
               {"{boundary}", boundary}};
  struct text text = {.size = 0};
  for (const char *end = from + size; from < end;) {
    size_t i = 0;
    unsigned byte;
    while (i < LENGTH(names) && strncmp(from, names[i].name, strlen(names[i].name)) != 0) i++;
    if (i < LENGTH(names)) {
      append(&text, names[i].value, strcspn(names[i].value, "/"));
      from += strlen(names[i].name);
    } else if (sscanf(from, "\\x%2x", &byte) == 1) {
      append(&text, (char[]){(char)byte}, 1);
      from += 4;
    } else {
      append(&text, from++, 1);
    }
  }
  return text;
}

static inline void read_step(const char *column, const char *boundary, struct step *step) {
  size_t word = strcspn(column, " ");
  REQUIRE(word < sizeof step->word);
  snprintf(step->word, sizeof step->word, "%.*s", (int)word, column);
  const char *rest = column + word + (column[word] == ' ');
  size_t name = strcspn(rest, " ");
  const char *value = rest + name + (rest[name] == ' ');
  step->rest = decode(rest, strlen(rest), boundary);
  step->name = decode(rest, name, boundary);
  step->value = decode(value, strlen(value), boundary);
}

/** Bytes as the origin's JSON has them, in which each byte is a character. */
static inline struct text quoted(const struct text *text) {
  static const char named[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
  struct text result = {.size = 0};
  for (size_t i = 0; i < text->size; i++) {
    unsigned char byte = (unsigned char)text->data[i];
    const char *found = byte == 0 ? NULL : strchr(named, byte);
    char escape[8] = {(char)byte};
    if (found != NULL)
      snprintf(escape, sizeof escape, "\\%c", names[found - named]);
    else if (byte < 0x20 || byte >= 0x7F)
      snprintf(escape, sizeof escape, "\\u%04x", byte);
    append(&result, escape, strlen(escape));
  }
  return result;
}

/** The values of all fields of a name, by commas, and their number. */
static inline struct text field_values(const char *echo, const char *name, int *out_count) {
  char start[100];
  struct text result = {.size = 0};
  snprintf(start, sizeof start, "[\"%s\", \"", name);
  *out_count = 0;
  for (const char *found = echo; (found = strcasestr(found, start)) != NULL; ++*out_count) {
    found += strlen(start);
    if (*out_count > 0) append(&result, ", ", 2);
    append(&result, found, (size_t)(strstr(found, "\"]") - found));
  }
  return result;
}

#endif
