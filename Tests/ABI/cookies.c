/*
 * Cookies on the wire (RFC 6265): which ones servers may set, which ones they get, and which requests take part.
 */
#include "support.h"

#include "support/cookies.h"

static netcore_client client;

static void begin(void) { client = cookie_client(NULL, 0); }

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

static void test_httpbin(void) {
  begin();
  check_case = "httpbin";
  struct answer answer = fetch(client, at(HTTPBIN, "/cookies/set?a=1&b=two"));
  CHECK_EQUAL(answer.info.redirects, 1);
  CHECK_BODY_HAS(&answer, "\"a\": \"1\"");
  CHECK_BODY_HAS(&answer, "\"b\": \"two\"");
  answer_free(&answer);
  answer = fetch(client, at(HTTPBIN, "/cookies/delete?a"));
  CHECK(!body_has(&answer, "\"a\"") && body_has(&answer, "\"b\": \"two\""));
  answer_free(&answer);
  CHECK_EQUAL(cookie_count(client), 1);
  end();
}

static void test_order(void) {
  begin();
  check_case = "longer paths first, then what was made first";
  set_by(client, "http://example.com/headers", "a=1; path=/");
  set_by(client, "http://example.com/headers", "b=2; path=/echo");
  set_by(client, "http://example.com/headers", "c=3; path=/echo/x/");
  set_by(client, "http://example.com/headers", "d=4; path=/echo");
  CHECK_SENT(client, "http://example.com/echo/x/y", "c=3; b=2; d=4; a=1");
  check_case = "another value keeps its place";
  set_by(client, "http://example.com/headers", "b=new; path=/echo");
  CHECK_SENT(client, "http://example.com/echo/x/y", "c=3; b=new; d=4; a=1");
  check_case = "one that is removed and set again is the last";
  set_by(client, "http://example.com/headers", "b=2; path=/echo; max-age=0");
  set_by(client, "http://example.com/headers", "b=2; path=/echo");
  CHECK_SENT(client, "http://example.com/echo/x/y", "c=3; d=4; b=2; a=1");
  end();
}

static void test_values(void) {
  static const struct {
    const char *cookie, *sent;
  } cases[] = {
      {"a=\"b c\"; x", "a=\"b c\""},
      {" a = b ;", "a=b"},
      {"a=b=c==", "a=b=c=="},
      {"a=", "a="},
      {"=b", ""},
      {"a", ""},
      {"", ""},
      {"a=b; unknown=c; =; ;", "a=b"},
      {"a={\"b\":[1,2]}", "a={\"b\":[1,2]}"},
      {"a=b\tc", ""},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    static char sent[100];
    begin();
    check_case = cases[i].cookie;
    set_by(client, "http://example.com/headers", cases[i].cookie);
    /* As JSON has it. */
    char *end_of_sent = sent;
    for (const char *c = cases[i].sent; *c != '\0'; c++)
      end_of_sent += sprintf(end_of_sent, *c == '"' ? "\\%c" : "%c", *c);
    *end_of_sent = '\0';
    CHECK_SENT(client, "http://example.com/echo", sent);
    end();
  }
  check_case = "bytes of any kind";
  begin();
  set_by(client, "http://example.com/headers", "a=\xFF\xFE\xE9");
  CHECK_SENT(client, "http://example.com/echo", "a=\\u00ff\\u00fe\\u00e9");
  end();
}

static void test_paths(void) {
  begin();
  check_case = "paths";
  set_by(client, "http://example.com/headers", "a=1; path=/echo/x");
  CHECK_SENT(client, "http://example.com/echo", "");
  CHECK_SENT(client, "http://example.com/echo/xy", "");
  CHECK_SENT(client, "http://example.com/echo/x", "a=1");
  CHECK_SENT(client, "http://example.com/echo/x?y", "a=1");
  CHECK_SENT(client, "http://example.com/echo/x/y", "a=1");
  check_case = "the path that is the default";
  char url[500];
  snprintf(url, sizeof url, "%s?Location=/echo/y/z&Set-Cookie=b%%3D2", on("http://example.com/status/302"));
  check_fetched(client, url); /* For /status, and so not for /echo. */
  CHECK_SENT(client, "http://example.com/echo/x", "a=1");
  set_by(client, "http://example.com/headers", "c=3"); /* For /. */
  CHECK_SENT(client, "http://example.com/echo/x", "a=1; c=3");
  end();
}

static void test_domains(void) {
  static const struct {
    const char *url, *domain, *to, *sent;
  } cases[] = {
      {"http://example.com/headers", "", "http://example.com/echo", "a=1"},
      {"http://example.com/headers", "", "http://a.example.com/echo", ""},
      {"http://example.com/headers", "; domain=example.com", "http://a.example.com/echo", "a=1"},
      {"http://a.example.com/headers", "; Domain=.EXAMPLE.com", "http://b.example.com/echo", "a=1"},
      {"http://a.example.com/headers", "; domain=example.com", "http://example.org/echo", ""},
      {"http://a.example.com/headers", "; domain=a.example.com", "http://example.com/echo", ""},
      {"http://a.example.com/headers", "; domain=b.example.com", "http://b.example.com/echo", ""},
      {"http://a.example.com/headers", "; domain=xample.com", "http://a.example.com/echo", ""},
      {"http://example.com/headers", "; domain=com", "http://example.com/echo", ""},
      {"http://example.com/headers", "; domain=example.com.", "http://example.com/echo", ""},
      {"http://a.co.uk/headers", "; domain=co.uk", "http://b.co.uk/echo", ""},
      {"http://a.co.uk./headers", "; domain=co.uk.", "http://a.co.uk/echo", ""},
      {"http://a.co.uk./headers", "; domain=co.uk.", "http://b.co.uk/echo", ""},
      {"http://example.com./headers", "", "http://example.com/echo", "a=1"},
      {"http://example.com/headers", "", "http://example.com./echo", "a=1"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char cookie[100];
    begin();
    check_case = cases[i].domain;
    snprintf(cookie, sizeof cookie, "a=1; path=/%s", cases[i].domain);
    set_by(client, cases[i].url, cookie);
    CHECK_SENT(client, cases[i].to, cases[i].sent);
    end();
  }
}

static void test_secure(void) {
  begin();
  check_case = "a secure cookie goes to https only";
  set_by(client, "https://example.com/headers", "a=1; Secure=x");
  set_by(client, "https://example.com/headers", "b=2");
  CHECK_SENT(client, "https://example.com/echo", "a=1; b=2");
  CHECK_SENT(client, "http://example.com/echo", "b=2");
  check_case = "none is set by http, with any value of the attribute";
  set_by(client, "http://example.org/headers", "a=1; Secure=x");
  set_by(client, "http://example.org/headers", "b=1; Secure");
  CHECK_SENT(client, "https://example.org/echo", "");
  check_case = "none is replaced by http";
  set_by(client, "http://example.com/headers", "a=forged");
  CHECK_SENT(client, "https://example.com/echo", "a=1; b=2");
  check_case = "this machine counts as https";
  check_fetched(client, at(ORIGIN, "/headers?Set-Cookie=a%3D1%3BSecure%3Dx"));
  CHECK_SENT_BY(client, request_new("GET", at(ORIGIN, "/echo")), "a=1");
  end();
}

static void test_expiry(void) {
  begin();
  check_case = "cookies that have ended";
  set_by(client, "http://example.com/headers", "a=1; max-age=1000");
  set_by(client, "http://example.com/headers", "b=2; expires=Fri, 31 Dec 9999 23:59:59 GMT");
  set_by(client, "http://example.com/headers", "c=3; expires=Thu, 01 Jan 1970 00:00:01 GMT");
  CHECK_SENT(client, "http://example.com/echo", "a=1; b=2");
  set_by(client, "http://example.com/headers", "a=1; max-age=-1");
  set_by(client, "http://example.com/headers", "b=; expires=Thu, 01 Jan 1970 00:00:01 GMT");
  CHECK_SENT(client, "http://example.com/echo", "");
  CHECK_EQUAL(cookie_count(client), 0);
  check_case = "max-age wins over expires";
  set_by(client, "http://example.com/headers", "a=1; max-age=1000; expires=Thu, 01 Jan 1970 00:00:01 GMT");
  CHECK_SENT(client, "http://example.com/echo", "a=1");
  check_case = "a cookie that ends";
  netcore_cookie cookie = cookie_named("soon", "gone");
  cookie.expires = (int64_t)time(NULL) + 3;
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  CHECK_SENT(client, "http://example.com/echo", "a=1; soon=gone");
  WAIT_UNTIL(strcmp(cookies_of(client, request_new("GET", on("http://example.com/echo"))), "a=1") == 0);
  struct timespec now; /* time() may lag behind it. */
  clock_gettime(CLOCK_REALTIME, &now);
  CHECK((int64_t)now.tv_sec >= cookie.expires);
  end();
}

static netcore_request away(const char *from, const char *to, const char *cookie) {
  char url[2000];
  snprintf(url, sizeof url, "%s?Location=%s&Set-Cookie=%s", on(from), escaped(on(to)), escaped(cookie));
  return request_new("GET", url);
}

static void test_redirects(void) {
  const char *from = "http://a.example.com/status/302", *to = "http://b.example.com/echo",
             *home = "http://a.example.com/echo";
  begin();
  check_case = "a redirect's cookies go with the next hop";
  CHECK_SENT_BY(client, away(from, home, "a=1; path=/"), "a=1");
  check_case = "and not to another host";
  CHECK_SENT_BY(client, away(from, to, "b=2; path=/"), "");
  CHECK_SENT_BY(client, away(from, to, "c=3; path=/; domain=example.com"), "c=3");
  set_by(client, "http://b.example.com/headers", "own=4");
  CHECK_SENT_BY(client, away(from, to, "d=5; path=/"), "c=3; own=4");
  check_case = "a redirect's cookie that ends one";
  CHECK_SENT_BY(client, away(from, home, "b=2; path=/; max-age=0"), "a=1; c=3; d=5");
  check_case = "a Cookie field of the request's own";
  netcore_request request = away(from, home, "e=6; path=/");
  CHECK_OK(netcore_request_set_header(request, "Cookie", "own=field"));
  CHECK_SENT_BY(client, request, "own=field");
  request = away(from, to, "f=7; path=/");
  CHECK_OK(netcore_request_set_header(request, "Cookie", "own=field"));
  CHECK_SENT_BY(client, request, "c=3; own=4");
  CHECK_SENT(client, home, "a=1; c=3; d=5; e=6; f=7");
  end();
}

static void test_who_takes_part(void) {
  const char *echo = "http://example.com/echo";
  begin();
  set_by(client, "http://example.com/headers", "a=1");
  check_case = "a Cookie field of the request's own";
  netcore_request request = request_new("GET", on(echo));
  CHECK_OK(netcore_request_set_header(request, "cookie", "own=field"));
  CHECK_SENT_BY(client, request, "own=field");
  for (int is_custom = 0; is_custom < 2; is_custom++) {
    check_case = is_custom ? "a custom request" : "a request that declines";
    for (int i = 0; i < 2; i++) {
      request = i == 0 ? request_new("GET", on(echo)) : away("http://example.com/status/302", echo, "b=2; path=/");
      CHECK_OK(is_custom ? netcore_request_set_bare(request, 1) : netcore_request_set_use_cookies(request, 0));
      CHECK_SENT_BY(client, request, "");
    }
    CHECK_SENT(client, echo, "a=1");
  }
  check_case = "a request that does not decline any more";
  request = request_new("GET", on(echo));
  CHECK_OK(netcore_request_set_use_cookies(request, 0));
  CHECK_OK(netcore_request_set_use_cookies(request, 1));
  CHECK_SENT_BY(client, request, "a=1");
  check_case = "answers that are errors";
  char url[500];
  snprintf(url, sizeof url, "%s?Set-Cookie=e%%3D5;path=/", on("http://example.com/status/500"));
  check_fetched(client, url);
  CHECK_SENT(client, echo, "a=1; e=5");
  check_case = "a client that keeps none";
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  check_fetched(other, at(ORIGIN, "/headers?Set-Cookie=a%3D1"));
  CHECK_SENT_BY(other, request_new("GET", at(ORIGIN, "/echo")), "");
  CHECK_OK(netcore_client_destroy(other));
  end();
}

static void test_own_cookies(void) {
  const char *echo = "http://a.example.com/echo";
  begin();
  set_by(client, "http://a.example.com/headers", "a=1; path=/");
  set_by(client, "http://a.example.com/headers", "b=2; path=/");
  check_case = "cookies of the request's own, beside the client's and in place of those of their name";
  netcore_request request = request_new("GET", on(echo));
  CHECK_OK(netcore_request_set_cookie(request, "b", "old"));
  CHECK_OK(netcore_request_set_cookie(request, "b", "mine"));
  CHECK_OK(netcore_request_set_cookie(request, "c", "x=y"));
  CHECK_SENT_BY(client, request, "a=1; b=mine; c=x=y");
  check_case = "they are not kept";
  CHECK_SENT(client, echo, "a=1; b=2");
  check_case = "they follow a redirect within the origin only";
  for (int i = 0; i < 2; i++) {
    request = away("http://a.example.com/status/302", i == 0 ? echo : "http://b.example.com/echo", "d=4; path=/");
    CHECK_OK(netcore_request_set_cookie(request, "b", "mine"));
    CHECK_SENT_BY(client, request, i == 0 ? "a=1; d=4; b=mine" : "");
  }
  check_case = "a request that declines the client's, and one removed";
  request = request_new("GET", on(echo));
  CHECK_OK(netcore_request_set_use_cookies(request, 0));
  CHECK_OK(netcore_request_set_cookie(request, "b", "mine"));
  CHECK_OK(netcore_request_set_cookie(request, "c", "gone"));
  CHECK_OK(netcore_request_set_cookie(request, "c", NULL));
  CHECK_SENT_BY(client, request, "b=mine");
  check_case = "a custom request, by a client that keeps none";
  netcore_client other = cookie_client(NULL, 0);
  request = request_new("GET", on(echo));
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_OK(netcore_request_set_cookie(request, "b", "mine"));
  CHECK_SENT_BY(other, request, "b=mine");
  CHECK_OK(netcore_client_destroy(other));
  end();
}

int main(void) {
  check_begin();
  test_httpbin();
  test_order();
  test_values();
  test_paths();
  test_domains();
  test_secure();
  test_expiry();
  test_redirects();
  test_who_takes_part();
  test_own_cookies();
  return check_end();
}
