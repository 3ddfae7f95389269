/* rows_test.c - columns become fields of every kind, one row, all rows and a column or two. */
#include "fixture.h"

#include "db/rows.h"

enum colour { RED, GREEN };
struct thing {
    struct sv note; /* no column's */
    int64_t id;
    int small;
    unsigned short tiny;
    uint64_t mask;
    enum colour colour;
    bool yes;
    double share;
    struct sv name;
    const char *path;
    unsigned char digest[4];
};
DB_ROW(thing_row, struct thing, id, small, tiny, mask, colour, yes, share, name, path, digest);

#define THING                                                                                      \
    "SELECT 1 << 40, -5, 65535, -1, 1, 2, 0.25, 'a' || char(0) || 'b', 'x.jpg', x'01020304'"

static void twice(const struct db_rows *r, struct arena *a, void *out)
{
    struct thing *t = out;
    assert_non_null(a);
    t->small = 2 * (int)db_col_int(r, 1);
}
DB_ROW_THEN(doubled_row, struct thing, twice, id);

static void same(const struct thing *t)
{
    assert_true(t->id == INT64_C(1) << 40);
    assert_int_equal(t->small, -5);
    assert_int_equal(t->tiny, 65535);
    assert_true(t->mask == UINT64_MAX);
    assert_int_equal(t->colour, GREEN);
    assert_true(t->yes);
    assert_true(t->share == 0.25);
    assert_true(sv_eq(t->name, SV("a\0b")));
    assert_string_equal(t->path, "x.jpg");
    assert_memory_equal(t->digest, "\1\2\3\4", 4);
    assert_int_equal(t->note.n, 0);
}

struct world {
    struct fixture *f;
    struct db *db;
    struct arena a;
    struct err err;
};

static struct world begin(void **state)
{
    struct world w = {.f = *state};
    w.db = fixture_open(w.f->path, DB_WRITE);
    arena_init(&w.a, 1 << 20);
    return w;
}

static void end(struct world *w)
{
    assert_int_equal(w->err.code, OK);
    db_assert_idle(w->db);
    arena_release(&w->a);
    db_close(w->db);
}

FOLDER_TEST(one_row_is_found)
{
    struct world w = begin(state);
    struct thing t = {.note = SV("before"), .tiny = 3};
    must(db_find(w.db, thing_row, &t, &w.a, THING, DB_NONE, &w.err), &w.err);
    same(&t);
    must(db_find(w.db, doubled_row, &t, &w.a, THING, DB_NONE, &w.err), &w.err);
    assert_int_equal(t.small, -10);
    assert_int_equal(t.tiny, 0);
    end(&w);
}

FOLDER_TEST(a_missing_row_changes_nothing)
{
    struct world w = begin(state);
    struct thing t = {.tiny = 3};
    assert_int_equal(db_find(w.db, thing_row, &t, &w.a, THING " WHERE 0", DB_NONE, &w.err), ERR_NOT_FOUND);
    assert_int_equal(t.tiny, 3);
    end(&w);
}

FOLDER_TEST(a_row_may_fill_some_fields)
{
    struct world w = begin(state);
    struct thing t = {.tiny = 3};
    must(db_maybe(w.db, doubled_row, &t, &w.a, THING " WHERE 0", DB_NONE, &w.err), &w.err);
    assert_int_equal(t.small, 0);
    must(db_maybe(w.db, doubled_row, &t, &w.a, THING, DB_NONE, &w.err), &w.err);
    assert_int_equal(t.small, -10);
    assert_int_equal(t.tiny, 3);
    end(&w);
}

FOLDER_TEST(nothing_and_another_size_are_zero)
{
    struct world w = begin(state);
    struct thing t;
    must(db_find(w.db, thing_row, &t, &w.a,
                 "SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, x'0102'", DB_NONE, &w.err),
         &w.err);
    assert_int_equal(t.id, 0);
    assert_false(t.yes);
    assert_int_equal(t.name.n, 0);
    assert_non_null(t.name.p);
    assert_string_equal(t.path, "");
    assert_memory_equal(t.digest, "\0\0\0\0", 4);
    end(&w);
}

FOLDER_TEST(all_rows_are_listed)
{
    struct world w = begin(state);
    struct thing *list;
    int64_t *ids;
    size_t n;
    must(db_list(w.db, thing_row, &list, &n, &w.a, THING " UNION ALL " THING, DB_NONE, &w.err), &w.err);
    assert_int_equal(n, 2);
    same(&list[0]);
    same(&list[1]);
    must(db_list_int(w.db, "VALUES (7), (?1)", DB_VALS(db_int(9)), &w.a, &ids, &n, &w.err), &w.err);
    assert_int_equal(n, 2);
    assert_int_equal(ids[1], 9);
    must(db_list(w.db, thing_row, &list, &n, &w.a, THING " WHERE 0", DB_NONE, &w.err), &w.err);
    assert_int_equal(n, 0);
    end(&w);
}

FOLDER_TEST(a_walk_borrows_its_texts)
{
    struct world w = begin(state);
    struct db_rows r;
    struct thing t;
    size_t n = 0;
    DB_ROW(named_row, struct thing, id, name);
    db_begin(w.db, "VALUES (1, 'one'), (2, 'two')", DB_NONE, &r, &w.err);
    while (db_next(&r, named_row, &t, NULL, &w.err)) {
        assert_int_equal(t.id, ++n);
        assert_true(sv_is(t.name, n == 1 ? "one" : "two"));
    }
    must(db_end(&r), &w.err);
    assert_int_equal(n, 2);
    end(&w);
}

FOLDER_TEST(a_column_or_two)
{
    struct world w = begin(state);
    int64_t a = 1, b = 2;
    struct sv text = SV("as it was");
    bool there = false;
    must(db_exists(w.db, "SELECT 5", DB_NONE, &there, &w.err), &w.err);
    assert_true(there);
    must(db_exists(w.db, "SELECT 5 WHERE 0", DB_NONE, &there, &w.err), &w.err);
    assert_false(there);
    must(db_maybe_int(w.db, "SELECT 5 WHERE 0", DB_NONE, &a, &w.err), &w.err);
    must(db_maybe_ints(w.db, "SELECT 5, 6 WHERE 0", DB_NONE, &a, &b, &w.err), &w.err);
    must(db_maybe_text(w.db, "SELECT 'x' WHERE 0", DB_NONE, &w.a, &text, &w.err), &w.err);
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_true(sv_is(text, "as it was"));
    must(db_maybe_int(w.db, "SELECT 5", DB_NONE, &a, &w.err), &w.err);
    assert_int_equal(a, 5);
    must(db_maybe_ints(w.db, "SELECT 7, 8", DB_NONE, &a, &b, &w.err), &w.err);
    must(db_maybe_text(w.db, "SELECT 'x'", DB_NONE, &w.a, &text, &w.err), &w.err);
    assert_int_equal(a, 7);
    assert_int_equal(b, 8);
    assert_true(sv_is(text, "x"));
    end(&w);
}

/* A statement that cannot run, and one that fails on its way. */
FOLDER_TEST(failures_are_passed_on)
{
    struct world w = begin(state);
    struct thing *list = NULL, t;
    int64_t *ids;
    size_t n = 5;
    bool there = true;
    assert_int_equal(db_list(w.db, thing_row, &list, &n, &w.a, "SELECT nonsense", DB_NONE, NULL), ERR_BUG);
    assert_int_equal(n, 0);
    assert_int_equal(db_find(w.db, thing_row, &t, &w.a, "SELECT nonsense", DB_NONE, NULL), ERR_BUG);
    assert_int_equal(db_exists(w.db, "SELECT nonsense", DB_NONE, &there, NULL), ERR_BUG);
    assert_false(there);
    assert_int_equal(db_list_int(w.db, "SELECT 1 UNION ALL SELECT abs(-9223372036854775808)", DB_NONE, &w.a,
                                 &ids, &n, NULL),
                     ERR_BUG);
    end(&w);
}
