/*
 * Reachability: what an application says of the network, who is notified, and requests that wait for it.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/hops.h"
#include "support/wait.h"

#define URL "http://app.test/a"

struct seen {
  struct tally count;
  netcore_reachability values[8];
  atomic_int released;
};

static void note(netcore_reachability reachability, void *user_data) {
  struct seen *seen = user_data;
  seen->values[tally_count(&seen->count) % 8] = reachability;
  tally_raise(&seen->count);
}

static void on_release(void *user_data) {
  struct seen *seen = user_data;
  atomic_fetch_add(&seen->released, 1);
}

static netcore_client client_of(struct hops *hops) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, hops_keep, hops, NULL));
  return client;
}

static netcore_request waiting(uint64_t wait_ms) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_wait_for_network_ms(request, wait_ms));
  return request;
}

static void test_listener(void) {
  struct seen seen = {TALLY_INITIAL, {0}, 0};
  netcore_client client;
  netcore_reachability found = 7;
  check_case = "a listener";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_reachability_listener(client, note, &seen, on_release));
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_UNKNOWN);
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNKNOWN)); /* no change */
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_REACHABLE));
  CHECK(tally_reaches(&seen.count, 2, patience_ms()));
  CHECK_EQUAL(seen.values[0], NETCORE_REACHABILITY_UNREACHABLE);
  CHECK_EQUAL(seen.values[1], NETCORE_REACHABILITY_REACHABLE);
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_REACHABLE);
  CHECK_STATUS(netcore_client_set_reachability(client, 3), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_set_reachability(client, -1), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_set_reachability_listener(client, NULL, NULL, NULL));
  WAIT_UNTIL(atomic_load(&seen.released) == 1);
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNKNOWN));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&seen.count), 2);
}

static void test_end_of_a_client(void) {
  struct seen seen = {TALLY_INITIAL, {0}, 0};
  netcore_client client;
  check_case = "the end of a client releases its listener";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_reachability_listener(client, note, &seen, on_release));
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  CHECK_OK(netcore_client_destroy(client));
  WAIT_UNTIL(atomic_load(&seen.released) == 1);
  CHECK(tally_count(&seen.count) <= 1);
}

static void test_waiting(void) {
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request patient = waiting(86400000), hasty = request_new("GET", URL);
  netcore_client_statistics statistics = NETCORE_CLIENT_STATISTICS_INIT;
  netcore_task tasks[3];
  netcore_response response = 0;
  check_case = "a request waits, one that does not say so is sent";
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  for (int i = 0; i < 2; i++)
    CHECK_STATUS(netcore_perform_for(client, patient, 0, &tasks[i], &response, NULL), NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_perform_for(client, hasty, 0, &tasks[2], &response, NULL), NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_hop_answer(hops_wait(&hops, 1), 204, NULL, NULL, 0));
  CHECK_OK(netcore_task_wait(tasks[2], patience_ms(), &response, NULL));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_client_get_statistics(client, &statistics));
  CHECK(statistics.attempt_count == 1 && statistics.task_count == 2);
  check_case = "a cancel in the wait ends at once";
  CHECK_OK(netcore_task_cancel(tasks[0]));
  CHECK_STATUS(netcore_task_wait(tasks[0], patience_ms(), &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
  check_case = "it goes on when the network is back";
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_REACHABLE));
  CHECK_OK(netcore_hop_answer(hops_wait(&hops, 2), 200, NULL, "body", 4));
  CHECK_OK(netcore_task_wait(tasks[1], patience_ms(), &response, NULL));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(patient));
  CHECK_OK(netcore_request_destroy(hasty));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_limits(void) {
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  netcore_request request = request_new("GET", URL);
  check_case = "after its limit it ends";
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  struct answer answer = perform_once(client, waiting(1));
  CHECK_EQUAL(answer.status, NETCORE_ERR_NETWORK_UNREACHABLE);
  CHECK(answer.error.phase == NETCORE_PHASE_QUEUE && answer.error.attempts == 0 && answer.error.is_retryable == 1);
  answer_free(&answer);
  CHECK_EQUAL(tally_count(&hops.given), 0);
  check_case = "what can be set";
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.wait_for_network_ms, 0);
  CHECK_OK(netcore_request_set_wait_for_network_ms(request, 86400000));
  CHECK_STATUS(netcore_request_set_wait_for_network_ms(request, 86400001), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.wait_for_network_ms, 86400000);
  CHECK_OK(netcore_request_set_wait_for_network_ms(request, 0));
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.wait_for_network_ms, 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

/* What changes is tested in a network namespace, by the Python tests. */
static void test_watch(void) {
  netcore_client client;
  netcore_reachability found = 7;
  check_case = "watching the network";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_STATUS(netcore_client_set_watch_network(client, 2), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_set_watch_network(client, 1));
  CHECK_OK(netcore_client_set_watch_network(client, 1));
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK(found == NETCORE_REACHABILITY_REACHABLE || found == NETCORE_REACHABILITY_UNREACHABLE);
  CHECK(count_threads() <= check_threads);
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_UNREACHABLE);
  CHECK_OK(netcore_client_set_watch_network(client, 0));
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNKNOWN));
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_UNKNOWN);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_watch();
  test_listener();
  test_end_of_a_client();
  test_waiting();
  test_limits();
  return check_end();
}
