/* Lets this process hang when it opens plans.json, as a disk does that does not respond. The test loads it into the runner. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int open64(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
    static const char name[] = "/plans.json";
    size_t length = strlen(path), end = sizeof name - 1;
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (length > end && strcmp(path + length - end, name) == 0) {
        char hangs[4096];
        snprintf(hangs, sizeof hangs, "%s.hangs", path);
        close(real(hangs, O_CREAT | O_WRONLY, 0600));
        for (;;)
            pause();
    }
    return real(path, flags, mode);
}
