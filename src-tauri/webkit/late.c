/*
 * Loads WebKit at its first call, which only the window makes. A program that is linked with WebKit takes 36 MiB more as soon
 * as it starts, and so would every start of the runner of backup plans. ADR 0056.
 *
 * Each function of WebKit that the program calls is defined here, under its own name, as a jump to the real one. A function
 * that functions.h lacks is found in WebKit by the linker, which then links the whole library again: the program works, and
 * `the_runner_loads_no_webkit` fails.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Addresses in WebKit: null before it is loaded. */
#define FUNCTION(name) __attribute__((used)) static void *real_##name;
#include "functions.h"
#undef FUNCTION

static void load(void)
{
    /* With it comes the library of JavaScript, whose functions are found through it. */
    void *webkit = dlopen("libwebkit2gtk-4.1.so.0", RTLD_NOW | RTLD_GLOBAL);
    if (!webkit) {
        fprintf(stderr, "Site Steward cannot open its window: %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
#define FUNCTION(name)                                                                                \
    if (!(real_##name = dlsym(webkit, #name))) {                                                      \
        fprintf(stderr, "Site Steward cannot open its window: this WebKit has no %s\n", #name);       \
        exit(EXIT_FAILURE);                                                                           \
    }
#include "functions.h"
#undef FUNCTION
}

__attribute__((used)) static void load_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

/* Keeps the arguments of the call that loads WebKit. None has more than six integers, or more than four numbers. */
__asm__(".pushsection .text\n"
        "late_webkit_load:\n"
        "    push %rdi\n    push %rsi\n    push %rdx\n    push %rcx\n    push %r8\n    push %r9\n"
        "    sub $64, %rsp\n"
        "    movups %xmm0, (%rsp)\n    movups %xmm1, 16(%rsp)\n"
        "    movups %xmm2, 32(%rsp)\n    movups %xmm3, 48(%rsp)\n"
        "    call load_once\n"
        "    movups (%rsp), %xmm0\n    movups 16(%rsp), %xmm1\n"
        "    movups 32(%rsp), %xmm2\n    movups 48(%rsp), %xmm3\n"
        "    add $64, %rsp\n"
        "    pop %r9\n    pop %r8\n    pop %rcx\n    pop %rdx\n    pop %rsi\n    pop %rdi\n"
        "    ret\n"
        ".popsection\n");

#define FUNCTION(name)                                                                                \
    __asm__(".pushsection .text\n"                                                                   \
            ".globl " #name "\n.type " #name ", @function\n" #name ":\n"                              \
            "    cmpq $0, real_" #name "(%rip)\n"                                                     \
            "    jne 1f\n"                                                                            \
            "    call late_webkit_load\n"                                                             \
            "1:  jmp *real_" #name "(%rip)\n"                                                        \
            ".popsection\n");
#include "functions.h"
