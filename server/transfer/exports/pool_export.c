/* pool_export.c - `holdout export pool`: every image that sampling looks at, with its votes and
 * what keeps it out; `holdout export histograms`: per class how the originals' frequencies lie, how
 * many images a bin should have, and how many candidates there are. CSV, both under one vote view. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/votes/histogram.h"
#include "formats/csv.h"
#include "sets/pool/pool.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 24 };

struct pool_export {
    struct transfer *tr;
    struct pool pool;
    struct str out;
    bool unsearched; /* some image is */
};

static enum err_code open_pool(struct pool_export *x, struct transfer *tr, const struct pool_ask *ask)
{
    struct tally *t = tally_new();
    x->tr = tr;
    str_init(&x->out, OUT_MOST);
    enum err_code rc = tally_fold(t, tr->db, tr->err);
    rc = rc == OK ? pool_load(tr->db, t, ask, &x->pool, tr->err) : rc;
    if (rc == OK) {
        transfer_note(tr, "View " SV_FMT " and decisions up to event %lld.", SV_ARG(x->pool.view.name),
                 (long long)x->pool.as_of);
    }
    tally_free(t);
    return rc;
}

static enum err_code close_pool(struct pool_export *x, enum err_code rc)
{
    rc = transfer_end(x->tr, &x->out, rc);
    pool_release(&x->pool);
    return rc;
}

/* ---- pool ---- */

static void print_image(struct pool_export *x, size_t at)
{
    const struct sample_image *i = &x->pool.sample[at];
    csv_cell(&x->out, x->pool.name[at]);
    str_addc(&x->out, ',');
    csv_cell(&x->out, x->pool.classes[i->class_index].wnid);
    str_printf(&x->out, ",%s,%u,%u,%d,%d,%d,%d", i->original ? "original" : "candidate", i->shown,
               i->selected, i->blacklisted, i->near_duplicate, i->unreviewed, i->hidden);
    str_addz(&x->out, x->unsearched ? i->unsearched ? ",1\n" : ",0\n" : "\n");
}

/* The column is there where it says something. */
static void find_unsearched(struct pool_export *x)
{
    for (size_t i = 0; i < x->pool.n && !x->unsearched; i++) {
        x->unsearched = x->pool.sample[i].unsearched;
    }
}

enum err_code pool_export(struct transfer *tr, const struct pool_ask *ask)
{
    struct pool_export x = {0};
    enum err_code rc = open_pool(&x, tr, ask);
    str_addz(&x.out,
             "image,wnid,role,n_assignments,n_selected,blacklisted,near_duplicate,unreviewed,"
             "hidden");
    find_unsearched(&x);
    str_addz(&x.out, x.unsearched ? ",unsearched\n" : "\n");
    for (size_t i = 0; i < x.pool.n && rc == OK; i++) {
        print_image(&x, i);
        rc = transfer_flush(tr, &x.out, tr->err);
    }
    return close_pool(&x, rc);
}

/* ---- histograms ---- */

struct class_bins {
    uint32_t originals[HISTOGRAM_BINS], valid[HISTOGRAM_BINS], all[HISTOGRAM_BINS];
};

static struct class_bins *count_bins(const struct pool *p)
{
    struct class_bins *bins = xcalloc((size_t)p->n_classes + 1, sizeof *bins);
    for (size_t k = 0; k < p->n; k++) {
        const struct sample_image *i = &p->sample[k];
        struct class_bins *c = &bins[i->class_index];
        if (i->shown == 0) {
            continue;
        }
        uint32_t bin = histogram_bin(i->selected, i->shown);
        bool enough = i->shown >= SAMPLE_ANSWERS_LEAST;
        c->originals[bin] += i->original && enough;
        c->all[bin] += !i->original;
        c->valid[bin] += !i->original && enough && !i->blacklisted && !i->near_duplicate;
    }
    return bins;
}

static void print_bins(struct str *out, const uint32_t bins[HISTOGRAM_BINS])
{
    for (int b = 0; b < HISTOGRAM_BINS; b++) {
        str_addc(out, ',');
        str_addi(out, bins[b]);
    }
}

static void print_class(struct pool_export *x, uint32_t k, const struct class_bins *c,
                        uint32_t size)
{
    uint32_t target[HISTOGRAM_BINS];
    histogram_targets(c->originals, size, target);
    csv_cell(&x->out, x->pool.classes[k].wnid);
    print_bins(&x->out, c->originals);
    print_bins(&x->out, target);
    print_bins(&x->out, c->valid);
    print_bins(&x->out, c->all);
    str_addc(&x->out, '\n');
}

static void print_head(struct str *out)
{
    static const char *const columns[] = {"val", "target", "valid_cand", "all_cand"};
    str_addz(out, "wnid");
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        for (int b = 0; b < HISTOGRAM_BINS; b++) {
            str_printf(out, ",%s%d", columns[k], b);
        }
    }
    str_addc(out, '\n');
}

enum err_code histograms_export(struct transfer *tr, const struct pool_ask *ask, uint32_t size)
{
    struct pool_export x = {0};
    enum err_code rc = open_pool(&x, tr, ask);
    struct class_bins *bins = count_bins(&x.pool);
    print_head(&x.out);
    for (uint32_t k = 0; k < x.pool.n_classes && rc == OK; k++) {
        print_class(&x, k, &bins[k], size);
        rc = transfer_flush(tr, &x.out, tr->err);
    }
    free(bins);
    return close_pool(&x, rc);
}
