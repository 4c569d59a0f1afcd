/*
 * A disk for experiments, preloaded into the service (LD_PRELOAD).
 *
 * SYNC_MS: every fsync and fdatasync takes this long.
 * DISK_FOLDER, DISK_STATE: records what is durable of the files in DISK_FOLDER, in the folder DISK_STATE, so that a test
 * can undo the rest, as a power failure does (power-cut.ts):
 *   <inode>.data   the content as of the last sync that has returned
 *   <inode>.dirty  one byte per block of 4 KiB: 1 if it was written since
 *   entries        "<inode> <name>" per file, as of the last fsync of the folder
 * A sync stores the content as of its call, also what other processes wrote. No sync reaches the real disk.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define BLOCKS (1 << 20)
#define FILES 256

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

static void nap(void) {
  const char *ms = getenv("SYNC_MS");
  if (ms == NULL) return;
  struct timespec time = {atol(ms) / 1000, (atol(ms) % 1000) * 1000000L};
  nanosleep(&time, NULL);
}

/* A lock between the threads of this process and between processes; a killed process releases it. */
struct lock {
  const char *name;
  pthread_mutex_t mutex;
  int fd;
};
static struct lock writing = {"write.lock", PTHREAD_MUTEX_INITIALIZER, -1};
static struct lock syncing = {"sync.lock", PTHREAD_MUTEX_INITIALIZER, -1};

static void in_state(char *path, const char *name) {
  snprintf(path, PATH_MAX, "%s/%s", getenv("DISK_STATE"), name);
}

static void acquire(struct lock *lock) {
  pthread_mutex_lock(&lock->mutex);
  if (lock->fd < 0) {
    char path[PATH_MAX];
    in_state(path, lock->name);
    lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }
  flock(lock->fd, LOCK_EX);
}

static void release(struct lock *lock) {
  flock(lock->fd, LOCK_UN);
  pthread_mutex_unlock(&lock->mutex);
}

/* Guarded by `writing`. */
static struct {
  ino_t inode;
  unsigned char *dirty;
} known[FILES];

static unsigned char *dirty_blocks(ino_t inode) {
  int at = 0;
  while (at < FILES && known[at].dirty != NULL && known[at].inode != inode) at++;
  if (at == FILES) abort();
  if (known[at].dirty == NULL) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "%lu.dirty", (unsigned long)inode);
    in_state(path, name);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (REAL(ftruncate)(fd, BLOCKS) != 0) abort();
    known[at].dirty = mmap(NULL, BLOCKS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    known[at].inode = inode;
    close(fd);
  }
  return known[at].dirty;
}

static int ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

/* Is it a file of DISK_FOLDER, or the folder itself? The index of the log (-shm) is rebuilt after a power failure. */
static int is_recorded(int fd, struct stat *status) {
  const char *folder = getenv("DISK_FOLDER");
  if (folder == NULL || fstat(fd, status) != 0) return 0;
  if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || ends_with(path, "-shm")) return 0;
  return path[prefix] == '/' || path[prefix] == 0;
}

static void mark(ino_t inode, off_t from, off_t to) {
  unsigned char *dirty = dirty_blocks(inode);
  for (off_t block = from / BLOCK; block * BLOCK < to && block < BLOCKS; block++) dirty[block] = 1;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
  struct stat status;
  if (!is_recorded(fd, &status)) return REAL(pwrite)(fd, data, size, offset);
  acquire(&writing);
  ssize_t written = REAL(pwrite)(fd, data, size, offset);
  if (written > 0) mark(status.st_ino, offset, offset + written);
  release(&writing);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  return pwrite(fd, data, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) {
  struct stat status;
  if (!is_recorded(fd, &status)) return REAL(write)(fd, data, size);
  acquire(&writing);
  off_t offset = (fcntl(fd, F_GETFL) & O_APPEND) ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
  ssize_t written = REAL(write)(fd, data, size);
  if (written > 0) mark(status.st_ino, offset, offset + written);
  release(&writing);
  return written;
}

int ftruncate(int fd, off_t size) {
  struct stat status;
  if (!is_recorded(fd, &status)) return REAL(ftruncate)(fd, size);
  acquire(&writing);
  int result = REAL(ftruncate)(fd, size);
  if (result == 0) mark(status.st_ino, size, status.st_size);
  release(&writing);
  return result;
}

int ftruncate64(int fd, off64_t size) {
  return ftruncate(fd, size);
}

/* Keeps the inode: a power failure may bring the name back, and a new file must not get its number. */
int unlink(const char *path) {
  const char *folder = getenv("DISK_FOLDER");
  struct stat status;
  if (folder != NULL && strncmp(path, folder, strlen(folder)) == 0 && lstat(path, &status) == 0) {
    char name[64], kept[PATH_MAX];
    snprintf(name, sizeof name, "%lu.kept", (unsigned long)status.st_ino);
    in_state(kept, name);
    (void)!link(path, kept);
  }
  return REAL(unlink)(path);
}

static void sync_folder(void) {
  char path[PATH_MAX], next[PATH_MAX];
  in_state(path, "entries");
  in_state(next, "entries.next");
  DIR *folder = opendir(getenv("DISK_FOLDER"));
  FILE *entries = fopen(next, "w");
  if (folder == NULL || entries == NULL) abort();
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.' || ends_with(entry->d_name, "-shm")) continue;
    fprintf(entries, "%lu %s\n", (unsigned long)entry->d_ino, entry->d_name);
  }
  fclose(entries);
  closedir(folder);
  nap();
  rename(next, path);
}

static void sync_file(int fd, struct stat *status) {
  char name[64], path[PATH_MAX], link[64];
  snprintf(name, sizeof name, "%lu.data", (unsigned long)status->st_ino);
  in_state(path, name);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int from = open(link, O_RDONLY | O_CLOEXEC);
  int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (from < 0 || to < 0) abort();

  acquire(&writing);
  fstat(fd, status);
  unsigned char *dirty = dirty_blocks(status->st_ino);
  size_t count = 0, capacity = 0;
  off_t *offsets = NULL;
  char *content = NULL;
  for (off_t block = 0; block * BLOCK < status->st_size && block < BLOCKS; block++) {
    if (!dirty[block]) continue;
    if (count == capacity) {
      capacity = capacity == 0 ? 64 : capacity * 2;
      offsets = realloc(offsets, capacity * sizeof *offsets);
      content = realloc(content, capacity * BLOCK);
    }
    offsets[count] = block * BLOCK;
    memset(content + count * BLOCK, 0, BLOCK);
    if (pread(from, content + count * BLOCK, BLOCK, block * BLOCK) < 0) abort();
    dirty[block] = 0;
    count++;
  }
  release(&writing);

  nap();
  for (size_t at = 0; at < count; at++) {
    if (REAL(pwrite)(to, content + at * BLOCK, BLOCK, offsets[at]) != BLOCK) abort();
  }
  if (REAL(ftruncate)(to, status->st_size) != 0) abort();
  free(offsets);
  free(content);
  close(from);
  close(to);
}

static int sync_recorded(int fd, int (*otherwise)(int)) {
  struct stat status;
  if (!is_recorded(fd, &status)) {
    nap();
    return otherwise(fd);
  }
  acquire(&syncing);
  if (S_ISDIR(status.st_mode)) sync_folder();
  else sync_file(fd, &status);
  release(&syncing);
  return 0;
}

int fsync(int fd) {
  return sync_recorded(fd, REAL(fsync));
}

int fdatasync(int fd) {
  return sync_recorded(fd, REAL(fdatasync));
}
