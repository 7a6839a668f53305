/* The table of cases of building requests that all doors share, through C: each by perform, and by dispatch where it is refused. */
#include "support.h"

#include "support/steps.h"
#include "support/table.h"

enum { NAME, FIRST_STEP, MOST_COLUMNS = 20, UNKNOWN = -1 };

/* A case on its way, with what was said of a request and of a part before it is made. */
struct run {
  netcore_client client;
  netcore_request request;
  struct text service, file_name, type, field_name, field_value;
};

static const char *text_or_null(const struct text *text) { return text->size > 0 ? text->data : NULL; }

#define IS(text) (strcmp(step->word, text) == 0)

static netcore_status set_cookie(struct run *run, struct step *step) {
  struct text host = decode("$ORIGIN", 7, "");
  host.data[strcspn(host.data, ":")] = 0;
  netcore_cookie cookie = {.size = sizeof cookie, .is_host_only = 1, .expires = -1, .name = step->name.data};
  cookie.value = step->value.data;
  cookie.domain = host.data;
  return netcore_client_set_cookie(run->client, &cookie);
}

static netcore_status client_step(struct run *run, struct step *step) {
  const char *name = step->name.data, *value = step->value.data;
  if (IS("service")) {
    char *urls = step->value.data, *environment = strsep(&urls, " "), *base = strsep(&urls, " ");
    return netcore_client_add_service(run->client, name, environment, base == NULL ? "" : base, urls);
  }
  if (IS("select_service")) return netcore_client_select_service(run->client, name);
  if (IS("select_environment")) return netcore_client_select_environment(run->client, name);
  if (IS("common_header")) return netcore_client_set_header(run->client, name, value);
  if (IS("common_param")) return netcore_client_set_param(run->client, name, value);
  if (IS("common_list")) return netcore_client_add_param_list(run->client, name, value);
  if (IS("cookie")) return set_cookie(run, step);
  return UNKNOWN;
}

static netcore_status add_part(struct run *run, struct step *step) {
  netcore_part_header header = {run->field_name.data, run->field_value.data};
  netcore_part_options options = {.size = sizeof options,
                                  .header_count = run->field_name.size > 0,
                                  .headers = &header,
                                  .header_size = sizeof header};
  options.file_name = text_or_null(&run->file_name);
  options.content_type = text_or_null(&run->type);
  return netcore_request_add_part(run->request, step->name.data, step->value.data, step->value.size, &options);
}

static netcore_status request_step(struct run *run, struct step *step) {
  const char *name = step->name.data, *value = step->value.data;
  const char *service = text_or_null(&run->service);
  if (IS("named")) return run->service = step->rest, NETCORE_OK;
  if (IS("file_name")) return run->file_name = step->rest, NETCORE_OK;
  if (IS("type")) return run->type = step->rest, NETCORE_OK;
  if (IS("part_field")) return run->field_name = step->name, run->field_value = step->value, NETCORE_OK;
  if (IS("part")) return add_part(run, step);
  if (IS("to")) return netcore_request_create(name, value, &run->request);
  if (IS("relative")) return netcore_request_create_relative(name, service, value, &run->request);
  if (IS("base")) return netcore_request_set_base_url(run->request, name);
  if (IS("cdn")) return netcore_request_set_use_cdn(run->request, 1);
  if (IS("https")) return netcore_request_set_use_https(run->request, 1);
  if (IS("custom")) return netcore_request_set_bare(run->request, 1);
  if (IS("value")) return netcore_request_set_path_value(run->request, name, value);
  if (IS("header")) return netcore_request_add_header(run->request, name, value);
  if (IS("content_type")) return netcore_request_set_content_type(run->request, step->rest.data);
  if (IS("body")) return netcore_request_set_body(run->request, step->rest.data, step->rest.size);
  if (IS("basic")) return netcore_request_set_auth(run->request, NETCORE_AUTH_BASIC, name, value);
  if (IS("bearer")) return netcore_request_set_auth(run->request, NETCORE_AUTH_BEARER, NULL, name);
  if (IS("no_cookies")) return netcore_request_set_use_cookies(run->request, 0);
  return UNKNOWN;
}

static netcore_status param_step(struct run *run, struct step *step) {
  const char *name = step->name.data, *value = step->value.data;
  if (IS("param")) return netcore_request_add_param(run->request, name, value);
  if (IS("int")) return netcore_request_add_param_int(run->request, name, strtoll(value, NULL, 10));
  if (IS("double")) return netcore_request_add_param_double(run->request, name, strtod(value, NULL));
  if (IS("bool")) return netcore_request_add_param_bool(run->request, name, strcmp(value, "true") == 0);
  if (IS("null")) return netcore_request_add_param_null(run->request, name);
  if (IS("json")) return netcore_request_add_param_json(run->request, name, value);
  if (IS("list")) return netcore_request_add_param_list(run->request, name, value);
  if (IS("nesting")) {
    bool has_brackets = strcmp(name, "brackets") == 0;
    return netcore_request_set_param_nesting(
        run->request, has_brackets ? NETCORE_PARAM_NESTING_BRACKETS : NETCORE_PARAM_NESTING_REPEAT);
  }
  REQUIRE(IS("serializer"));
  static const char *const serializers[] = {"form", "json", "query"};
  netcore_serializer serializer = NETCORE_SERIALIZER_FORM;
  while (strcmp(name, serializers[serializer]) != 0) REQUIRE(++serializer <= NETCORE_SERIALIZER_QUERY);
  return netcore_request_set_serializer(run->request, serializer);
}

static netcore_status apply(struct run *run, struct step *step) {
  netcore_status status = client_step(run, step);
  if (status == UNKNOWN) status = request_step(run, step);
  return status == UNKNOWN ? param_step(run, step) : status;
}

static void check_echo(struct step *step, const struct answer *answer, const char *echo) {
  char wanted[8100];
  int count;
  struct text rest = quoted(&step->rest), value = quoted(&step->value);
  struct text values = field_values(echo, step->name.data, &count);
  if (IS("url"))
    CHECK_TEXT(answer->info.url, step->rest.data);
  else if (IS("no_field"))
    CHECK_EQUAL(count, 0);
  else if (IS("field"))
    CHECK(count > 0 && strcmp(values.data, value.data) == 0);
  else {
    REQUIRE(IS("target") || IS("body"));
    snprintf(wanted, sizeof wanted, "\"%s\": \"%s\", \"", step->word, rest.data);
    CHECK_BODY_HAS(answer, wanted);
  }
}

static void check_sent(char **columns, int count, const struct answer *answer) {
  char echo[20000], boundary[100] = "";
  snprintf(echo, sizeof echo, "%.*s", (int)answer->info.body.size_bytes, (const char *)answer->info.body.data);
  const char *found = strstr(echo, "boundary=");
  if (found != NULL) REQUIRE(sscanf(found, "boundary=%99[^\"]", boundary) == 1);
  for (int i = 0; i < count; i++) {
    struct step step;
    read_step(columns[i] + strlen("=> "), boundary, &step);
    check_echo(&step, answer, echo);
  }
}

static void check_refused(const char *column, netcore_status status) {
  struct step step;
  read_step(column + strlen("=> "), "", &step);
  bool is_right = strcmp(netcore_status_name(status), step.word) == 0 &&
                  strstr(netcore_last_error_message(), step.rest.data) != NULL;
  if (!CHECK(is_right)) fprintf(stderr, "    %s: %s\n", netcore_status_name(status), netcore_last_error_message());
}

static bool is_expectation(const char *column) { return strncmp(column, "=> ", 3) == 0; }

/* Takes the steps until one is refused, and sends the request: where that is refused, a dispatch is too. */
static netcore_status send_case(struct run *run, char **columns, int count, struct answer *answer) {
  for (int i = FIRST_STEP; i < count; i++) {
    struct step step;
    read_step(columns[i], "", &step);
    netcore_status status = strcmp(step.word, "not") == 0 ? NETCORE_OK : apply(run, &step);
    if (status != NETCORE_OK) return status;
  }
  netcore_status status = netcore_perform(run->client, run->request, &answer->response);
  if (answer->response == 0)
    CHECK_STATUS(netcore_dispatch(run->client, run->request, NULL, NULL, NULL), status);
  else
    answer->info = response_info(answer->response);
  return answer->status = status;
}

static void run_case(char **columns, int count) {
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE), .cookies = 1};
  struct run run = {.request = 0};
  struct answer answer = {.response = 0};
  int steps = FIRST_STEP;
  REQUIRE_OK(netcore_client_create(&options, &run.client));
  while (steps < count && !is_expectation(columns[steps])) steps++;
  REQUIRE(steps < count);
  netcore_status status = send_case(&run, columns, steps, &answer);
  if (strncmp(columns[steps], "=> NETCORE_", 11) == 0)
    check_refused(columns[steps], status);
  else if (CHECK_OK(status))
    check_sent(columns + steps, count - steps, &answer);
  answer_free(&answer);
  if (run.request != 0) CHECK_OK(netcore_request_destroy(run.request));
  CHECK_OK(netcore_client_destroy(run.client));
}

int main(void) {
  check_begin();
  FILE *table = table_open(__FILE__, "building.tsv");
  char line[4000], *columns[MOST_COLUMNS];
  int cases = 0;
  for (int count; (count = table_next(table, line, sizeof line, columns, MOST_COLUMNS)) > 0;) {
    REQUIRE(count > FIRST_STEP && count < MOST_COLUMNS);
    check_case = columns[NAME];
    bool is_mine = true;
    for (int i = FIRST_STEP; i < count; i++) is_mine = is_mine && strcmp(columns[i], "not c") != 0;
    if (is_mine) run_case(columns, count);
    cases += is_mine;
  }
  fclose(table);
  CHECK(cases > 200);
  return check_end();
}
