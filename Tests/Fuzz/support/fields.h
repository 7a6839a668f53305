/** Header fields with values that somebody thought of, and somebody did not. */
#ifndef NETCORE_FUZZ_FIELDS_H
#define NETCORE_FUZZ_FIELDS_H

#include "cases.h"

static int wire_ports[2];

static inline void field_date(struct bytes *value, struct rng *rng) {
  static const char *const dates[] = {"Thu, 01 Jan 1970 00:00:00 GMT",
                                      "Sun, 06 Nov 1994 08:49:37 GMT",
                                      "Sunday, 06-Nov-94 08:49:37 GMT",
                                      "Sun Nov  6 08:49:37 1994",
                                      "Fri, 31 Dec 9999 23:59:59 GMT",
                                      "Mon, 01 Jan 0000 00:00:00 GMT",
                                      "0",
                                      "-1",
                                      "Sat, 31 Feb 2024 25:61:61 GMT",
                                      "Fri, 13 Dec 1901 20:45:52 GMT",
                                      "Tue, 19 Jan 2038 03:14:08 GMT",
                                      "Mon, 01 Jan 99999 00:00:00 GMT",
                                      "Mon, 01 Jan 2040 00:00:00 +9999",
                                      "1994",
                                      "Mon, 1 Jan 2040"};
  bytes_text(value, PICK(rng, dates));
}

static inline void field_cache_control(struct bytes *value, struct rng *rng) {
  static const char *const words[] = {"no-store",
                                      "no-cache",
                                      "private",
                                      "public",
                                      "must-revalidate",
                                      "immutable",
                                      "no-cache=\"set-cookie\"",
                                      "proxy-revalidate",
                                      "no-transform",
                                      "only-if-cached",
                                      "private=\"a, b",
                                      "x=\"\\\"\\\"",
                                      "\"",
                                      "=",
                                      ",,,",
                                      "max-age",
                                      "must-understand"};
  static const char *const numbered[] = {
      "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error", "max-stale", "min-fresh", "MAX-AGE"};
  for (uint64_t count = 1 + below(rng, 4); count > 0; count--) {
    char digits[64];
    edge_digits(rng, digits, sizeof digits);
    if (per_mille(rng, 500))
      bytes_format(value, per_mille(rng, 200) ? "%s=\"%s\"" : "%s=%s", PICK(rng, numbered), digits);
    else
      bytes_text(value, PICK(rng, words));
    if (count > 1) bytes_text(value, ", ");
  }
}

static inline void field_cookie(struct bytes *value, struct rng *rng) {
  static const char *const names[] = {"a", "b", "__Host-c", "__Secure-d", "", "e f", "$v", "\x80"};
  static const char *const domains[] = {"fuzz.test", ".fuzz.test", "a.fuzz.test", "test",       "127.0.0.1",
                                        "",          ".",          "..",          "com",        "evil.example",
                                        "xn--",      "FUZZ.TEST",  "[::1]",       "fuzz.test.", "*"};
  static const char *const rest[] = {"Secure",   "HttpOnly",    "SameSite=None", "Path=/", "Path=", "Path=/1/2",
                                     "Path=%2f", "Partitioned", "Priority=High", "=",      ";;",    "Domain"};
  char digits[64];
  edge_digits(rng, digits, sizeof digits);
  bytes_format(value, "%s=%s", PICK(rng, names), digits);
  for (uint64_t count = below(rng, 4); count > 0; count--) {
    edge_digits(rng, digits, sizeof digits);
    switch (below(rng, 4)) {
      case 0:
        bytes_format(value, "; Max-Age=%s", digits);
        break;
      case 1:
        bytes_format(value, "; Domain=%s", PICK(rng, domains));
        break;
      case 2:
        bytes_text(value, "; Expires=");
        field_date(value, rng);
        break;
      default:
        bytes_format(value, "; %s", PICK(rng, rest));
    }
  }
}

static inline void field_alt_svc(struct bytes *value, struct rng *rng) {
  static const char *const protocols[] = {"h2", "http%2F1.1", "h3", "h2c", "h3-29", "\"", "%", ""};
  static const char *const hosts[] = {"", "127.0.0.1", "b.fuzz.test", "[::1]", "..", "\"", "\\"};
  char digits[64];
  edge_digits(rng, digits, sizeof digits);
  if (per_mille(rng, 100)) bytes_text(value, "clear");
  for (uint64_t count = 1 + below(rng, 3); count > 0; count--) {
    int port = per_mille(rng, 800) ? wire_ports[1] : (int)below(rng, 70000);
    bytes_format(value, "%s=\"%s:%d\"; ma=%s%s", PICK(rng, protocols), PICK(rng, hosts), port, digits,
                 count > 1             ? ", "
                 : per_mille(rng, 300) ? "; persist=1"
                                       : "");
  }
}

static inline void field_challenge(struct bytes *value, struct rng *rng) {
  static const char *const challenges[] = {
      "Basic realm=\"a\"",
      "Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256",
      "Digest realm=\"a\", nonce=\"n\", qop=\"auth,auth-int\", algorithm=MD5-sess, stale=true",
      "Bearer",
      "Negotiate",
      "NTLM",
      "Digest",
      "Basic",
      "Basic realm=",
      "Digest realm=\"\\",
      "Digest nonce=\"\", realm=\"\"",
      ",",
      "=",
      "a=b",
      "Digest realm=a,nonce=b,opaque=\"c\",userhash=true,charset=UTF-8,domain=\"/ /a\"",
      "Negotiate !!!",
      "Bearer error="};
  bytes_text(value, PICK(rng, challenges));
  if (per_mille(rng, 300)) bytes_format(value, ", %s", PICK(rng, challenges));
}

static inline void field_location(struct bytes *value, struct rng *rng, uint64_t number, unsigned hop) {
  static const char *const hosts[] = {"127.0.0.1", "a.fuzz.test", "b.fuzz.test", "old.fuzz.test", "localhost"};
  static const char *const odd[] = {"",
                                    "/",
                                    "//",
                                    "http://",
                                    "https://:0/",
                                    "http://[::1",
                                    "ftp://127.0.0.1/",
                                    "?",
                                    "#",
                                    "http://\xe2\x98\x83/",
                                    "file:///etc/passwd",
                                    "http://127.0.0.1:99999/",
                                    "../../..",
                                    "http:",
                                    "\\\\",
                                    "javascript:0",
                                    "http://a b/",
                                    "//127.0.0.1:1/"};
  if (per_mille(rng, 150))
    bytes_text(value, PICK(rng, odd));
  else if (per_mille(rng, 500))
    bytes_format(value, "/%llu/%u", (unsigned long long)number, hop + 1);
  else {
    bool is_https = per_mille(rng, 400);
    int port = wire_ports[is_left_out("ports") ? is_https : below(rng, 2)];
    bytes_format(value, "%s://%s%s:%d/%llu/%u?a=b#c", is_https ? "https" : "http", per_mille(rng, 100) ? "u:p@" : "",
                 PICK(rng, hosts), port, (unsigned long long)number, hop + 1);
  }
}

/** The value of one of the fields that mean something to netcore or libcurl. */
static inline void field_add_known(struct bytes *value, const char **name, struct rng *rng, uint64_t number,
                                   unsigned hop) {
  static const char *const numbered[] = {"Age", "Content-Length", "Retry-After", "Expires", "Keep-Alive"};
  static const char *const dated[] = {"Date", "Expires", "Last-Modified", "Warning"};
  static const char *const pairs[][2] = {{"ETag", "\"a\""},
                                         {"ETag", "W/\"b\""},
                                         {"ETag", "\"unclosed"},
                                         {"Vary", "*"},
                                         {"Vary", "Accept-Encoding, X-Fuzz"},
                                         {"Vary", ",,,"},
                                         {"Connection", "close"},
                                         {"Connection", "keep-alive, X-Fuzz"},
                                         {"Connection", "Upgrade"},
                                         {"Transfer-Encoding", "chunked"},
                                         {"Transfer-Encoding", "gzip, chunked"},
                                         {"Transfer-Encoding", "chunked, chunked"},
                                         {"Transfer-Encoding", "identity"},
                                         {"Content-Encoding", "gzip"},
                                         {"Content-Encoding", "br, gzip"},
                                         {"Content-Encoding", "gzip,gzip,gzip,gzip,gzip,gzip,gzip"},
                                         {"Content-Encoding", "x-unknown"},
                                         {"Content-Encoding", "compress"},
                                         {"Content-Range", "bytes 0-4/5"},
                                         {"Content-Range", "bytes */0"},
                                         {"Content-Range", "bytes 9223372036854775807-0/18446744073709551615"},
                                         {"Trailer", "X-T"},
                                         {"Pragma", "no-cache"},
                                         {"Upgrade", "h2c"},
                                         {"Upgrade", "websocket"},
                                         {"Content-Type", "text/plain; charset=\"\xff\""},
                                         {"Link", "<x>"},
                                         {"Content-Location", "/1/1"},
                                         {"Refresh", "0; url=/"},
                                         {"Proxy-Connection", "close"},
                                         {"X-Fuzz", ""},
                                         {"Proxy-Authenticate", "Basic realm=\"p\""},
                                         {"Persistent-Auth", "true"},
                                         {"Last-Event-ID", "1"}};
  char digits[64];
  switch (below(rng, 10)) {
    case 0:
      *name = "Cache-Control", field_cache_control(value, rng);
      return;
    case 1:
      *name = "Set-Cookie", field_cookie(value, rng);
      return;
    case 2:
      *name = "Alt-Svc", field_alt_svc(value, rng);
      return;
    case 3:
      *name = "WWW-Authenticate", field_challenge(value, rng);
      return;
    case 4:
      *name = "Location", field_location(value, rng, number, hop);
      return;
    case 5:
      *name = PICK(rng, dated), field_date(value, rng);
      return;
    case 6:
      *name = "Strict-Transport-Security";
      edge_digits(rng, digits, sizeof digits);
      bytes_format(value, "max-age=%s%s", digits, per_mille(rng, 500) ? "; includeSubDomains" : "");
      return;
    case 7:
      *name = PICK(rng, numbered);
      edge_digits(rng, digits, sizeof digits);
      bytes_text(value, digits);
      return;
    default: {
      uint64_t pair = below(rng, LENGTH(pairs));
      *name = pairs[pair][0];
      bytes_text(value, pairs[pair][1]);
    }
  }
}

#endif
