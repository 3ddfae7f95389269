/* api.c - classes and the guide for programs, and for pages on which people choose classes. Rows in routes.c. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/class_picker.h"

struct entry_face {
    struct sv wnid, gloss;
    const char *name, *synset, *url;
    int64_t classes;
    bool is_class, opens;
};
#define OF(member) RECORD_OF(struct entry_face, member)
static RECORD(entry_record, struct entry_face, "guide_entry", "A class, or a group of classes in the hierarchy.",
              {"wnid", OF(wnid), .about = "Of the class or the synset."}, {"name", OF(name), .about = "Its first word."},
              {"synset", OF(synset), .about = "Its words, joined by commas."}, {"gloss", OF(gloss), .about = "What it means."},
              {"is_class", OF(is_class), .about = "The project asks about it."},
              {"classes", OF(classes), .about = "Classes at it and below it in the tree."},
              {"opens", OF(opens), .about = "Something is below it: ask with under."}, {"url", OF(url), .about = "Its page in the guide."});
#undef OF

struct listing_face {
    struct entry_face *path, *items;
    size_t n_path, n;
};
RECORD(guide_classes_record, struct listing_face, "guide_classes", "Classes that fit a search, or one level of the tree of classes.",
       {"path", RECORD_ROWS(struct listing_face, path, n_path), .of = &entry_record, .about = "From the top to `under`, with it; empty at the top and for a search."},
       {"items", RECORD_ROWS(struct listing_face, items, n), .of = &entry_record, .about = "Found, the best first; else what is directly below `under`, by words."});

static struct entry_face *faces(struct ctx *c, const struct class_entry *list, size_t n)
{
    struct entry_face *out = arena_calloc(c->arena, n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        const struct class_entry *e = &list[i];
        out[i] = (struct entry_face){e->wnid, e->gloss, data_class_name(c->arena, e->words, e->wnid), data_synset(c->arena, e->words, ", "),
                                     class_entry_url(c, e->wnid), e->classes, e->is_class, e->opens};
    }
    return out;
}

/* GET /api/v1/guide/classes?q=&under= */
enum err_code api_guide_classes(struct ctx *c)
{
    struct class_listing l;
    enum err_code rc = class_listing_read(c, sv_trim(request_query(c->req, "q")), request_query(c->req, "under"), &l);
    const struct listing_face f = {rc == OK ? faces(c, l.path, l.n_path) : NULL, rc == OK ? faces(c, l.items, l.n) : NULL,
                                   rc == OK ? l.n_path : 0, rc == OK ? l.n : 0};
    return rc == OK ? reply_json(c, 200, record_json(&guide_classes_record, &f)) : rc;
}
