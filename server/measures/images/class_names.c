/* class_names.c - two maps over one list. */
#include "measures/images/class_names.h"

enum err_code class_names_read(struct db *db, struct arena *a, struct class_names *out, struct err *err)
{
    *out = (struct class_names){.n = 0};
    map_u64_init(&out->by_id);
    map_u64_init(&out->by_cid);
    enum err_code rc = classes_list(db, a, &out->list, &out->n, err);
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        map_u64_put(&out->by_id, (uint64_t)out->list[i].id, (uint32_t)i);
        if (out->list[i].cid >= 0) {
            map_u64_put(&out->by_cid, (uint64_t)out->list[i].cid, (uint32_t)i);
        }
    }
    return rc;
}

void class_names_release(struct class_names *s)
{
    map_u64_release(&s->by_id);
    map_u64_release(&s->by_cid);
}

static const struct class_info *named(const struct class_names *s, const struct map_u64 *by, int64_t key)
{
    static const struct class_info nothing;
    uint32_t at = map_u64_get(by, (uint64_t)key);
    return at == MAP_NONE ? &nothing : &s->list[at];
}

const struct class_info *class_names_by_id(const struct class_names *s, int64_t id) { return named(s, &s->by_id, id); }
const struct class_info *class_names_by_cid(const struct class_names *s, int64_t cid) { return named(s, &s->by_cid, cid); }
