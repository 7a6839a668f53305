/* The table of cases that all doors share, through C: each case by perform and, in each mode, by dispatch. */
#include "support/answer.h"
#include "support/check.h"
#include "support/door.h"
#include "support/peers.h"
#include "support/table.h"

enum { NAME, BASE, METHOD, TARGET, BODY, STATUS, HTTP_STATUS, VERSION, CONTENT, COLUMNS };
enum { MODES = NETCORE_COMPLETION_MODE_LOOP_QUEUE + 1 };

static netcore_request request_of(char *columns[COLUMNS]) {
  netcore_request request = request_new(columns[METHOD], at(columns[BASE], columns[TARGET]));
  if (strcmp(columns[BODY], "-") != 0)
    CHECK_OK(netcore_request_set_body(request, columns[BODY], strlen(columns[BODY])));
  return request;
}

static void check_outcome(char *columns[COLUMNS], netcore_status status, const netcore_response_info *info) {
  if (!CHECK(strcmp(netcore_status_name(status), columns[STATUS]) == 0))
    fprintf(stderr, "    %s\n", netcore_status_name(status));
  CHECK_EQUAL(info->http_status, atoi(columns[HTTP_STATUS]));
  if (strcmp(columns[VERSION], "-") != 0) CHECK_EQUAL(info->http_version, atoi(columns[VERSION]));
  if (strncmp(columns[CONTENT], "size:", 5) == 0)
    CHECK_EQUAL(info->body.size_bytes, strtoul(columns[CONTENT] + 5, NULL, 10));
}

static void by_perform(netcore_client client, char *columns[COLUMNS]) {
  struct answer answer = perform_once(client, request_of(columns));
  check_outcome(columns, answer.status, &answer.info);
  answer_free(&answer);
}

static void by_dispatch(struct door *door, char *columns[COLUMNS]) {
  static struct tally ended;
  struct outcome outcome = {.ended = &ended};
  netcore_request request = request_of(columns);
  ended.count = 0;
  CHECK_OK(door_dispatch(door, request, &outcome));
  CHECK_OK(netcore_request_destroy(request));
  REQUIRE(door_wait(door, &ended, 1));
  netcore_response_info info = response_info(outcome.completion.response);
  check_outcome(columns, outcome.completion.status, &info);
  outcome_free(&outcome);
}

static struct door open_trusting(netcore_completion_mode mode) {
  struct door door = {mode, 0, -1};
  netcore_client_options options = {.size = sizeof options, .completions = mode, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &door.client));
  if (mode != NETCORE_COMPLETION_MODE_CALLBACK)
    REQUIRE_OK(netcore_client_get_descriptor(door.client, &door.descriptor));
  return door;
}

int main(void) {
  check_begin();
  struct door doors[MODES];
  for (int mode = 0; mode < MODES; mode++) doors[mode] = open_trusting(mode);
  FILE *table = table_open(__FILE__, "cases.tsv");
  char line[1000], *columns[COLUMNS + 1];
  int count = 0;
  for (int size; (size = table_next(table, line, sizeof line, columns, COLUMNS + 1)) > 0;) {
    REQUIRE(size == COLUMNS);
    check_case = columns[NAME];
    by_perform(doors[0].client, columns);
    for (int mode = 0; mode < MODES; mode++) by_dispatch(&doors[mode], columns);
    count++;
  }
  fclose(table);
  CHECK(count > 10);
  for (int mode = 0; mode < MODES; mode++) CHECK_OK(netcore_client_destroy(doors[mode].client));
  return check_end();
}
