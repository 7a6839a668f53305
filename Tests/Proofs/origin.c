/*
 * An origin for proofs, on a port of loopback that it prints. Its pages, at /PATH, change from version to version:
 * /advance adds one to the version of all. A page's ETag is its version. A matching If-None-Match is answered by a 304;
 * every seventh page has no freshness of its own (it is always validated), the others are fresh for some seconds. Of
 * pages below /part/ it sends a range that is asked for.
 *
 * It ends with its standard input.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bodies.h"

static unsigned version = 1;

static bool send_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= (size_t)sent;
  }
  return true;
}

/* The version that the request has already, 0 for none. A page answers several stored ETags at once. */
static bool has_version(const char *head, unsigned wanted) {
  const char *field = strcasestr(head, "\r\nif-none-match:");
  char tag[40];
  if (field == NULL) return false;
  const char *end = strstr(field + 2, "\r\n");
  snprintf(tag, sizeof tag, "\"v%u\"", wanted);
  const char *found = strstr(field, tag);
  return found != NULL && found < end;
}

static bool answer(int fd, const char *head, char *body) {
  char path[200] = "", fields[500];
  sscanf(head, "%*s %199s", path);
  unsigned now = strcmp(path, "/advance") == 0 ? __atomic_add_fetch(&version, 1, __ATOMIC_SEQ_CST)
                                               : __atomic_load_n(&version, __ATOMIC_SEQ_CST);
  uint64_t seed = body_seed(path, 0);
  unsigned own = body_version(path, now);
  const char *freshness = seed % 7 == 0 ? "no-cache" : seed % 3 == 0 ? "max-age=1" : "max-age=60";
  if (has_version(head, own)) {
    int size = snprintf(fields, sizeof fields,
                        "HTTP/1.1 304 Not Modified\r\nETag: \"v%u\"\r\nCache-Control: %s\r\n"
                        "X-Confirmed: %u\r\n\r\n",
                        own, freshness, now);
    return send_all(fd, fields, (size_t)size);
  }
  size_t size = body_size(path, own);
  body_fill(path, own, body, size);
  const char *range = strncmp(path, "/part/", 6) == 0 ? strcasestr(head, "\r\nrange: bytes=") : NULL;
  size_t first = 0, last = 0;
  if (range != NULL && sscanf(range + 15, "%zu-%zu", &first, &last) == 2 && first <= last && last < size) {
    int part = snprintf(fields, sizeof fields,
                        "HTTP/1.1 206 Partial Content\r\nETag: \"v%u\"\r\nCache-Control: %s\r\n"
                        "X-Path: %s\r\nContent-Range: bytes %zu-%zu/%zu\r\nContent-Length: %zu\r\n\r\n",
                        own, freshness, path, first, last, size, last - first + 1);
    return send_all(fd, fields, (size_t)part) && send_all(fd, body + first, last - first + 1);
  }
  int length = snprintf(fields, sizeof fields,
                        "HTTP/1.1 200 OK\r\nETag: \"v%u\"\r\nCache-Control: %s\r\nX-Path: %s\r\n"
                        "Content-Length: %zu\r\n\r\n",
                        own, freshness, path, size);
  return send_all(fd, fields, (size_t)length) && send_all(fd, body, size);
}

static void *serve(void *argument) {
  int fd = (int)(intptr_t)argument;
  char head[8192], *body = malloc(BODY_MOST), *end;
  size_t size = 0;
  ssize_t count;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  while (body != NULL && (count = recv(fd, head + size, sizeof head - 1 - size, 0)) > 0) {
    size += (size_t)count;
    head[size] = '\0';
    bool goes_on = true;
    while (goes_on && (end = strstr(head, "\r\n\r\n")) != NULL) {
      end[2] = '\0';
      goes_on = answer(fd, head, body);
      size -= (size_t)(end + 4 - head);
      memmove(head, end + 4, size + 1);
    }
    if (!goes_on) break;
  }
  free(body);
  close(fd);
  return NULL;
}

static void *accept_all(void *argument) {
  int listener = (int)(intptr_t)argument;
  for (;;) {
    pthread_t thread;
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) != 0)
      close(fd);
    else
      pthread_detach(thread);
  }
  return NULL;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  pthread_t thread;
  char unused;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  signal(SIGPIPE, SIG_IGN);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 512) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
      pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)listener) != 0)
    return 1;
  printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  while (read(0, &unused, 1) > 0) continue;
  return 0;
}
