/**
 * Answers: a server that sends whole, odd, broken and hostile answers, over plain and TLS, by HTTP/1.1 and HTTP/2, to a client
 * with a cache, cookies, HSTS, Alt-Svc, redirects, challenges and uploads.
 *
 * Each task ends once and in time; an answer is its request's own or an error, and a plain one arrives byte by byte.
 */
#include "support/visitor.h"

static void run(void) {
  visitor_run();
  if (*fuzz_count("readers") != *fuzz_count("readers_released")) violation("readers: not all were released");
}

int main(int count, char **arguments) {
  fuzz.without = "oddh2"; /* docs/reliability.md: a known fault */
  return fuzz_main("answers", count, arguments, server_prepare, server_run, run);
}
