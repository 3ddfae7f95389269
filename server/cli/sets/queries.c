/* queries.c - `holdout queries`: what to search for, class by class, and how many candidates
 * are still to be found. The terms are domain/classes/search_terms.h; what is missing is what the plan of a
 * sample says (sets/sampling/sample.h). Searches nothing itself. */
#include "base/list.h"
#include "base/map.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "domain/classes/search_terms.h"
#include "domain/images/upload_limit.h"
#include "formats/csv.h"
#include "live/core/tally.h"
#include "sets/sampling/sample.h"
#include "store/classes/search_classes.h"

enum { OUT_MOST = 1 << 26, RESULTS_MOST = 1000000 };

/* The paper's own: photos of the year after ImageNet was made, then of two years. */
static const char first_day[] = "2012-07-11", last_day[] = "2013-07-11", later_day[] = "2014-07-11";
enum { FIRST_RESULTS = 100, MORE_RESULTS = 200 };

struct class_search {
    struct class_info info;
    struct list parents; /* struct sv */
    struct search_term *terms;
    size_t n_terms;
    uint64_t candidates, missing, more;
    bool later; /* some candidate was taken after the first range */
    enum search_step due;
};
struct queries {
    struct cli *cli;
    struct class_search *classes; /* in order of wnid */
    size_t n;
    struct map_u64 place; /* class id -> index into classes */
    int64_t results, more_results;
    struct sv from, until, longer;
    enum search_step after;
};

/* ---- reading ---- */

static enum err_code read_classes(struct queries *q)
{
    struct cli *cli = q->cli;
    struct class_info *list;
    enum err_code rc = classes_list(cli->db, &cli->arena, &list, &q->n, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (q->n == 0) {
        return err_rule(&cli->err, ERR_INPUT, "no-classes",
                        "The project has no classes yet: import them with `holdout import classes`.");
    }
    q->classes = arena_calloc(&cli->arena, q->n, sizeof *q->classes);
    for (size_t i = 0; i < q->n; i++) {
        q->classes[i].info = list[i];
        map_u64_put(&q->place, (uint64_t)list[i].id, (uint32_t)i);
    }
    return OK;
}

static struct class_search *class_of(struct queries *q, int64_t id)
{
    uint32_t at = map_u64_get(&q->place, (uint64_t)id);
    BUG_IF(at == MAP_NONE); /* both tables refer to classes */
    return &q->classes[at];
}

static enum err_code add_parent(void *arg, int64_t class_id, struct sv words, struct err *err)
{
    struct queries *q = arg;
    struct arena *a = &q->cli->arena;
    (void)err;
    *LIST_ADD(&class_of(q, class_id)->parents, a, struct sv) = arena_sv(a, words);
    return OK;
}

static enum err_code add_found(void *arg, const struct search_found *f, struct err *err)
{
    struct queries *q = arg;
    struct class_search *k = class_of(q, f->class_id);
    (void)err;
    k->candidates += (uint64_t)f->candidates;
    k->later = k->later || (f->last_day.n > 0 && sv_cmp(f->last_day, q->until) >= 0);
    for (size_t i = 0; i < k->n_terms; i++) {
        if (sv_eq_nocase(k->terms[i].text, arena_cstr(&q->cli->arena, f->keyword))) {
            k->terms[i].found += (uint64_t)f->candidates;
        }
    }
    return OK;
}

static enum err_code read_words(struct queries *q)
{
    struct cli *cli = q->cli;
    bool any = false;
    enum err_code rc = search_parents_each(cli->db, add_parent, q, &cli->err);
    for (size_t i = 0; i < q->n && rc == OK; i++) {
        struct class_search *k = &q->classes[i];
        const struct search_class words = {k->info.synset, k->info.gloss, k->parents.items,
                                           k->parents.n};
        any = any || k->parents.n > 0;
        search_terms(&words, &cli->arena, &k->terms, &k->n_terms);
    }
    if (rc == OK && !any) {
        cli_note(cli, "No hypernyms are known, so there are no words of parents: import them with `holdout "
                      "import wordnet`.");
    }
    return rc == OK ? search_found_each(cli->db, add_found, q, &cli->err) : rc;
}

/* ---- what is missing ---- */

/* What its worst cell needs, at the rate at which candidates fell into it so far. */
static void need_of(const struct sample_plan *plan, const struct sample_class *c,
                    struct class_search *k)
{
    k->missing = c->missing;
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        const struct sample_cell *cell = &plan->cells[i];
        uint64_t fine = (uint64_t)cell->carried + cell->available;
        uint64_t more = search_more(cell->missing, fine, k->candidates);
        k->more = cell->missing > 0 && more > k->more ? more : k->more;
    }
    if (k->missing > 0 && k->more == 0) { /* no target was made: nothing is known but the number */
        k->more = search_more(k->missing, 0, 0);
    }
}

/* Where no plan can be made yet, everything is missing. */
static enum err_code read_needs(struct queries *q, const struct sample_ask *ask)
{
    struct cli *cli = q->cli;
    struct tally *t = tally_new();
    struct sample_job job;
    struct err own = {OK, "", ""};
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    if (rc == OK) {
        rc = sample_make_plan(cli->db, t, ask, &job, &own);
        for (size_t i = 0; i < q->n && rc == OK; i++) {
            uint32_t at = pool_class(&job.pool, q->classes[i].info.id);
            need_of(&job.plan, &job.plan.classes[at], &q->classes[i]);
        }
        sample_release(&job);
    }
    for (size_t i = 0; i < q->n && sv_starts(sv_of(own.rule), "sample-"); i++) {
        q->classes[i].missing = ask->rules.size;
        q->classes[i].more = search_more(ask->rules.size, 0, 0);
    }
    if (rc == ERR_INPUT && sv_starts(sv_of(own.rule), "sample-")) {
        cli_note(cli, "Everything is missing: %s", own.msg);
        rc = OK;
    } else if (rc != OK && cli->err.code == OK) {
        cli->err = own;
    }
    tally_free(t);
    return rc;
}

/* ---- writing ---- */

static bool stands_in(const struct search_term *t, enum search_step step)
{
    return step == SEARCH_MORE_RESULTS || step == SEARCH_LONGER_RANGE ? t->step < step
                                                                      : t->step == step;
}

static void add_row(const struct queries *q, const struct class_search *k, enum search_step step,
                    const struct search_term *t, size_t of_step, struct str *out)
{
    int64_t of_class = step >= SEARCH_MORE_RESULTS ? q->more_results : q->results;
    int64_t results = (of_class + (int64_t)of_step - 1) / (int64_t)of_step;
    csv_cell(out, k->info.wnid);
    str_printf(out, ",%llu,%llu,%llu,%s,", (unsigned long long)k->missing,
               (unsigned long long)k->more, (unsigned long long)k->candidates, search_steps[step]);
    csv_cell(out, t ? t->text : SV(""));
    str_addc(out, ',');
    if (t) {
        str_printf(out, "%lld," SV_FMT "," SV_FMT ",%llu", (long long)results, SV_ARG(q->from),
                   SV_ARG(step >= SEARCH_LONGER_RANGE ? q->longer : q->until),
                   (unsigned long long)t->found);
    } else {
        str_addz(out, ",,,");
    }
    str_printf(out, ",%s\n", k->missing > 0 && k->due == step ? "yes" : "no");
}

static void add_step(const struct queries *q, const struct class_search *k, enum search_step step,
                     struct str *out)
{
    size_t n = 0;
    for (size_t i = 0; i < k->n_terms; i++) {
        n += stands_in(&k->terms[i], step);
    }
    for (size_t i = 0; i < k->n_terms && n > 0; i++) {
        if (stands_in(&k->terms[i], step)) {
            add_row(q, k, step, &k->terms[i], n, out);
        }
    }
    if (step == SEARCH_BY_HAND) {
        add_row(q, k, step, NULL, 1, out);
    }
}

static enum err_code print(struct queries *q)
{
    struct cli *cli = q->cli;
    struct str out;
    bool due_only = cli_has(cli, "due");
    enum err_code rc = OK;
    str_init(&out, OUT_MOST);
    str_addz(&out, "wnid,missing,more,candidates,step,term,results,from,until,found,due\n");
    for (size_t i = 0; i < q->n && rc == OK; i++) {
        const struct class_search *k = &q->classes[i];
        for (int step = 0; step < SEARCH_STEPS; step++) {
            if (!due_only || (k->missing > 0 && k->due == (enum search_step)step)) {
                add_step(q, k, (enum search_step)step, &out);
            }
        }
        rc = export_flush(&out, &cli->err);
    }
    return export_end(&out, rc, &cli->err);
}

static void say(const struct queries *q)
{
    uint64_t classes = 0, missing = 0, more = 0;
    for (size_t i = 0; i < q->n; i++) {
        classes += q->classes[i].missing > 0;
        missing += q->classes[i].missing;
        more += q->classes[i].more;
    }
    if (classes == 0) {
        cli_note(q->cli, "No class lacks images, so there is nothing to search for.");
    } else {
        cli_note(q->cli, "%llu class%s lack%s %llu image%s; about %llu more candidates are needed.",
                 (unsigned long long)classes, classes == 1 ? "" : "es", classes == 1 ? "s" : "",
                 (unsigned long long)missing, missing == 1 ? "" : "s", (unsigned long long)more);
    }
}

/* ---- options ---- */

static enum err_code read_day(struct cli *cli, const char *name, const char *otherwise,
                              struct sv *out)
{
    const char *given = cli_opt(cli, name);
    *out = sv_of(given ? given : otherwise);
    return out->n == 10 && upload_day(*out).n == 10
               ? OK
               : cli_usage(cli, "--%s must be a day such as %s", name, otherwise);
}

static enum err_code read_ask(struct queries *q, struct sample_ask *ask)
{
    struct cli *cli = q->cli;
    const char *strategy = cli_opt(cli, "strategy"), *after = cli_opt(cli, "after");
    int s = 0;
    int64_t size = 0;
    while (strategy && s < SAMPLE_STRATEGIES && !sv_is(sv_of(strategy), sample_strategies[s])) {
        s++;
    }
    if (s == SAMPLE_STRATEGIES) {
        return cli_usage(cli, "--strategy must be matched, threshold, top or keyword");
    }
    *ask = (struct sample_ask){.rules = sample_rules_usual((enum sample_strategy)s)};
    ask->pool.view = sv_of(cli_opt(cli, "view"));
    ask->pool.keywords = s == SAMPLE_KEYWORD;
    ask->pool.flags_to_quarantine = cli->config.flags_to_quarantine;
    q->after = after ? search_step_of(sv_of(after)) : SEARCH_SYNONYM;
    if (q->after == SEARCH_STEPS) {
        return cli_usage(cli, "--after must be a step: synonym, parent-word, more-results, longer-range, "
                              "compound or by-hand");
    }
    q->after += after && q->after < SEARCH_BY_HAND;
    enum err_code rc =
        cli_opt_int(cli, "size", 1, SAMPLE_SIZE_MOST, (int64_t)ask->rules.size, &size);
    ask->rules.size = (uint32_t)size;
    rc = rc == OK ? cli_opt_int(cli, "results", 1, RESULTS_MOST, FIRST_RESULTS, &q->results) : rc;
    rc = rc == OK ? cli_opt_int(cli, "more", 1, RESULTS_MOST, MORE_RESULTS, &q->more_results) : rc;
    rc = rc == OK ? read_day(cli, "from", first_day, &q->from) : rc;
    rc = rc == OK ? read_day(cli, "until", last_day, &q->until) : rc;
    return rc == OK ? read_day(cli, "longer", later_day, &q->longer) : rc;
}

enum err_code cmd_queries(struct cli *cli)
{
    struct queries q = {.cli = cli};
    struct sample_ask ask;
    map_u64_init(&q.place);
    enum err_code rc = read_ask(&q, &ask);
    rc = rc == OK ? read_classes(&q) : rc;
    rc = rc == OK ? read_words(&q) : rc;
    rc = rc == OK ? read_needs(&q, &ask) : rc;
    for (size_t i = 0; i < q.n && rc == OK; i++) {
        struct class_search *k = &q.classes[i];
        const struct search_state s = {k->terms, k->n_terms,          k->candidates,
                                       k->later, (uint64_t)q.results, q.after};
        k->due = search_due(&s);
    }
    rc = rc == OK ? print(&q) : rc;
    if (rc == OK) {
        say(&q);
    }
    map_u64_release(&q.place);
    return rc;
}
