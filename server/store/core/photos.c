/* photos.c - pairs of names joined to sets of them (union by the lower number, with halved paths). */
#include "store/core/photos.h"

#include "base/list.h"

/* Equal sources and equal photo ids are told by pairs with the first image that has them. */
#define SHARED(column)                                                                                                 \
    " UNION ALL SELECT f.name, f.id, i.name, i.id FROM (SELECT min(id) AS id, " column " AS what FROM image"           \
    "  WHERE " column " IS NOT NULL GROUP BY " column " HAVING count(*) > 1) g JOIN image f ON f.id = g.id"            \
    " JOIN image i ON i." column " = g.what AND i.id <> g.id"
static const char pairs[] = "SELECT p.a, coalesce(x.id, 0), p.b, coalesce(y.id, 0) FROM near_duplicate p"
                            " LEFT JOIN image x ON x.name = p.a LEFT JOIN image y ON y.name = p.b WHERE " PHOTO_PAIR_HOLDS
                            SHARED("source") SHARED("source_id");

struct node {
    uint32_t up;   /* itself: a root */
    int64_t image; /* 0: the project has none of that name */
};
struct joining {
    struct arena a;
    struct map_sv at; /* name -> node */
    struct list nodes;
};

static uint32_t root_of(struct node *nodes, uint32_t at)
{
    while (nodes[at].up != at) {
        nodes[at].up = nodes[nodes[at].up].up;
        at = nodes[at].up;
    }
    return at;
}

static uint32_t node_of(struct joining *j, struct sv name, int64_t image)
{
    const uint32_t new = (uint32_t)j->nodes.n, at = map_sv_put(&j->at, name, new);
    if (at == new) {
        *LIST_ADD(&j->nodes, &j->a, struct node) = (struct node){new, image};
    }
    return at;
}

static enum err_code join_pairs(struct db *db, struct joining *j, struct err *err)
{
    struct db_rows r;
    db_begin(db, pairs, DB_NONE, &r, err);
    while (db_step(&r, err)) {
        const uint32_t one = node_of(j, db_col_text(&r, 0), db_col_int(&r, 1)), two = node_of(j, db_col_text(&r, 2), db_col_int(&r, 3));
        struct node *nodes = j->nodes.items;
        const uint32_t x = root_of(nodes, one), y = root_of(nodes, two);
        nodes[x < y ? y : x].up = x < y ? x : y;
    }
    return db_end(&r);
}

enum err_code photos_read(struct db *db, struct photos *out, struct err *err)
{
    struct joining j = {.nodes = {0}};
    arena_init(&j.a, 1 << 16);
    map_sv_init(&j.at);
    map_u64_init(&out->of);
    enum err_code rc = join_pairs(db, &j, err);
    struct node *nodes = j.nodes.items;
    for (uint32_t i = 0; i < j.nodes.n && rc == OK; i++) {
        if (nodes[i].image) {
            map_u64_put(&out->of, (uint64_t)nodes[i].image, root_of(nodes, i));
        }
    }
    map_sv_release(&j.at);
    arena_release(&j.a);
    return rc;
}

/* Each image of a photo brings all of it: the first one gives it its number. */
enum err_code photos_read_some(struct db *db, const char *sql, const struct db_val *values, size_t n, struct photos *out, struct err *err)
{
    struct db_rows r;
    map_u64_init(&out->of);
    db_begin(db, sql, values, n, &r, err);
    while (db_step(&r, err)) {
        map_u64_put(&out->of, (uint64_t)db_col_int(&r, 1), (uint32_t)db_col_int(&r, 0));
    }
    return db_end(&r);
}

void photos_release(struct photos *p)
{
    map_u64_release(&p->of);
}

uint64_t photos_of(const struct photos *p, uint32_t image)
{
    const uint32_t photo = map_u64_get(&p->of, image);
    return photo == MAP_NONE ? image : UINT64_C(1) << 32 | photo;
}
