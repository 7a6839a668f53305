/* Stands in for two functions of glibc in each fuzzer, so that nothing but this machine is spoken to. */
#include "support/loopback.h"

#include <dlfcn.h>
#include <errno.h>

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

int connect(int fd, const struct sockaddr *address, socklen_t size) {
  if (is_loopback(address)) return REAL(connect)(fd, address, size);
  errno = ENETUNREACH;
  return -1;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  return is_known_name(name, hints) ? REAL(getaddrinfo)(name, service, hints, result) : EAI_NONAME;
}
