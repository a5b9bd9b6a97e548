// Preloaded into the program under test (LD_PRELOAD), counts the calls that change files, and at one of them ends the program
// or fills the disk. By environment variables:
//   TORSOR_FAULT=count|kill|tear|full   what happens
//   TORSOR_FAULT_AT=N               at the Nth call, counted from 1; `full` from there on
//   TORSOR_FAULT_COUNT=FILE         where `count` leaves how many there were
// A kill comes before the call, or tears it: in the middle of a write. A full disk takes a part of a write, then nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kCount, kKill, kTear, kFull };

static long at = -1;
static int what = kCount;
static long calls = 0;
static pid_t program;  // which may let another process write

__attribute__((constructor)) static void begin(void) {
  const char* mode = getenv("TORSOR_FAULT");
  const char* where = getenv("TORSOR_FAULT_AT");
  program = getpid();
  if (mode && strcmp(mode, "kill") == 0) what = kKill;
  if (mode && strcmp(mode, "tear") == 0) what = kTear;
  if (mode && strcmp(mode, "full") == 0) what = kFull;
  if (where) at = atol(where);
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("TORSOR_FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Whether the disk is full at this call.
static int is_due(void) {
  const long now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  if (at < 0 || now < at || what == kCount) return 0;
  if (what == kKill) kill(program, SIGKILL);
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Where the program itself writes, it ends after the first half.
static ssize_t torn_pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  const size_t half = size / 2;
  NEXT(pwrite)(descriptor, bytes, half, place);
  kill(program, SIGKILL);
  return (ssize_t)half + NEXT(pwrite)(descriptor, (const char*)bytes + half, size - half, place + (off_t)half);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  if (is_file(descriptor) && is_due()) {
    if (what != kFull) return torn_pwrite(descriptor, bytes, size, place);
    if (size < 2 || __atomic_load_n(&calls, __ATOMIC_SEQ_CST) > at) {
      errno = ENOSPC;
      return -1;
    }
    size /= 2;
  }
  return NEXT(pwrite)(descriptor, bytes, size, place);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off_t place) {
  return pwrite(descriptor, bytes, size, place);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (is_file(descriptor) && is_due() && what == kFull) {
    errno = ENOSPC;
    return -1;
  }
  return NEXT(write)(descriptor, bytes, size);
}
// What needs no room only ends the program.
static void count_call(void) {
  if (what != kFull) is_due();
}
int ftruncate(int descriptor, off_t size) {
  count_call();
  return NEXT(ftruncate)(descriptor, size);
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }
int fdatasync(int descriptor) {
  count_call();
  return NEXT(fdatasync)(descriptor);
}
int fsync(int descriptor) {
  count_call();
  return NEXT(fsync)(descriptor);
}
int rename(const char* from, const char* to) {
  count_call();
  return NEXT(rename)(from, to);
}
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  count_call();
  return NEXT(renameat2)(a, from, b, to, flags);
}
