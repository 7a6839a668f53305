/* jansson for Swift: its reference counting is made of inline functions and macros. */
#ifndef NETCORE_CJANSSON_H
#define NETCORE_CJANSSON_H

#include <jansson.h>

static inline void netcore_json_release(json_t *value) { json_decref(value); }
static inline void netcore_json_retain(json_t *value) { json_incref(value); }

#endif
