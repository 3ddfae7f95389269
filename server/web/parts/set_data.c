/* set_data.c - what pages and scripts are told of a revision, and of a score. */
#include "web/parts/set_data.h"

#include "base/sorted.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "stats/binomial.h"
#include "store/people/accounts.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/people_data.h"

static const double alpha = 0.05;

const char *set_title(struct arena *a, const struct revision_row *r)
{
    return arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
}

const char *set_label(struct arena *a, const struct revision_row *r)
{
    return arena_printf(a, "%s, %s images%s", set_title(a, r), data_count(a, r->images), set_scoreable(r) ? "" : ", sealed");
}

const char *set_url(struct arena *a, const struct revision_row *r)
{
    return arena_printf(a, "/sets/%s", set_title(a, r));
}

const char *set_state_url(struct arena *a, const struct revision_row *r)
{
    return r->sealed_by.n ? arena_printf(a, "/sets/" SV_FMT "#state-head", SV_ARG(r->sealed_by))
                          : arena_printf(a, "%s#state-head", set_url(a, r));
}

bool set_scoreable(const struct revision_row *r)
{
    return revision_may_be_scored(r, NULL) == OK;
}

enum err_code set_asked(struct ctx *c, struct revision_row *out)
{
    struct sv set = c->req->params[0], number = c->req->params[1];
    const char *name = arena_printf(c->arena, SV_FMT "/" SV_FMT, SV_ARG(set), SV_ARG(number));
    return revisions_find(c->db, sv_of(name), c->arena, out, &c->err);
}

/* Who made it, as pages of leads and experts name them. */
static enum err_code maker(struct ctx *c, int64_t account, struct sv *out)
{
    struct account who;
    *out = SV("command line");
    if (!account) {
        return OK;
    }
    enum err_code rc = accounts_get(c->db, account, c->arena, &who, &c->err);
    if (rc == OK) {
        *out = who.login.n ? who.login : SV("a former account");
    }
    return rc;
}

struct revision_face {
    struct revision_row r;
    const char *name, *url, *images_text, *digest, *state, *sealed, *at;
    struct sv digest_start, by;
    bool is_sealed, is_unsealed;
};
#define OF(member) RECORD_OF(struct revision_face, member)
RECORD(revision_record, struct revision_face, "revision", "A revision of a set.",
       {"name", OF(name), .about = "SET/NUMBER."},
       {"set", OF(r.set), .about = "The set's name."},
       {"number", OF(r.number), .about = "The revision's number in its set, from 0."},
       {"url", OF(url), .about = "The address of its page."},
       {"role", OF(r.role), .about = "original or new."},
       {"strategy", OF(r.strategy), .about = "How its images were chosen, or that it was imported."},
       {"images", OF(r.images), .about = "Images in it."},
       {"images_text", OF(images_text), .about = "The same for people."},
       {"digest", OF(digest), .about = "The SHA-256 of its ordered list of images, in hex."},
       {"digest_start", OF(digest_start), .about = "Its first 12 digits."},
       {"state", OF(state), .about = "sealed, unsealed, frozen or released."},
       {"is_sealed", OF(is_sealed), .about = "Whether models may not be scored on it."},
       {"is_unsealed", OF(is_unsealed), .about = "Whether it was unsealed before it was frozen."},
       {"sealed", OF(sealed), .maybe = true, .about = "Why models may not be scored on it, and what to do; null: they may."},
       {"state_reason", OF(r.state_reason), .about = "Why it was given its state."},
       {"at", OF(at), .about = "When it was made, in UTC to the minute."},
       {"by", OF(by), .about = "Who made it."});
#undef OF

enum err_code set_shown_read(struct ctx *c, struct set_shown *out)
{
    const struct sv name = request_query(c->req, "set");
    *out = (struct set_shown){.n = 0};
    enum err_code rc = revisions_list(c->db, 0, c->arena, &out->revisions, &out->n, &c->err);
    if (rc != OK || name.n) {
        return rc == OK ? revisions_find(c->db, name, c->arena, &out->set, &c->err) : rc;
    }
    const struct revision_row *r = revision_newest(out->revisions, out->n, "original");
    r = r ? r : revision_newest(out->revisions, out->n, "new");
    if (r) {
        out->set = *r;
    }
    return OK;
}

json_t *set_shown_choices(struct ctx *c, const struct set_shown *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n; i++) {
        const char *title = set_title(c->arena, &s->revisions[i]);
        object_add(list, field_text("value", title), field_text("label", title), field_bool("current", s->revisions[i].id == s->set.id));
    }
    return list;
}

struct subset_when set_part_when(struct ctx *c)
{
    return (struct subset_when){.tally = app_tally(c->app)};
}

enum err_code set_part_asked(struct ctx *c, struct sv subset, struct sv labels, struct subset *out)
{
    const struct subset_when when = set_part_when(c);
    return subset_labelled(c->db, &when, subset, labels, c->arena, out, &c->err);
}

json_t *set_data_revision(struct ctx *c, const struct revision_row *r)
{
    struct arena *a = c->arena;
    char digest[2 * SET_DIGEST + 1];
    struct err why = {0};
    crypto_hex(r->digest, SET_DIGEST, digest);
    struct revision_face face = {.r = *r,
                                 .name = set_title(a, r),
                                 .url = set_url(a, r),
                                 .images_text = data_count(a, r->images),
                                 .digest = digest,
                                 .digest_start = sv_make(digest, 12),
                                 .state = revision_state_word(r->state),
                                 .is_sealed = revision_may_be_scored(r, &why) != OK,
                                 .is_unsealed = r->state == REVISION_UNSEALED,
                                 .at = people_minute(a, r->at)};
    face.sealed = face.is_sealed ? why.msg : NULL;
    return maker(c, r->account, &face.by) == OK ? record_json(&revision_record, &face) : NULL;
}

struct accuracy {
    int64_t correct, n;
    double share;
    struct interval ci;
    const char *text;
};
#define OF(member) RECORD_OF(struct accuracy, member)
RECORD(accuracy_record, struct accuracy, "accuracy", "An accuracy with its interval.",
       {"correct", OF(correct), .about = "Images that the model got right."},
       {"n", OF(n), .about = "Images that it predicted."},
       {"accuracy", OF(share), .about = "Their share, from 0 to 1."},
       {"lo", OF(ci.lo), .about = "Lower bound: Clopper-Pearson, 95 %."},
       {"hi", OF(ci.hi), .about = "Upper bound."},
       {"text", OF(text), .about = "The same for people, in percent."});
#undef OF

json_t *set_data_score(struct arena *a, uint32_t right, uint32_t n)
{
    if (n == 0) {
        return json_null();
    }
    struct accuracy s = {right, n, (double)right / (double)n, binomial_clopper_pearson(right, n, alpha), ""};
    s.text = arena_printf(a, "%.1f\xc2\xa0%% (n %s, %.1f\xe2\x80\x93%.1f)", 100 * s.share, data_count(a, n),
                          100 * s.ci.lo, 100 * s.ci.hi);
    return record_json(&accuracy_record, &s);
}

static json_t *cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images, bool says_n, double at)
{
    if (n == 0) {
        return json_null();
    }
    struct interval ci = binomial_clopper_pearson(right, n, at);
    const char *count =
        n < images ? arena_printf(a, ", n %s of %s", data_count(a, n), data_count(a, images))
        : says_n   ? arena_printf(a, ", n %s", data_count(a, n))
                   : "";
    return object(field_text("value", arena_printf(a, "%.1f", 100 * ((double)right / (double)n))),
                  field_text("note", arena_printf(a, "%.1f\xe2\x80\x93%.1f%s", 100 * ci.lo,
                                                  100 * ci.hi, count)));
}

json_t *set_data_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images)
{
    return cell(a, right, n, images, true, alpha);
}

json_t *set_data_short_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images, double at)
{
    return cell(a, right, n, images, false, at);
}

const struct model_score *set_score_of(const struct model_score *scores, size_t n, int64_t model)
{
    size_t at = sorted_i64(scores, n, sizeof *scores, offsetof(struct model_score, model), model);
    return at < n && scores[at].model == model ? &scores[at] : NULL;
}

enum err_code set_to_score(struct ctx *c, struct sv asked, struct revision_row *out)
{
    struct revision_row *list;
    size_t n;
    if (asked.n) {
        enum err_code rc = revisions_find(c->db, asked, c->arena, out, &c->err);
        return rc == OK ? revision_may_be_scored(out, &c->err) : rc;
    }
    *out = (struct revision_row){.id = 0};
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n; i++) {
        bool nearer = sv_is(list[i].role, "new") && !sv_is(out->role, "new");
        bool newer = sv_eq(list[i].role, out->role) && list[i].id > out->id;
        if (set_scoreable(&list[i]) && (!out->id || nearer || newer)) {
            *out = list[i];
        }
    }
    return out->id ? OK
           : n     ? err_rule(&c->err, ERR_NOT_FOUND, "set",
                              "Every set is sealed, so models are scored on none. Freeze a revision under /sets, or import another "
                              "set with `holdout import set`.")
                   : err_rule(&c->err, ERR_NOT_FOUND, "set",
                              "There is no set yet that models can be scored on. Import one with `holdout import set`.");
}
