/* ledger.c - the array of answers, in memory or in a file. The tally's lock protects it. Read by
 * what counts. Knows nothing of pairs and grids. */
#include "live/core/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sorted.h"
#include "base/xalloc.h"

enum {
    LATE_MOST = 2048,     /* answers that are written at once */
    MAPPED_FIRST = 1 << 16
};

static size_t bytes(size_t answers)
{
    return answers * sizeof(struct ledger_answer);
}

/* A file that has no name and goes with the process, however that ends. */
static int open_nameless(const char *dir)
{
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char path[4096];
    if (fd >= 0 || snprintf(path, sizeof path, "%s/ledger-XXXXXX", dir) >= (int)sizeof path) {
        return fd;
    }
    fd = mkostemp(path, O_CLOEXEC); /* file systems that know no such files */
    if (fd >= 0) {
        unlink(path);
    }
    return fd;
}

void ledger_use_disk(struct ledger *l, const char *dir)
{
    BUG_IF(l->n || l->answers || l->on_disk);
    l->fd = open_nameless(dir);
    l->on_disk = l->fd >= 0;
    if (l->on_disk) {
        l->late = xmalloc(bytes(LATE_MOST));
    }
}

static void unmap(struct ledger *l)
{
    if (l->on_disk && l->answers) {
        munmap(l->answers, bytes(l->cap));
    } else if (!l->on_disk) {
        free(l->answers);
    }
    l->answers = NULL;
    l->cap = 0;
}

void ledger_clear(struct ledger *l)
{
    unmap(l);
    free(l->flips);
    l->flips = NULL;
    l->n = l->n_late = l->n_flips = l->cap_flips = 0;
}

void ledger_release(struct ledger *l)
{
    ledger_clear(l);
    free(l->late);
    if (l->on_disk) {
        close(l->fd);
    }
    *l = (struct ledger){0};
}

/* The disk refused: what the file has and what is late goes on in memory. */
static void move_to_memory(struct ledger *l)
{
    struct ledger_answer *moved = NULL;
    size_t cap = 0, n = l->n + l->n_late;
    xgrow(&moved, &cap, n, sizeof *moved);
    if (l->n) {
        memcpy(moved, l->answers, bytes(l->n));
    }
    if (l->n_late) {
        memcpy(moved + l->n, l->late, bytes(l->n_late));
    }
    unmap(l);
    close(l->fd);
    free(l->late);
    l->late = NULL;
    l->n_late = 0;
    l->on_disk = false;
    l->answers = moved;
    l->n = n;
    l->cap = cap;
}

static bool write_at(int fd, const void *p, size_t n, size_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t wrote = pwrite(fd, (const char *)p + done, n - done, (off_t)(at + done));
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* A mapping of at least n answers. It may end behind the file's end, where nobody looks. */
static bool map_file(struct ledger *l, size_t n)
{
    size_t cap = l->cap ? l->cap : MAPPED_FIRST;
    while (cap < n) {
        cap *= 2;
    }
    if (cap == l->cap) {
        return true;
    }
    void *p = mmap(NULL, bytes(cap), PROT_READ, MAP_SHARED, l->fd, 0);
    if (p == MAP_FAILED) {
        return false;
    }
    unmap(l);
    l->answers = p;
    l->cap = cap;
    return true;
}

void ledger_flush(struct ledger *l)
{
    if (!l->on_disk || l->n_late == 0) {
        return;
    }
    if (!map_file(l, l->n + l->n_late) ||
        !write_at(l->fd, l->late, bytes(l->n_late), bytes(l->n))) {
        move_to_memory(l);
        return;
    }
    l->n += l->n_late;
    l->n_late = 0;
}

void ledger_rest(const struct ledger *l)
{
    if (l->on_disk && l->answers) {
        madvise(l->answers, bytes(l->cap), MADV_DONTNEED);
    }
}

static uint32_t fit(int64_t v)
{
    return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* Room for one more at the end. */
static struct ledger_answer *next(struct ledger *l)
{
    if (l->on_disk && l->n_late == LATE_MOST) {
        ledger_flush(l);
    }
    if (l->on_disk) {
        return &l->late[l->n_late++];
    }
    xgrow(&l->answers, &l->cap, l->n + 1, sizeof *l->answers);
    return &l->answers[l->n++];
}

static uint32_t newest(const struct ledger *l)
{
    return l->n_late ? l->late[l->n_late - 1].id : l->n ? l->answers[l->n - 1].id : 0;
}

enum err_code ledger_add(struct ledger *l, const struct vote_answer *w, uint32_t grid,
                         const struct ledger_answer **stored, struct err *err)
{
    if (w->id > UINT32_MAX || w->person > UINT32_MAX) {
        return err_set(err, ERR_LIMIT, "answer %lld is beyond what the counters hold",
                       (long long)w->id);
    }
    if (w->id <= newest(l)) {
        return err_set(err, ERR_BUG, "answer %lld comes after a newer one", (long long)w->id);
    }
    struct ledger_answer *a = next(l);
    memset(a, 0, sizeof *a); /* what lies between the members goes into the file too */
    a->mask = w->mask;
    a->id = (uint32_t)w->id;
    a->grid = grid;
    a->person = (uint32_t)w->person;
    a->at_s = fit(w->at / 1000);
    a->active_ms = fit(w->active_ms);
    a->surplus = w->surplus;
    a->shuffled = w->has_seed;
    *stored = a;
    return OK;
}

static void set_out(struct ledger *l, size_t at, bool out)
{
    size_t where = bytes(at) + offsetof(struct ledger_answer, out);
    if (l->on_disk && !write_at(l->fd, &out, sizeof out, where)) {
        move_to_memory(l);
    }
    if (!l->on_disk) {
        l->answers[at].out = out;
    }
}

enum err_code ledger_turn(struct ledger *l, const struct vote_state *s,
                          const struct ledger_answer **turned, struct err *err)
{
    size_t at = ledger_find(l, s->answer);
    *turned = NULL;
    if (at == l->n || s->id > UINT32_MAX) {
        return err_set(err, ERR_BUG, "decision %lld is about answer %lld, which does not exist",
                       (long long)s->id, (long long)s->answer);
    }
    if (l->answers[at].out == s->out) {
        return OK;
    }
    xgrow(&l->flips, &l->cap_flips, l->n_flips + 1, sizeof *l->flips);
    l->flips[l->n_flips++] = (struct ledger_flip){(uint32_t)s->id, (uint32_t)at, s->out};
    set_out(l, at, s->out);
    *turned = &l->answers[at];
    return OK;
}

size_t ledger_until(const struct ledger *l, int64_t as_of)
{
    return as_of < 0             ? 0
           : as_of >= UINT32_MAX ? l->n
                                 : sorted_u32(l->answers, l->n, sizeof *l->answers,
                                              offsetof(struct ledger_answer, id),
                                              (uint32_t)as_of + 1);
}

size_t ledger_find(const struct ledger *l, int64_t answer)
{
    size_t n = ledger_until(l, answer);
    return n > 0 && l->answers[n - 1].id == answer ? n - 1 : l->n;
}
