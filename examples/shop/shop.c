/*
 * An application of a shop's customers:
 *
 *   shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]
 *
 * Without a command it reads commands from standard input, one a line; README.md beside it says which there are. The
 * functions shop_… are what an application has of the shop's API; what is below them is the application. JSON is read
 * by jansson.
 */
#define _POSIX_C_SOURCE 200809L
#include <netcore.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, LOOK_MS = 50, TOKEN_SIZE = 256, PATH_SIZE = 1024, WORDS = 8 };

/* A sentence for people: why a function failed; null if it did not. */
typedef const char *problem;

static const char unreachable[] = "The shop cannot be reached. Are you online?";
static const char unreadable[] = "The shop said something that this application does not understand.";
static const char everyone[] = "everyone"; /* the owner of stored answers that outlast a token */

struct shop {
  netcore_client client;
  netcore_cache cache;
  netcore_cassette cassette;
  uint64_t send_rate;                                       /* bytes of an upload per second, at most; 0 for any */
  char access_token[TOKEN_SIZE], refresh_token[TOKEN_SIZE]; /* "" if nobody is logged in */
  char session[PATH_SIZE];                                  /* the file of the tokens */
  char url[PATH_SIZE];
};

static json_t *parse(netcore_bytes text) { return json_loadb((const char *)text.data, text.size_bytes, 0, NULL); }

/* Errors */

static const struct {
  int code; /* in the body of an error */
  problem text;
} problems[] = {
    {301, "There is no such product."},
    {302, "The name or the password is wrong."},
    {303, "Please log in first."},
    {304, "The shop does not have that many."},
    {305, "Something about that is not as it should be."},
    {306, "A picture must be a PNG or JPEG file."},
    {307, "The picture is too large."},
    {308, "The shop is busy. Please try again in a minute."},
};

/* What people are told, by the error of the last call and the answer, if there is one. */
static problem explain(netcore_status status, netcore_response response) {
  static char text[300];
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  if (status >= NETCORE_ERR_TIMEOUT_CONNECT && status <= NETCORE_ERR_TLS_CONFIG) return unreachable;
  if (status == NETCORE_ERR_REFUSED) return unreachable; /* no other token could be got */
  if (status == NETCORE_ERR_REJECTED_STATUS && netcore_response_get_info(response, &info) == NETCORE_OK) {
    json_t *body = parse(info.body);
    int code = info.http_status;
    (void)json_unpack(body, "{s:i}", "code", &code);
    json_decref(body);
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
      if (problems[i].code == code) return problems[i].text;
    }
    snprintf(text, sizeof text, "The shop answered with error %d.", code);
    return text;
  }
  snprintf(text, sizeof text, "Something went wrong: %s", netcore_status_message(status));
  return text;
}

/* Sends a request with what was done to it so far, and destroys it. `out_body` is the JSON of the answer. `on_progress`
 * is told how much of the request's body was sent; null for nobody. */
static problem shop_send(struct shop *shop, netcore_status status, netcore_request request, void (*on_progress)(double),
                         json_t **out_body) {
  netcore_task task = 0;
  netcore_response response = 0;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  netcore_task_info progress = NETCORE_TASK_INFO_INIT;
  problem failed = NULL;
  if (status == NETCORE_OK) status = netcore_perform_for(shop->client, request, LOOK_MS, &task, &response, &info);
  while (status == NETCORE_ERR_IN_PROGRESS) {
    if (on_progress && netcore_task_get_info(task, &progress) == NETCORE_OK && progress.to_send_bytes > 0) {
      on_progress((double)progress.sent_bytes / (double)progress.to_send_bytes);
    }
    status = netcore_task_wait(task, LOOK_MS, &response, &info);
  }
  *out_body = status == NETCORE_OK ? parse(info.body) : NULL;
  if (status != NETCORE_OK) failed = explain(status, response);
  if (status == NETCORE_OK && *out_body == NULL) failed = unreadable;
  if (response) netcore_response_release(response);
  if (request) netcore_request_destroy(request);
  return failed;
}

/* Tokens */

static void keep_tokens(struct shop *shop, const char *access_token, const char *refresh_token) {
  char new[PATH_SIZE + 4];
  snprintf(new, sizeof new, "%s.new", shop->session);
  snprintf(shop->access_token, TOKEN_SIZE, "%s", access_token);
  snprintf(shop->refresh_token, TOKEN_SIZE, "%s", refresh_token);
  FILE *file = fdopen(open(new, O_WRONLY | O_CREAT | O_TRUNC, 0600), "w");
  if (file == NULL) return; /* the user logs in again at the next start */
  fprintf(file, "%s\n%s\n", access_token, refresh_token);
  if (fclose(file) == 0) rename(new, shop->session);
}

static void read_tokens(struct shop *shop) {
  FILE *file = fopen(shop->session, "r");
  if (file == NULL) return;
  if (fscanf(file, "%255s %255s", shop->access_token, shop->refresh_token) != 2) shop->access_token[0] = 0;
  fclose(file);
}

/* Tokens are asked for without a token: by a bare request, with one or two members in its body. */
static problem ask_for_tokens(struct shop *shop, const char *path, const char *const members[4]) {
  char url[PATH_SIZE + 16];
  const char *access_token, *refresh_token;
  netcore_request request = 0;
  json_t *answer;
  snprintf(url, sizeof url, "%s/%s", shop->url, path);
  netcore_status status = netcore_request_create("POST", url, &request);
  if (status == NETCORE_OK) status = netcore_request_set_bare(request, 1);
  if (status == NETCORE_OK) status = netcore_request_set_accepted_statuses(request, "2xx");
  if (status == NETCORE_OK) status = netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON);
  if (status == NETCORE_OK) status = netcore_request_add_param(request, members[0], members[1]);
  if (status == NETCORE_OK && members[2]) status = netcore_request_add_param(request, members[2], members[3]);
  problem failed = shop_send(shop, status, request, NULL, &answer);
  if (!failed && json_unpack(answer, "{s:s, s:s}", "access_token", &access_token, "refresh_token", &refresh_token)) {
    failed = unreadable;
  }
  if (!failed) keep_tokens(shop, access_token, refresh_token);
  json_decref(answer);
  return failed;
}

/* Gives the token for a request; another one after the server refused the last. */
static int32_t give_token(const char *refused, char *token, size_t capacity, void *user_data) {
  struct shop *shop = user_data;
  if (refused && strcmp(refused, shop->access_token) == 0) {
    problem failed = ask_for_tokens(shop, "token", (const char *[4]){"refresh_token", shop->refresh_token});
    if (failed == unreachable) return -2;
    if (failed) keep_tokens(shop, "", "");
  }
  return shop->access_token[0] ? snprintf(token, capacity, "%s", shop->access_token) : NETCORE_TEXT_NONE;
}

/* The shop's API. Results that own JSON are released with json_decref(). */

static void shop_close(struct shop *shop) {
  if (shop->client) netcore_client_destroy(shop->client);
  if (shop->cache) netcore_cache_destroy(shop->cache);
  if (shop->cassette) netcore_cassette_save(shop->cassette), netcore_cassette_destroy(shop->cassette);
}

/* Opens the shop. `cassette` is a file in place of the network, or null. */
static netcore_status shop_open(struct shop *shop, const char *folder, const char *cassette) {
  static const char *const secrets[] = {"password", "access_token", "refresh_token"};
  char cache[PATH_SIZE];
  netcore_cache_options cache_options = NETCORE_CACHE_OPTIONS_INIT;
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_cassette_options tape = NETCORE_CASSETTE_OPTIONS_INIT;
  netcore_request defaults = 0;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(shop->session, PATH_SIZE, "%s/session", folder);
  read_tokens(shop);
  cache_options.folder = cache, cache_options.serves_stale_when_disconnected = 1;
  retries.base_delay_ms = 50, retries.idempotency_keys = 1;
  tape.secret_parameters = secrets, tape.secret_parameter_count = 3;
  netcore_status status = netcore_cache_create(&cache_options, &shop->cache);
  options.cache = shop->cache;
  if (status == NETCORE_OK) status = netcore_client_create(&options, &shop->client);
  if (status == NETCORE_OK) status = netcore_client_add_service(shop->client, "shop", "release", shop->url, NULL);
  if (status == NETCORE_OK) status = netcore_client_set_retries(shop->client, &retries);
  if (status == NETCORE_OK) status = netcore_client_set_token_source(shop->client, shop->url, give_token, shop, NULL);
  if (status == NETCORE_OK) status = netcore_request_create_relative("GET", NULL, "", &defaults);
  if (status == NETCORE_OK) status = netcore_request_set_accepted_statuses(defaults, "2xx");
  if (status == NETCORE_OK) status = netcore_request_set_connect_timeout_ms(defaults, 5000);
  if (status == NETCORE_OK) status = netcore_request_set_total_timeout_ms(defaults, 60000);
  if (status == NETCORE_OK) status = netcore_client_set_request_defaults(shop->client, defaults);
  if (defaults) netcore_request_destroy(defaults);
  if (status == NETCORE_OK && cassette) status = netcore_cassette_create(cassette, &tape, &shop->cassette);
  if (status == NETCORE_OK && cassette) status = netcore_client_set_cassette(shop->client, shop->cassette);
  return status;
}

static problem shop_login(struct shop *shop, const char *name, const char *password) {
  return ask_for_tokens(shop, "login", (const char *[4]){"name", name, "password", password});
}

/* All products, page by page. Without a connection, what there was at the last visit: `*out_is_stale` is then 1. */
static problem shop_list(struct shop *shop, json_t **out_products, int *out_is_stale) {
  netcore_page_options style = NETCORE_PAGE_OPTIONS_INIT;
  netcore_request request = 0;
  netcore_pages pages = 0;
  netcore_response response = 0;
  *out_products = json_array(), *out_is_stale = 0, style.style = NETCORE_PAGE_STYLE_LINK_HEADER;
  netcore_status status = netcore_request_create_relative("GET", NULL, "products", &request);
  if (status == NETCORE_OK) status = netcore_request_set_cache_scope(request, everyone);
  if (status == NETCORE_OK) status = netcore_pages_create(shop->client, request, &style, NULL, NULL, NULL, &pages);
  if (request) netcore_request_destroy(request);
  while (status == NETCORE_OK) {
    netcore_bytes items;
    netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
    status = netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, &response);
    if (status != NETCORE_OK) break;
    netcore_pages_get_items(pages, &items);
    json_t *page = parse(items);
    json_array_extend(*out_products, page);
    json_decref(page);
    netcore_response_get_info(response, &info);
    if (info.cache_result == NETCORE_CACHE_RESULT_STALE_HIT) *out_is_stale = 1;
    netcore_response_release(response);
  }
  if (pages) netcore_pages_destroy(pages);
  return status == NETCORE_ERR_NO_MORE_DATA || status == NETCORE_ERR_NO_DATA ? NULL : explain(status, 0);
}

/* A request for a product, or for something below it; `tag` is that of the stored answers with the product. */
static netcore_status request_product(const char *method, const char *reference, long id, char tag[32],
                                      netcore_request *out_request) {
  char number[24];
  snprintf(number, sizeof number, "%ld", id);
  snprintf(tag, 32, "product:%ld", id);
  netcore_status status = netcore_request_create_relative(method, NULL, reference, out_request);
  return status == NETCORE_OK ? netcore_request_set_path_value(*out_request, "id", number) : status;
}

static problem shop_product(struct shop *shop, long id, json_t **out_product) {
  char tag[32];
  netcore_request request = 0;
  netcore_status status = request_product("GET", "products/{id}", id, tag, &request);
  if (status == NETCORE_OK) status = netcore_request_add_tag(request, tag);
  if (status == NETCORE_OK) status = netcore_request_set_cache_scope(request, everyone);
  return shop_send(shop, status, request, NULL, out_product);
}

static problem shop_buy(struct shop *shop, long id, long count, json_t **out_order) {
  char tag[32];
  netcore_request request = 0;
  snprintf(tag, sizeof tag, "product:%ld", id);
  netcore_status status = netcore_request_create_relative("POST", NULL, "orders", &request);
  if (status == NETCORE_OK) status = netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON);
  if (status == NETCORE_OK) status = netcore_request_add_param_int(request, "product", id);
  if (status == NETCORE_OK) status = netcore_request_add_param_int(request, "count", count);
  if (status == NETCORE_OK) status = netcore_request_add_invalidated_tag(request, tag);
  return shop_send(shop, status, request, NULL, out_order);
}

static problem shop_upload(struct shop *shop, long id, const char *path, void (*on_progress)(double),
                           json_t **out_picture) {
  char tag[32];
  netcore_request request = 0;
  netcore_status status = request_product("POST", "products/{id}/pictures", id, tag, &request);
  if (status == NETCORE_OK) status = netcore_request_add_file_part(request, "picture", path, NULL);
  if (status == NETCORE_OK) status = netcore_request_add_invalidated_tag(request, tag);
  if (status == NETCORE_OK) status = netcore_request_set_max_send_rate(request, shop->send_rate);
  return shop_send(shop, status, request, on_progress, out_picture);
}

/* The application */

static problem print_product(json_t *product) {
  const char *name;
  json_int_t id, price, stock;
  int failed = json_unpack(product, "{s:I, s:s, s:I, s:I}", "id", &id, "name", &name, "price", &price, "stock", &stock);
  if (failed) return unreadable;
  printf("%4ld  %-20s %5ld.%02ld  %ld left\n", (long)id, name, (long)price / 100, (long)price % 100, (long)stock);
  return NULL;
}

static problem print_picture(const char *format, json_t *picture) {
  const char *type;
  json_int_t id, size;
  if (json_unpack(picture, "{s:I, s:s, s:I}", "id", &id, "type", &type, "size", &size)) return unreadable;
  printf(format, (long)id, type, (long)size);
  return NULL;
}

static problem log_in(struct shop *shop, char **words) {
  problem failed = shop_login(shop, words[0], words[1]);
  if (!failed) printf("Welcome, %s.\n", words[0]);
  return failed;
}

static problem show_list(struct shop *shop, char **words) {
  json_t *products, *product;
  int is_stale;
  size_t i;
  (void)words;
  problem failed = shop_list(shop, &products, &is_stale);
  json_array_foreach(products, i, product) failed = failed ? failed : print_product(product);
  if (!failed) printf("%zu products%s\n", i, is_stale ? ", as of your last visit: the shop cannot be reached" : "");
  json_decref(products);
  return failed;
}

static problem show_product(struct shop *shop, char **words) {
  json_t *product, *picture;
  size_t i;
  problem failed = shop_product(shop, atol(words[0]), &product);
  if (!failed) failed = print_product(product);
  json_array_foreach(json_object_get(product, "pictures"), i, picture) {
    failed = failed ? failed : print_picture("      picture %ld: %s, %ld bytes\n", picture);
  }
  json_decref(product);
  return failed;
}

static problem buy(struct shop *shop, char **words) {
  json_t *order;
  json_int_t id, count, total;
  problem failed = shop_buy(shop, atol(words[0]), atol(words[1]), &order);
  if (!failed && json_unpack(order, "{s:I, s:I, s:I}", "id", &id, "count", &count, "total", &total))
    failed = unreadable;
  if (!failed) printf("Order %ld: %ld for %ld.%02ld\n", (long)id, (long)count, (long)total / 100, (long)total % 100);
  json_decref(order);
  return failed;
}

static void show_share(double share) {
  fprintf(stderr, "\r[%.*s%*s] %3.0f%%", (int)(share * BAR_WIDTH), "##############################",
          BAR_WIDTH - (int)(share * BAR_WIDTH), "", share * 100);
}

static problem upload(struct shop *shop, char **words) {
  json_t *picture;
  problem failed = shop_upload(shop, atol(words[0]), words[1], show_share, &picture);
  if (!failed) show_share(1);
  fputc('\n', stderr);
  if (!failed) failed = print_picture("Picture %ld: %s, %ld bytes\n", picture);
  json_decref(picture);
  return failed;
}

static const struct {
  const char *usage;
  const char *kinds; /* of its words: n for a number, s for text */
  problem (*run)(struct shop *shop, char **words);
} commands[] = {
    {"login NAME PASSWORD", "ss", log_in}, {"list", "", show_list},          {"show ID", "n", show_product},
    {"buy ID COUNT", "nn", buy},           {"upload ID FILE", "ns", upload},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Runs a command, and returns whether it succeeded. */
static int run(struct shop *shop, char **words, size_t count) {
  for (size_t i = 0; i < COMMANDS; i++) {
    size_t length = strcspn(commands[i].usage, " ");
    if (strlen(words[0]) != length || strncmp(words[0], commands[i].usage, length) != 0) continue;
    int fits = count == 1 + strlen(commands[i].kinds);
    for (size_t j = 0; fits && commands[i].kinds[j]; j++) {
      if (commands[i].kinds[j] == 'n') fits = words[j + 1][strspn(words[j + 1], "0123456789")] == 0;
    }
    problem failed = fits ? commands[i].run(shop, words + 1) : NULL;
    if (failed) printf("shop: %s\n", failed);
    if (!fits) printf("shop: usage: %s\n", commands[i].usage);
    return fits && !failed;
  }
  for (size_t i = 0; i < COMMANDS; i++) printf("%s%s", i ? ", " : "shop: usage: ", commands[i].usage);
  putchar('\n');
  return 0;
}

static int run_lines(struct shop *shop) {
  char line[2 * PATH_SIZE], *words[WORDS];
  int succeeded = 1;
  while (fgets(line, sizeof line, stdin)) {
    size_t count = 0;
    for (char *word = strtok(line, " \n"); word && count < WORDS; word = strtok(NULL, " \n")) words[count++] = word;
    if (count > 0) succeeded &= run(shop, words, count);
    fflush(stdout);
  }
  return succeeded;
}

int main(int argc, char **argv) {
  struct shop shop = {0};
  const char *folder = ".shop", *cassette = NULL;
  int next = 1;
  for (; next + 1 < argc && strncmp(argv[next], "--", 2) == 0; next += 2) {
    if (strcmp(argv[next], "--folder") == 0) folder = argv[next + 1];
    if (strcmp(argv[next], "--cassette") == 0) cassette = argv[next + 1];
    if (strcmp(argv[next], "--send-rate") == 0) shop.send_rate = strtoull(argv[next + 1], NULL, 10);
  }
  if (next >= argc) {
    fprintf(stderr, "usage: shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]\n");
    return 2;
  }
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return perror(folder), 1;
  snprintf(shop.url, PATH_SIZE, "%s", argv[next++]);
  int succeeded = 0;
  if (shop_open(&shop, folder, cassette) != NETCORE_OK) {
    fprintf(stderr, "shop: %s\n", netcore_last_error_message());
  } else {
    succeeded = next < argc ? run(&shop, argv + next, (size_t)(argc - next)) : run_lines(&shop);
  }
  shop_close(&shop);
  return succeeded ? 0 : 1;
}
