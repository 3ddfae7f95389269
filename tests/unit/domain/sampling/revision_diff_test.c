/* revision_diff_test.c - differences, complete classes and reviews that carry over: by hand, then the 34
 * published revisions replayed. */
#include "unit.h"

#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "domain/sampling/revision_diff.h"
#include "formats/jsonl.h"
#include "domain/golden_files.h"

TEST(diff)
{
    static const struct revision_member old[] = {{1, 10}, {0, 5}, {2, 7}, {2, 8}, {3, 1}};
    static const struct revision_member new[] = {{2, 8}, {0, 5}, {2, 9}, {2, 6}, {3, 10}, {3, 1}};
    struct revision_diff d;
    struct arena a;
    arena_init(&a, 1 << 16);
    revision_diff(old, 5, new, 6, &a, &d);
    static const struct revision_member added[] = {{2, 6}, {2, 9}, {3, 10}}, removed[] = {{1, 10}, {2, 7}};
    static const uint32_t changed[] = {1, 2, 3};
    assert_int_equal(d.n_added, 3);
    assert_memory_equal(d.added, added, sizeof added);
    assert_int_equal(d.n_removed, 2);
    assert_memory_equal(d.removed, removed, sizeof removed);
    assert_int_equal(d.n_changed, 3);
    assert_memory_equal(d.changed, changed, sizeof changed);
    revision_diff(old, 5, old, 5, &a, &d);
    assert_int_equal(d.n_added + d.n_removed + d.n_changed, 0);
    revision_diff(NULL, 0, old, 5, &a, &d);
    assert_int_equal(d.n_added, 5);
    assert_int_equal(d.n_changed, 4);
    revision_diff(NULL, 0, NULL, 0, &a, &d);
    assert_int_equal(d.n_added + d.n_removed + d.n_changed, 0);
    arena_release(&a);
}

TEST(twice)
{
    static const struct revision_member once[] = {{0, 1}}, twice[] = {{0, 1}, {0, 1}};
    struct revision_diff d;
    struct arena a;
    arena_init(&a, 1 << 16);
    revision_diff(once, 1, twice, 2, &a, &d);
    assert_int_equal(d.n_added, 1);
    assert_int_equal(d.n_changed, 1);
    revision_diff(twice, 2, once, 1, &a, &d);
    assert_int_equal(d.n_removed, 1);
    arena_release(&a);
}

TEST(size)
{
    static const struct revision_member m[] = {{0, 1}, {1, 2}, {0, 3}, {2, 4}, {2, 5}, {2, 6}};
    struct revision_size s;
    struct arena a;
    arena_init(&a, 1 << 16);
    revision_size(m, 6, 4, 2, &a, &s);
    assert_int_equal(s.images, 6);
    assert_int_equal(s.n_short, 2);
    assert_int_equal(s.short_classes[0], 1);
    assert_int_equal(s.short_classes[1], 3);
    assert_int_equal(s.missing, 3);
    assert_int_equal(s.n_over, 1);
    assert_false(s.valid);
    revision_size(m, 5, 3, 1, &a, &s);
    assert_int_equal(s.n_short, 0);
    assert_false(s.valid); /* too many is not complete either */
    revision_size(m, 3, 2, 1, &a, &s);
    assert_int_equal(s.n_over, 1);
    revision_size(m, 2, 2, 1, &a, &s);
    assert_true(s.valid);
    arena_release(&a);
}

TEST(reviews)
{
    static const struct class_review parent[] = {
        {true, false}, {true, true}, {false, false}, {true, false}, {false, true}};
    struct class_review carried[5];
    uint32_t changed[] = {3};
    const struct revision_diff d = {.changed = changed, .n_changed = 1};
    assert_int_equal(revision_carry_reviews(parent, 5, &d, carried), 1);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(carried[k].reviewed, k == 0);
        assert_false(carried[k].problematic);
    }
}

/* ---- The published revisions ----------------------------------------------------------------------- */

enum { REVISIONS = 34, CLASSES = 1000 };

struct replay {
    struct arena a;
    struct map_sv classes, images, numbers; /* numbers: a revision's name -> its place */
    struct sv wnid[CLASSES], *name;
    size_t n_names, names_cap;
    struct revision_member *members[REVISIONS];
    size_t n[REVISIONS];
    struct class_review reviews[REVISIONS][CLASSES];
    struct map_u64 blacklist; /* the final one */
    uint32_t parent[REVISIONS];
};

static struct sv text_of(const json_t *j)
{
    assert_true(json_is_string(j));
    return sv_make(json_string_value(j), json_string_length(j));
}

static uint32_t class_of(const struct replay *r, const json_t *wnid)
{
    uint32_t k = map_sv_get(&r->classes, text_of(wnid));
    assert_true(k < CLASSES);
    return k;
}

static uint32_t image_of(struct replay *r, const json_t *name)
{
    uint32_t i = map_sv_put(&r->images, text_of(name), (uint32_t)r->n_names);
    if (i == r->n_names) {
        xgrow(&r->name, &r->names_cap, r->n_names + 1, sizeof *r->name);
        r->name[r->n_names++] = arena_sv(&r->a, text_of(name));
    }
    return i;
}

/* A revision from its parent and the line's "add" and "remove". */
static void replay_line(struct replay *r, const json_t *line, uint32_t k)
{
    const json_t *add = json_object_get(line, "add"), *gone = json_object_get(line, "remove"), *entry;
    const json_t *parent = json_object_get(line, "parent");
    struct map_u64 removed;
    size_t i;
    map_u64_init(&removed);
    json_array_foreach(gone, i, entry) {
        map_u64_put(&removed, image_of(r, entry), 1);
    }
    r->parent[k] = MAP_NONE;
    size_t n_parent = 0;
    if (!json_is_null(parent)) {
        r->parent[k] = map_sv_get(&r->numbers, text_of(parent));
        assert_true(r->parent[k] < k);
        n_parent = r->n[r->parent[k]];
    }
    r->members[k] = arena_alloc(&r->a, (n_parent + json_array_size(add) + 1) * sizeof *r->members[k]);
    for (i = 0; i < n_parent; i++) {
        if (map_u64_get(&removed, r->members[r->parent[k]][i].image) == MAP_NONE) {
            r->members[k][r->n[k]++] = r->members[r->parent[k]][i];
        }
    }
    assert_int_equal(n_parent - r->n[k], removed.n);
    json_array_foreach(add, i, entry) {
        r->members[k][r->n[k]++] = (struct revision_member){class_of(r, json_array_get(entry, 1)),
                                                            image_of(r, json_array_get(entry, 0))};
    }
    assert_int_equal(map_sv_put(&r->numbers, text_of(json_object_get(line, "name")), k), k);
    map_u64_release(&removed);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* SHA-256 of the "image,wnid" lines in order. */
static void assert_digest(struct replay *r, uint32_t k, struct sv expected)
{
    unsigned char hash[CRYPTO_HASH];
    char hex[2 * CRYPTO_HASH + 1];
    struct arena a;
    struct str text;
    arena_init(&a, 4 << 20);
    str_init(&text, 4 << 20);
    char **lines = arena_alloc(&a, r->n[k] * sizeof *lines);
    for (size_t i = 0; i < r->n[k]; i++) {
        const struct revision_member *m = &r->members[k][i];
        lines[i] = arena_printf(&a, SV_FMT "," SV_FMT, SV_ARG(r->name[m->image]),
                                SV_ARG(r->wnid[m->class_index]));
    }
    qsort(lines, r->n[k], sizeof *lines, by_text);
    for (size_t i = 0; i < r->n[k]; i++) {
        str_addz(&text, i ? "\n" : "");
        str_addz(&text, lines[i]);
    }
    assert_false(text.over);
    crypto_sha256(text.p, text.n, hash);
    crypto_hex(hash, sizeof hash, hex);
    assert_true(sv_is(expected, hex));
    str_release(&text);
    arena_release(&a);
}

static void replay_reviews(struct replay *r, const char *golden)
{
    struct jsonl j;
    struct err err = {0};
    json_t *line;
    size_t rows = 0;
    jsonl_open(&j, "b_reviews.jsonl", golden_text(golden, "revisions/b_reviews.jsonl", &r->a));
    while (jsonl_next(&j, &line, &err) == OK && line) {
        uint32_t k = map_sv_get(&r->numbers, text_of(json_object_get(line, "name")));
        const json_t *entry;
        size_t i;
        assert_true(k < REVISIONS);
        for (i = 0; i < CLASSES; i++) {
            r->reviews[k][i].reviewed = true;
        }
        json_array_foreach(json_object_get(line, "not_reviewed"), i, entry) {
            r->reviews[k][class_of(r, entry)].reviewed = false;
        }
        json_array_foreach(json_object_get(line, "problematic"), i, entry) {
            r->reviews[k][class_of(r, entry)].problematic = true;
        }
        json_decref(line);
        rows++;
    }
    assert_int_equal(err.code, OK);
    assert_int_equal(rows, REVISIONS);
}

static void replay_read(struct replay *r, const char *golden)
{
    struct csv c;
    struct jsonl j;
    struct err err = {0};
    json_t *line;
    uint32_t k = 0;
    arena_init(&r->a, 256 << 20);
    map_sv_init(&r->classes);
    map_sv_init(&r->images);
    map_sv_init(&r->numbers);
    golden_table(golden, "classes/classes.csv", &c, &r->a);
    while (golden_row(&c)) {
        uint32_t cid = golden_number(&c, "cid");
        assert_true(cid < CLASSES);
        r->wnid[cid] = arena_sv(&r->a, golden_cell(&c, "wnid"));
        map_sv_put(&r->classes, r->wnid[cid], cid);
    }
    csv_close(&c);
    jsonl_open(&j, "b.jsonl", golden_text(golden, "revisions/b.jsonl", &r->a));
    for (; jsonl_next(&j, &line, &err) == OK && line; k++) {
        assert_true(k < REVISIONS);
        replay_line(r, line, k);
        assert_digest(r, k, text_of(json_object_get(line, "sha256_sorted")));
        json_decref(line);
    }
    assert_int_equal(err.code, OK);
    assert_int_equal(k, REVISIONS);
    replay_reviews(r, golden);
    map_u64_init(&r->blacklist);
    golden_table(golden, "review/blacklist.csv", &c, &r->a);
    while (golden_row(&c)) {
        uint32_t i = map_sv_get(&r->images, golden_cell(&c, "image"));
        if (i != MAP_NONE) {
            map_u64_put(&r->blacklist, i, 1);
        }
    }
    csv_close(&c);
}

static size_t count(const struct class_review *r, bool problematic)
{
    size_t n = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        n += problematic ? r[i].problematic : r[i].reviewed;
    }
    return n;
}

static void assert_revision(struct replay *r, const struct csv *c, uint32_t k)
{
    struct revision_size size;
    struct revision_diff d;
    struct class_review carried[CLASSES];
    revision_size(r->members[k], r->n[k], CLASSES, 10, &r->a, &size);
    assert_int_equal(golden_number(c, "size"), size.images);
    assert_int_equal(golden_number(c, "is_valid"), size.valid);
    assert_int_equal(golden_number(c, "n_classes_short"), size.n_short);
    assert_int_equal(golden_number(c, "n_missing"), size.missing);
    size_t blacklisted = 0;
    for (size_t i = 0; i < r->n[k]; i++) {
        blacklisted += map_u64_get(&r->blacklist, r->members[k][i].image) != MAP_NONE;
    }
    assert_int_equal(golden_number(c, "n_in_final_blacklist"), blacklisted);
    assert_int_equal(golden_number(c, "n_reviewed_final"), count(r->reviews[k], false));
    assert_int_equal(golden_number(c, "n_problematic_final"), count(r->reviews[k], true));
    if (r->parent[k] == MAP_NONE) {
        assert_int_equal(golden_cell(c, "parent").n, 0);
        return;
    }
    assert_int_equal(map_sv_get(&r->numbers, golden_cell(c, "parent")), r->parent[k]);
    revision_diff(r->members[r->parent[k]], r->n[r->parent[k]], r->members[k], r->n[k], &r->a, &d);
    assert_int_equal(golden_number(c, "n_added"), d.n_added);
    assert_int_equal(golden_number(c, "n_removed"), d.n_removed);
    assert_int_equal(golden_number(c, "n_classes_changed"), d.n_changed);
    assert_int_equal(golden_number(c, "n_reviewed_carried_over"),
                     revision_carry_reviews(r->reviews[r->parent[k]], CLASSES, &d, carried));
    /* Whatever was carried over was still reviewed at the end. */
    for (size_t i = 0; i < CLASSES; i++) {
        assert_true(!carried[i].reviewed || r->reviews[k][i].reviewed);
    }
}

TEST(published)
{
    const char *golden = unit_golden();
    struct csv c;
    struct err err = {0};
    if (!golden) {
        skip();
    }
    assert_int_equal(crypto_init(&err), OK);
    struct replay *r = xcalloc(1, sizeof *r);
    replay_read(r, golden);
    golden_table(golden, "expected/revisions_b.csv", &c, &r->a);
    size_t rows = 0;
    for (; golden_row(&c); rows++) {
        uint32_t k = map_sv_get(&r->numbers, golden_cell(&c, "name"));
        assert_int_equal(k, rows);
        assert_revision(r, &c, k);
    }
    csv_close(&c);
    assert_int_equal(rows, REVISIONS);
    map_sv_release(&r->classes);
    map_sv_release(&r->images);
    map_sv_release(&r->numbers);
    map_u64_release(&r->blacklist);
    free(r->name);
    arena_release(&r->a);
    free(r);
}
