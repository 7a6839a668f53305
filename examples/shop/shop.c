/*
 * An application of a shop's customers:
 *
 *   shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]
 *
 * Without a command it reads commands from standard input, one a line; README.md beside it says which there are. The
 * tables and the functions shop_… are what an application has of the shop's API; what is below them is the application.
 * JSON is read by jansson.
 */
#define _POSIX_C_SOURCE 200809L
#include <netcore.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, LOOK_MS = 50, TOKEN_SIZE = 256, PATH_SIZE = 1024, WORDS = 8 };

/* Why a function failed: a code for programs, 0 if it did not, and a sentence for people. */
typedef struct {
  netcore_application_code code;
  const char *text;
} problem;

static const problem none = {0, NULL};
static const problem unreadable = {NETCORE_APPLICATION_CODE_INVALID_ANSWER, "The shop is not understood."};

/* The shop's API. Names in braces and members of `params` are the parameters. */
enum { LOGIN, RENEW, PRODUCTS, PRODUCT, BUY, UPLOAD, API_COUNT };
static const struct {
  const char *method, *path;
  int is_bare;               /* sent without a token */
  const char *params[2][2];  /* names and types */
  const char *tag, *changes; /* tags of the answer, and of answers that a success makes stale */
} apis[API_COUNT] = {
    [LOGIN] = {"POST", "login", 1, {{"name", "string"}, {"password", "string"}}, NULL, NULL},
    [RENEW] = {"POST", "token", 1, {{"refresh_token", "string"}}, NULL, NULL},
    [PRODUCTS] = {"GET", "products", 0, {{NULL}}, NULL, NULL},
    [PRODUCT] = {"GET", "products/{id}", 0, {{"id", "integer"}}, "product:{id}", NULL},
    [BUY] = {"POST", "orders", 0, {{"product", "integer"}, {"count", "integer"}}, NULL, "product:{product}"},
    [UPLOAD] = {"POST", "products/{id}/pictures", 0, {{"id", "integer"}}, NULL, "product:{id}"},
};

/* What the code in the body of an error means, and what is shown to people. */
enum { LOGGED_OUT = 1303 };
static const struct {
  int code;
  const char *value, *message;
} errors[] = {
    {1301, "301", "There is no such product."},
    {1302, "302", "The name or the password is wrong."},
    {LOGGED_OUT, "303", "Please log in first."},
    {1304, "304", "The shop does not have that many."},
    {1305, "305", "Something about that is not as it should be."},
    {1306, "306", "A picture must be a PNG or JPEG file."},
    {1307, "307", "The picture is too large."},
    {1308, "308", "The shop is busy. Please try again in a minute."},
};

struct shop {
  netcore_client client;
  netcore_cache cache;
  netcore_cassette cassette;
  netcore_module module;
  netcore_api apis[API_COUNT];
  uint64_t send_rate;                                       /* bytes of an upload per second, at most; 0 for any */
  char access_token[TOKEN_SIZE], refresh_token[TOKEN_SIZE]; /* "" without a login */
  char session[PATH_SIZE];                                  /* the file of the tokens */
  char url[PATH_SIZE];
};

static json_t *parse(netcore_bytes text) { return json_loadb((const char *)text.data, text.size_bytes, 0, NULL); }

/* Reads members of JSON as json_unpack() does, unless something has failed. */
static problem unpack(problem failed, json_t *json, const char *format, ...) {
  va_list members;
  va_start(members, format);
  if (!failed.code && json_vunpack_ex(json, NULL, 0, format, members) != 0) failed = unreadable;
  va_end(members);
  return failed;
}

/* The error of a task, or, without a response, of the last call. */
static problem explain(netcore_response response) {
  static char text[300];
  netcore_error error = NETCORE_ERROR_INIT;
  (void)(response ? netcore_response_get_error(response, &error) : netcore_last_error(&error));
  snprintf(text, sizeof text, "%s", (const char *)error.user_message.data);
  return (problem){error.application_code, text};
}

/* Sends the request of a call, and destroys it. `out_body` is the JSON of the answer. `on_progress` is called with
 * how much of the request's body was sent; null for no reports. */
static problem shop_send(struct shop *shop, netcore_status status, netcore_request request, void (*on_progress)(double),
                         json_t **out_body) {
  netcore_task task = 0;
  netcore_response response = 0;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  netcore_task_info progress = NETCORE_TASK_INFO_INIT;
  if (status == NETCORE_OK) status = netcore_perform_for(shop->client, request, LOOK_MS, &task, &response, &info);
  while (status == NETCORE_ERR_IN_PROGRESS) {
    if (on_progress && netcore_task_get_info(task, &progress) == NETCORE_OK && progress.to_send_bytes > 0) {
      on_progress((double)progress.sent_bytes / (double)progress.to_send_bytes);
    }
    status = netcore_task_wait(task, LOOK_MS, &response, &info);
  }
  *out_body = status == NETCORE_OK ? parse(info.body) : NULL;
  problem failed = status != NETCORE_OK ? explain(response) : *out_body ? none : unreadable;
  netcore_response_release(response);
  netcore_request_destroy(request);
  return failed;
}

/* Calls an API. `values` are names and values, with a null at the end. */
static problem shop_call(struct shop *shop, int api, const char *const *values, json_t **out_body) {
  netcore_request request = 0;
  netcore_status status = netcore_api_create_request_from_texts(shop->apis[api], values, &request);
  return shop_send(shop, status, request, NULL, out_body);
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

/* Gets tokens by LOGIN or RENEW. */
static problem get_tokens(struct shop *shop, int api, const char *const *values) {
  const char *access_token, *refresh_token;
  json_t *answer;
  problem failed = shop_call(shop, api, values, &answer);
  failed = unpack(failed, answer, "{s:s, s:s}", "access_token", &access_token, "refresh_token", &refresh_token);
  if (!failed.code) keep_tokens(shop, access_token, refresh_token);
  json_decref(answer);
  return failed;
}

/* Gives the token for a request; another one after the server refused the last. */
static int32_t give_token(const char *refused, char *token, size_t capacity, void *user_data) {
  struct shop *shop = user_data;
  if (refused && strcmp(refused, shop->access_token) == 0) {
    problem failed = get_tokens(shop, RENEW, (const char *[]){"refresh_token", shop->refresh_token, NULL});
    if (failed.code && failed.code != LOGGED_OUT) return -2; /* refuses the request */
    if (failed.code) keep_tokens(shop, "", "");
  }
  return shop->access_token[0] ? snprintf(token, capacity, "%s", shop->access_token) : NETCORE_TEXT_NONE;
}

/* The pages of all products. */
static netcore_status shop_pages(struct shop *shop, netcore_pages *out_pages) {
  netcore_page_options options = {.size = sizeof options, .style = NETCORE_PAGE_STYLE_LINK_HEADER};
  netcore_request request = 0;
  netcore_status status = netcore_api_create_request(shop->apis[PRODUCTS], NULL, &request);
  if (status == NETCORE_OK) status = netcore_pages_create(shop->client, request, &options, NULL, NULL, NULL, out_pages);
  netcore_request_destroy(request);
  return status;
}

/* Describes the APIs. */
static netcore_status describe(struct shop *shop) {
  netcore_request common;
  netcore_status status = netcore_request_create_relative("GET", NULL, "", &common);
  if (status == NETCORE_OK) status = netcore_request_set_base_url(common, shop->url);
  if (status == NETCORE_OK) status = netcore_request_set_serializer(common, NETCORE_SERIALIZER_JSON);
  if (status == NETCORE_OK) status = netcore_request_set_connect_timeout_ms(common, 5000);
  if (status == NETCORE_OK) status = netcore_request_set_total_timeout_ms(common, 60000);
  /* Stored answers belong to everyone: those of a token would be of no use after the next one. */
  if (status == NETCORE_OK) status = netcore_request_set_cache_scope(common, "everyone");
  if (status == NETCORE_OK) status = netcore_request_set_error_fields(common, "/code", NULL, NULL);
  for (size_t i = 0; status == NETCORE_OK && i < sizeof errors / sizeof errors[0]; i++) {
    netcore_error_row row = NETCORE_ERROR_ROW_INIT;
    row.code = errors[i].code, row.value = errors[i].value, row.message = errors[i].message;
    status = netcore_request_add_error(common, &row);
  }
  if (status == NETCORE_OK) status = netcore_module_create(common, &shop->module);
  for (int i = 0; status == NETCORE_OK && i < API_COUNT; i++) {
    netcore_request request;
    status = netcore_request_create_relative(apis[i].method, NULL, apis[i].path, &request);
    if (status == NETCORE_OK) status = netcore_request_set_bare(request, apis[i].is_bare);
    if (status == NETCORE_OK && apis[i].tag) status = netcore_request_add_tag(request, apis[i].tag);
    if (status == NETCORE_OK && apis[i].changes) status = netcore_request_add_invalidated_tag(request, apis[i].changes);
    if (status == NETCORE_OK) status = netcore_api_create(shop->module, request, &shop->apis[i]);
    for (int j = 0; status == NETCORE_OK && j < 2 && apis[i].params[j][0]; j++) {
      const char *const *named = apis[i].params[j];
      netcore_api_param param = {.size = sizeof param, .name = named[0], .type = named[1]};
      status = netcore_api_add_param(shop->apis[i], &param);
    }
    netcore_request_destroy(request);
  }
  netcore_request_destroy(common);
  return status;
}

/* Opens the shop. `cassette` is a file in place of the network, or null. */
static netcore_status shop_open(struct shop *shop, const char *folder, const char *cassette) {
  static const char *const secrets[] = {"password", "access_token", "refresh_token"};
  char cache[PATH_SIZE];
  netcore_cache_options stored = {.size = sizeof stored, .folder = cache, .serves_stale_when_disconnected = 1};
  netcore_client_options options = {.size = sizeof options};
  netcore_retry_options retries = {.size = sizeof retries, .base_delay_ms = 50, .idempotency_keys = 1};
  netcore_cassette_options tape = {.size = sizeof tape, .secret_parameters = secrets, .secret_parameter_count = 3};
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(shop->session, PATH_SIZE, "%s/session", folder);
  read_tokens(shop);
  netcore_status status = netcore_cache_create(&stored, &shop->cache);
  options.cache = shop->cache;
  if (status == NETCORE_OK) status = netcore_client_create(&options, &shop->client);
  if (status == NETCORE_OK) status = netcore_client_set_retries(shop->client, &retries);
  if (status == NETCORE_OK) status = netcore_client_set_token_source(shop->client, shop->url, give_token, shop, NULL);
  if (status == NETCORE_OK) status = describe(shop);
  if (status == NETCORE_OK && cassette) status = netcore_cassette_create(cassette, &tape, &shop->cassette);
  if (status == NETCORE_OK && cassette) status = netcore_client_set_cassette(shop->client, shop->cassette);
  return status;
}

static void shop_close(struct shop *shop) {
  for (int i = 0; i < API_COUNT; i++) netcore_api_destroy(shop->apis[i]);
  netcore_module_destroy(shop->module);
  netcore_client_destroy(shop->client);
  netcore_cache_destroy(shop->cache);
  netcore_cassette_save(shop->cassette);
  netcore_cassette_destroy(shop->cassette);
}

/* The application */
static problem print_product(problem failed, json_t *product) {
  const char *name;
  json_int_t id, cents, stock;
  failed = unpack(failed, product, "{s:I, s:s, s:I, s:I}", "id", &id, "name", &name, "price", &cents, "stock", &stock);
  if (failed.code) return failed;
  printf("%4ld  %-20s %5ld.%02ld  %ld left\n", (long)id, name, (long)cents / 100, (long)cents % 100, (long)stock);
  return none;
}

static problem print_picture(problem failed, const char *format, json_t *picture) {
  const char *type;
  json_int_t id, size;
  failed = unpack(failed, picture, "{s:I, s:s, s:I}", "id", &id, "type", &type, "size", &size);
  if (!failed.code) printf(format, (long)id, type, (long)size);
  return failed;
}

static problem log_in(struct shop *shop, char **words) {
  problem failed = get_tokens(shop, LOGIN, (const char *[]){"name", words[0], "password", words[1], NULL});
  if (!failed.code) printf("Welcome, %s.\n", words[0]);
  return failed;
}

/* Without a connection, lists what there was at the last visit. */
static problem show_list(struct shop *shop, char **words) {
  netcore_pages pages = 0;
  netcore_response response = 0;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  problem failed = none;
  size_t i, count = 0;
  int is_stale = 0;
  (void)words;
  netcore_status status = shop_pages(shop, &pages);
  while (status == NETCORE_OK &&
         (status = netcore_pages_load(pages, NETCORE_PAGE_LOAD_MORE, 0, &response)) == NETCORE_OK) {
    netcore_response_get_info(response, &info);
    json_t *products = parse(info.body), *product;
    json_array_foreach(products, i, product) failed = print_product(failed, product);
    count += json_array_size(products), is_stale |= info.cache_result == NETCORE_CACHE_RESULT_STALE_HIT;
    json_decref(products);
    netcore_response_release(response);
  }
  if (status != NETCORE_ERR_NO_MORE_DATA && status != NETCORE_ERR_NO_DATA) failed = explain(0);
  netcore_pages_destroy(pages);
  if (failed.code) return failed;
  printf("%zu products%s\n", count, is_stale ? ", as of your last visit: the shop cannot be reached" : "");
  return none;
}

static problem show_product(struct shop *shop, char **words) {
  json_t *product, *picture;
  size_t i;
  problem failed = shop_call(shop, PRODUCT, (const char *[]){"id", words[0], NULL}, &product);
  failed = print_product(failed, product);
  json_array_foreach(json_object_get(product, "pictures"), i, picture) {
    failed = print_picture(failed, "      picture %ld: %s, %ld bytes\n", picture);
  }
  json_decref(product);
  return failed;
}

static problem buy(struct shop *shop, char **words) {
  json_t *order;
  json_int_t id, count, cents;
  problem failed = shop_call(shop, BUY, (const char *[]){"product", words[0], "count", words[1], NULL}, &order);
  failed = unpack(failed, order, "{s:I, s:I, s:I}", "id", &id, "count", &count, "total", &cents);
  if (!failed.code)
    printf("Order %ld: %ld for %ld.%02ld\n", (long)id, (long)count, (long)cents / 100, (long)cents % 100);
  json_decref(order);
  return failed;
}

static void show_share(double share) {
  fprintf(stderr, "\r[%.*s%*s] %3.0f%%", (int)(share * BAR_WIDTH), "##############################",
          BAR_WIDTH - (int)(share * BAR_WIDTH), "", share * 100);
}

static problem upload(struct shop *shop, char **words) {
  json_t *picture;
  netcore_request request = 0;
  const char *const values[] = {"id", words[0], NULL};
  netcore_status status = netcore_api_create_request_from_texts(shop->apis[UPLOAD], values, &request);
  if (status == NETCORE_OK) status = netcore_request_add_file_part(request, "picture", words[1], NULL);
  if (status == NETCORE_OK) status = netcore_request_set_max_send_rate(request, shop->send_rate);
  problem failed = shop_send(shop, status, request, show_share, &picture);
  if (!failed.code) show_share(1);
  fputc('\n', stderr);
  failed = print_picture(failed, "Picture %ld: %s, %ld bytes\n", picture);
  json_decref(picture);
  return failed;
}

static const struct {
  const char *name, *usage;
  size_t words;
  problem (*run)(struct shop *shop, char **words);
} commands[] = {
    {"login", " NAME PASSWORD", 2, log_in}, {"list", "", 0, show_list},        {"show", " ID", 1, show_product},
    {"buy", " ID COUNT", 2, buy},           {"upload", " ID FILE", 2, upload},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Runs a command, and returns whether it succeeded. */
static int run(struct shop *shop, char **words, size_t count) {
  const problem misuse = {NETCORE_APPLICATION_CODE_INVALID_REQUEST, NULL};
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(words[0], commands[i].name) != 0) continue;
    problem failed = count == 1 + commands[i].words ? commands[i].run(shop, words + 1) : misuse;
    if (failed.code == misuse.code) printf("shop: usage: %s%s\n", commands[i].name, commands[i].usage);
    if (failed.code && failed.code != misuse.code) printf("shop: %s\n", failed.text);
    return !failed.code;
  }
  fputs("shop: usage: ", stdout);
  for (size_t i = 0; i < COMMANDS; i++) {
    printf("%s%s%s", commands[i].name, commands[i].usage, i + 1 < COMMANDS ? ", " : "\n");
  }
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
    return fprintf(stderr, "usage: shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]\n"), 2;
  }
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return perror(folder), 1;
  snprintf(shop.url, PATH_SIZE, "%s", argv[next++]);
  netcore_set_user_message(NETCORE_APPLICATION_CODE_CANNOT_CONNECT, "The shop cannot be reached. Are you online?");
  netcore_set_user_message(NETCORE_APPLICATION_CODE_TIMEOUT, "The shop takes too long to answer. Are you online?");
  int succeeded = 0;
  if (shop_open(&shop, folder, cassette) != NETCORE_OK) {
    fprintf(stderr, "shop: %s\n", netcore_last_error_message());
  } else {
    succeeded = next < argc ? run(&shop, argv + next, (size_t)(argc - next)) : run_lines(&shop);
  }
  shop_close(&shop);
  return succeeded ? 0 : 1;
}
