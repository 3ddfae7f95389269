/* audit.c - what is wrong with a revision by what is known today, as a page and as
 * JSON. Rows in routes.c; templates/sets/audit. `holdout audit` prints the same findings. */
#include "json/object.h"
#include "sets/revisions/audit.h"
#include "sets/revisions/seal_story.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/parts/set_tree.h"

enum { FINDINGS_SHOWN = 200, IMAGES_SHOWN = 12 };

static const struct {
    const char *label, *hint;
} words[AUDIT_KINDS] = {
    [AUDIT_BLACKLISTED] = {"On the blacklist", "The next sample replaces it."},
    [AUDIT_HAS_ORIGINAL] = {"Near-duplicate of an original",
                            "The same photo as one of the originals."},
    [AUDIT_DUPLICATE] = {"More than once", "The same image several times in the set."},
    [AUDIT_FEW_ANSWERS] = {"Too few answers", "Its frequency is not known well enough."},
    [AUDIT_MISSING_FILE] = {"No file",
                            "Nobody can be shown it, and exports have only its name."},
    [AUDIT_UNSEARCHED] = {"Not searched for near-duplicates",
                          "It was added after the search by an enabled metric."},
    [AUDIT_ORIGINAL] = {"An original itself", "A model may have been trained or tuned on it."},
    [AUDIT_SAME_COMPONENT] = {"Same photo twice",
                              "Near-duplicates of each other, both in the set."},
    [AUDIT_WRONG_CLASS] = {"Of another class",
                           "It was collected for a different class from the one its label names."},
};

/* ---- findings ---- */

static json_t *image_json(struct ctx *c, const struct pool *p, uint32_t index)
{
    uint32_t id = p->id[index]; /* 0: pairs name it, and nobody has it */
    const struct audit_image image = {p->name[index], id ? arena_printf(c->arena, "/images/%u", (unsigned)id) : NULL};
    return record_json(&audit_image_record, &image);
}

static json_t *images_json(struct ctx *c, const struct pool *p, const uint32_t *list, size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n && i < IMAGES_SHOWN; i++) {
        json_array_append_new(rows, image_json(c, p, list[i]));
    }
    return rows;
}

static json_t *finding_json(struct ctx *c, const struct set_audit *audit, size_t at)
{
    const struct audit_finding *f = &audit->findings[at];
    const struct class_info *k = &audit->pool.classes[f->class_index];
    size_t more = f->n_images > IMAGES_SHOWN ? f->n_images - IMAGES_SHOWN : 0;
    const struct audit_line line = {
        .kind = audit_kinds[f->kind],
        .wnid = k->wnid,
        .detail = audit->detail[at],
        .synset = data_synset(c->arena, k->synset, ", "),
        .class_url = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid)),
        .more = more ? arena_printf(c->arena, "and %zu more", more) : "",
        .images = images_json(c, &audit->pool, f->images, f->n_images),
        .originals = images_json(c, &audit->pool, f->originals, f->n_originals)};
    return record_json(&audit_line_record, &line);
}

/* Every kind with what was looked for, what was found too: an empty list says that it was asked. */
static json_t *kinds_json(struct ctx *c, const struct set_audit *audit)
{
    json_t *kinds = json_array();
    size_t at = 0, shown = 0;
    for (int kind = 0; kind < AUDIT_KINDS; kind++) {
        json_t *rows = json_array();
        size_t first = at;
        for (; at < audit->n && (int)audit->findings[at].kind == kind; at++) {
            if (shown < FINDINGS_SHOWN) {
                json_array_append_new(rows, finding_json(c, audit, at));
                shown++;
            }
        }
        size_t left = at - first - json_array_size(rows);
        object_add(kinds, field_text("kind", audit_kinds[kind]),
                   field_text("label", words[kind].label), field_text("hint", words[kind].hint),
                   field_text("count", data_count(c->arena, (int64_t)(at - first))),
                   field_bool("any", at > first), field_json("rows", rows),
                   field_text("more", left ? arena_printf(
                                                 c->arena,
                                                 "%zu more are in the CSV of `holdout audit`", left)
                                           : ""));
    }
    return kinds;
}

/* ---- asking ---- */

/* The least number of answers: what the revision was sampled with unless the address says; 0: not
 * asked for. */
static enum err_code answers_asked(struct ctx *c, const struct revision_row *r, int64_t *out)
{
    struct sv text = request_query(c->req, "answers");
    *out = set_audit_answers(r);
    if (text.n && (!sv_i64(text, out) || *out < 0 || *out > INT32_MAX)) {
        return err_rule(&c->err, ERR_INPUT, "audit-answers",
                        "answers must be the minimum number of answers per image, 0 or more.");
    }
    return OK;
}

/* What the page and the JSON both say. */
struct asked {
    struct revision_row r;
    int64_t answers;
    struct set_audit audit;
    struct seal_story seal;
};

/* set_audit_release(&out->audit) whatever comes back. */
static enum err_code asked(struct ctx *c, struct asked *out)
{
    *out = (struct asked){.answers = 0};
    if (set_asked(c, &out->r) != OK || answers_asked(c, &out->r, &out->answers) != OK ||
        set_audit_make(c->db, app_tally(c->app), &out->r, (uint32_t)out->answers,
                       c->config->flags_to_quarantine, app_dir(c->app), &out->audit, &c->err) != OK) {
        return c->err.code;
    }
    return seal_story_read(c->db, &out->r, c->arena, &out->seal, &c->err);
}

struct audited {
    const char *name, *url, *as_of;
    struct sv view;
};
#define OF(member) RECORD_OF(struct audited, member)
static RECORD(audited_record, struct audited, "audited", "What was looked at.",
              {"name", OF(name), .about = "The revision, SET/NUMBER."},
              {"url", OF(url), .about = "The address of its page."},
              {"as_of", OF(as_of), .about = "The last event that was counted, for people."},
              {"view", OF(view), .about = "The vote view that counts."});
#undef OF

/* Before anything else may change: what was looked at. */
static json_t *about_json(struct ctx *c, const struct revision_row *r,
                          const struct set_audit *audit)
{
    const struct audited about = {set_title(c->arena, r), set_url(c->arena, r), data_count(c->arena, audit->pool.as_of),
                                  audit->pool.view.name};
    return record_json(&audited_record, &about);
}

/* [{text}]: copies, what was opened, where its images were scored before. */
static json_t *seal_lines(struct ctx *c, const struct seal_story *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_copies; i++) {
        object_add(list, field_text("text", arena_printf(c->arena, SV_FMT " has the same images.",
                                                         SV_ARG(s->copies[i]))));
    }
    for (size_t i = 0; i < s->n_openings; i++) {
        object_add(list, field_text("text", seal_opening_text(c->arena, &s->openings[i])));
    }
    if (s->images) {
        object_add(list, field_text("text", seal_scored_text(c->arena, s)));
    }
    return list;
}

struct seal_face {
    json_t *copies, *openings, *scored_before;
};
#define OF(member) RECORD_OF(struct seal_face, member)
static RECORD(seal_record, struct seal_face, "seal", "What readers of a revision must know of its seal.",
              {"copies", OF(copies), RECORD_TEXTS, .about = "Other revisions with the same images, SET/NUMBER."},
              {"openings", OF(openings), RECORD_LIST, .of = &seal_opening_record,
               .about = "What was unsealed before it was frozen: the revision, or another through it."},
              {"scored_before", OF(scored_before), .of = &seal_scored_record, .about = "Whether models had been scored on its images."});
#undef OF

struct audit_reply {
    json_t *revision, *items, *seal;
    int64_t answers;
    size_t total;
};
#define OF(member) RECORD_OF(struct audit_reply, member)
RECORD(audit_record, struct audit_reply, "audit", "What is wrong with a revision by what is known today.",
       {"revision", OF(revision), .of = &audited_record, .about = "What was looked at."},
       {"answers", OF(answers), .about = "The least number of answers of an image; 0: not asked for."},
       {"total", OF(total), .about = "Findings."},
       {"items", OF(items), RECORD_LIST, .of = &audit_line_record, .about = "The findings, by kind."},
       {"seal", OF(seal), .of = &seal_record, .about = "What readers must know of its seal."});
#undef OF

static json_t *seal_json(const struct seal_story *s)
{
    const struct seal_face face = {seal_copies_json(s), seal_openings_json(s), seal_scored_json(s)};
    return record_json(&seal_record, &face);
}

/* GET /sets/:set/:revision/audit?answers= */
enum err_code page_revision_audit(struct ctx *c)
{
    struct asked q;
    enum err_code rc = asked(c, &q);
    if (rc == OK) {
        json_t *lines = seal_lines(c, &q.seal);
        const char *title = arena_printf(c->arena, "Audit of %s", set_title(c->arena, &q.r));
        json_t *page =
            object(field_json("revision", about_json(c, &q.r, &q.audit)), field_sv("set", q.r.set),
                   field_json("kinds", kinds_json(c, &q.audit)),
                   field_text("count", data_count(c->arena, (int64_t)q.audit.n)),
                   field_bool("clean", q.audit.n == 0),
                   field_text("answers", arena_printf(c->arena, "%lld", (long long)q.answers)),
                   field_text("set_url", arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(q.r.set))));
        json_object_set_new(page, "any_seal", json_boolean(json_array_size(lines) > 0));
        json_object_set_new(page, "seal", lines);
        rc = reply_page(c, 200, "sets/audit", title, page);
    }
    set_audit_release(&q.audit);
    return rc;
}

/* GET /api/v1/sets/:set/:revision/audit?answers= */
enum err_code api_revision_audit(struct ctx *c)
{
    struct asked q;
    enum err_code rc = asked(c, &q);
    if (rc == OK) {
        json_t *items = json_array();
        for (size_t i = 0; i < q.audit.n; i++) {
            json_array_append_new(items, finding_json(c, &q.audit, i));
        }
        const struct audit_reply reply = {about_json(c, &q.r, &q.audit), items, seal_json(&q.seal), q.answers, q.audit.n};
        rc = reply_json(c, 200, record_json(&audit_record, &reply));
    }
    set_audit_release(&q.audit);
    return rc;
}
