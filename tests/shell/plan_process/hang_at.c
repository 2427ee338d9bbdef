/* Lets this process hang at a file or folder, and all that is in it, as a disk does that does not respond. HANG_AT is its path; a file
 * beside it, with `.hangs` at the end of its name, then has the number of the process. The tests load it into the runner. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void hang_at(const char *path) {
    const char *place = getenv("HANG_AT");
    /* A program may try whether a call is there with no path at all. */
    size_t length = place && path ? strlen(place) : 0;
    if (length == 0 || strncmp(path, place, length) != 0 || (path[length] != 0 && path[length] != '/'))
        return;
    char hangs[4096], process[32];
    snprintf(hangs, sizeof hangs, "%s.hangs", place);
    int file = REAL(open64)(hangs, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (write(file, process, snprintf(process, sizeof process, "%d", getpid())) < 0)
        abort();
    close(file);
    for (;;)
        pause();
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    hang_at(path);
    return REAL(open64)(path, flags, mode);
}

DIR *opendir(const char *path) {
    hang_at(path);
    return REAL(opendir)(path);
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
    hang_at(path);
    return REAL(statx)(folder, path, flags, mask, found);
}

int statvfs64(const char *restrict path, struct statvfs64 *restrict found) {
    hang_at(path);
    return REAL(statvfs64)(path, found);
}

int mkdir(const char *path, mode_t mode) {
    hang_at(path);
    return REAL(mkdir)(path, mode);
}

char *realpath(const char *restrict path, char *restrict resolved) {
    hang_at(path);
    return REAL(realpath)(path, resolved);
}
