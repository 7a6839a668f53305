/*
 * fork() while cookies are written to their file: nothing hangs, neither here nor in the child, which has cookies of its own.
 */
#include "support.h"

#include <sys/wait.h>

#include "support/cache.h"
#include "support/cookie_file.h"

static void use_in_child(netcore_client parents, const char *name) {
  netcore_cookie cookie = cookie_named("child", "1");
  alarm(stretched(30));
  CHECK_STATUS(netcore_client_set_cookie(parents, &cookie), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_list_cookies(parents, count_cookie, NULL), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_clear_cookies(parents, NULL, NULL, NULL, NULL), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_clear_session_cookies(parents, NULL), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_export_cookies(parents, NULL, 0, &(size_t){0}), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_import_cookies(parents, "", 0, NULL), NETCORE_ERR_FORKED);
  netcore_client own = cookie_client(name, 0);
  CHECK_OK(netcore_client_set_cookie(own, &cookie));
  CHECK_SENT(own, "http://example.com/echo", "child=1");
  CHECK_OK(netcore_client_destroy(own));
  CHECK_STATUS(netcore_client_destroy(parents), NETCORE_ERR_FORKED);
}

/* The child of a moment in which the parent's file is being written. */
static void test_fork(const char *folder) {
  char name[4200], own[4200];
  snprintf(name, sizeof name, "%s/cookies", folder);
  snprintf(own, sizeof own, "%s/child", folder);
  check_case = "fork while the file is written";
  netcore_client client = cookie_client(name, 0);
  for (unsigned round = 1; round <= (is_slow() ? 2 : 8); round++) {
    int watch = inotify_init1(IN_CLOEXEC), status = 0;
    REQUIRE(watch >= 0 && inotify_add_watch(watch, folder, IN_CREATE) >= 0);
    import_generation(client, round);
    CHECK(folder_changes(watch));
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      check_failures = 0;
      use_in_child(client, own);
      /* Not by exit(): valgrind would count what the parent has as leaked. */
      if (check_failures == 0) kill(getpid(), SIGKILL);
      _exit(1);
    }
    close(watch);
    import_generation(client, 100 + round);
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    unlink(own);
  }
  CHECK_OK(netcore_client_destroy(client));
  check_generation(name);
}

int main(void) {
  check_begin();
  char *folder = folder_new();
  test_fork(folder);
  folder_remove(folder);
  return check_end();
}
