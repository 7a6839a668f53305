/* Linux calls that Swift's Glibc module lacks, or that are variadic. */
#ifndef NETCORE_CLINUX_H
#define NETCORE_CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* Names the calling thread for debuggers: 15 bytes count. */
static inline void netcore_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
