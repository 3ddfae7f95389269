/* data.c - the final review of a revision in numbers. */
#include "web/review/data.h"

#include "stats/binomial.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"

static const double alpha = 0.05;

struct review_sum review_sum_of(const struct review_way *w)
{
    struct review_sum s = {.classes = w->n_classes};
    for (size_t i = 0; i < w->n_classes; i++) {
        const struct review_class *k = &w->classes[i];
        s.reviewed += k->reviewed;
        s.problematic += k->problematic;
        s.carried += k->carried;
        s.images += (size_t)k->images;
        s.banned += (size_t)k->banned;
        s.paired += (size_t)k->paired;
    }
    return s;
}

static const char *class_url(struct ctx *c, const struct review_way *w, struct sv wnid)
{
    return arena_printf(c->arena, "%s/" SV_FMT, set_url(c->arena, &w->revision), SV_ARG(wnid));
}

static const char *who(struct ctx *c, struct sv login)
{
    return login.n ? arena_cstr(c->arena, login) : "a former account";
}

/* Logins of those who asked for frequencies of a class; NULL for nobody. */
static const char *shown_to(struct ctx *c, const struct review_way *w, int64_t class_id)
{
    const char *text = NULL;
    for (size_t i = 0; i < w->n_shown; i++) {
        if (w->shown[i].class_id == class_id) {
            text = arena_printf(c->arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                who(c, w->shown[i].login));
        }
    }
    return text;
}

struct asked_face {
    struct review_shown s;
    const char *login, *at;
};
#define OF(member) RECORD_OF(struct asked_face, member)
static RECORD(asked_record, struct asked_face, "review_shown", "Somebody asked to see frequencies in the review of a class.",
              {"login", OF(login), .about = "Who."},
              {"wnid", OF(s.wnid), .about = "Of which class."},
              {"event", OF(s.event), .about = "The event."},
              {"at", OF(at), .about = "When, in UTC to the minute."});
#undef OF

struct frequencies_face {
    struct review_shown_sum s;
    const char *text;
    json_t *asked;
};
#define OF(member) RECORD_OF(struct frequencies_face, member)
RECORD(review_frequencies_record, struct frequencies_face, "review_frequencies", "What was reviewed with frequencies shown.",
       {"classes", OF(s.classes), .about = "Classes of the revision."},
       {"reviewed", OF(s.reviewed), .about = "Classes that are reviewed."},
       {"shown", OF(s.shown), .about = "Those that were reviewed after somebody had asked for frequencies."},
       {"imported", OF(s.imported), .about = "Those whose review was imported, so that nobody knows."},
       {"text", OF(text), .about = "The same for people."},
       {"asked", OF(asked), RECORD_LIST, .of = &asked_record, .about = "Who asked, the earliest first."});
#undef OF

json_t *review_data_frequencies(struct ctx *c, const struct review_way *w)
{
    struct frequencies_face face;
    if (review_shown_sum(c->db, w->revision.id, &face.s, &c->err) != OK) {
        return NULL;
    }
    face.asked = json_array();
    for (size_t i = 0; i < w->n_shown; i++) {
        const struct review_shown *a = &w->shown[i];
        const struct asked_face one = {*a, who(c, a->login), people_minute(c->arena, a->at)};
        json_array_append_new(face.asked, record_json(&asked_record, &one));
    }
    face.text = arena_printf(c->arena, "%s of %s classes were reviewed with frequencies shown",
                             data_count(c->arena, face.s.shown), data_count(c->arena, face.s.reviewed));
    return record_json(&review_frequencies_record, &face);
}

struct class_face {
    struct review_class k;
    const char *synset, *url, *at, *shown_to;
};
#define OF(member) RECORD_OF(struct class_face, member)
RECORD(review_class_record, struct class_face, "review_class", "How far the review of a class is.",
       {"wnid", OF(k.wnid), .about = "The class."},
       {"synset", OF(synset), .about = "Its words."},
       {"url", OF(url), .about = "Where it is reviewed."},
       {"images", OF(k.images), .about = "Its images in the revision."},
       {"reviewed", OF(k.reviewed), .about = "Whether it is reviewed."},
       {"problematic", OF(k.problematic), .about = "Whether somebody has to look at it again."},
       {"carried", OF(k.carried), .about = "Whether its review was carried over from the parent."},
       {"banned", OF(k.banned), .about = "Images of it that are on the blacklist now."},
       {"paired", OF(k.paired), .about = "Images of it in near-duplicate pairs whose other image is in the revision too, or an original."},
       {"at", OF(at), .maybe = true, .about = "When somebody last decided, in UTC to the minute; null: nobody did."},
       {"shown_to", OF(shown_to), .maybe = true, .about = "Who asked for its frequencies; null: nobody."});
#undef OF

json_t *review_data_class(struct ctx *c, const struct review_way *w, const struct review_class *k)
{
    const struct class_face face = {*k, data_synset(c->arena, k->synset, ", "), class_url(c, w, k->wnid),
                                    k->at ? people_minute(c->arena, k->at) : NULL, shown_to(c, w, k->class_id)};
    return record_json(&review_class_record, &face);
}

struct person_face {
    struct review_person p;
    const char *login, *name, *url, *at;
};
#define OF(member) RECORD_OF(struct person_face, member)
RECORD(review_person_record, struct person_face, "review_person", "Somebody who decided in the review.",
       {"login", OF(login), .about = "Who."},
       {"decisions", OF(p.decisions), .about = "How many decisions they made."},
       {"classes", OF(p.classes), .about = "About how many classes."},
       {"wnid", OF(p.wnid), .about = "The class of the newest one."},
       {"name", OF(name), .about = "What that class is called."},
       {"url", OF(url), .about = "Where it is reviewed."},
       {"at", OF(at), .about = "When they made it, in UTC to the minute."});
#undef OF

json_t *review_data_people(struct ctx *c, const struct review_way *w)
{
    struct review_person *list;
    size_t n;
    if (review_progress_people(c->db, w->revision.id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct review_person *p = &list[i];
        const struct person_face face = {*p, who(c, p->login), data_class_called(c, p->wnid), class_url(c, w, p->wnid),
                                         people_minute(c->arena, p->at)};
        json_array_append_new(rows, record_json(&review_person_record, &face));
    }
    return rows;
}

struct share {
    int64_t k, n;
    double share;
    struct interval ci;
    const char *text;
    bool known;
};
#define OF(member) RECORD_OF(struct share, member)
#define IF_KNOWN RECORD_IF(struct share, known)
static RECORD(share_record, struct share, "review_share", "A share with its interval.",
              {"k", OF(k), .about = "How many."},
              {"n", OF(n), .about = "Of how many."},
              {"share", OF(share), IF_KNOWN, .about = "The share, from 0 to 1; null when n is 0."},
              {"lo", OF(ci.lo), IF_KNOWN, .about = "Lower bound: Clopper-Pearson, 95 %."},
              {"hi", OF(ci.hi), IF_KNOWN, .about = "Upper bound."},
              {"text", OF(text), .about = "The same for people."});
#undef OF
#undef IF_KNOWN

/* k of n: "0.10 (1 of 10, 0.00–0.45)". */
static struct share share_of(struct arena *a, int64_t k, int64_t n)
{
    struct share s = {.text = "none yet"};
    if (n) {
        s = (struct share){k, n, (double)k / (double)n, binomial_clopper_pearson(k, n, alpha), "", true};
        s.text = arena_printf(a, "%.2f (%lld of %lld, %.2f\xe2\x80\x93%.2f)", s.share, (long long)k, (long long)n, s.ci.lo,
                              s.ci.hi);
    }
    return s;
}

struct reviewer_face {
    const char *login;
    int64_t turns;
    struct share probes, images, alike;
};
#define OF(member) RECORD_OF(struct reviewer_face, member)
#define PART(member) RECORD_PART(struct reviewer_face, member)
static RECORD(reviewer_record, struct reviewer_face, "blind_reviewer", "What a blind round says about a reviewer.",
              {"login", OF(login), .about = "Who."},
              {"turns", OF(turns), .about = "Classes that they are through with, second times too."},
              {"probes", PART(probes), .of = &share_record, .about = "Mixed-in originals that they rejected, of those shown."},
              {"images", PART(images), .of = &share_record, .about = "Images of the revision that they rejected, of those shown."},
              {"alike", PART(alike), .of = &share_record, .about = "Images of repeated classes that they judged alike both times."});
#undef OF
#undef PART

struct round_face {
    struct review_round r;
    const char *at;
    bool any_reviewers, lead;
    json_t *reviewers;
};
#define OF(member) RECORD_OF(struct round_face, member)
RECORD(review_round_record, struct round_face, "blind_round", "A blind round of the review.",
       {"id", OF(r.id), .about = "Its number."},
       {"at", OF(at), .about = "When it began, in UTC to the minute."},
       {"originals", OF(r.originals), .about = "Originals mixed in, in percent of the images shown."},
       {"repeats", OF(r.repeats), .about = "Classes that come twice, in percent."},
       {"any_reviewers", OF(any_reviewers), .about = "Whether anybody has begun."},
       {"reviewers", OF(reviewers), RECORD_LIST, .of = &reviewer_record, .about = "What it says about reviewers, by login."},
       {"seed", OF(r.seed), RECORD_IF(struct round_face, lead), .absent = true,
        .about = "The seed of the round; for leads alone, as it tells which images are originals."});
#undef OF

json_t *review_data_round(struct ctx *c, const struct review_way *w)
{
    struct review_result *list;
    size_t n;
    const struct review_round *r = &w->round;
    if (!r->id) {
        return json_null();
    }
    if (review_rounds_results(c->db, r->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct review_result *p = &list[i];
        const struct reviewer_face face = {who(c, p->login), p->turns, share_of(c->arena, p->probes_rejected, p->probes),
                                           share_of(c->arena, p->images_rejected, p->images),
                                           share_of(c->arena, p->alike, p->repeated)};
        json_array_append_new(rows, record_json(&reviewer_record, &face));
    }
    const struct round_face face = {*r, people_minute(c->arena, r->at), n > 0, c->user.role >= ROLE_LEAD, rows};
    return record_json(&review_round_record, &face);
}
