/*
 * Pages: the table of cases that all doors share, loads whose requests the program sends, credentials, and what is refused.
 */
#include "support.h"

#include "support/table.h"

#define BASE "http://app.test"

enum { MOST_HOPS = 8 };

/* Answers one after the other, and what was asked for. */
struct server {
  int32_t statuses[MOST_HOPS];
  char *fields[MOST_HOPS], *bodies[MOST_HOPS];
  int count, hops;
  char seen[1000], authorization[100];
};

static void serve(netcore_hop hop, netcore_request request, void *user_data) {
  struct server *server = user_data;
  netcore_request_info info = {.size = sizeof info};
  netcore_bytes value = {0};
  CHECK_OK(netcore_request_get_info(request, &info));
  const char *url = (const char *)info.url.data;
  if (strncmp(url, BASE, sizeof BASE - 1) == 0) url += sizeof BASE - 1;
  strncat(server->seen, server->hops > 0 ? " " : "", sizeof server->seen - strlen(server->seen) - 1);
  strncat(server->seen, url, sizeof server->seen - strlen(server->seen) - 1);
  netcore_status found = netcore_request_get_header(request, "Authorization", 0, &value);
  snprintf(server->authorization, sizeof server->authorization, "%.*s", (int)value.size_bytes,
           found == NETCORE_OK ? (const char *)value.data : "");
  int place = __atomic_fetch_add(&server->hops, 1, __ATOMIC_SEQ_CST);
  REQUIRE(place < server->count);
  CHECK_OK(netcore_hop_answer(hop, server->statuses[place], server->fields[place], server->bodies[place],
                              strlen(server->bodies[place])));
}

static netcore_client client_of(struct server *server) {
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, serve, server, NULL));
  return client;
}

static void add_answer(struct server *server, int32_t status, char *field, char *body) {
  REQUIRE(server->count < MOST_HOPS);
  server->statuses[server->count] = status, server->fields[server->count] = field;
  server->bodies[server->count++] = body;
}

/* "status|field|body ;; …", parted in place. */
static void read_answers(struct server *server, char *text) {
  while (text != NULL) {
    char *next = strstr(text, " ;; ");
    if (next != NULL) *next = 0;
    char *status = strsep(&text, "|"), *field = strsep(&text, "|");
    add_answer(server, *status == 0 ? 200 : atoi(status), *field == 0 ? NULL : field, text);
    text = next == NULL ? NULL : next + 4;
  }
}

/* "name=value,…", parted in place. */
static netcore_page_options read_options(char *text) {
  static const char *const styles[] = {"detect", "link_header", "body_link",     "page_number",
                                       "offset", "body_cursor", "header_cursor", "function"};
  netcore_page_options options = NETCORE_PAGE_OPTIONS_INIT;
  if (strcmp(text, "-") == 0) return options;
  while (text != NULL) {
    char *value = strsep(&text, ","), *name = strsep(&value, "=");
    int style = 0;
    if (strcmp(name, "style") == 0) {
      while (strcmp(styles[style], value) != 0) style++;
      options.style = style;
    } else if (strcmp(name, "page_size") == 0) {
      options.page_size = (uint64_t)atoi(value);
    } else if (strcmp(name, "max_items") == 0) {
      options.max_items = (uint64_t)atoi(value);
    } else if (strcmp(name, "max_requests") == 0) {
      options.max_requests = (uint64_t)atoi(value);
    } else if (strcmp(name, "zero_based") == 0) {
      options.zero_based = 1;
    } else {
      const char **place = strcmp(name, "items") == 0       ? &options.items
                           : strcmp(name, "next") == 0      ? &options.next
                           : strcmp(name, "total") == 0     ? &options.total
                           : strcmp(name, "parameter") == 0 ? &options.parameter
                           : strcmp(name, "header") == 0    ? &options.header
                                                            : &options.size_parameter;
      *place = value;
    }
  }
  return options;
}

static int32_t next_of_field(netcore_response response, char *text, size_t capacity, void *user_data) {
  netcore_bytes value = {0};
  (void)user_data;
  if (netcore_response_get_header(response, "X-Function", 0, &value) != NETCORE_OK) return NETCORE_TEXT_NONE;
  return snprintf(text, capacity, "%.*s", (int)value.size_bytes, (const char *)value.data);
}

enum { NAME, OPTIONS, PATH, ANSWERS, REQUESTS, ITEMS, OUTCOME, COLUMNS };

static void run_case(char **columns) {
  static struct server server;
  char url[100], items[1000] = "";
  netcore_page_options options = read_options(columns[OPTIONS]);
  netcore_pages pages = 0;
  netcore_bytes item;
  netcore_status status;
  check_case = columns[NAME];
  memset(&server, 0, sizeof server);
  read_answers(&server, columns[ANSWERS]);
  netcore_client client = client_of(&server);
  snprintf(url, sizeof url, BASE "%s", columns[PATH]);
  netcore_request request = request_new("GET", url);
  REQUIRE_OK(netcore_pages_create(client, request, &options, next_of_field, NULL, NULL, &pages));
  while ((status = netcore_pages_read_item(pages, &item)) == NETCORE_OK) {
    if (items[0] != 0) strcat(items, ",");
    strcat(items, (const char *)item.data);
    CHECK_EQUAL(item.size_bytes, strlen((const char *)item.data));
  }
  CHECK(strcmp(netcore_status_name(status) + strlen("NETCORE_ERR_"), columns[OUTCOME]) == 0);
  CHECK(strcmp(items, strcmp(columns[ITEMS], "-") == 0 ? "" : columns[ITEMS]) == 0);
  CHECK(strcmp(server.seen, columns[REQUESTS]) == 0);
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_table(void) {
  char line[1000], *columns[COLUMNS];
  FILE *table = table_open(__FILE__, "pages.tsv");
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0;) {
    REQUIRE(found == COLUMNS);
    run_case(columns);
  }
  fclose(table);
}

static void test_own_requests(void) {
  struct server server = {0};
  netcore_page_options options = {.size = sizeof options, .style = NETCORE_PAGE_STYLE_PAGE_NUMBER};
  netcore_page_info info = NETCORE_PAGE_INFO_INIT;
  netcore_pages pages = 0;
  netcore_request first = 0, second = 0;
  netcore_response response = 0;
  netcore_bytes items;
  uint64_t load = 0, joined = 0, replacing = 0;
  check_case = "the program sends the requests";
  add_answer(&server, 200, "X-Total-Count: 5\n", "[1,2]");
  netcore_client client = client_of(&server);
  netcore_request request = request_new("GET", BASE "/a");
  REQUIRE_OK(netcore_pages_create(client, request, &options, NULL, NULL, NULL, &pages));
  CHECK_OK(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_MORE, 0, &first, &load));
  CHECK_STATUS(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_MORE, 0, &second, &joined), NETCORE_ERR_IN_PROGRESS);
  CHECK(joined == load && second == 0);
  CHECK_OK(netcore_perform(client, first, &response));
  CHECK_OK(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_NUMBER, 2, &second, &replacing));
  CHECK_STATUS(netcore_pages_take(pages, load, response), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_pages_take_answer(pages, replacing, BASE "/a?page=2", 200, "X-Total-Count: 5\n", "[3, 4]", 6, NULL));
  CHECK_OK(netcore_pages_get_items(pages, &items));
  CHECK(strcmp((const char *)items.data, "[3,4]") == 0);
  CHECK_OK(netcore_pages_get_info(pages, &info));
  CHECK(info.page == 2 && info.item_count == 2 && info.total == 5 && info.has_more == 1 && info.is_loading == 0);
  CHECK(info.last_request_ms > 0 && info.style == NETCORE_PAGE_STYLE_PAGE_NUMBER);
  CHECK_OK(netcore_request_destroy(second));
  CHECK_OK(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_MORE, 0, &second, &load));
  CHECK_OK(netcore_pages_drop(pages, load));
  CHECK_OK(netcore_pages_drop(pages, load));
  CHECK_STATUS(netcore_pages_take(pages, load, response), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(second));
  CHECK_OK(netcore_request_destroy(first));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_ahead(void) {
  struct server server = {0};
  netcore_page_options options = {.size = sizeof options, .style = NETCORE_PAGE_STYLE_PAGE_NUMBER, .prefetch = 1};
  netcore_pages pages = 0;
  netcore_response response = 0;
  check_case = "the next page is requested before it is asked for, and forgotten by a refresh";
  for (int i = 0; i < 5; i++) add_answer(&server, 200, NULL, i % 2 == 0 ? "[1]" : "[2]");
  netcore_client client = client_of(&server);
  netcore_request request = request_new("GET", BASE "/a");
  REQUIRE_OK(netcore_pages_create(client, request, &options, NULL, NULL, NULL, &pages));
  CHECK_OK(netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, NULL));
  WAIT_UNTIL(__atomic_load_n(&server.hops, __ATOMIC_SEQ_CST) == 2);
  CHECK_OK(netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, &response));
  CHECK_OK(netcore_response_release(response));
  WAIT_UNTIL(__atomic_load_n(&server.hops, __ATOMIC_SEQ_CST) == 3);
  CHECK_OK(netcore_pages_load(pages, NETCORE_PAGE_LOAD_REFRESH, 0, NULL));
  WAIT_UNTIL(__atomic_load_n(&server.hops, __ATOMIC_SEQ_CST) == 5);
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK(strcmp(server.seen, "/a?page=1 /a?page=2 /a?page=3 /a?page=1 /a?page=2") == 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_credentials(void) {
  struct server server = {0};
  netcore_pages pages = 0;
  check_case = "a link to another origin takes no credentials along";
  add_answer(&server, 200, "Link: </b>; rel=next\n", "[1]");
  add_answer(&server, 200, "Link: <http://other.test/c>; rel=next\n", "[2]");
  add_answer(&server, 200, NULL, "[3]");
  netcore_client client = client_of(&server);
  CHECK_OK(netcore_client_set_header(client, "Authorization", "Bearer client"));
  netcore_request request = request_new("GET", BASE "/a");
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_BASIC, "ann", "pw"));
  REQUIRE_OK(netcore_pages_create(client, request, NULL, NULL, NULL, NULL, &pages));
  for (int i = 0; i < 3; i++) {
    CHECK_OK(netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, NULL));
    CHECK((server.authorization[0] != 0) == (i < 2));
  }
  CHECK(strcmp(server.seen, "/a /b http://other.test/c") == 0);
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void raise_tally(void *user_data) { tally_raise(user_data); }

static int32_t refuse(netcore_response response, char *text, size_t capacity, void *user_data) {
  (void)response, (void)text, (void)capacity, (void)user_data;
  return -7;
}

static void test_refused(void) {
  netcore_page_options rows[] = {
      {.style = 8},
      {.overlap = 3},
      {.items = "data"},
      {.next = "/~"},
      {.total = "a"},
      {.parameter = ""},
      {.size_parameter = ""},
      {.zero_based = 2},
      {.prefetch = -1},
      {.reserved = 1},
      {.page_size = UINT64_MAX},
      {.max_items = UINT64_MAX},
      {.max_requests = (1ULL << 40) + 1},
  };
  struct server server = {0};
  struct tally released = TALLY_INITIAL;
  netcore_pages pages = 77;
  netcore_request made = 77;
  uint64_t load = 0;
  check_case = "what is refused";
  add_answer(&server, 200, NULL, "[1]");
  netcore_client client = client_of(&server);
  netcore_request request = request_new("GET", BASE "/a");
  for (size_t i = 0; i < LENGTH(rows); i++) {
    rows[i].size = sizeof rows[i];
    CHECK_STATUS(netcore_pages_create(client, request, &rows[i], NULL, NULL, NULL, &pages),
                 NETCORE_ERR_INVALID_ARGUMENT);
    CHECK_EQUAL(pages, 0);
  }
  netcore_page_options options = {.size = sizeof options, .header = "a b"};
  CHECK_STATUS(netcore_pages_create(client, request, &options, NULL, NULL, NULL, &pages), NETCORE_ERR_INVALID_HEADER);
  options.header = NULL, options.style = NETCORE_PAGE_STYLE_FUNCTION, options.overlap = NETCORE_PAGE_OVERLAP_REFUSE;
  REQUIRE_OK(netcore_pages_create(client, request, &options, refuse, &released, raise_tally, &pages));
  CHECK_STATUS(netcore_pages_load(pages, 3, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_pages_load(pages, NETCORE_PAGE_LOAD_NUMBER, 1, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, NULL), NETCORE_ERR_REFUSED);
  CHECK_OK(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_MORE, 0, &made, &load));
  CHECK_OK(netcore_request_destroy(made));
  CHECK_STATUS(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_MORE, 0, &made, &load), NETCORE_ERR_INVALID_STATE);
  CHECK(made == 0 && load == 0);
  CHECK_STATUS(netcore_pages_take_answer(pages, 2, "a", 200, NULL, NULL, 0, NULL), NETCORE_ERR_INVALID_URL);
  CHECK_STATUS(netcore_pages_take_answer(pages, 2, BASE, 99, NULL, NULL, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_pages_take_answer(pages, 2, BASE, 200, "a\n", NULL, 0, NULL), NETCORE_ERR_INVALID_HEADER);
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK(tally_reaches(&released, 1, patience_ms()));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_table();
  test_own_requests();
  test_ahead();
  test_credentials();
  test_refused();
  return check_end();
}
