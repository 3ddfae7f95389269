/* asked.c - who was asked about the images, under which terms, and what reviewers saw. */
#include <inttypes.h>

#include "json/object.h"
#include "sets/export/export_private.h"

enum { SENTENCE_MOST = 4096 };

/* Plans of labels that its images could have: which models named some, and by which rules candidates were found. */
static json_t *plans_json(const struct set_export *e)
{
    json_t *plans = json_array();
    for (size_t i = 0; i < e->n_plans; i++) {
        struct label_plan_line line = e->plan_lines[i];
        line.models = e->plans[i].models.n ? json_loadb(e->plans[i].models.p, e->plans[i].models.n, 0, NULL) : NULL;
        json_array_append_new(plans, record_json(&label_plan_record, &line));
    }
    return plans;
}

void export_asked_json(const struct set_export *e, json_t *manifest)
{
    const struct review_shown_sum *r = &e->review;
    json_t *campaigns = json_array();
    for (size_t i = 0; i < e->n_campaigns; i++) {
        json_array_append_new(campaigns, set_campaign_json(&e->campaigns[i]));
    }
    json_object_set_new(manifest, "campaigns", campaigns);
    if (e->n_plans) {
        json_object_set_new(manifest, "label_plans", plans_json(e));
    }
    json_object_set_new(manifest, "review",
                        object(field_int("classes", r->classes), field_int("reviewed", r->reviewed),
                               field_int("frequencies_shown", r->shown),
                               field_int("imported", r->imported)));
}

static void add_campaigns(struct str *s, const struct set_export *e)
{
    if (e->n_campaigns == 0) {
        return;
    }
    str_addz(s, "## Who was asked\n\n");
    for (size_t i = 0; i < e->n_campaigns; i++) {
        const struct campaign *k = &e->campaigns[i].facts.terms;
        struct str text;
        str_init(&text, SENTENCE_MOST);
        set_campaign_text(&text, &e->campaigns[i]);
        str_addz(s, "- **");
        export_line(s, k->name);
        str_printf(s, "** (" SV_FMT "): ", SV_ARG(k->kind));
        export_line(s, str_sv(&text));
        str_release(&text);
        if (k->population.n) {
            str_addz(s, " Population: ");
            export_line(s, k->population);
        }
        str_addc(s, '\n');
        if (!k->imported) {
            str_addz(s, "  Rule: ");
            export_line(s, k->rule_text);
            str_addc(s, '\n');
        }
    }
    str_addz(s, "\nPay, consent texts' digests, dates and layout are in manifest.json.\n\n");
}

static void add_review(struct str *s, const struct set_export *e)
{
    const struct review_shown_sum *r = &e->review;
    str_printf(s, "## Final review\n\n%" PRId64 " of %" PRId64 " classes were reviewed.", r->reviewed,
               r->classes);
    if (r->reviewed > 0) {
        str_printf(s, " %" PRId64 " of %" PRId64 " were reviewed with frequencies shown.", r->shown,
                   r->reviewed);
    }
    if (r->imported > 0) {
        str_printf(s, " The review of %" PRId64 " was imported; what its reviewers were shown is not known.",
                   r->imported);
    }
    str_addz(s, "\n\n");
}

void export_asked_text(struct str *s, const struct set_export *e)
{
    add_campaigns(s, e);
    add_review(s, e);
}
