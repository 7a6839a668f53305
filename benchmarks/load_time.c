/* The time that a fresh process takes to load a library, with all that it needs: in microseconds. */
#include <dlfcn.h>
#include <stdio.h>

#include "bench.h"

int main(int argc, char **argv) {
  bench_require(argc == 2, "usage: load_time LIBRARY");
  uint64_t began_ns = bench_now_ns();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  uint64_t ended_ns = bench_now_ns();
  if (library == NULL) {
    fprintf(stderr, "benchmark: %s\n", dlerror());
    return 1;
  }
  printf("%.1f\n", (double)(ended_ns - began_ns) / 1e3);
  return 0;
}
