/*
 * Answers that are cut, reset, malformed or endless at each stage: each is an error of the documented kind, takes no
 * more memory than the limit, and the client serves the next request as if nothing had been.
 */
#include "support.h"

#define OK_HEAD "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK_HEAD "Transfer-Encoding: chunked\r\n\r\n"
#define SEND(text) "[{'send':'" text "'},{'close':true}]"
#define SEND_KEEP(text) "[{'send':'" text "'},{'keep':true}]"
#define SEND_CUT(text) "[{'send':'" text "'},{'cut':true}]"
#define SEND_RESET(text) "[{'send':'" text "'},{'sleep_ms':50},{'reset':true}]"
#define ENDLESS(head, repeated) "[{'send':'" head "'},{'repeat':'" repeated "','times':100000000}]"
#define HUNDRED "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* An answer, and the status it must end with. Where the header leaves two, `other` is the second. */
struct fault {
  const char *name, *steps;
  netcore_status status, other;
  /* For NETCORE_OK: the body. */
  const char *body;
};

#define LOST NETCORE_ERR_CONNECTION_LOST
#define PROTOCOL NETCORE_ERR_PROTOCOL
#define TRUNCATED NETCORE_ERR_TRUNCATED
/* Cut behind the first byte of the head: the header leaves open which of the three it is. */
#define HEAD_CUT (-1)
#define TOO_MUCH NETCORE_ERR_LIMIT_HEADER_BYTES

static const struct fault faults[] = {
    {"reset before a byte", "[{'reset':true}]", LOST, 0, NULL},
    {"closed before a byte", "[{'close':true}]", LOST, 0, NULL},
    {"reset in the status line", SEND_RESET("HTTP/1.1 20"), HEAD_CUT, 0, NULL},
    {"cut in the status line", SEND_CUT("HTTP/1.1 20"), HEAD_CUT, 0, NULL},
    {"cut after the status line", SEND_CUT(OK_HEAD), HEAD_CUT, 0, NULL},
    {"cut in a field", SEND_CUT(OK_HEAD "Content-Le"), HEAD_CUT, 0, NULL},
    {"cut before the end of the head", SEND_CUT(OK_HEAD "Content-Length: 2\r\n"), HEAD_CUT, 0, NULL},
    {"reset in the head", SEND_RESET(OK_HEAD "Content-Length: 2\r\n"), HEAD_CUT, 0, NULL},
    {"closed between interim and final answer", SEND("HTTP/1.1 103 Early Hints\r\n\r\n"), HEAD_CUT, 0, NULL},

    {"a length not reached, closed", SEND(OK_HEAD "Content-Length: 10\r\n\r\nhalf"), TRUNCATED, 0, NULL},
    {"a length not reached, cut", SEND_CUT(OK_HEAD "Content-Length: 10\r\n\r\nhalf"), TRUNCATED, 0, NULL},
    {"a length not reached, reset", SEND_RESET(OK_HEAD "Content-Length: 10\r\n\r\nhalf"), TRUNCATED, LOST, NULL},
    {"a length and no body", SEND(OK_HEAD "Content-Length: 10\r\n\r\n"), TRUNCATED, 0, NULL},
    {"no length, reset", SEND_RESET(OK_HEAD "\r\nhalf"), TRUNCATED, LOST, NULL},
    {"no length, closed", SEND(OK_HEAD "\r\nwhole"), NETCORE_OK, 0, "whole"},

    {"lengths in conflict", SEND(OK_HEAD "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"lengths in conflict, in one field", SEND(OK_HEAD "Content-Length: 5, 6\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a length beyond 64 bits", SEND(OK_HEAD "Content-Length: 18446744073709551621\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a length beyond 63 bits", SEND(OK_HEAD "Content-Length: 9223372036854775813\r\n\r\nhello"), PROTOCOL,
     NETCORE_ERR_LIMIT_BODY_BYTES, NULL},
    {"a negative length", SEND(OK_HEAD "Content-Length: -5\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a length with a sign", SEND(OK_HEAD "Content-Length: +5\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a hexadecimal length", SEND(OK_HEAD "Content-Length: 0x5\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a length with a tail", SEND(OK_HEAD "Content-Length: 5x\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"an empty length", SEND(OK_HEAD "Content-Length:\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a length that is a word", SEND(OK_HEAD "Content-Length: five\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"bytes beyond the length", SEND_KEEP(OK_HEAD "Content-Length: 2\r\n\r\nokSURPLUS"), NETCORE_OK, 0, "ok"},
    {"a second answer that no request asked for",
     SEND_KEEP(OK_HEAD "Content-Length: 2\r\n\r\nok" OK_HEAD "Content-Length: 4\r\n\r\nEVIL"), NETCORE_OK, 0, "ok"},

    {"chunks, whole", SEND(CHUNKED "2\r\nwh\r\n3;x=y\r\nole\r\n0\r\n\r\n"), NETCORE_OK, 0, "whole"},
    {"chunks, cut in one", SEND_CUT(CHUNKED "5\r\nhal"), TRUNCATED, 0, NULL},
    {"chunks, cut between two", SEND_CUT(CHUNKED "5\r\nhello\r\n"), TRUNCATED, 0, NULL},
    {"chunks, closed between two", SEND(CHUNKED "5\r\nhello\r\n"), TRUNCATED, 0, NULL},
    {"chunks, cut in a size", SEND_CUT(CHUNKED "5\r\nhello\r\n1"), TRUNCATED, 0, NULL},
    {"chunks, cut before the last line", SEND_CUT(CHUNKED "5\r\nhello\r\n0\r\n"), TRUNCATED, 0, NULL},
    {"chunks, cut in the trailers", SEND_CUT(CHUNKED "5\r\nhello\r\n0\r\nX-T: 1\r\n"), TRUNCATED, 0, NULL},
    {"chunks, reset", SEND_RESET(CHUNKED "5\r\nhello\r\n"), TRUNCATED, LOST, NULL},
    {"a chunk size that is no number", SEND(CHUNKED "zz\r\nhello\r\n0\r\n\r\n"), PROTOCOL, 0, NULL},
    {"a negative chunk size", SEND(CHUNKED "-5\r\nhello\r\n0\r\n\r\n"), PROTOCOL, 0, NULL},
    {"a chunk size beyond 64 bits", SEND(CHUNKED "10000000000000005\r\nhello\r\n0\r\n\r\n"), PROTOCOL, 0, NULL},
    {"a chunk longer than its size", SEND(CHUNKED "4\r\nhello\r\n0\r\n\r\n"), PROTOCOL, 0, NULL},
    {"a coding of the transfer that is unknown", SEND(OK_HEAD "Transfer-Encoding: x-foo\r\n\r\nhello"), PROTOCOL,
     NETCORE_ERR_CONTENT_CODING, NULL},

    {"an endless head", ENDLESS(OK_HEAD, "X-A: " HUNDRED "\r\n"), TOO_MUCH, 0, NULL},
    {"an endless field", ENDLESS(OK_HEAD "X-A: ", HUNDRED), TOO_MUCH, 0, NULL},
    {"an endless field name", ENDLESS(OK_HEAD, HUNDRED), TOO_MUCH, 0, NULL},
    {"an endless status line", ENDLESS("HTTP/1.1 200 ", HUNDRED), TOO_MUCH, 0, NULL},
    {"endless interim answers", ENDLESS("", "HTTP/1.1 100 Continue\r\n\r\n"), TOO_MUCH, 0, NULL},
    {"endless early hints", ENDLESS("", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), TOO_MUCH, 0, NULL},
    {"endless trailers", ENDLESS(CHUNKED "2\r\nok\r\n0\r\n", "X-T: " HUNDRED "\r\n"), TOO_MUCH, 0, NULL},
    {"an endless trailer", ENDLESS(CHUNKED "2\r\nok\r\n0\r\nX-T: ", HUNDRED), TOO_MUCH, 0, NULL},
    {"an endless chunk extension", ENDLESS(CHUNKED "2;", HUNDRED), TRUNCATED, 0, NULL},
    {"an endless chunk size", ENDLESS(CHUNKED, "0000000000"), PROTOCOL, TOO_MUCH, NULL},
    {"endless empty lines", ENDLESS("", "\r\n"), PROTOCOL, TOO_MUCH, NULL},
    {"endless bytes that are no HTTP", ENDLESS("", HUNDRED), PROTOCOL, TOO_MUCH, NULL},

    {"a body without a head", SEND("hello"), PROTOCOL, 0, NULL},
    {"lines that are no HTTP", SEND("220 mail.test ESMTP\r\n\r\n"), PROTOCOL, 0, NULL},
    {"another protocol's answer", SEND("ICY 200 OK\r\n\r\nhello"), PROTOCOL, 0, NULL},
    {"a status of two digits", SEND("HTTP/1.1 20\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"a status of four digits", SEND("HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"a status that is no number", SEND("HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"a status below 100", SEND("HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"a negative status", SEND("HTTP/1.1 -20 OK\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"no status", SEND("HTTP/1.1\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"no reason", SEND("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"), NETCORE_OK, 0, "ok"},
    {"a version that was not asked for", SEND("HTTP/3 200 OK\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"protocols switched unasked", SEND("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nok"), PROTOCOL, LOST,
     NULL},
    {"a field without a colon", SEND(OK_HEAD "garbage\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"a field without a name", SEND(OK_HEAD ": x\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"NUL in a value", SEND(OK_HEAD "X-A: a\\u0000b\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
    {"NUL in a name", SEND(OK_HEAD "X\\u0000A: b\r\nContent-Length: 2\r\n\r\nok"), PROTOCOL, 0, NULL},
};

/* How a body ends under TLS: only close_notify is an end. */
static const struct fault tls_faults[] = {
    {"TLS, no length, closed", SEND(OK_HEAD "\r\nwhole"), NETCORE_OK, 0, "whole"},
    {"TLS, no length, cut", SEND_CUT(OK_HEAD "\r\nhalf"), TRUNCATED, NETCORE_ERR_TLS, NULL},
    {"TLS, no length, no body, cut", SEND_CUT(OK_HEAD "\r\n"), TRUNCATED, NETCORE_ERR_TLS, NULL},
    {"TLS, no length, reset", SEND_RESET(OK_HEAD "\r\nhalf"), TRUNCATED, LOST, NULL},
    {"TLS, a length not reached, cut", SEND_CUT(OK_HEAD "Content-Length: 10\r\n\r\nhalf"), TRUNCATED, 0, NULL},
    {"TLS, a length reached, cut", SEND_CUT(OK_HEAD "Content-Length: 5\r\n\r\nwhole"), NETCORE_OK, 0, "whole"},
    {"TLS, chunks, whole, cut", SEND_CUT(CHUNKED "5\r\nwhole\r\n0\r\n\r\n"), NETCORE_OK, 0, "whole"},
    {"TLS, chunks, cut", SEND_CUT(CHUNKED "5\r\nhello\r\n"), TRUNCATED, 0, NULL},
    {"TLS, cut in the head", SEND_CUT(OK_HEAD "Content-Le"), HEAD_CUT, 0, NULL},
    {"TLS, cut before a byte", "[{'cut':true}]", LOST, NETCORE_ERR_TLS, NULL},
};

/* The same where the request takes an end without close_notify: where the server says how long a body is, that still rules. */
static const struct fault unclean_tls_faults[] = {
    {"TLS, no length, cut, allowed", SEND_CUT(OK_HEAD "\r\nwhole"), NETCORE_OK, 0, "whole"},
    {"TLS, no length, no body, cut, allowed", SEND_CUT(OK_HEAD "\r\n"), NETCORE_OK, 0, ""},
    {"TLS, no length, closed, allowed", SEND(OK_HEAD "\r\nwhole"), NETCORE_OK, 0, "whole"},
    {"TLS, no length, reset, allowed", SEND_RESET(OK_HEAD "\r\nhalf"), TRUNCATED, LOST, NULL},
    {"TLS, a length not reached, cut, allowed", SEND_CUT(OK_HEAD "Content-Length: 10\r\n\r\nhalf"), TRUNCATED, 0, NULL},
    {"TLS, chunks, cut, allowed", SEND_CUT(CHUNKED "5\r\nhello\r\n"), TRUNCATED, 0, NULL},
    {"TLS, cut in the head, allowed", SEND_CUT(OK_HEAD "Content-Le"), HEAD_CUT, 0, NULL},
};

/* Answers with a body where there can be none: it is no part of this answer, nor of the next. */
static const struct {
  const char *name, *method, *steps;
  int http_status;
} bodies[] = {
    {"a body for HEAD", "HEAD", SEND_KEEP(OK_HEAD "Content-Length: 5\r\n\r\nhello"), 200},
    {"chunks for HEAD", "HEAD", SEND_KEEP(CHUNKED "5\r\nhello\r\n0\r\n\r\n"), 200},
    {"a body for 204", "GET", SEND_KEEP("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"), 204},
    {"a body for 304", "GET", SEND_KEEP("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello"), 304},
    {"an answer for 204", "GET", SEND_KEEP("HTTP/1.1 204 None\r\n\r\n" OK_HEAD "Content-Length: 1\r\n\r\nX"), 204},
};

static netcore_client client;

static void check_still_serves(const char *variable) {
  struct answer answer = fetch(client, at(variable, "/bytes/500"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(is_pattern(answer.info.body, 500));
  answer_free(&answer);
}

static void check_fault(const struct fault *fault, const char *variable, bool allows_unclean_end) {
  check_case = fault->name;
  netcore_request request = script_request("GET", variable, fault->steps);
  if (allows_unclean_end) CHECK_OK(netcore_request_set_allow_unclean_end(request, 1));
  struct answer answer = perform_once(client, request);
  if (fault->status == HEAD_CUT)
    CHECK(answer.status == TRUNCATED || answer.status == LOST || answer.status == PROTOCOL);
  else if (fault->other == 0 || answer.status != fault->other)
    CHECK_STATUS(answer.status, fault->status);
  if (fault->status == NETCORE_OK)
    CHECK_TEXT(answer.info.body, fault->body);
  else
    CHECK(answer.error.phase == NETCORE_PHASE_WAIT || answer.error.phase == NETCORE_PHASE_RECEIVE ||
          answer.error.phase == NETCORE_PHASE_SEND);
  /* The endless ones: 256 KiB are allowed, and what one read brings beyond. */
  CHECK(answer.info.bytes_received < 2 << 20);
  answer_free(&answer);
  check_still_serves(variable);
}

int main(void) {
  check_begin();
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &client));
  for (size_t i = 0; i < LENGTH(faults); i++) check_fault(&faults[i], ORIGIN, false);
  for (size_t i = 0; i < LENGTH(tls_faults); i++) check_fault(&tls_faults[i], ORIGIN_TLS, false);
  for (size_t i = 0; i < LENGTH(unclean_tls_faults); i++) check_fault(&unclean_tls_faults[i], ORIGIN_TLS, true);
  for (size_t i = 0; i < LENGTH(bodies); i++) {
    check_case = bodies[i].name;
    struct answer answer = perform_once(client, script_request(bodies[i].method, ORIGIN, bodies[i].steps));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, bodies[i].http_status);
    CHECK_EQUAL(answer.info.body.size_bytes, 0);
    answer_free(&answer);
    check_still_serves(ORIGIN);
  }
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
