/* views_export.c - `holdout export views` and `export classes`: the vote views that there are, and
 * what the dashboards say of classes, as CSV. */
#include <stdio.h>

#include "formats/csv.h"
#include "live/votes/stats.h"
#include "store/classes/classes.h"
#include "store/votes/views.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 24 };

static void print_view(struct str *out, const struct vote_view *v, struct arena *a)
{
    const struct sv cells[] = {v->kinds, v->campaigns, sv_of(view_rules_json(&v->rules, a)),
                               v->description};
    csv_cell(out, v->name);
    str_printf(out, ",%lld,%lld,", (long long)v->id, (long long)v->versions);
    if (v->as_of) {
        str_addi(out, v->as_of);
    }
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        str_addc(out, ',');
        csv_cell(out, cells[i]);
    }
    str_addc(out, '\n');
}

enum err_code views_export(struct transfer *tr)
{
    struct str out;
    struct vote_view *list = NULL;
    size_t n = 0;
    str_init(&out, OUT_MOST);
    enum err_code rc = views_list(tr->db, tr->arena, &list, &n, tr->err);
    str_addz(&out, "view,event,versions,as_of,kinds,campaigns,filters,description\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        print_view(&out, &list[i], tr->arena);
        rc = transfer_flush(tr, &out, tr->err);
    }
    return transfer_end(tr, &out, rc);
}

/* n images, votes, selected, interval; the interval is that of the pages, with all its digits. */
static void print_role(struct str *out, const struct stats_class *k, enum cell_role role)
{
    str_printf(out, ",%u,%llu,%llu,", k->images[role], (unsigned long long)k->shown[role],
               (unsigned long long)k->selected[role]);
    if (k->shown[role]) {
        str_printf(out, "%.17g,%.17g", k->ci[role].lo, k->ci[role].hi);
    } else {
        str_addc(out, ',');
    }
}

static void print_bins(struct str *out, const uint32_t bins[STATS_BINS])
{
    for (int b = 0; b < STATS_BINS; b++) {
        str_addc(out, ',');
        str_addi(out, bins[b]);
    }
}

static void print_class(struct str *out, struct sv wnid, const struct stats_class *k)
{
    csv_cell(out, wnid);
    print_role(out, k, CELL_POSITIVE);
    str_addc(out, ',');
    str_addi(out, k->covered);
    print_bins(out, k->originals);
    print_role(out, k, CELL_CANDIDATE);
    print_bins(out, k->candidates);
    str_addc(out, '\n');
}

static enum err_code print_classes(struct transfer *tr, const struct stats *s, struct str *out)
{
    struct class_info *list;
    size_t n;
    enum err_code rc = classes_list(tr->db, tr->arena, &list, &n, tr->err);
    if (rc != OK) {
        return rc;
    }
    str_addz(out, "wnid,originals,original_votes,original_selected,original_lo,original_hi,covered,"
                  "original_0,original_1,original_2,original_3,original_4,"
                  "candidates,candidate_votes,candidate_selected,candidate_lo,candidate_hi,"
                  "candidate_0,candidate_1,candidate_2,candidate_3,candidate_4\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct stats_class *k = stats_class(s, list[i].id);
        if (k) {
            print_class(out, list[i].wnid, k);
            rc = transfer_flush(tr, out, tr->err);
        }
    }
    return rc;
}

enum err_code classes_export(struct transfer *tr)
{
    struct tally *t = tally_new();
    struct stats_keeper *keeper = stats_keeper_new(t);
    struct str out;
    str_init(&out, OUT_MOST);
    enum err_code rc = tally_fold(t, tr->db, tr->err);
    if (rc == OK) {
        const struct stats *s = stats_get(keeper);
        rc = print_classes(tr, s, &out);
        stats_put(keeper, s);
    }
    rc = transfer_end(tr, &out, rc);
    stats_keeper_free(keeper);
    tally_free(t);
    return rc;
}
