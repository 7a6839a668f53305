/* Linux calls that Swift's Glibc module lacks, or that are variadic. */
#ifndef NETCORE_CLINUX_H
#define NETCORE_CLINUX_H

#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <errno.h>
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

/* Locks that belong to an open file, not to the process (fcntl(2), "open file description locks"). */
enum { netcore_ofd_getlk = 36, netcore_ofd_setlk = 37 };

/* Locks a whole file for this descriptor. Returns 0, or -1 with errno: EAGAIN or EACCES if another descriptor has it. */
static inline int netcore_lock_file(int file) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(file, netcore_ofd_setlk, &lock);
}

/* Ends the lock of a descriptor, for copies of it in children of fork() as well. */
static inline void netcore_unlock_file(int file) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(file, netcore_ofd_setlk, &lock);
}

/* 1 if another descriptor has locked a file. */
static inline int netcore_file_is_locked(int file) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(file, netcore_ofd_getlk, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Renames a file to a name that is free, in one step where the file system can. Returns 0, or -1 with errno: EEXIST if the
 * name is taken. */
static inline int netcore_rename_new(const char *from, const char *to) {
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  return link(from, to) == 0 ? unlink(from) : -1;
}

/* Reserves room for a file, whose length stays as it is. Returns 0, or -1 with errno. */
static inline int netcore_reserve(int file, long size) {
  return (int)syscall(SYS_fallocate, file, 1 /* FALLOC_FL_KEEP_SIZE */, 0L, size);
}

/* Grows or shrinks a mapping, which may move. Null if that fails. */
static inline void *netcore_remap(void *start, unsigned long size, unsigned long wanted) {
  long moved = syscall(SYS_mremap, start, size, wanted, 1 /* MREMAP_MAYMOVE */);
  return moved == -1 ? 0 : (void *)moved;
}

#endif
