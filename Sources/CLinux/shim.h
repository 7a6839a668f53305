/* Linux calls that Swift's Glibc module lacks, or that are variadic. */
#ifndef NETCORE_CLINUX_H
#define NETCORE_CLINUX_H

#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

/* Names the calling thread for debuggers: 15 bytes count. */
static inline void netcore_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Makes `target` another name of `source`, closed by exec. Returns 0, or -1 with errno. */
static inline int netcore_dup(int source, int target) { return (int)syscall(SYS_dup3, source, target, O_CLOEXEC); }

/* Bytes that were sent on a TCP socket and that the peer has not acknowledged; -1 where that cannot be known. */
static inline int netcore_unacknowledged(int socket) {
  int size = 0;
  return ioctl(socket, SIOCOUTQ, &size) == 0 ? size : -1;
}

#endif
