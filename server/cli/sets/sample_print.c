/* sample_print.c - plans to sample, for programs and for people. */
#include "cli/sets/sample_print.h"

#include <stdlib.h>

#include "cli/core/table.h"
#include "formats/csv.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 24, CLASSES_TOLD = 20, POOL_DIGITS = 16 };

static const char *const bin_names[HISTOGRAM_BINS] = {"[0,.2)", "[.2,.4)", "[.4,.6)", "[.6,.8)",
                                                      "[.8,1]"};
static const char *const reason_words[SAMPLE_REASONS] = {
    "blacklisted",  "with too few answers", "below the threshold", "near-duplicate",
    "not reviewed", "not searched",         "beyond the limit",    "not picked",
    "hidden"};

struct printing {
    struct cli *cli;
    const struct sample_job *job;
    struct str out;
    int reasons; /* columns */
};

/* ---- CSV ---- */

/* The published five, and ours where there is something to say. */
static int count_reasons(const struct sample_plan *plan)
{
    for (size_t k = 0; k < plan->n_cells; k++) {
        for (int r = SAMPLE_PUBLISHED; r < SAMPLE_REASONS; r++) {
            if (plan->cells[k].excluded[r]) {
                return SAMPLE_REASONS;
            }
        }
    }
    return SAMPLE_PUBLISHED;
}

static void add_head(struct printing *p)
{
    static const char *const heads[SAMPLE_STRATEGIES] = {
        [SAMPLE_MATCHED] = "wnid,bin,target,carried_over,available,upward_sampled",
        [SAMPLE_THRESHOLD] = "wnid,carried_over,new_pool,n_sampled,sha256_pool",
        [SAMPLE_TOP] = "wnid,ok",
        [SAMPLE_KEYWORD] = "wnid,keyword,originals,target,carried_over,available,missing"};
    str_addz(&p->out, heads[p->job->ask.rules.strategy]);
    for (int r = 0; r < p->reasons; r++) {
        str_printf(&p->out, ",%s", sample_reasons[r]);
    }
    str_addc(&p->out, '\n');
}

static int by_text(const void *a, const void *b)
{
    return sv_cmp(*(const struct sv *)a, *(const struct sv *)b);
}

/* The first digits of the SHA-256 of the names that may be drawn, sorted, joined by LF. */
static void add_pool_hash(struct printing *p, const struct sample_cell *cell)
{
    const struct pool *pool = &p->job->pool;
    struct sv *names = calloc(cell->available + 1, sizeof *names);
    unsigned char hash[CRYPTO_HASH];
    char hex[2 * CRYPTO_HASH + 1];
    struct str text;
    size_t n = 0;
    BUG_IF(!names);
    for (uint32_t k = 0; k < cell->carried + cell->available; k++) {
        uint32_t at = p->job->plan.fine[cell->first + k];
        if (!pool->sample[at].in_parent && n < cell->available) {
            names[n++] = pool->name[at];
        }
    }
    qsort(names, n, sizeof *names, by_text);
    str_init(&text, SIZE_MAX / 2);
    for (size_t k = 0; k < n; k++) {
        str_addz(&text, k ? "\n" : "");
        str_addsv(&text, names[k]);
    }
    crypto_sha256(n ? text.p : "", text.n, hash);
    crypto_hex(hash, sizeof hash, hex);
    str_printf(&p->out, ",%.*s", POOL_DIGITS, hex);
    str_release(&text);
    free(names);
}

static void add_cell(struct printing *p, const struct sample_cell *c)
{
    csv_cell(&p->out, p->job->pool.classes[c->class_index].wnid);
    switch (p->job->ask.rules.strategy) {
    case SAMPLE_MATCHED:
        str_printf(&p->out, ",%u,%u,%u,%u,%u", c->bin, c->target, c->carried, c->available,
                   c->upward);
        break;
    case SAMPLE_THRESHOLD:
        str_printf(&p->out, ",%u,%u,%u", c->carried, c->available, c->carried + c->drawn);
        add_pool_hash(p, c);
        break;
    case SAMPLE_TOP:
        str_printf(&p->out, ",%u", c->carried + c->available);
        break;
    case SAMPLE_KEYWORD:
        str_addc(&p->out, ',');
        csv_cell(&p->out, p->job->pool.keywords[c->bin]);
        str_printf(&p->out, ",%u,%u,%u,%u,%u", c->originals, c->target, c->carried, c->available,
                   c->missing);
        break;
    case SAMPLE_STRATEGIES:
        BUG_IF(true);
        break;
    }
    for (int r = 0; r < p->reasons; r++) {
        str_printf(&p->out, ",%u", c->excluded[r]);
    }
    str_addc(&p->out, '\n');
}

enum err_code sample_print_plan(struct cli *cli, const struct sample_job *job)
{
    struct printing p = {.cli = cli, .job = job, .reasons = count_reasons(&job->plan)};
    enum err_code rc = OK;
    str_init(&p.out, OUT_MOST);
    add_head(&p);
    for (size_t k = 0; k < job->plan.n_cells && rc == OK; k++) {
        add_cell(&p, &job->plan.cells[k]);
        rc = export_flush(&p.out, &cli->err);
    }
    return export_end(&p.out, rc, &cli->err);
}

/* ---- sentences ---- */

/* "matched of 10 a class under the view default as of event 41: 9901 of 10000 images, ..." */
static const char *sample_summary(const struct sample_job *job, struct arena *a)
{
    const struct sample_plan *plan = &job->plan;
    return arena_printf(a,
                        "%s of %u a class, view " SV_FMT
                        " as of event %lld: %llu of %llu images, %llu of them from higher bins. %u of %zu classes are short by %llu; %u "
                        "have too few originals.",
                        sample_strategies[plan->rules.strategy], plan->rules.size,
                        SV_ARG(job->pool.view.name), (long long)job->pool.as_of,
                        (unsigned long long)plan->chosen, (unsigned long long)plan->wanted,
                        (unsigned long long)plan->upward,
                        plan->classes_short, plan->n_classes, (unsigned long long)plan->missing,
                        plan->classes_few_originals);
}

static void add_place(struct str *s, const struct sample_job *job, const struct sample_cell *c)
{
    if (job->ask.rules.strategy == SAMPLE_MATCHED) {
        str_printf(s, " in bin %s", bin_names[c->bin]);
    } else if (job->ask.rules.strategy == SAMPLE_KEYWORD) {
        str_printf(s, " for \"" SV_FMT "\"", SV_ARG(job->pool.keywords[c->bin]));
    }
}

/* "needs 3 more in bin [.6,.8), 11 candidates there: 4 drawn, 2 carried over, 5 blacklisted." */
static void add_need(struct str *s, const struct sample_job *job, const struct sample_cell *c)
{
    const struct {
        uint32_t n;
        const char *what;
    } known[] = {
        {c->available - c->drawn, "left"}, {c->carried, "carried over"}, {c->drawn, "drawn"}};
    uint32_t all = c->carried + c->available, said = 0;
    for (int r = 0; r < SAMPLE_REASONS; r++) {
        all += c->excluded[r];
    }
    str_printf(s, " needs %u more", c->missing);
    add_place(s, job, c);
    str_printf(s, ", %u candidate%s there", all, all == 1 ? "" : "s");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (known[k].n) {
            str_printf(s, "%s%u %s", said++ ? ", " : ": ", known[k].n, known[k].what);
        }
    }
    for (int r = 0; r < SAMPLE_REASONS; r++) {
        if (c->excluded[r]) {
            str_printf(s, "%s%u %s", said++ ? ", " : ": ", c->excluded[r], reason_words[r]);
        }
    }
    str_addc(s, '.');
}

static void note_class(const struct cli *cli, const struct sample_job *job, uint32_t k)
{
    const struct sample_class *c = &job->plan.classes[k];
    struct str s;
    str_init(&s, 1 << 16);
    if (c->few_originals) {
        str_printf(&s, " has %u originals %s; %u are needed.", c->originals,
                   job->ask.rules.strategy == SAMPLE_KEYWORD ? "with a keyword"
                                                             : "with enough answers",
                   job->ask.rules.strategy == SAMPLE_KEYWORD ? 1 : job->ask.rules.originals_least);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (job->plan.cells[c->first + i].missing) {
            add_need(&s, job, &job->plan.cells[c->first + i]);
        }
    }
    cli_note(cli, SV_FMT ":" SV_FMT, SV_ARG(job->pool.classes[k].wnid), SV_ARG(str_sv(&s)));
    str_release(&s);
}

/* ---- the weakest classes of the top images ---- */

struct weakness {
    uint32_t class_index;
    double least, mean;
};

static int by_least(const void *a, const void *b)
{
    const struct weakness *x = a, *y = b;
    return x->least < y->least ? -1
           : x->least > y->least
               ? 1
               : (x->class_index > y->class_index) - (x->class_index < y->class_index);
}

static int by_mean(const void *a, const void *b)
{
    const struct weakness *x = a, *y = b;
    return x->mean < y->mean ? -1
           : x->mean > y->mean
               ? 1
               : (x->class_index > y->class_index) - (x->class_index < y->class_index);
}

/* Of the images that a class gets: they come first, best first. */
static struct weakness weakness_of(const struct sample_job *job, uint32_t k)
{
    const struct sample_cell *c = &job->plan.cells[job->plan.classes[k].first];
    struct weakness w = {.class_index = k, .least = 1};
    uint32_t n = c->carried + c->drawn;
    for (uint32_t i = 0; i < n; i++) {
        const struct sample_image *image = &job->pool.sample[job->plan.fine[c->first + i]];
        double f = image->shown ? (double)image->selected / image->shown : 0;
        w.least = f < w.least ? f : w.least;
        w.mean += f / n;
    }
    return w;
}

static void note_lowest(const struct cli *cli, const struct sample_job *job, struct weakness *list,
                        size_t n, bool mean)
{
    struct str s;
    str_init(&s, 1 << 16);
    qsort(list, n, sizeof *list, mean ? by_mean : by_least);
    for (size_t i = 0; i < n && i < CLASSES_TOLD; i++) {
        str_printf(&s, "%s" SV_FMT " %.2f", i ? ", " : "",
                   SV_ARG(job->pool.classes[list[i].class_index].wnid),
                   mean ? list[i].mean : list[i].least);
    }
    cli_note(cli, "Lowest %s frequency: " SV_FMT ".", mean ? "mean" : "single", SV_ARG(str_sv(&s)));
    str_release(&s);
}

static void note_weakest(const struct cli *cli, const struct sample_job *job)
{
    struct arena a;
    size_t n = 0;
    arena_init(&a, SIZE_MAX / 2);
    struct weakness *list = arena_alloc(&a, (job->plan.n_classes + 1) * sizeof *list);
    for (uint32_t k = 0; k < job->plan.n_classes; k++) {
        if (job->plan.classes[k].chosen) {
            list[n++] = weakness_of(job, k);
        }
    }
    for (int mean = 0; mean < 2 && n; mean++) {
        note_lowest(cli, job, list, n, mean);
    }
    arena_release(&a);
}

/* What a child changes must not happen silently: 8 answers that became 10 cost six images nobody asked for. */
static enum err_code note_parent(struct cli *cli, const struct sample_job *job)
{
    const struct revision_row *p = &job->parent;
    struct sample_against against;
    struct arena a;
    if (p->id == 0) {
        return OK;
    }
    arena_init(&a, SIZE_MAX / 2);
    enum err_code rc = sample_plan_against(cli->db, job, &a, &against, &cli->err);
    for (size_t i = 0; i < against.n_changes && rc == OK; i++) {
        const struct sample_change *c = &against.changes[i];
        cli_note(cli, "Compared with " SV_FMT "/%lld: %s %s instead of %s.", SV_ARG(p->set),
                 (long long)p->number, c->name, c->is, c->was);
    }
    if (rc == OK) {
        cli_note(cli, "Compared with " SV_FMT "/%lld: %s. %zu of its images stay.", SV_ARG(p->set), (long long)p->number,
                 sample_replaces_text(&against, &a), against.n_kept);
    }
    arena_release(&a);
    return rc;
}

/* Also where nothing is short: who added them expects to see them drawn. */
static unsigned long long excluded(const struct sample_plan *plan, enum sample_reason why)
{
    unsigned long long n = 0;
    for (size_t k = 0; k < plan->n_cells; k++) {
        n += plan->cells[k].excluded[why];
    }
    return n;
}

static void note_unsearched(const struct cli *cli, const struct sample_plan *plan)
{
    unsigned long long n = excluded(plan, SAMPLE_UNSEARCHED), open = excluded(plan, SAMPLE_UNREVIEWED);
    if (n) {
        cli_note(cli,
                 "%llu candidates were never searched for near-duplicates, so they are refused. Search them (holdout "
                 "neighbors %s), or import what is left to review (import review-thresholds).",
                 n, cli->dir);
    }
    if (open) {
        cli_note(cli,
                 "%llu candidates have neighbours nearer than a threshold that nobody has reviewed, so they are refused. "
                 "`holdout export neighbors %s` lists neighbours; import near-duplicates and nn-reviews take verdicts.",
                 open, cli->dir);
    }
}

enum err_code sample_note_plan(struct cli *cli, const struct sample_job *job)
{
    struct arena a;
    size_t told = 0, all = 0;
    arena_init(&a, 1 << 16);
    for (uint32_t k = 0; k < job->plan.n_classes; k++) {
        const struct sample_class *c = &job->plan.classes[k];
        if (c->missing || c->few_originals) {
            all++;
            if (cli->verbose || told < CLASSES_TOLD) {
                note_class(cli, job, k);
                told++;
            }
        }
    }
    if (told < all) {
        cli_note(cli,
                 "... and %zu more classes that are short or have too few originals (--verbose).",
                 all - told);
    }
    if (job->pool.duplicates.n_unknown) {
        cli_note(cli,
                 "%zu near-duplicate pairs name an image that the project does not have; they have no effect "
                 "until it is imported.",
                 job->pool.duplicates.n_unknown);
    }
    if (job->ask.rules.strategy == SAMPLE_TOP) {
        note_weakest(cli, job);
    }
    note_unsearched(cli, &job->plan);
    transfer_warn_view(cli_transfer(cli), &job->pool.view);
    cli_note(cli, "%s", sample_summary(job, &a));
    arena_release(&a);
    return note_parent(cli, job);
}
