/**
 * Files: those that a client keeps or reads (cookies, HSTS hosts, alternative services, .netrc), damaged, extreme,
 * doubled and cut short. Each set is loaded by a client, which sends a few requests over loopback and writes the
 * files back.
 *
 * A file is taken or refused at once, by its own option; one that is refused stays as it was; what a client wrote is
 * taken by the next one; a request ends in time, and by the status of a request.
 */
#include "support/visited_files.h"

/** Reads and answers one request for each connection, whatever it asks. */
static void serve(void) {
  static const char answer[] =
      "HTTP/1.1 200 OK\r\nSet-Cookie: new=1; Max-Age=1000\r\nContent-Length: 2\r\n"
      "Connection: close\r\n\r\nok";
  char head[65536];
  while (true) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue;
    struct timeval wait = {1, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    size_t size = 0;
    ssize_t got;
    while (size < sizeof head && (got = recv(connection, head + size, sizeof head - size, 0)) > 0) {
      size += (size_t)got;
      if (head[0] == 22) break;  // TLS
      if (size >= 4 && memcmp(head + size - 4, "\r\n\r\n", 4) == 0) break;
    }
    if (size > 0 && head[0] != 22) (void)!write(connection, answer, sizeof answer - 1);
    close(connection);
  }
}

static void run(void) {
  for (uint64_t number = fuzz.first_case; number <= fuzz.last_case && fuzz_goes_on(); number++) {
    unsigned long long seed = fuzz.seed, set = number;
    fuzz_note("set %llu; again: --seed %llu --cases %llu-%llu", set, seed, set, set);
    visit_set(number);
    COUNT("sets");
  }
}

int main(int count, char **arguments) { return fuzz_main("files", count, arguments, listen_on_loopback, serve, run); }
