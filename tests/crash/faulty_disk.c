/* Preloaded into a child process: makes chosen system calls on chosen files fail or take long, and
 * sets the clock off. What and where is read from a shared file, so that a fault can be lifted
 * while the process runs.
 *
 * A seccomp filter traps the calls, whoever makes them: C's library, SQLite, or Rust code that
 * calls the kernel itself. The handler's own calls go through `gate`, whose address the filter
 * lets pass. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef __x86_64__
#error "written for x86-64"
#endif

/* As in faulty_disk.rs. */
struct control {
  uint32_t on, error, kinds, delay_ms, after, seen, failed, unused;
  int64_t clock_ms;
  char place[256];
};

enum { WRITES = 1, FLUSHES = 2, OPENS = 4, RENAMES = 8, MAKES = 16, REMOVES = 32, READS = 64, LOCKS = 128 };

static struct control *control;

long gate(long number, long a, long b, long c, long d, long e, long f);
extern char gate_end[];
__asm__(".text\n.globl gate\n.globl gate_end\n.type gate,@function\n"
        "gate:\n mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rsi\n mov %rcx,%rdx\n mov %r8,%r10\n"
        " mov %r9,%r8\n mov 8(%rsp),%r9\n syscall\ngate_end:\n ret\n");

struct trapped {
  int number, kind, fd, path; /* Which argument is a file or a folder, and which a path. */
};

static const struct trapped CALLS[] = {
    {SYS_write, WRITES, 0, -1},      {SYS_pwrite64, WRITES, 0, -1},  {SYS_writev, WRITES, 0, -1},
    {SYS_pwritev, WRITES, 0, -1},    {SYS_ftruncate, WRITES, 0, -1}, {SYS_fallocate, WRITES, 0, -1},
    {SYS_fsync, FLUSHES, 0, -1},     {SYS_fdatasync, FLUSHES, 0, -1},
    {SYS_open, OPENS, -1, 0},        {SYS_openat, OPENS, 0, 1},      {SYS_openat2, OPENS, 0, 1},
    {SYS_rename, RENAMES, -1, 1},    {SYS_renameat, RENAMES, 2, 3},  {SYS_renameat2, RENAMES, 2, 3},
    {SYS_mkdir, MAKES, -1, 0},       {SYS_mkdirat, MAKES, 0, 1},
    {SYS_unlink, REMOVES, -1, 0},    {SYS_unlinkat, REMOVES, 0, 1},
    {SYS_pread64, READS, 0, -1},     {SYS_flock, LOCKS, 0, -1},
};
enum { COUNT = sizeof CALLS / sizeof *CALLS };

/* The path a call is about, as far as the process knows it. */
static void path_of(const struct trapped *call, const long *args, char *path, size_t size) {
  size_t length = 0;
  const char *name = call->path < 0 ? 0 : (const char *)args[call->path];
  int fd = call->fd < 0 ? AT_FDCWD : (int)args[call->fd];
  if ((!name || name[0] != '/') && fd != AT_FDCWD) {
    char link[32] = "/proc/self/fd/";
    size_t at = strlen(link), digits = 1;
    for (int n = fd; n >= 10; n /= 10) digits++;
    for (size_t i = digits; i > 0; i--, fd /= 10) link[at + i - 1] = (char)('0' + fd % 10);
    link[at + digits] = 0;
    long read = gate(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, (long)size - 2, 0, 0);
    if (read > 0) length = (size_t)read;
    if (name) path[length++] = '/';
  }
  if (name) {
    size_t more = strnlen(name, size - length - 1);
    memcpy(path + length, name, more);
    length += more;
  }
  path[length] = 0;
}

static int is_meant(const struct trapped *call, const long *args) {
  if (!control->on || !(control->kinds & (uint32_t)call->kind)) return 0;
  char path[1024];
  path_of(call, args, path, sizeof path);
  if (!strstr(path, control->place)) return 0;
  return __atomic_add_fetch(&control->seen, 1, __ATOMIC_SEQ_CST) > control->after;
}

static void trap(int signal, siginfo_t *info, void *context) {
  (void)signal;
  greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
  long args[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
  for (int i = 0; i < COUNT; i++) {
    if (CALLS[i].number != info->si_syscall || !is_meant(&CALLS[i], args)) continue;
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
    struct timespec pause = {control->delay_ms / 1000, control->delay_ms % 1000 * 1000000L};
    if (control->delay_ms) gate(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
    if (control->error) {
      r[REG_RAX] = -(long)control->error;
      return;
    }
  }
  r[REG_RAX] = gate(info->si_syscall, args[0], args[1], args[2], args[3], args[4], args[5]);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long failed = gate(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
  if (failed) {
    errno = (int)-failed;
    return -1;
  }
  if (clock == CLOCK_REALTIME && control) now->tv_sec += control->clock_ms / 1000;
  return 0;
}

static void install(void) {
  struct sock_filter filter[COUNT + 8];
  int n = 0;
  uint64_t pass = (uint64_t)(uintptr_t)gate_end;
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < COUNT; i++)
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)CALLS[i].number,
                                               (uint8_t)(COUNT - i), 0);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             offsetof(struct seccomp_data, instruction_pointer));
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)pass, 0, 2);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             offsetof(struct seccomp_data, instruction_pointer) + 4);
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(pass >> 32), 1, 0);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)n, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) abort();
}

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("FAULTY_DISK");
  if (!file) return;
  int fd = open(file, O_RDWR | O_CLOEXEC);
  void *shared = mmap(0, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd < 0 || shared == MAP_FAILED) abort();
  close(fd);
  control = shared;
  struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (sigaction(SIGSYS, &action, 0)) abort();
  install();
}
