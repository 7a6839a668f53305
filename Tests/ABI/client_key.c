/*
 * A client's private key that is encrypted: its password is what the options say, and is not asked for.
 */
#include "support.h"

#include <sys/wait.h>

/* Fetches with the encrypted key from the server that asks for a certificate. */
static struct answer fetch_with(const char *password) {
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  netcore_client client = 0;
  options.client_certificate_file = peer(CLIENT_CERTIFICATE);
  options.client_key_file = peer(CLIENT_KEY_ENCRYPTED);
  options.client_key_password = password;
  REQUIRE_OK(netcore_client_create(&options, &client));
  struct answer answer = fetch(client, at(NGINX_MTLS, "/small.txt"));
  CHECK_OK(netcore_client_destroy(client));
  return answer;
}

static void test_right_password(void) {
  check_case = "the right password";
  struct answer answer = fetch_with("secret");
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK(bytes_have(header(&answer, "X-Client-Subject"), "netcore test client"));
  answer_free(&answer);
}

static void check_refused(const char *name, const char *password) {
  check_case = name;
  struct answer answer = fetch_with(password);
  CHECK_STATUS(answer.status, NETCORE_ERR_TLS_CONFIG);
  CHECK_EQUAL(answer.error.is_retryable, 0);
  CHECK_EQUAL(answer.info.bytes_sent, 0);
  CHECK(password == NULL || *password == '\0' || !bytes_have(answer.error.message, password));
  answer_free(&answer);
}

/* OpenSSL by itself would ask the terminal, or else read a line of standard input: the right one is there. */
static void test_nobody_is_asked(void) {
  int input[2], status = 0;
  char line[sizeof "secret\n"];
  check_case = "no password, and one to be read";
  REQUIRE(pipe(input) == 0 && write(input[1], "secret\n", 7) == 7);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(stretched(50));
    setsid(); /* no terminal */
    dup2(input[0], 0);
    close(input[0]);
    close(input[1]);
    check_refused("no password", NULL);
    _exit(check_failures > 0);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(input[1]);
  CHECK_EQUAL(read(input[0], line, sizeof line), 7);
  close(input[0]);
}

int main(void) {
  check_begin();
  test_nobody_is_asked();
  test_right_password();
  check_refused("a wrong password", "not-this-one");
  check_refused("an empty password", "");
  return check_end();
}
