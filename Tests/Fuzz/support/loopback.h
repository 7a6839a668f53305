/** What a fuzzer may reach: this machine only. A mutated redirect, proxy or alternative service must not leave it. */
#ifndef NETCORE_FUZZ_LOOPBACK_H
#define NETCORE_FUZZ_LOOPBACK_H

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

static inline bool is_loopback(const struct sockaddr *address) {
  if (address == NULL) return true;
  if (address->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
  if (address->sa_family != AF_INET6) return true;
  const struct in6_addr *ip = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(ip) || (IN6_IS_ADDR_V4MAPPED(ip) && ip->s6_addr[12] == 127);
}

/** Whether a name is an address, or this machine's: no name server is asked for any other. */
static inline bool is_known_name(const char *name, const struct addrinfo *hints) {
  struct in6_addr ip;
  if (name == NULL || (hints != NULL && (hints->ai_flags & AI_NUMERICHOST) != 0)) return true;
  return strcmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &ip) == 1 || inet_pton(AF_INET6, name, &ip) == 1;
}

#endif
