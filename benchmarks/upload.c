/*
 * The memory of uploads: sends 1 GiB as a part of multipart/form-data to a server of its own on loopback, from a file and by a
 * reader, and prints for each how far the resident memory rose above what it was before, at its highest. Fails beyond 16 MiB.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netcore.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SIZE (UINT64_C(1) << 30)
#define MOST_KB (16 * 1024)

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

/* Reads the body of each connection up to the last bytes of a multipart body, and answers. */
static void serve(int listener) {
  static const char answer[] = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
  static char buffer[256 << 10];
  int fd;
  while ((fd = accept(listener, NULL, NULL)) >= 0) {
    char end[16] = "";
    ssize_t size;
    while (memmem(end, sizeof end, "--\r\n", 4) == NULL && (size = recv(fd, buffer, sizeof buffer, 0)) > 0) {
      size_t kept = (size_t)size < sizeof end ? (size_t)size : sizeof end;
      memmove(end, end + kept, sizeof end - kept);
      memcpy(end + sizeof end - kept, buffer + size - kept, kept);
    }
    bench_require(send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) > 0, "the client has gone");
    close(fd);
  }
}

static pid_t start_server(char *url, size_t room) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  bench_require(listener >= 0 && bind(listener, (struct sockaddr *)&address, size) == 0, "bind");
  bench_require(listen(listener, 4) == 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0, "listen");
  snprintf(url, room, "http://127.0.0.1:%d/", ntohs(address.sin_port));
  pid_t child = fork();
  bench_require(child >= 0, "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    serve(listener);
    _exit(0);
  }
  close(listener);
  return child;
}

/* A line of /proc/self/status, in KiB. */
static long status_kb(const char *name) {
  char line[200];
  long kb = -1;
  FILE *file = fopen("/proc/self/status", "r");
  bench_require(file != NULL, "/proc/self/status");
  while (kb < 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) kb = strtol(line + strlen(name) + 1, NULL, 10);
  fclose(file);
  return kb;
}

static void forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  bench_require(file != NULL && fputs("5", file) >= 0 && fclose(file) == 0, "/proc/self/clear_refs");
}

static size_t read_zeros(void *buffer, size_t capacity_bytes, void *user_data) {
  uint64_t *left = user_data;
  size_t size = *left < capacity_bytes ? (size_t)*left : capacity_bytes;
  memset(buffer, 0, size);
  *left -= size;
  return size;
}

static void measure(const char *name, netcore_client client, const char *url, const char *path) {
  uint64_t left = SIZE;
  netcore_reader reader = {.size = sizeof reader, .read = read_zeros, .user_data = &left};
  netcore_request request;
  netcore_response response;
  netcore_response_info info = {.size = sizeof info};
  check(netcore_request_create("POST", url, &request), "netcore_request_create");
  if (path != NULL)
    check(netcore_request_add_file_part(request, "file", path, NULL), "netcore_request_add_file_part");
  else
    check(netcore_request_add_reader_part(request, "file", &reader, NETCORE_LENGTH_UNKNOWN, NULL),
          "netcore_request_add_reader_part");
  forget_peak();
  long before_kb = status_kb("VmRSS:");
  uint64_t began = bench_now_ns();
  check(netcore_perform(client, request, &response), "netcore_perform");
  double seconds = (double)(bench_now_ns() - began) / 1e9;
  long above_kb = status_kb("VmHWM:") - before_kb;
  check(netcore_response_get_info(response, &info), "netcore_response_get_info");
  bench_require(info.http_status == 200 && info.bytes_sent > SIZE, "not all of it was sent");
  printf("%-28s %6ld KiB above idle, %5.2f s, %5.0f MiB/s\n", name, above_kb, seconds, 1024 / seconds);
  bench_require(above_kb <= MOST_KB, "that is more than 16 MiB");
  netcore_response_release(response);
  netcore_request_destroy(request);
}

int main(void) {
  char url[64], path[] = "/tmp/netcore-upload-XXXXXX";
  pid_t server = start_server(url, sizeof url);
  int file = mkstemp(path);
  bench_require(file >= 0 && ftruncate(file, (off_t)SIZE) == 0, "no file of 1 GiB can be made");
  close(file);
  netcore_client_options options = {.size = sizeof options, .proxy = ""};
  netcore_client client;
  check(netcore_client_create(&options, &client), "netcore_client_create");
  measure("1 GiB from a file", client, url, path);
  measure("1 GiB by a reader, in chunks", client, url, NULL);
  netcore_client_destroy(client);
  unlink(path);
  kill(server, SIGKILL);
  waitpid(server, NULL, 0);
}
