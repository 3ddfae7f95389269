/* freeze.c - counts votes and finds stages. */
#include "sets/labels/freeze.h"

#include <jansson.h>

#include "json/object.h"
#include "live/votes/view_ask.h"
#include "sets/labels/digest.h"
#include "sets/labels/pairs.h"

struct freezing {
    const struct freeze_ask *ask;
    struct freeze_made *out;
    const struct label_plan_book *potential;
    const struct view_counts *votes;
    struct contains_count counts[CANDIDATE_LABELS];
};

static void freeze_image(struct freezing *f, const struct planned_image *image)
{
    const struct freeze_ask *ask = f->ask;
    for (uint32_t k = 0; k < image->n; k++) {
        const struct planned_label *l = &f->potential->labels[image->first + k];
        f->counts[k] = (struct contains_count){l->class_id, l->selected, l->shown};
        f->out->open += f->counts[k].shown < ask->least;
    }
    const struct candidates_ask one = {image->class_id, f->counts, image->n, ask->tau, ask->least, ask->most};
    label_plan_image(&f->out->book, image->image, image->class_id);
    label_plan_stage(&f->out->book, &one);
    f->out->images[f->out->book.images[f->out->book.n - 1].stage]++;
}

static struct sv event_of(const struct freezing *f, struct arena *a)
{
    const struct freeze_ask *ask = f->ask;
    json_t *json = object(field_sv("name", ask->name), field_int("potential", ask->potential->id), field_sv("view", ask->view->name),
                          field_int("as_of", f->votes->cursor), field_int("tau", ask->tau), field_int("least", ask->least),
                          field_int("most", ask->most), field_count("images", f->out->book.n));
    return json_compact(json, 0, a);
}

static void freeze(struct freezing *f, struct arena *a)
{
    const struct freeze_ask *ask = f->ask;
    struct freeze_made *out = f->out;
    for (size_t i = 0; i < f->potential->n; i++) {
        freeze_image(f, &f->potential->images[i]);
    }
    out->plan.row = (struct label_plan_row){.kind = LABEL_PLAN_CANDIDATES,
                                            .name = ask->name,
                                            .account = ask->account,
                                            .sealed = ask->potential->sealed,
                                            .revision = ask->potential->revision,
                                            .potential = ask->potential->id,
                                            .vote_view = ask->view->id,
                                            .as_of = f->votes->cursor,
                                            .tau = ask->tau,
                                            .least = ask->least,
                                            .most = ask->most};
    label_plan_digest(&out->book, out->plan.row.digest);
    out->plan.book = &out->book;
    out->plan.event = event_of(f, a);
}

enum err_code freeze_make(struct db *db, const struct freeze_ask *ask, struct arena *a, struct freeze_made *out,
                          struct err *err)
{
    struct label_plan_book potential;
    struct view_counts votes;
    *out = (struct freeze_made){.open = 0};
    enum err_code rc = label_plan_name_check(ask->name, err);
    if (rc != OK) {
        return rc;
    }
    rc = label_plan_read(db, ask->potential->list, a, &potential, err);
    rc = rc == OK ? view_count_once(db, ask->view, ask->as_of, a, &votes, err) : rc;
    if (rc == OK) {
        pairs_count(&potential, &votes);
        struct freezing f = {.ask = ask, .out = out, .potential = &potential, .votes = &votes};
        freeze(&f, a);
        view_counts_release(&votes);
    }
    label_plan_release(&potential);
    return rc;
}
