/* confine.c - starts a program under restrictions of a systemd unit, without systemd and without root:
 *
 *   confine [nnp=1] [mdwe=1] [nofile=N] [families=AF_INET,AF_INET6] [syscalls=FILE] -- PROGRAM ARGUMENT...
 *
 * nnp       NoNewPrivileges=
 * mdwe      MemoryDenyWriteExecute=: memory that is or was written is never made executable. By the same
 *           filter that systemd sets, and by PR_SET_MDWE where the kernel has it
 * nofile    LimitNOFILE=
 * families  RestrictAddressFamilies=: socket() of others fails
 * syscalls  SystemCallFilter=: names of system calls that work, separated by white space; others fail with EPERM
 *
 * Exit 99 when a restriction cannot be set. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1UL
#endif

enum { RULES_MOST = 1024, CANNOT = 99 };

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
#include "syscalls.inc"
};

struct filter {
    struct sock_filter rules[RULES_MOST];
    unsigned short n;
};

static void cannot(const char *what)
{
    fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
    _exit(CANNOT);
}

static void add(struct filter *f, unsigned code, unsigned jt, unsigned jf, unsigned k)
{
    if (f->n == RULES_MOST) {
        errno = E2BIG;
        cannot("filter");
    }
    f->rules[f->n++] = (struct sock_filter){(unsigned short)code, (unsigned char)jt,
                                            (unsigned char)jf, k};
}

static void load(struct filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset);
}

static void end(struct filter *f, unsigned result)
{
    add(f, BPF_RET | BPF_K, 0, 0, result);
}

static void load_number(struct filter *f)
{
    load(f, offsetof(struct seccomp_data, nr));
}

static void begin(struct filter *f)
{
    f->n = 0;
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH);
    end(f, SECCOMP_RET_KILL_PROCESS);
    load_number(f);
}

static void set(struct filter *f, const char *what)
{
    struct sock_fprog program = {.len = f->n, .filter = f->rules};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) {
        cannot(what);
    }
}

/* The call fails when argument `arg` has all of `bits`. */
static void refuse_bits(struct filter *f, unsigned number, unsigned arg, unsigned bits)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, number);
    load(f, offsetof(struct seccomp_data, args) + arg * sizeof(unsigned long long));
    add(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, bits);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, bits);
    end(f, SECCOMP_RET_ERRNO | EPERM);
    load_number(f);
}

static void forbid_new_code(void)
{
    struct filter f;
    begin(&f);
    refuse_bits(&f, SYS_mmap, 2, PROT_EXEC | PROT_WRITE);
    refuse_bits(&f, SYS_mprotect, 2, PROT_EXEC);
    refuse_bits(&f, SYS_pkey_mprotect, 2, PROT_EXEC);
    refuse_bits(&f, SYS_shmat, 2, SHM_EXEC);
    end(&f, SECCOMP_RET_ALLOW);
    set(&f, "mdwe");
    if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0 && errno != EINVAL) {
        cannot("PR_SET_MDWE"); /* EINVAL: before Linux 6.3 */
    }
}

static void allow_families(char *list)
{
    struct filter f;
    begin(&f);
    add(&f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_socket);
    end(&f, SECCOMP_RET_ALLOW);
    load(&f, offsetof(struct seccomp_data, args));
    for (char *name = list, *next; name; name = next) {
        next = strchr(name, ',');
        if (next) {
            *next++ = '\0';
        }
        unsigned family = strcmp(name, "AF_INET") == 0    ? AF_INET
                          : strcmp(name, "AF_INET6") == 0 ? AF_INET6
                          : strcmp(name, "AF_UNIX") == 0  ? AF_UNIX
                                                          : AF_UNSPEC;
        if (family == AF_UNSPEC) {
            errno = EAFNOSUPPORT;
            cannot(name);
        }
        add(&f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, family);
        end(&f, SECCOMP_RET_ALLOW);
    }
    end(&f, SECCOMP_RET_ERRNO | EAFNOSUPPORT);
    set(&f, "families");
}

/* Names that this machine's kernel headers do not know are of other machines. */
static void allow_calls(const char *file)
{
    struct filter f;
    char name[64];
    FILE *from = fopen(file, "re");
    if (!from) {
        cannot(file);
    }
    begin(&f);
    while (fscanf(from, "%63s", name) == 1) {
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            if (strcmp(calls[i].name, name) == 0) {
                add(&f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, calls[i].number);
                end(&f, SECCOMP_RET_ALLOW);
            }
        }
    }
    fclose(from);
    end(&f, SECCOMP_RET_ERRNO | EPERM);
    set(&f, "syscalls");
}

int main(int argc, char **argv)
{
    char *mdwe = NULL, *families = NULL, *nofile = NULL, *allowed = NULL;
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char *value = strchr(argv[i], '=');
        char **to = !value                              ? NULL
                    : strncmp(argv[i], "mdwe=", 5) == 0     ? &mdwe
                    : strncmp(argv[i], "families=", 9) == 0 ? &families
                    : strncmp(argv[i], "nofile=", 7) == 0   ? &nofile
                    : strncmp(argv[i], "syscalls=", 9) == 0 ? &allowed
                                                            : NULL;
        if (to) {
            *to = value + 1;
        } else if (strcmp(argv[i], "nnp=1") != 0) {
            errno = EINVAL;
            cannot(argv[i]);
        }
    }
    /* A filter without the right to gain any: the kernel asks for it, and the units set it. */
    if (i + 1 >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        cannot("usage: confine NAME=VALUE... -- PROGRAM");
    }
    if (nofile) {
        rlim_t n = (rlim_t)strtoull(nofile, NULL, 10);
        if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){n, n}) != 0) {
            cannot("nofile");
        }
    }
    if (families) {
        allow_families(families);
    }
    if (mdwe) {
        forbid_new_code();
    }
    if (allowed) {
        allow_calls(allowed);
    }
    execv(argv[i + 1], &argv[i + 1]);
    cannot(argv[i + 1]);
}
