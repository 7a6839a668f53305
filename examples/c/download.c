/*
 * A download with a progress bar:
 *
 *   download URL FILE
 *
 * Run again after it was stopped, it goes on where it was.
 */
#include <netcore.h>

#include <stdio.h>

enum { BAR_WIDTH = 30, LOOK_MS = 100 };

static void show(const netcore_download_progress *progress) {
  double megabytes = (double)progress->done_bytes / 1e6, rate = (double)progress->bytes_per_second / 1e6;
  if (progress->total_bytes == UINT64_MAX) {
    printf("\r%8.1f MB  %7.1f MB/s ", megabytes, rate);
  } else {
    double share = progress->total_bytes == 0 ? 1 : (double)progress->done_bytes / (double)progress->total_bytes;
    printf("\r[%.*s%*s] %3.0f %%  %8.1f MB  %7.1f MB/s ", (int)(share * BAR_WIDTH), "##############################",
           BAR_WIDTH - (int)(share * BAR_WIDTH), "", share * 100, megabytes, rate);
  }
  fflush(stdout);
}

/* Waits for a download, and looks at it now and then. */
static netcore_status wait_for(netcore_task task, netcore_response *response) {
  netcore_download_progress progress = NETCORE_DOWNLOAD_PROGRESS_INIT;
  netcore_status status = NETCORE_ERR_IN_PROGRESS;
  while (status == NETCORE_ERR_IN_PROGRESS) {
    if (netcore_download_get_progress(task, &progress) == NETCORE_OK) show(&progress);
    status = netcore_task_wait(task, LOOK_MS, response, NULL);
  }
  return status;
}

int main(int argc, char **argv) {
  netcore_client client;
  netcore_request request;
  netcore_task task = 0;
  netcore_response response = 0;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  if (argc != 3) {
    fprintf(stderr, "usage: download URL FILE\n");
    return 2;
  }
  netcore_status status = netcore_client_create(NULL, &client);
  if (status == NETCORE_OK) status = netcore_request_create("GET", argv[1], &request);
  if (status == NETCORE_OK) status = netcore_download(client, request, argv[2], NULL, LOOK_MS, &task, &response);
  if (status == NETCORE_ERR_IN_PROGRESS) status = wait_for(task, &response);
  if (status == NETCORE_OK && netcore_response_get_download(response, &info) == NETCORE_OK) {
    netcore_download_progress all = {.done_bytes = info.size_bytes, .total_bytes = info.size_bytes};
    show(&all);
    printf("\n%s: %llu bytes, %llu of them were there\n", argv[2], (unsigned long long)info.size_bytes,
           (unsigned long long)info.resumed_from);
    netcore_response_release(response);
    netcore_request_destroy(request);
    netcore_client_destroy(client);
    return 0;
  }
  fprintf(stderr, "\ndownload: %s: %s\n", netcore_status_name(status), netcore_last_error_message());
  return 1;
}
