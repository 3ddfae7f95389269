/* neighbors_print.c - originals and candidates by name are the references, candidates among them the queries. */
#include "transfer/duplicates/neighbors_print.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "transfer/duplicates/compared.h"
#include "transfer/duplicates/neighbors_csv.h"

struct printing {
    struct compared compared;
    const struct neighbors_print_ask *ask;
    uint32_t *queries, n_queries; /* places among the images */
    struct neighbors_csv csv;
};

static enum err_code read_reference(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    struct printing *p = arg;
    (void)err;
    compared_read(&p->compared, row, out, there);
    return OK;
}

static enum err_code read_query(void *arg, uint32_t row, void *out, bool *there, struct err *err)
{
    const struct printing *p = arg;
    return read_reference(arg, p->queries[row], out, there, err);
}

static enum err_code take(void *arg, uint32_t first, uint32_t n, const struct nearest *lists, const bool *there,
                          struct err *err)
{
    struct printing *p = arg;
    const struct match_image *images = p->compared.images;
    enum err_code rc = OK;
    (void)there;
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        uint32_t image = p->queries[first + i], rank = 0;
        for (uint32_t j = 0; j < lists[i].n && rank < p->ask->k; j++) {
            const struct neighbor *at = &lists[i].at[j];
            if (at->reference != image && at->distance <= p->ask->within) {
                neighbors_csv_add(&p->csv, images[image].name, ++rank, images[at->reference].name, at->distance);
            }
        }
        rc = transfer_flush(p->csv.tr, &p->csv.out, err);
    }
    return rc;
}

static bool progress(void *arg, double share)
{
    const struct printing *p = arg;
    transfer_progress(p->csv.tr, "searching near-duplicates", (uint64_t)(share * (double)p->n_queries), p->n_queries);
    return true;
}

static enum err_code search(struct printing *p, struct transfer *tr)
{
    const struct neighbors_print_ask *ask = p->ask;
    const struct search s = {.metric = p->compared.metric,
                             .queries = {p->n_queries, read_query, p},
                             .references = {p->compared.n, read_reference, p},
                             .k = ask->k + 1, /* the image itself */
                             .threads = ask->threads, .memory = ask->memory, .arg = p, .take = take, .progress = progress};
    neighbors_csv_begin(&p->csv, tr, ask->metric.kind);
    enum err_code rc = search_run(&s, 0, tr->err);
    transfer_progress_end(tr);
    return neighbors_csv_end(&p->csv, rc);
}

static void find_queries(struct printing *p)
{
    p->queries = xcalloc(p->compared.n + 1, sizeof *p->queries);
    for (uint32_t i = 0; i < p->compared.n; i++) {
        if (!p->compared.images[i].original) {
            p->queries[p->n_queries++] = i;
        }
    }
}

enum err_code neighbors_print(struct transfer *tr, const struct neighbors_print_ask *ask)
{
    struct printing p = {.ask = ask};
    enum err_code rc = compared_open(&p.compared, tr, COMPARED_BY_NAME, ask->max_pixels);
    rc = rc == OK ? compared_by(&p.compared, &ask->metric, ask->model, tr->err) : rc;
    if (rc == OK) {
        compared_keep(&p.compared);
    }
    find_queries(&p);
    rc = rc == OK ? search(&p, tr) : rc;
    if (rc == OK) {
        transfer_note(tr, "%u candidates compared with %u images: %llu neighbours.", p.n_queries, p.compared.n,
                      (unsigned long long)p.csv.rows);
        rc = compared_tell(p.compared.n_unread, tr->err);
    }
    compared_close(&p.compared);
    free(p.queries);
    return rc;
}
