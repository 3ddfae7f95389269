/* answers.h - what pages about one set and what models say of it share: what their addresses ask, the models that count,
 * the form, and what is shown while there is nothing to show yet. */
#ifndef WEB_MEASURES_ANSWERS_H
#define WEB_MEASURES_ANSWERS_H

#include "measures/core/subset.h"
#include "web/core/lists.h"
#include "web/core/view_choice.h"
#include "web/measures/data.h"

struct answers_query {
    struct sv set;    /* empty: set_to_score's */
    int top;          /* 1 or 5: what right means */
    struct sv subset, labels; /* measures/core/subset.h, label_pick.h */
    struct sv models; /* names with commas between them; empty: all */
    struct sv wnid;   /* images of that class, or of those below it */
};
/* Rows of a list's parameters for its member `member`, a struct answers_query. */
#define ANSWERS_PARAMS(type, member)                                                                                   \
    {"set", LIST_TEXT, .at = offsetof(type, member.set)},                                                              \
        {"top", LIST_WORD, .at = offsetof(type, member.top), .words = measures_tops},                                  \
        {"subset", LIST_TEXT, .at = offsetof(type, member.subset)}, {"labels", LIST_TEXT, .at = offsetof(type, member.labels)}, \
        {"models", LIST_TEXT, .at = offsetof(type, member.models)}, {"class", LIST_TEXT, .at = offsetof(type, member.wnid)}

/* A set, a part of its images, by whose labels, and the models that count: those (of the named) that have predicted all. */
struct answers {
    struct answers_query q;
    struct revision_row r;
    struct subset subset; /* with the class that is asked for */
    const char *part;     /* ", near-duplicates; right: ..." for titles; empty: all, by the set's labels */
    struct model_set set; /* how models do on them */
    struct model_row *models; /* the n that count, then the named ones that are left out */
    int64_t *ids;         /* of those that count */
    size_t n, n_left_out;
};
/* ERR_NOT_FOUND (rule "set") without any set; ERR_DENIED (rule "set-sealed"); what subset_labelled and label_pick_covers say. */
enum err_code answers_find(struct ctx *c, const struct answers_query *q, struct answers *out);
/* The same with the votes under a view (empty: the default one, else as in *view), which view_choice_put gives back after OK. */
enum err_code answers_voted(struct ctx *c, const struct answers_query *q, struct sv asked, struct answers *out, struct sv *view,
                            const struct counted_view **v);
/* The newest version of a source of one of the kinds (bits, 1 << enum label_kind) that says something of the set, objects before
 * others; empty: there is none. ERR_NOT_FOUND and ERR_DENIED as answers_find. */
enum err_code answers_usual_labels(struct ctx *c, struct sv set, unsigned kinds, struct sv *out);
/* [name, ...] of the models that count, and of those left out. New references. */
json_t *answers_names(const struct answers *s);
json_t *answers_left_out(const struct answers *s);
/* "67 models" */
const char *answers_counted(struct ctx *c, const struct answers *s);

/* What templates/layout/measures/set_form shows: tabs, form, what is left out and sealed; `keep`: [{name, value}] of the
 * address that the form does not ask (stolen; NULL: none). New reference; NULL with c->err set. */
json_t *answers_form(struct ctx *c, const struct answers *s, const char *path, uint32_t sealed, json_t *keep);
/* Replies with the page of `path` without a set, when answers_find said that there is none, and says what to do next; any
 * other error stays. */
enum err_code answers_none(struct ctx *c, const struct answers_query *q, const char *path, const char *template, const char *title);

/* A class or synset by name: {name, wnid, url}; null for an empty wnid. The first looks its name up; `url` NULL: it is no class. */
json_t *class_json(struct ctx *c, struct sv wnid);
json_t *class_named_json(struct ctx *c, struct sv wnid, struct sv synset, bool is_class);

/* The images of a set for the same models, labels and part: templates/measures/images. */
struct images_link {
    struct answers_query of;
    struct sv said, has; /* about which a model says this class first; which show this one besides their label */
    bool wrong;          /* the model is wrong with it */
};
const char *measures_images_url(struct ctx *c, const struct images_link *l);

#endif
