/*
 * A library to preload, in which calls fail at random: descriptors and threads are refused, sends and receives are short,
 * interrupted or reset, memory runs out, the clock jumps.
 *
 * Only calls of libraries fail, never those of the program. Memory runs out in the libraries under netcore that are written
 * in C, except libcurl, whose hash tables divide by zero then (7.88.1), except nghttp2, which libcurl goes on to use after it ran
 * out and which then writes through a null pointer (1.52), and except netcore, in which Swift would abort.
 */
#include "faults.h"

#include "support/loopback.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RANGES = 64 };
static struct range {
  uintptr_t first, last;
} libraries[RANGES], without_memory[RANGES];
static unsigned library_count, without_memory_count;
static _Atomic unsigned share, memory_share;
static _Atomic int64_t clock_offset;
static _Atomic uint64_t seed, failed;

/* Set by who preloads this; nothing fails before. */
void faults_set(const struct faults *faults);
uint64_t faults_count(void);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))
#define CALLER ((uintptr_t)__builtin_return_address(0))

static void add_range(struct range *ranges, unsigned *count, const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum && *count < RANGES; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    uintptr_t first = info->dlpi_addr + part->p_vaddr;
    ranges[(*count)++] = (struct range){first, first + part->p_memsz};
  }
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused) {
  static const char *const any[] = {"libnetcore", "libcurl"};
  static const char *const in_c[] = {"libssl",    "libcrypto", "libsqlite3", "libz.",
                                     "libbrotli", "libzstd",   "libjansson", "libpsl"};
  (void)size, (void)unused;
  for (unsigned i = 0; i < sizeof any / sizeof *any; i++)
    if (strstr(info->dlpi_name, any[i]) != NULL) add_range(libraries, &library_count, info);
  for (unsigned i = 0; i < sizeof in_c / sizeof *in_c; i++)
    if (strstr(info->dlpi_name, in_c[i]) != NULL) {
      add_range(libraries, &library_count, info);
      add_range(without_memory, &without_memory_count, info);
    }
  return 0;
}

void faults_set(const struct faults *faults) {
  if (library_count == 0) {
    dlopen("libsqlite3.so.0", RTLD_LAZY); /* netcore would load it later */
    dl_iterate_phdr(look_at, NULL);
  }
  atomic_store(&seed, faults->seed);
  atomic_store(&share, faults->share);
  atomic_store(&memory_share, faults->memory_share);
  atomic_store(&clock_offset, faults->clock_offset);
}

uint64_t faults_count(void) { return atomic_load(&failed); }

static uint64_t draw(void) {
  static _Atomic uint64_t turns;
  uint64_t x = atomic_load(&seed) + atomic_fetch_add(&turns, 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static bool is_within(const struct range *ranges, unsigned count, uintptr_t address) {
  for (unsigned i = 0; i < count; i++)
    if (address >= ranges[i].first && address < ranges[i].last) return true;
  return false;
}

/* Whether a call from there fails now. */
static bool fails(uintptr_t caller, unsigned of_1000) {
  if (of_1000 == 0 || draw() % 1000 >= of_1000 || !is_within(libraries, library_count, caller)) return false;
  atomic_fetch_add(&failed, 1);
  return true;
}

static int fail(int error) {
  errno = error;
  return -1;
}

int socket(int domain, int type, int protocol) {
  return fails(CALLER, share) ? fail(EMFILE) : REAL(socket)(domain, type, protocol);
}
int socketpair(int domain, int type, int protocol, int pair[2]) {
  return fails(CALLER, share) ? fail(EMFILE) : REAL(socketpair)(domain, type, protocol, pair);
}
int connect(int fd, const struct sockaddr *address, socklen_t size) {
  if (!is_loopback(address)) return fail(ENETUNREACH);
  return fails(CALLER, share) ? fail(draw() % 2 == 0 ? ENETUNREACH : EINTR) : REAL(connect)(fd, address, size);
}
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  return is_known_name(name, hints) ? REAL(getaddrinfo)(name, service, hints, result) : EAI_NONAME;
}
int eventfd(unsigned count, int flags) { return fails(CALLER, share) ? fail(EMFILE) : REAL(eventfd)(count, flags); }
int epoll_create1(int flags) { return fails(CALLER, share) ? fail(EMFILE) : REAL(epoll_create1)(flags); }
int epoll_ctl(int set, int what, int fd, struct epoll_event *event) {
  return what != EPOLL_CTL_DEL && fails(CALLER, share / 4) ? fail(ENOSPC) : REAL(epoll_ctl)(set, what, fd, event);
}
int epoll_wait(int set, struct epoll_event *events, int capacity, int timeout) {
  return fails(CALLER, share) ? fail(EINTR) : REAL(epoll_wait)(set, events, capacity, timeout);
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (fails(CALLER, share)) return fail(draw() % 2 == 0 ? EMFILE : EIO); \
    return REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  return fails(CALLER, share) ? EAGAIN : REAL(pthread_create)(thread, attributes, run, argument);
}

/* Interrupted, reset, or less than was asked for; except 8 bytes, which are an eventfd's, which nothing interrupts. What was reset
 * stays so, as the kernel's connections do. */
#define MOVE(name, type, declared, passed) \
  ssize_t name(int fd, type data, size_t size declared) { \
    if (size != 8 && fails(CALLER, share)) { \
      uint64_t way = draw(); \
      if (way % 8 == 0 && size > 16) { \
        shutdown(fd, SHUT_RDWR); \
        return fail(ECONNRESET); \
      } \
      if (way % 8 < 4) return fail(EINTR); \
      if (size > 16) size = 1 + way / 8 % size; \
    } \
    return REAL(name)(fd, data, size passed); \
  }
#define COMMA ,
MOVE(recv, void *, COMMA int flags, COMMA flags)
MOVE(send, const void *, COMMA int flags, COMMA flags)
MOVE(read, void *, , )
MOVE(write, const void *, , )

static bool lacks_memory(uintptr_t caller) {
  return memory_share > 0 && is_within(without_memory, without_memory_count, caller) && fails(caller, memory_share);
}

void *malloc(size_t size) { return lacks_memory(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return lacks_memory(CALLER) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return lacks_memory(CALLER) ? NULL : __libc_realloc(old, size); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME && is_within(libraries, library_count, CALLER))
    time->tv_sec += clock_offset;
  return (int)result;
}

time_t time(time_t *out) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  if (is_within(libraries, library_count, CALLER)) now.tv_sec += clock_offset;
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
