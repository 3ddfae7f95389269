/* tombstones.c - tombstones as page data. */
#include "web/parts/tombstones.h"

#include "base/clock.h"
#include "json/object.h"
#include "store/images/facts.h"
#include "store/images/takedowns.h"
#include "web/core/page_data.h"

enum { TOMBSTONES_SHOWN = 100, DAY = 10 };

json_t *tombstones_json(struct ctx *c, int64_t list)
{
    struct takedown *t;
    size_t n;
    int64_t all;
    if (takedowns_of_list(c->db, list, TOMBSTONES_SHOWN, c->arena, &t, &n, &all, &c->err) != OK) {
        return NULL;
    }
    if (n == 0) {
        return json_null();
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        char iso[CLOCK_ISO_SIZE];
        object_add(rows, field_sv("name", t[i].name),
                   field_text("url", arena_printf(c->arena, "/images/%lld", (long long)t[i].image)),
                   field_sv("wnid", t[i].wnid),
                   field_text("class", data_class_called(c, t[i].wnid)),
                   field_sv("at", sv_make(clock_iso(t[i].at, iso), (size_t)DAY)),
                   field_sv("reason", t[i].reason));
    }
    const char *text =
        arena_printf(c->arena, "%s image%s %s taken down since", data_count(c->arena, all),
                     all == 1 ? "" : "s", all == 1 ? "was" : "were");
    return object(field_json("rows", rows), field_text("count_text", text));
}

json_t *tombstone_json(struct ctx *c, int64_t image)
{
    struct image_decided *decided;
    size_t n;
    char iso[CLOCK_ISO_SIZE];
    if (image_facts_decisions(c->db, image, c->arena, &decided, &n, &c->err) != OK) {
        return NULL;
    }
    return n && sv_is(decided[0].decision, "takedown")
               ? object(field_sv("at", sv_make(clock_iso(decided[0].at, iso), (size_t)DAY)),
                        field_sv("reason", decided[0].reason))
               : json_null();
}
