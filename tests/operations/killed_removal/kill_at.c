/* Kills this process at a step of a removal: before or after each rename or removal of a path below a folder. The test loads
   it into the runner. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long steps;

static int is_within(const char *path) {
    const char *folder = getenv("STEWARD_KILL_WITHIN");
    size_t length = folder ? strlen(folder) : 0;
    return length && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static void step(void) {
    const char *at = getenv("STEWARD_KILL_AT");
    if (at && ++steps == atol(at)) {
        kill(getpid(), SIGKILL);
        pause();
    }
}

#define STEPS(path, call)     \
    do {                      \
        int ended, error;     \
        if (!is_within(path)) \
            return call;      \
        step();               \
        ended = call;         \
        error = errno;        \
        step();               \
        errno = error;        \
        return ended;         \
    } while (0)

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    STEPS(from, real(from, to));
}

int unlink(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    STEPS(path, real(path));
}

int rmdir(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "rmdir");
    STEPS(path, real(path));
}
