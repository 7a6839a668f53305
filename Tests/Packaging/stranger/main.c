/* What somebody else's program may look like: prints the version, and fails to reach the URL it is given. */
#include <netcore.h>
#include <stdio.h>

int main(int argc, char **argv) {
  netcore_client client = 0;
  netcore_request request = 0;
  netcore_response response = 0;
  netcore_status status;

  if (argc != 2 || netcore_client_create(NULL, &client) != NETCORE_OK) return 1;
  if (netcore_request_create("GET", argv[1], &request) != NETCORE_OK) return 1;
  status = netcore_perform(client, request, &response);
  printf("%s %s\n", netcore_version(), netcore_status_name(status));
  netcore_response_release(response);
  netcore_request_destroy(request);
  return netcore_client_destroy(client) == NETCORE_OK ? 0 : 1;
}
