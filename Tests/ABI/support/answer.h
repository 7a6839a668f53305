/** One request and its whole answer, by netcore_perform(). */
#ifndef NETCORE_TESTS_ANSWER_H
#define NETCORE_TESTS_ANSWER_H

#include "check.h"
#include "peers.h"

struct answer {
  netcore_status status;
  netcore_response response;
  netcore_response_info info;
  netcore_error error;
};

static inline netcore_request request_new(const char *method, const char *url) {
  netcore_request request = 0;
  REQUIRE_OK(netcore_request_create(method, url, &request));
  return request;
}

static inline netcore_request script_request(const char *method, const char *variable, const char *steps) {
  char *url = script_url(variable, steps);
  netcore_request request = request_new(method, url);
  free(url);
  return request;
}

static inline netcore_response_info response_info(netcore_response response) {
  netcore_response_info info = {0};
  info.size = sizeof info;
  CHECK_OK(netcore_response_get_info(response, &info));
  return info;
}

static inline netcore_error response_error(netcore_response response) {
  netcore_error error = {0};
  error.size = sizeof error;
  CHECK_OK(netcore_response_get_error(response, &error));
  return error;
}

/** What holds for each response, whatever the task. */
static inline void check_response(netcore_status status, const netcore_response_info *info,
                                  const netcore_error *error) {
  CHECK_STATUS(info->status, status);
  CHECK_STATUS(error->status, status);
  CHECK(info->url.data != NULL && info->url.data[info->url.size_bytes] == '\0');
  CHECK(error->message.data != NULL && error->message.data[error->message.size_bytes] == '\0');
  if (status == NETCORE_OK) {
    CHECK(info->http_status >= 200 && info->http_status <= 999);
    CHECK_EQUAL(error->message.size_bytes, 0);
    CHECK_EQUAL(error->is_retryable, 0);
  } else {
    bool has_answer = (status >= 1700 && status < 1800) || status >= NETCORE_STATUS_APPLICATION_FIRST ||
                      status == NETCORE_ERR_INTEGRITY || (status == NETCORE_ERR_REFUSED && info->http_status > 0);
    CHECK(info->body.size_bytes == 0 || has_answer);
    CHECK(error->message.size_bytes > 0);
    CHECK_EQUAL(error->attempts, info->attempts);
  }
}

/** Sends a request and waits. Free the answer by answer_free(). */
static inline struct answer perform(netcore_client client, netcore_request request) {
  struct answer answer = {0};
  answer.status = netcore_perform(client, request, &answer.response);
  if (!CHECK(answer.response != 0)) {
    fprintf(stderr, "    netcore_perform: %s: %s\n", netcore_status_name(answer.status), netcore_last_error_message());
    return answer;
  }
  answer.info = response_info(answer.response);
  answer.error = response_error(answer.response);
  check_response(answer.status, &answer.info, &answer.error);
  return answer;
}

/** The same, and destroys the request. */
static inline struct answer perform_once(netcore_client client, netcore_request request) {
  struct answer answer = perform(client, request);
  CHECK_OK(netcore_request_destroy(request));
  return answer;
}

static inline struct answer fetch(netcore_client client, const char *url) {
  return perform_once(client, request_new("GET", url));
}

static inline struct answer fetch_script(netcore_client client, const char *variable, const char *steps) {
  return perform_once(client, script_request("GET", variable, steps));
}

static inline void answer_free(struct answer *answer) {
  if (answer->response != 0) CHECK_OK(netcore_response_release(answer->response));
  memset(answer, 0, sizeof *answer);
}

static inline bool bytes_have(netcore_bytes bytes, const char *text) {
  return bytes.size_bytes > 0 && memmem(bytes.data, bytes.size_bytes, text, strlen(text)) != NULL;
}

static inline bool body_has(const struct answer *answer, const char *text) {
  return bytes_have(answer->info.body, text);
}

/** The same without case, for percent-encodings. */
static inline bool body_has_anycase(const struct answer *answer, const char *text) {
  char body[4000];
  snprintf(body, sizeof body, "%.*s", (int)answer->info.body.size_bytes, (const char *)answer->info.body.data);
  return strcasestr(body, text) != NULL;
}

/** A body_has() that shows the body when it fails. */
#define CHECK_BODY_HAS(answer, text) check_body(answer, text, __FILE__, __LINE__)

static inline void check_body(const struct answer *answer, const char *text, const char *file, int line) {
  netcore_bytes body = answer->info.body;
  if (check_true(body_has(answer, text), text, file, line)) return;
  int shown = (int)(body.size_bytes < 2000 ? body.size_bytes : 2000);
  fprintf(stderr, "    is not in: %.*s\n", shown, (const char *)body.data);
}

/** The first value of a header field; empty and with null data when there is none. */
static inline netcore_bytes header(const struct answer *answer, const char *name) {
  netcore_bytes value = {NULL, 0};
  netcore_response_get_header(answer->response, name, 0, &value);
  return value;
}

/** Whether the bytes are the origin's pattern: byte i is (i * 31 + 7) mod 256. */
static inline bool is_pattern(netcore_bytes bytes, size_t size) {
  if (bytes.size_bytes != size) return false;
  for (size_t i = 0; i < size; i++)
    if (bytes.data[i] != (uint8_t)(i * 31 + 7)) return false;
  return true;
}

/** A number of the origin's /stats, or of an /echo; -1 when the key is not there. */
static inline long json_number(netcore_bytes json, const char *key) {
  char quoted[700];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const uint8_t *found = json.size_bytes == 0 ? NULL : memmem(json.data, json.size_bytes, quoted, strlen(quoted));
  return found == NULL ? -1 : strtol((const char *)found + strlen(quoted), NULL, 10);
}

/** How many requests with this target have reached the origin. */
static inline long requests_seen(netcore_client client, const char *target) {
  struct answer answer = fetch(client, at(ORIGIN, "/stats"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  /* by_path comes first and has the same keys for targets without a query; the callers' targets have one. */
  long count = json_number(answer.info.body, target);
  answer_free(&answer);
  return count < 0 ? 0 : count;
}

#endif
