/* board.c - the desk's numbers behind a lock. */
#include "live/work/board.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum { BOARD_CAMPAIGNS = 64 };

struct board {
    pthread_mutex_t lock;
    int64_t campaign[BOARD_CAMPAIGNS];
    struct desk_progress progress[BOARD_CAMPAIGNS];
    size_t n;
};

struct board *board_new(void)
{
    struct board *b = xcalloc(1, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void board_free(struct board *b)
{
    if (b) {
        pthread_mutex_destroy(&b->lock);
        free(b);
    }
}

void board_publish(struct board *b, const struct desk *d)
{
    pthread_mutex_lock(&b->lock);
    b->n = desk_board(d, b->campaign, b->progress, BOARD_CAMPAIGNS);
    pthread_mutex_unlock(&b->lock);
}

bool board_progress(struct board *b, int64_t campaign, struct desk_progress *out)
{
    bool found = false;
    pthread_mutex_lock(&b->lock);
    for (size_t i = 0; i < b->n && !found; i++) {
        if (b->campaign[i] == campaign) {
            *out = b->progress[i];
            found = true;
        }
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

void board_progress_of(struct board *b, struct tally *t, const struct campaign *k,
                       struct desk_progress *out)
{
    *out = (struct desk_progress){0};
    if (board_progress(b, k->id, out)) {
        return;
    }
    size_t n;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &n);
    for (size_t i = 0; i < n; i++) {
        if (g[i].campaign == k->id) {
            out->grids++;
            out->answers += g[i].answers;
            out->complete += g[i].answers >= k->answers_per_grid;
        }
    }
    tally_read_unlock(t);
    out->wanted = out->grids * (uint32_t)k->answers_per_grid;
}
