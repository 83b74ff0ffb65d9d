/* Counts the system calls of a program on files below one folder, and lets one of them go wrong.
 *
 * Loaded before the C library (LD_PRELOAD). What to do stands in the environment, which processes that the
 * program starts inherit:
 *
 *   FAULTS_FOLDER  whose files count
 *   FAULTS_KIND    "write" (all that changes files) or "read"
 *   FAULTS_AT      the number of the call that goes wrong, from 1; 0: none
 *   FAULTS_ACTION  kill, torn (half of a write, then kill), interrupt and terminate (as Ctrl-C and SIGTERM do),
 *                  stop (until somebody lets it go on), short, shrink, or the number of an error
 *   FAULTS_LAST    "1": every call from then on goes wrong, as on a disk that is full
 *   FAULTS_COUNTER a file of 8 bytes that all processes count in
 *
 * faults_arm() reads the environment again: a process that was forked calls it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum action { NOTHING, KILL, TORN, SIGNAL, SHORT, SHRINK, FAIL };

static char folder[PATH_MAX];
static size_t folder_length;
static int reads;
static long at;
static int lasting;
static enum action action;
static int failure;
static int sent;
static _Atomic long *counter;

/* The call itself, whatever the C library calls it here. */
#define REAL(type, name, ...)                                       \
    static type (*real)(__VA_ARGS__);                               \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor, visibility("default"))) void faults_arm(void) {
    const char *where = getenv("FAULTS_FOLDER"), *what = getenv("FAULTS_ACTION");
    const char *file = getenv("FAULTS_COUNTER"), *kind = getenv("FAULTS_KIND");
    const char *number = getenv("FAULTS_AT"), *last = getenv("FAULTS_LAST");
    folder_length = 0;
    if (!where || !what || !file || !kind || !number) return;
    long descriptor = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
    if (descriptor < 0) return;
    counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, (int)descriptor, 0);
    syscall(SYS_close, (int)descriptor);
    if (counter == MAP_FAILED) return;
    reads = !strcmp(kind, "read");
    at = atol(number);
    lasting = last && *last == '1';
    failure = atoi(what);
    sent = !strcmp(what, "interrupt")   ? SIGINT
           : !strcmp(what, "terminate") ? SIGTERM
           : !strcmp(what, "stop")      ? SIGSTOP
                                        : 0;
    action = !strcmp(what, "kill")     ? KILL
             : !strcmp(what, "torn")   ? TORN
             : sent                    ? SIGNAL
             : !strcmp(what, "short")  ? SHORT
             : !strcmp(what, "shrink") ? SHRINK
             : failure                 ? FAIL
                                       : NOTHING;
    strncpy(folder, where, sizeof folder - 1);
    folder_length = strlen(folder);
}

static int below(const char *path) {
    return !strncmp(path, folder, folder_length) &&
           (path[folder_length] == '/' || !path[folder_length]);
}

static int descriptor_counts(int descriptor) {
    char link[64], path[PATH_MAX];
    if (!folder_length) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

static int path_counts(int at_folder, const char *path) {
    char whole[PATH_MAX];
    if (!folder_length || !path) return 0;
    if (*path == '/') return below(path);
    if (at_folder != AT_FDCWD) return descriptor_counts(at_folder);
    if (!getcwd(whole, sizeof whole)) return 0;
    return below(whole);
}

/* Whether this call, which counts, is the one; then what does not return has happened already. */
static int now(void) {
    long number = atomic_fetch_add(counter, 1) + 1;
    if (!at || (lasting ? number < at : number != at)) return 0;
    if (action == KILL) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (action == SIGNAL) kill(getpid(), sent);
    return action == FAIL || action == TORN || action == SHORT || action == SHRINK;
}

/* Of calls that write: how many bytes are written before it goes wrong; -1: it fails at once. */
static int wrong_write(size_t size, size_t *some) {
    *some = size;
    if (!now()) return 0;
    if (action == FAIL) {
        errno = failure;
        return 1;
    }
    if (size > 1) *some = size / 2;
    return 0;
}

static ssize_t written(ssize_t result, size_t size, size_t some) {
    if (action == TORN && some < size) {
        kill(getpid(), SIGKILL);
        pause();
    }
    return result;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    size_t some = size;
    if (!reads && descriptor_counts(descriptor) && wrong_write(size, &some)) return -1;
    return written(real(descriptor, data, some), size, some);
}

#define PWRITE(name)                                                                        \
    ssize_t name(int descriptor, const void *data, size_t size, off_t offset) {             \
        REAL(ssize_t, #name, int, const void *, size_t, off_t);                             \
        size_t some = size;                                                                 \
        if (!reads && descriptor_counts(descriptor) && wrong_write(size, &some)) return -1; \
        return written(real(descriptor, data, some, offset), size, some);                   \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

/* Whether it fails; what cannot be done by halves is not done at all. */
static int wrong(void) {
    if (!now()) return 0;
    if (action == SHORT || action == SHRINK) return 0;
    if (action == TORN) {
        kill(getpid(), SIGKILL);
        pause();
    }
    errno = failure;
    return 1;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (!reads && descriptor_counts(descriptor) && wrong()) return -1;
    return real(descriptor, pieces, count);
}

static int wrong_read(int descriptor, size_t *size) {
    if (!reads || !descriptor_counts(descriptor) || !now()) return 0;
    if (action == FAIL) {
        errno = failure;
        return 1;
    }
    if (action == SHORT && *size > 1) *size /= 2;
    if (action == SHRINK) {
        char link[64];
        struct stat status;
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (!fstat(descriptor, &status)) truncate(link, status.st_size / 2);
    }
    return 0;
}

ssize_t read(int descriptor, void *data, size_t size) {
    REAL(ssize_t, "read", int, void *, size_t);
    if (wrong_read(descriptor, &size)) return -1;
    return real(descriptor, data, size);
}

#define PREAD(name)                                                           \
    ssize_t name(int descriptor, void *data, size_t size, off_t offset) {     \
        REAL(ssize_t, #name, int, void *, size_t, off_t);                     \
        if (wrong_read(descriptor, &size)) return -1;                         \
        return real(descriptor, data, size, offset);                          \
    }
PREAD(pread)
PREAD(pread64)

static int opening_counts(int at_folder, const char *path, int flags) {
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    return writes != reads && path_counts(at_folder, path);
}

#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...) {                                    \
        REAL(int, #name, const char *, int, ...);                                   \
        va_list more;                                                               \
        va_start(more, flags);                                                      \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;   \
        va_end(more);                                                               \
        if (opening_counts(AT_FDCWD, path, flags) && wrong()) return -1;            \
        return real(path, flags, mode);                                             \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                \
    int name(int at_folder, const char *path, int flags, ...) {                     \
        REAL(int, #name, int, const char *, int, ...);                              \
        va_list more;                                                               \
        va_start(more, flags);                                                      \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;   \
        va_end(more);                                                               \
        if (opening_counts(at_folder, path, flags) && wrong()) return -1;           \
        return real(at_folder, path, flags, mode);                                  \
    }
OPENAT(openat)
OPENAT(openat64)

#define OF_DESCRIPTOR(name)                                               \
    int name(int descriptor) {                                            \
        REAL(int, #name, int);                                            \
        if (!reads && descriptor_counts(descriptor) && wrong()) return -1; \
        return real(descriptor);                                          \
    }
OF_DESCRIPTOR(fsync)
OF_DESCRIPTOR(fdatasync)

/* A file is closed even if it is said that this failed. Who only read it has nothing to lose. */
int close(int descriptor) {
    REAL(int, "close", int);
    int flags = folder_length ? fcntl(descriptor, F_GETFL) : -1;
    if (!reads && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && descriptor_counts(descriptor) && wrong()) {
        int kept = errno;
        real(descriptor);
        errno = kept;
        return -1;
    }
    return real(descriptor);
}

#define TRUNCATE(name)                                                     \
    int name(int descriptor, off_t size) {                                 \
        REAL(int, #name, int, off_t);                                      \
        if (!reads && descriptor_counts(descriptor) && wrong()) return -1; \
        return real(descriptor, size);                                     \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define OF_PATH(name)                                                       \
    int name(const char *path) {                                            \
        REAL(int, #name, const char *);                                     \
        if (!reads && path_counts(AT_FDCWD, path) && wrong()) return -1;    \
        return real(path);                                                  \
    }
OF_PATH(unlink)
OF_PATH(rmdir)

#define WITH_MODE(name)                                                     \
    int name(const char *path, mode_t mode) {                               \
        REAL(int, #name, const char *, mode_t);                             \
        if (!reads && path_counts(AT_FDCWD, path) && wrong()) return -1;    \
        return real(path, mode);                                            \
    }
WITH_MODE(mkdir)
WITH_MODE(chmod)

int mkdirat(int at_folder, const char *path, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    if (!reads && path_counts(at_folder, path) && wrong()) return -1;
    return real(at_folder, path, mode);
}

int fchmodat(int at_folder, const char *path, mode_t mode, int flags) {
    REAL(int, "fchmodat", int, const char *, mode_t, int);
    if (!reads && path_counts(at_folder, path) && wrong()) return -1;
    return real(at_folder, path, mode, flags);
}

int unlinkat(int at_folder, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    if (!reads && path_counts(at_folder, path) && wrong()) return -1;
    return real(at_folder, path, flags);
}

int rename(const char *before, const char *after) {
    REAL(int, "rename", const char *, const char *);
    if (!reads && path_counts(AT_FDCWD, after) && wrong()) return -1;
    return real(before, after);
}

int renameat(int from, const char *before, int to, const char *after) {
    REAL(int, "renameat", int, const char *, int, const char *);
    if (!reads && path_counts(to, after) && wrong()) return -1;
    return real(from, before, to, after);
}

int renameat2(int from, const char *before, int to, const char *after, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    if (!reads && path_counts(to, after) && wrong()) return -1;
    return real(from, before, to, after, flags);
}
