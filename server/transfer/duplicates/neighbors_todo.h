/* neighbors_todo.h - which searches a project still needs, metric by metric: those that were begun and are of use, then
 * what no search has compared. Stores nothing but that pairs of earlier searches are close, where a threshold rose. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_TODO_H
#define TRANSFER_DUPLICATES_NEIGHBORS_TODO_H

#include "domain/review/review_gate.h"
#include "store/duplicates/near_searches.h"
#include "transfer/duplicates/compared.h"
#include "transfer/duplicates/neighbors_search.h"

struct neighbors_todo {
    struct transfer *tr;
    const struct neighbors_ask *ask;
    bool resumes;             /* searches that were begun count as planned */
    struct review_gate gate;  /* the project's metrics */
    struct compared compared; /* by id */
    bool *query;              /* of each image: its neighbours are wanted */
    bool *unread;             /* of each image: it could not be read under some metric */
    struct planned {
        const struct review_metric *metric;
        struct near_search search; /* id 0: new */
    } *planned;               /* those of a metric one after the other */
    uint32_t n;
    size_t cap;
    const struct review_metric *by; /* what the images are compared by now; NULL: nothing yet */
    struct err failed;        /* of the first metric that cannot be searched by */
};
/* Release it whatever came out. */
enum err_code neighbors_todo_make(struct neighbors_todo *t, struct transfer *tr, const struct neighbors_ask *ask,
                                  bool resumes);
void neighbors_todo_release(struct neighbors_todo *t);
/* near_space.h, of what is asked for. */
enum err_code neighbors_todo_space(const struct neighbors_todo *t, const struct review_metric *m, struct sv *out,
                                   struct err *err);
/* Whether it is asked for. */
bool neighbors_todo_wants(const struct neighbors_todo *t, const struct review_metric *m);
/* Compares by the metric from now on. */
enum err_code neighbors_todo_use(struct neighbors_todo *t, const struct review_metric *m, struct err *err);
/* The metric's search is over; what is said of it is the end of the command. */
enum err_code neighbors_todo_end(const struct neighbors_todo *t);

#endif
