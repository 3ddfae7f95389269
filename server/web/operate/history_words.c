/* history_words.c - what each event is called, and how its sentence is put together. */
#include "web/operate/history_words.h"

#include <string.h>

#include "base/str.h"
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"

enum { SENTENCE_MOST = 4096 };

const char *const history_area_names[HISTORY_AREAS] = {"campaigns", "people",   "pay",      "images",
                                                       "models",    "views",    "accounts", "answers"};
const char *const history_area_labels[HISTORY_AREAS] = {
    "Campaigns", "People", "Pay", "Images and classes", "Models and sets", "Views and decisions",
    "Accounts", "Single answers"};

/* clang-format off */
const struct history_word history_words[] = {
    {"campaign.create", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "made the campaign {campaign}"},
    {"campaign.draft", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "made the campaign {campaign} a draft"},
    {"campaign.terms", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "changed the terms of the draft {campaign}"},
    {"campaign.open", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "opened the campaign {campaign}"},
    {"campaign.paused", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "paused the campaign {campaign}"},
    {"campaign.closed", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "closed the campaign {campaign}"},
    {"grids.create", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "planned {grids} of the campaign {campaign}"},
    {"grids.import", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "imported {grids} into the campaign {campaign}"},
    {"grid.exclude", AREA_CAMPAIGNS, ABOUT_NOTHING, NULL, "excluded {sheets} from every view"},
    {"grid.include", AREA_CAMPAIGNS, ABOUT_NOTHING, NULL, "put {sheets} back into the views"},
    {"study.change", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, NULL, "changed the study settings of the campaign {campaign}"},
    {"study.consent", AREA_CAMPAIGNS, ABOUT_CONSENT, NULL, "wrote version {text} of the consent text of {campaign}"},
    {"study.decline", AREA_CAMPAIGNS, ABOUT_CAMPAIGN, "somebody", "did not agree to take part in {campaign}"},

    {"person.create", AREA_PEOPLE, ABOUT_PERSON, "the program", "gave a new person the pseudonym {person}"},
    {"person.identify", AREA_PEOPLE, ABOUT_PERSON, "the program", "noted the panel id of {person}"},
    {"person.forget", AREA_PEOPLE, ABOUT_PERSON, "the worker or the command line", "erased the identity of {person}"},
    {"person.block", AREA_PEOPLE, ABOUT_NOTE, NULL, "blocked {person}[: {text}]"},
    {"person.unblock", AREA_PEOPLE, ABOUT_NOTE, NULL, "unblocked {person}[: {text}]"},
    {"person.note", AREA_PEOPLE, ABOUT_NOTE, NULL, "wrote a note about {person}[: {text}]"},
    {"export.panel-ids", AREA_PEOPLE, ABOUT_CAMPAIGN, NULL, "exported panel ids[ of people in {campaign}]"},
    {"participant.add", AREA_PEOPLE, ABOUT_PERSON, NULL, "listed {people} among the expected participants"},
    {"place.join", AREA_PEOPLE, ABOUT_PLACE, "", "joined the campaign {campaign}"},
    {"place.outcome", AREA_PEOPLE, ABOUT_PLACE, "", "ended[ the part of {other}][ {own} part] in {campaign}[: {text}]"},

    {"pay.pending", AREA_PAY, ABOUT_PAY, NULL, "set the pay of {person} in {campaign} back to pending[, bonus {bonus}][: {text}]"},
    {"pay.approved", AREA_PAY, ABOUT_PAY, NULL, "approved the pay of {person} in {campaign}[, bonus {bonus}][: {text}]"},
    {"pay.rejected", AREA_PAY, ABOUT_PAY, NULL, "rejected the pay of {person} in {campaign}[, bonus {bonus}][: {text}]"},

    {"classes.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {classes}"},
    {"wordnet.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported WordNet"},
    {"images.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {images}"},
    {"images.complete", AREA_IMAGES, ABOUT_NOTHING, NULL, "completed {images} that already existed"},
    {"flag", AREA_IMAGES, ABOUT_FLAG, "", "flagged the image {image}[ as {text}]"},
    {"flag.dismiss", AREA_IMAGES, ABOUT_IMAGE, NULL, "dismissed a flag of the image {image}"},
    {"flag.restore", AREA_IMAGES, ABOUT_IMAGE, NULL, "restored a flag of the image {image}"},
    {"image.quarantine", AREA_IMAGES, ABOUT_IMAGE, NULL, "put the image {image} in quarantine[: {text}]"},
    {"image.clear", AREA_IMAGES, ABOUT_IMAGE, NULL, "cleared the image {image}[: {text}]"},
    {"image.takedown", AREA_IMAGES, ABOUT_IMAGE, NULL, "took the image {image} down[: {text}]"},
    {"picks.target", AREA_IMAGES, ABOUT_NOTHING, NULL, "set the target of picks to {size} images a class"},
    {"picks.make", AREA_IMAGES, ABOUT_NOTHING, NULL, "picked or pruned {images} for a set without votes"},
    {"picks.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported picks of {images}"},
    {"exact-matches.record", AREA_IMAGES, ABOUT_NOTHING, NULL, "recorded {images} that match an original exactly"},

    {"blacklist.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {entries} of a blacklist"},
    {"near-duplicates.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {pairs} of near-duplicates"},
    {"override.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {images} that stay although they have near-duplicates"},
    {"review-thresholds.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {distances} of neighbours that nobody has reviewed"},
    {"near-duplicates.repeated", AREA_IMAGES, ABOUT_NOTHING, NULL, "judged {pairs} of neighbours a second time"},
    {"near-duplicates.reviewed", AREA_IMAGES, ABOUT_NOTHING, NULL, "judged {pairs} of neighbours"},
    {"near-duplicates.undone", AREA_IMAGES, ABOUT_NOTHING, NULL, "took back {pairs} of neighbours"},
    {"near-metrics.calibrated", AREA_IMAGES, ABOUT_NOTHING, NULL, "measured how many near-duplicates the metrics find"},
    {"near-metrics.changed", AREA_IMAGES, ABOUT_NOTHING, NULL, "changed a near-duplicate metric"},
    {"near-metrics.searched", AREA_IMAGES, ABOUT_NOTHING, NULL, "marked all images so far as searched for near-duplicates"},
    {"near-search.begin", AREA_IMAGES, ABOUT_NOTHING, NULL, "began a search for near-duplicates"},
    {"near-search.end", AREA_IMAGES, ABOUT_NOTHING, NULL, "finished a search for near-duplicates"},
    {"nn-reviews.import", AREA_IMAGES, ABOUT_NOTHING, NULL, "imported {reviews} of neighbours"},
    {"reviews.import", AREA_MODELS, ABOUT_REVISION, NULL, "imported the final review of {name}: {classes}"},

    {"class.decision", AREA_IMAGES, ABOUT_CLASS, NULL, "decided about images of {class}[ in the review of {text}]"},
    {"class.undo", AREA_IMAGES, ABOUT_CLASS, NULL, "undid a decision about images of {class}[ in the review of {text}]"},

    {"review.shown", AREA_IMAGES, ABOUT_CLASS, NULL, "asked to see the frequencies of {class}[ in the review of {text}]"},

    {"review.round", AREA_MODELS, ABOUT_REVISION, NULL, "began a blind round of the review of {name}"},
    {"review.turn", AREA_MODELS, ABOUT_REVISION, NULL, "reviewed a class blindly for {name}"},
    {"set.create", AREA_MODELS, ABOUT_SET, NULL, "made the image set {name}"},
    {"set.revision", AREA_MODELS, ABOUT_REVISION, NULL, "made the revision {name} of {n} images"},
    {"set.sealed", AREA_MODELS, ABOUT_REVISION, NULL, "sealed {name}[: {text}]"},
    {"set.unsealed", AREA_MODELS, ABOUT_REVISION, NULL, "unsealed {name} before it was final[: {text}]"},
    {"set.frozen", AREA_MODELS, ABOUT_REVISION, NULL, "froze {name}[: {text}]"},
    {"set.released", AREA_MODELS, ABOUT_REVISION, NULL, "released {name}[: {text}]"},
    {"model.add", AREA_MODELS, ABOUT_MODEL, NULL, "added the model {name}"},
    {"model.remove", AREA_MODELS, ABOUT_MODEL, NULL, "removed the model {name}[: {text}]"},
    {"model.restore", AREA_MODELS, ABOUT_MODEL, NULL, "brought the model {name} back"},
    {"model.note", AREA_MODELS, ABOUT_MODEL, NULL, "wrote a note about the model {name}"},
    {"model.facts", AREA_MODELS, ABOUT_MODEL, NULL, "said what the model {name} is"},
    {"model-facts.import", AREA_MODELS, ABOUT_NOTHING, NULL, "imported what {models} are"},
    {"features.make", AREA_MODELS, ABOUT_MODEL, NULL, "ran {name} to compute features"},
    {"features.import", AREA_MODELS, ABOUT_MODEL, NULL, "imported features by {name} of {images} without pixels"},
    {"plan.register", AREA_MODELS, ABOUT_PLAN, NULL, "registered the analysis plan {name} for the set {text}"},
    {"subset.create", AREA_MODELS, ABOUT_SUBSET, NULL, "stored the subset {name}: {text}"},
    {"superclasses.create", AREA_MODELS, ABOUT_SUPERCLASSES, NULL, "stored the superclasses {name}[: {text}]"},
    {"labels.source", AREA_MODELS, ABOUT_LABELS, NULL, "began the label source {name}"},
    {"labels.import", AREA_MODELS, ABOUT_LABELS, NULL, "imported the labels {name}[: {text}]"},
    {"labels.potential", AREA_MODELS, ABOUT_LABEL_PLAN, NULL, "made the plan {name} of potential labels[ by {text}]"},
    {"labels.candidates", AREA_MODELS, ABOUT_LABEL_PLAN, NULL, "froze the plan {name} of candidate labels"},
    {"label-review.create", AREA_MODELS, ABOUT_LABEL_REVIEW, NULL, "made the label review {name}"},
    {"label-review.open", AREA_MODELS, ABOUT_LABEL_REVIEW, NULL, "opened the label review {name}"},
    {"label-review.close", AREA_MODELS, ABOUT_LABEL_REVIEW, NULL, "closed the label review {name}"},
    {"label-review.assign", AREA_MODELS, ABOUT_LABEL_REVIEW, NULL, "made the label review {name} work[ of {text}]"},
    {"label-review.release", AREA_MODELS, ABOUT_LABEL_REVIEW, NULL, "took the label review {name} away[ from {text}]"},
    {"labels.reviewed", AREA_ANSWERS, ABOUT_LABEL_REVIEW, NULL, "reviewed labels in {name}"},
    {"labels.stand", AREA_ANSWERS, ABOUT_LABEL_REVIEW, NULL, "said what they make of others' words in {name}"},
    {"labels.undone", AREA_ANSWERS, ABOUT_LABEL_REVIEW, NULL, "took back what they had said in {name}"},
    {"training.create", AREA_MODELS, ABOUT_TRAINING, NULL, "made the training list {name}[ that unlocks {text}]"},
    {"training.open", AREA_MODELS, ABOUT_TRAINING, NULL, "opened the training list {name}"},
    {"training.close", AREA_MODELS, ABOUT_TRAINING, NULL, "closed the training list {name}"},
    {"training.need", AREA_MODELS, ABOUT_NEED, NULL, "let only those who unlocked {text} work on {name}"},
    {"training.unneed", AREA_MODELS, ABOUT_NEED, NULL, "let those who have not unlocked {text} work on {name} too"},
    {"training.answer", AREA_ANSWERS, ABOUT_TRAINING, NULL, "answered in the training list {name}"},
    {"training.suggest", AREA_ANSWERS, ABOUT_TRAINING, NULL, "suggested something in the training list {name}"},
    {"evaluation.create", AREA_MODELS, ABOUT_EVALUATION, NULL, "made the evaluation {name}"},
    {"evaluation.open", AREA_MODELS, ABOUT_EVALUATION, NULL, "opened the evaluation {name}"},
    {"evaluation.close", AREA_MODELS, ABOUT_EVALUATION, NULL, "closed the evaluation {name}"},
    {"evaluation.assign", AREA_MODELS, ABOUT_EVALUATION, NULL, "made the evaluation {name} work[ of {text}]"},
    {"evaluation.release", AREA_MODELS, ABOUT_EVALUATION, NULL, "took the evaluation {name} away[ from {text}]"},
    {"evaluation.answer", AREA_ANSWERS, ABOUT_EVALUATION, NULL, "classified an image of {name}"},
    {"guide.write", AREA_IMAGES, ABOUT_GUIDE, NULL, "wrote the guide's page about {name}[: {text}]"},
    {"class.relate", AREA_IMAGES, ABOUT_RELATION, NULL, "said how {name} relate[: {text}]"},
    {"predictions.import", AREA_MODELS, ABOUT_PREDICTIONS, NULL, "imported predictions of {name}[: {text}]"},
    {"texts.import", AREA_MODELS, ABOUT_TEXTS, NULL, "imported texts of {name}[: {text}]"},
    {"texts.map", AREA_MODELS, ABOUT_MAPPING, NULL, "made {name}, a mapping from texts to classes"},
    {"predictions.choose", AREA_MODELS, ABOUT_SCORES, NULL, "chose which predictions of {name}[: {text}]"},
    {"predictions.unchoose", AREA_MODELS, ABOUT_SCORES, NULL, "undid the choice of which predictions of {name}[: {text}]"},
    {"predictions.make", AREA_MODELS, ABOUT_PREDICTIONS, NULL, "ran {name} to predict"},

    {"view.create", AREA_VIEWS, ABOUT_VIEW, "the program", "made the view {view}"},
    {"views.create", AREA_VIEWS, ABOUT_VIEW, NULL, "saved version {m} of the view {view}"},

    {"decision.out", AREA_VIEWS, ABOUT_DECISION, NULL, "excluded {answers} of {those} from the analysis by a {decision}[: {text}]"},
    {"decision.in", AREA_VIEWS, ABOUT_DECISION, NULL, "included {answers} of {those} in the analysis again by a {decision}[: {text}]"},
    {"decision.approved", AREA_VIEWS, ABOUT_DECISION, NULL, "approved the pay of {places} by a {decision}[: {text}]"},
    {"decision.rejected", AREA_VIEWS, ABOUT_DECISION, NULL, "rejected the pay of {places} by a {decision}[: {text}]"},
    {"decision.pending", AREA_VIEWS, ABOUT_DECISION, NULL, "set the pay of {places} back to pending by a {decision}[: {text}]"},
    {"decision.bonus", AREA_VIEWS, ABOUT_DECISION, NULL, "gave {places} a bonus by a {decision}[: {text}]"},
    {"decision.undo", AREA_VIEWS, ABOUT_DECISION, NULL, "undid a decision about {those} by another {decision}[: {text}]"},

    {"job.start", AREA_MODELS, ABOUT_JOB, NULL, "started the job {job}"},
    {"job.cancel", AREA_MODELS, ABOUT_JOB, NULL, "asked the job {job} to stop"},
    {"job.cancelled", AREA_MODELS, ABOUT_JOB, "the program", "ended the job {job}, which was cancelled"},
    {"job.done", AREA_MODELS, ABOUT_JOB, "the program", "ended the job {job}[: {text}]"},
    {"job.failed", AREA_MODELS, ABOUT_JOB, "the program", "ended the job {job}, which failed[: {text}]"},

    {"account.create", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "made the account {name}[ with the role {role}]"},
    {"account.role", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "gave the account {name} the role {role}"},
    {"account.password", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "changed the password of {name}"},
    {"account.disable", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "disabled the account {name}"},
    {"account.enable", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "enabled the account {name}"},
    {"account.refuse", AREA_ACCOUNTS, ABOUT_ACCOUNT, "somebody", "typed a wrong password for {name}[ from {from}]"},
    {"account.unknown", AREA_ACCOUNTS, ABOUT_NOTHING, "somebody", "tried a login name that does not exist[ from {from}]"},
    {"session.start", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "signed in"},
    {"session.end", AREA_ACCOUNTS, ABOUT_ACCOUNT, NULL, "signed {name} out[ of {ended} sessions]"},
    {"token.create", AREA_ACCOUNTS, ABOUT_TOKEN, NULL, "made the API token \"{name}\" of {text}"},
    {"token.revoke", AREA_ACCOUNTS, ABOUT_TOKEN, NULL, "revoked the API token \"{name}\" of {text}"},
    {"invite.create", AREA_ACCOUNTS, ABOUT_INVITE, NULL, "made an invite link for the role {name}[: {text}]"},
    {"invite.use", AREA_ACCOUNTS, ABOUT_INVITE, NULL, "used an invite link for the role {name}[: {text}]"},
    {"invite.revoke", AREA_ACCOUNTS, ABOUT_INVITE, NULL, "revoked the invite link for the role {name}[: {text}]"},

    {"answer", AREA_ANSWERS, ABOUT_ANSWER, "", "answered the grid {grid} of {campaign}"},
    {"answer.state", AREA_ANSWERS, ABOUT_STATE, NULL, "set an answer of {person} in {campaign} to {name}[: {text}]"},
    {"place.pay", AREA_ANSWERS, ABOUT_PAY, NULL, "decided about the pay of {person} in {campaign}[, bonus {bonus}][: {text}]"},
};
/* clang-format on */
const size_t history_words_count = sizeof history_words / sizeof *history_words;

const struct history_word *history_word(struct sv kind)
{
    static const struct history_word plain = {"", AREA_ACCOUNTS, ABOUT_NOTHING, "the program",
                                              "stored something that this version cannot describe"};
    for (size_t i = 0; i < history_words_count; i++) {
        if (sv_is(kind, history_words[i].kind)) {
            return &history_words[i];
        }
    }
    return &plain;
}

struct sv history_kinds(enum history_area area, struct arena *a)
{
    struct str s;
    str_init(&s, SENTENCE_MOST);
    for (size_t i = 0; i < history_words_count; i++) {
        if (history_words[i].area == area) {
            str_printf(&s, "|%s", history_words[i].kind);
        }
    }
    str_addc(&s, '|');
    struct sv kinds = arena_sv(a, str_sv(&s));
    str_release(&s);
    return kinds;
}

void history_join(struct history_ask *ask)
{
    ask->runs = SV("grids.create|grids.import|images.import|images.complete|classes.import|blacklist.import|"
                   "near-duplicates.import|override.import|review-thresholds.import|nn-reviews.import|"
                   "picks.import|exact-matches.record|features.import");
    ask->crowds = SV("participant.add|grid.exclude|grid.include");
}

json_t *history_who(const struct history_event *e, const struct history_facts *f, struct arena *a)
{
    const char *by = history_word(e->kind)->by;
    if (e->account) {
        return object(
            field_json("text", e->login.n ? data_text(e->login) : json_string("a former account")),
            field_null("url"));
    }
    if (by && !*by && f->person.n) {
        return object(field_sv("text", f->person), field_text("url", people_url(a, f->person)));
    }
    return object(field_text("text", !by   ? "command line"
                                     : *by ? by
                                           : "somebody"),
                  field_null("url"));
}

/* ---- sentences ---- */

struct piece {
    struct sv text;   /* empty: there is no such value */
    const char *url;  /* NULL: plain text */
};

static struct piece linked(struct sv text, const char *url)
{
    return (struct piece){text, text.n ? url : NULL};
}

/* A member of the event's detail as text. */
static struct sv from_detail(const struct history_event *e, struct sv name, struct arena *a)
{
    struct sv out = SV("");
    json_t *detail = json_loadb(e->detail.p ? e->detail.p : "", e->detail.n, 0, NULL);
    json_t *v = json_object_getn(detail, name.p, name.n);
    if (json_is_integer(v)) {
        out = sv_of(data_count(a, json_integer_value(v)));
    } else if (json_is_string(v)) {
        out = arena_sv(a, sv_make(json_string_value(v), json_string_length(v)));
    }
    json_decref(detail);
    return out;
}

/* "1 answer", "1,234 answers"; empty for what is not counted. */
static struct sv counted(const struct history_event *e, const struct history_facts *f,
                         struct sv name, struct arena *a)
{
    const struct {
        const char *name, *one, *many;
        int64_t n;
    } nouns[] = {
        {"images", "image", "images", e->count},    {"grids", "grid", "grids", e->count},
        {"classes", "class", "classes", e->count},  {"people", "person", "people", e->run},
        {"sheets", "grid", "grids", e->run},
        {"entries", "entry", "entries", e->count},  {"pairs", "pair", "pairs", e->count},
        {"distances", "distance", "distances", e->count}, {"models", "model", "models", e->count}, {"reviews", "review", "reviews", e->count},
        {"answers", "answer", "answers", f->number}, {"places", "place", "places", f->number},
        {"those", "person", "people", f->other},
    };
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        if (sv_is(name, nouns[i].name)) {
            return sv_of(arena_printf(a, "%s %s", data_count(a, nouns[i].n),
                                      nouns[i].n == 1 ? nouns[i].one : nouns[i].many));
        }
    }
    return SV("");
}

static struct piece fact(const struct history_event *e, const struct history_facts *f,
                         struct sv name, struct arena *a)
{
    if (sv_is(name, "campaign")) {
        return linked(f->campaign, arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(f->campaign)));
    }
    if (sv_is(name, "own")) { /* what people do about themselves */
        return linked(e->account ? SV("") : SV("their"), NULL);
    }
    if (sv_is(name, "person") || (sv_is(name, "other") && e->account)) {
        return linked(f->person, people_url(a, f->person));
    }
    if (sv_is(name, "people") && e->run == 1) {
        return linked(f->person, people_url(a, f->person));
    }
    if (sv_is(name, "view")) {
        return linked(f->name, arena_printf(a, "/views/" SV_FMT, SV_ARG(f->name)));
    }
    if (sv_is(name, "class")) {
        return linked(sv_of(data_class_name(a, f->campaign, f->name)),
                      arena_printf(a, "/classes/" SV_FMT, SV_ARG(f->name)));
    }
    if (sv_is(name, "image")) {
        return linked(f->name, arena_printf(a, "/images/%lld", (long long)f->number));
    }
    if (sv_is(name, "grid")) {
        return linked(f->name, arena_printf(a, "/campaigns/" SV_FMT "/assignments/%lld",
                                            SV_ARG(f->campaign), (long long)f->number));
    }
    if (sv_is(name, "decision")) {
        return linked(SV("decision"), arena_printf(a, "/decisions/%lld", (long long)e->id));
    }
    if (sv_is(name, "job")) {
        return linked(f->name, arena_printf(a, "/jobs/%lld", (long long)f->number));
    }
    if (sv_is(name, "bonus")) {
        return linked(f->number > 0 ? sv_of(people_amount(a, f->number, f->name)) : SV(""), NULL);
    }
    if (sv_is(name, "n")) {
        return linked(sv_of(data_count(a, f->number)), NULL);
    }
    if (sv_is(name, "m")) {
        return linked(sv_of(data_count(a, f->other)), NULL);
    }
    struct sv text = counted(e, f, name, a);
    return linked(text.n                  ? text
                  : sv_is(name, "name") ? f->name
                  : sv_is(name, "text") ? f->text
                                        : from_detail(e, name, a),
                  NULL);
}

static void add(json_t *parts, struct sv text, const char *url)
{
    if (text.n) {
        object_add(parts, field_sv("text", text), field_text("url", url));
    }
}

/* Appends the words, which have no brackets; false when a name in them has no value. */
static bool say(json_t *parts, struct sv words, const struct history_event *e,
                const struct history_facts *f, struct arena *a)
{
    bool all = true;
    while (words.p && words.n) {
        add(parts, sv_cut(&words, '{'), NULL);
        if (words.p) {
            struct piece p = fact(e, f, sv_cut(&words, '}'), a);
            all = all && p.text.n;
            add(parts, p.text.n ? p.text : SV("(unknown)"), p.url);
        }
    }
    return all;
}

json_t *history_sentence(const struct history_event *e, const struct history_facts *f,
                         struct arena *a)
{
    struct sv words = sv_of(history_word(e->kind)->words);
    json_t *parts = json_array();
    while (words.p && words.n) {
        say(parts, sv_cut(&words, '['), e, f, a);
        if (words.p) {
            json_t *more = json_array();
            if (say(more, sv_cut(&words, ']'), e, f, a)) {
                json_array_extend(parts, more);
            }
            json_decref(more);
        }
    }
    return parts;
}
