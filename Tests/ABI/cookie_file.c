/*
 * The file that cookies are kept in: whose it is, who can read it, and that it is whole, whatever ends the process.
 */
#include "support.h"

#include <sys/wait.h>

#include "support/cache.h"
#include "support/cookie_file.h"
#include "support/refusal.h"

static char *folder, path[4200];

/* The path of a file in the folder, good until the next call. */
static const char *file_in(const char *name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* The file's text, good until the next call; "" where there is none. */
static const char *read_file(const char *name) {
  static char text[100000];
  FILE *file = fopen(name, "r");
  size_t size = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
  if (file != NULL) fclose(file);
  text[size] = '\0';
  return text;
}

static void test_kept(void) {
  const char *name = file_in("kept");
  struct stat status;
  check_case = "a second client reads what the first one kept";
  umask(0);
  netcore_client client = cookie_client(name, 0);
  CHECK(access(name, F_OK) != 0);
  set_by(client, "http://example.com/headers", "a=1");
  set_by(client, "http://example.com/headers", "b=2; path=/echo; max-age=1000");
  set_by(client, "https://example.org/headers", "c=3; secure; httponly");
  CHECK_OK(netcore_client_destroy(client));
  REQUIRE(stat(name, &status) == 0);
  CHECK_EQUAL(status.st_mode & 07777, 0600);
  client = cookie_client(name, 0);
  CHECK_SENT(client, "http://example.com/echo", "b=2; a=1");
  CHECK_SENT(client, "https://example.org/echo", "c=3");
  CHECK_SENT(client, "http://example.org/echo", "");
  check_case = "the file follows soon, without an end of the client";
  set_by(client, "http://example.com/headers", "soon=4");
  WAIT_UNTIL(strstr(read_file(name), "\tsoon\t4\n") != NULL);
  CHECK_OK(netcore_client_clear_cookies(client, NULL, NULL, NULL, NULL));
  WAIT_UNTIL(strstr(read_file(name), "\tsoon\t4\n") == NULL);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "a file that others could read is theirs no more";
  REQUIRE(chmod(name, 0666) == 0);
  client = cookie_client(name, 0);
  set_by(client, "http://example.com/headers", "a=1");
  CHECK_OK(netcore_client_destroy(client));
  REQUIRE(stat(name, &status) == 0);
  CHECK_EQUAL(status.st_mode & 07777, 0600);
  check_case = "nothing else is left in the folder";
  CHECK_EQUAL(check_count_entries(folder), 1);
}

/* Runs curl with cookies of a file; its output, good until the next call. */
static const char *curl(const char *options, const char *file, const char *url) {
  static char text[8000];
  char command[9000];
  snprintf(command, sizeof command, "curl --disable --silent --show-error --noproxy '*' %s '%s' '%s' 2>&1", options,
           file, url);
  FILE *output = popen(command, "r");
  REQUIRE(output != NULL);
  text[fread(text, 1, sizeof text - 1, output)] = '\0';
  CHECK_EQUAL(pclose(output), 0);
  return text;
}

/* The program curl and netcore read each other's files: for 127.0.0.1, since curl is told no other names here. */
static void test_curl(void) {
  if (system("curl --version >/dev/null 2>&1") != 0) {
    fprintf(stderr, "curl is not installed: its reading of cookie files is not tested\n");
    return;
  }
  const char *name = file_in("curl");
  netcore_client client = cookie_client(name, 0);
  check_case = "curl reads netcore's file";
  check_fetched(client, at(ORIGIN, "/headers?Set-Cookie=first%3D%22a%20b%22%3Bpath%3D/"));
  check_fetched(client, at(ORIGIN, "/headers?Set-Cookie=second%3D2%3Bhttponly%3Bmax-age%3D1000%3Bpath%3D/"));
  check_fetched(client, at(ORIGIN, "/headers?Set-Cookie=third%3D3%3Bpath%3D/other"));
  CHECK_OK(netcore_client_destroy(client));
  const char *echo = curl("--cookie", name, at(ORIGIN, "/echo"));
  CHECK(strstr(echo, "first=\\\"a b\\\"") != NULL && strstr(echo, "second=2") != NULL && strstr(echo, "third") == NULL);
  check_case = "netcore reads curl's file";
  unlink(name);
  curl("--cookie-jar", name,
       at(ORIGIN, "/headers?Set-Cookie=one%3D1%3Bpath%3D/&Set-Cookie=two%3D2%3Bmax-age%3D1000%3Bpath%3D/"));
  client = cookie_client(name, 0);
  const char *sent = cookies_of(client, request_new("GET", at(ORIGIN, "/echo")));
  CHECK(strstr(sent, "one=1") != NULL && strstr(sent, "two=2") != NULL);
  CHECK_OK(netcore_client_destroy(client));
  unlink(name);
}

static void test_bad_files(void) {
  netcore_client_options options = {.size = sizeof options};
  check_case = "files that cannot be had";
  options.cookie_file = "/nonexistent/folder/cookies";
  REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "cookie_file", &options, fresh());
  options.cookie_file = folder;
  REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "cookie_file", &options, fresh());
  options.cookie_file = "\xFF";
  REFUSES(netcore_client_create, NETCORE_ERR_INVALID_ARGUMENT, "cookie_file", &options, fresh());
  options.cookie_file = "";
  REFUSES(netcore_client_create, NETCORE_ERR_INVALID_ARGUMENT, "cookie_file", &options, fresh());
  check_case = "a file that holds no cookies is left alone";
  FILE *file = fopen(file_in("letter"), "w");
  REQUIRE(file != NULL && fputs("Dear Sir,\n", file) >= 0 && fclose(file) == 0);
  options.cookie_file = path;
  REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "cookie_file", &options, fresh());
  CHECK(strcmp(read_file(path), "Dear Sir,\n") == 0);
  unlink(path);
}

/* A process that is killed */

/* Changes all cookies for as long as it lives. */
static void run_victim(const char *name) {
  netcore_client client = cookie_client(name, 0);
  for (unsigned generation = 1;; generation++) {
    import_generation(client, generation);
    pause_ms(1);
  }
}

static void test_killed(void) {
  const char *name = file_in("killed");
  check_case = "a process that is killed leaves a whole file";
  for (int round = 0; round < (is_slow() ? 2 : 8); round++) {
    pid_t victim = fork();
    REQUIRE(victim >= 0);
    if (victim == 0) run_victim(name);
    /* Odd ones are killed when a file appears, and so while it is written; even ones when the new one is in place. */
    int watch = inotify_init1(IN_CLOEXEC);
    REQUIRE(watch >= 0);
    WAIT_UNTIL(access(name, F_OK) == 0);
    REQUIRE(inotify_add_watch(watch, folder, round % 2 ? IN_CREATE : IN_MOVED_TO) >= 0);
    CHECK(folder_changes(watch));
    REQUIRE(kill(victim, SIGKILL) == 0);
    REQUIRE(waitpid(victim, NULL, 0) == victim);
    close(watch);
    check_generation(name);
  }
}

int main(void) {
  check_begin();
  folder = folder_new();
  test_kept();
  test_curl();
  test_bad_files();
  test_killed();
  folder_remove(folder);
  return check_end();
}
