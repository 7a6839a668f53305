/* Tags of API descriptions that name parameters, and bare APIs below the base URL of their module. */
#include "support.h"

static netcore_api api_new(const char *const *tags, const char *param) {
  netcore_request request = 0;
  netcore_api api = 0;
  netcore_api_param described = {.size = sizeof described, .name = param, .type = "string?"};
  REQUIRE_OK(netcore_request_create("POST", "https://api.test/posts/{id}", &request));
  for (int i = 0; tags[i] != NULL; i++) {
    CHECK_OK(netcore_request_add_tag(request, tags[i]));
    CHECK_OK(netcore_request_add_invalidated_tag(request, tags[i]));
  }
  REQUIRE_OK(netcore_api_create(0, request, &api));
  CHECK_OK(netcore_api_add_param(api, &described));
  CHECK_OK(netcore_request_destroy(request));
  return api;
}

/* Whether a call has such tags, which a NUL byte ends each. */
static int has_tags(netcore_api api, const char *params, const char *tags, uint32_t count, size_t size) {
  netcore_request request = 0;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  CHECK_OK(netcore_api_create_request(api, params, &request));
  CHECK_OK(netcore_request_get_info(request, &info));
  int same = info.tag_count == count && memcmp(info.tags.data, tags, size) == 0 &&
             info.invalidated_tag_count == count && memcmp(info.invalidated_tags.data, tags, size) == 0;
  CHECK_OK(netcore_request_destroy(request));
  return same;
}

static void test_values(void) {
  const char *const tags[] = {"posts", "post:{id}", "by:{author}:{id}", "{", NULL};
  netcore_api api = api_new(tags, "author");
  check_case = "tags with values";
  CHECK(has_tags(api, "{\"id\":7,\"author\":\"ann\"}", "posts\0post:7\0by:ann:7\0{", 4, 24));
  check_case = "a tag without a value";
  CHECK(has_tags(api, "{\"id\":\"a/b\",\"author\":null}", "posts\0post:a/b\0{", 3, 17));
  CHECK_OK(netcore_api_destroy(api));
}

static void test_refused(void) {
  const char *const tags[] = {"post:{number}", NULL};
  netcore_api api = api_new(tags, "author");
  netcore_request request = 1;
  netcore_error error = NETCORE_ERROR_INIT;
  check_case = "a tag that names no parameter";
  CHECK_STATUS(netcore_api_create_request(api, "{\"id\":7}", &request), NETCORE_ERR_INVALID_PARAM);
  CHECK_EQUAL(request, 0);
  CHECK_OK(netcore_last_error(&error));
  CHECK_TEXT(error.argument, "number");
  CHECK_OK(netcore_api_destroy(api));
}

int main(void) {
  check_begin();
  test_values();
  test_refused();
  return check_end();
}
