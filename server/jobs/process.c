/* process.c - starting and watching one child process. */
#include "jobs/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "jobs/report.h"

enum { NICE = 10, NOT_STARTED = 127 };

/* How many threads a library takes is the command's to say, not that of whoever started the server. */
static bool is_left_out(const char *entry)
{
    static const char *const prefixes[] = {"OMP_", "GOMP_", "OPENBLAS_", "GOTO_", "MKL_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static char **make_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n]) {
        n++;
    }
    char **out = xcalloc(n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        if (!is_left_out(environ[i])) {
            out[kept++] = environ[i];
        }
    }
    return out;
}

/* When memory runs out it is the job that goes, not the server. */
static void prefer_for_oom(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    if (fd >= 0) {
        ssize_t written = write(fd, "500", 3); /* where it may not, things stay as they are */
        (void)written;
        close(fd);
    }
}

/* In the child, between fork and exec: only calls that are safe after a fork of one thread of many. The
 * session stays the server's: the kernel's automatic groups would set the priority aside otherwise. */
static _Noreturn void become(const char *const *argv, char **environment, int output, pid_t parent)
{
    sigset_t none;
    int input = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && input >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 &&
        dup2(output, 2) == 2) {
        close_range(3, ~0u, 0);
        setpgid(0, 0);
        setpriority(PRIO_PROCESS, 0, NICE);
        prefer_for_oom();
        for (int s = 1; s < NSIG; s++) {
            signal(s, SIG_DFL);
        }
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        union {
            const char *const *in;
            char *const *out; /* execve changes neither; its type is older than const */
        } words = {.in = argv};
        execve("/proc/self/exe", words.out, environment);
    }
    _exit(NOT_STARTED);
}

enum err_code process_start(const char *const *argv, int output, struct process *out, struct err *err)
{
    char **environment = make_environment();
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        become(argv, environment, output, parent);
    }
    int number = errno;
    free(environment);
    if (pid < 0) {
        return err_errno(err, number, "cannot start a process");
    }
    int fd = pidfd_open(pid, 0);
    if (fd < 0) {
        number = errno;
        kill(pid, SIGKILL); /* not waited for yet, so the number is still its */
        waitpid(pid, NULL, 0);
        return err_errno(err, number, "cannot watch a process");
    }
    *out = (struct process){.pid = pid, .fd = fd, .ours = true};
    return OK;
}

enum err_code process_watch(int64_t pid, struct process *out, struct err *err)
{
    int fd = pid > 0 ? pidfd_open((pid_t)pid, 0) : -1;
    if (fd < 0) {
        return err_set(err, ERR_NOT_FOUND, "there is no process %lld", (long long)pid);
    }
    *out = (struct process){.pid = pid, .fd = fd};
    return OK;
}

void process_signal(const struct process *p, int number)
{
    pidfd_send_signal(p->fd, number, NULL, 0); /* one that has ended is reaped soon */
}

void process_forget(struct process *p)
{
    close(p->fd);
    p->fd = -1;
}

/* Ends that other programs ask for: a shell, a service manager that stops the whole group. */
static bool is_request(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGHUP;
}

struct process_status process_wait(struct process *p)
{
    struct process_status s = {PROCESS_DIED, 0};
    int status = 0;
    pid_t got = -1;
    while (p->ours && (got = waitpid((pid_t)p->pid, &status, 0)) < 0 && errno == EINTR) {
    }
    if (got == p->pid && WIFEXITED(status)) {
        s.number = WEXITSTATUS(status);
        s.end = s.number == 0                  ? PROCESS_DONE
                : s.number == JOB_EXIT_STOPPED ? PROCESS_STOPPED
                                               : PROCESS_FAILED;
    } else if (got == p->pid && WIFSIGNALED(status)) {
        s.number = WTERMSIG(status);
        s.end = is_request(s.number) ? PROCESS_STOPPED : PROCESS_DIED;
    }
    process_forget(p);
    return s;
}
