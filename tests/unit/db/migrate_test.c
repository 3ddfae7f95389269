/* migrate_test.c - server/db/migrate.c: applying, refusing, leaving alone. */
#include "fixture.h"

#include "db/migrate.h"

#define MIGRATION(n, title, text)                                                                  \
    {                                                                                              \
        .number = (n), .name = {title, sizeof(title) - 1}, .sql = { text, sizeof(text) - 1 }       \
    }

static const struct migration plan[] = {
    MIGRATION(1, "0001_first",
              "CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1);"
              "CREATE TABLE b (a INTEGER NOT NULL REFERENCES a ON DELETE CASCADE);"
              "INSERT INTO b VALUES (1);"),
    MIGRATION(2, "0002_second", "CREATE TABLE c (x)"),
    MIGRATION(3, "0003_third", "INSERT INTO c VALUES (42); -- the last"),
};

static void apply(struct db *db, size_t n, int from)
{
    struct migrate_state s;
    struct err err = {0};
    must(migrate_check_list(db, plan, n, &s, &err), &err);
    assert_int_equal(s.have, from);
    assert_int_equal(s.want, n);
    must(migrate_apply_list(db, plan, n, &s, &err), &err);
    assert_int_equal(s.have, n);
    assert_int_equal(fixture_int(db, "PRAGMA user_version"), n);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM migration"), n);
    assert_int_equal(fixture_int(db, "PRAGMA foreign_keys"), 1);
}

FOLDER_TEST(waiting_ones_are_applied_once)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    apply(db, 2, 0);
    apply(db, 2, 2);
    apply(db, 3, 2);
    assert_int_equal(fixture_int(db, "SELECT x FROM c"), 42);
    assert_int_equal(fixture_int(db, "SELECT length(checksum) FROM migration WHERE number = 3"
                                     " AND name = '0003_third' AND applied_at > 0"),
                     16);
    db_close(db);
    db = fixture_open(f->path, DB_WRITE);
    apply(db, 3, 3);
    db_close(db);
}

static void expect(struct db *db, const struct migration *list, size_t n, const char *rule)
{
    struct migrate_state s;
    struct err err = {0};
    assert_int_equal(migrate_check_list(db, list, n, &s, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, rule);
    err_clear(&err);
    assert_int_equal(migrate_apply_list(db, list, n, &s, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, rule);
}

FOLDER_TEST(other_histories_are_refused)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    struct migration edited[3] = {plan[0], plan[1], plan[2]};
    edited[1].sql = SV("CREATE TABLE c (y)");
    apply(db, 2, 0);
    expect(db, edited, 3, "migration-changed");
    expect(db, plan, 1, "database-newer");
    fixture_run(db, "DELETE FROM migration WHERE number = 2");
    expect(db, plan, 3, "migration-changed");
    fixture_run(db, "DROP TABLE migration");
    expect(db, plan, 3, "migration-changed");
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM c"), 0);
    db_close(db);
}

static void refuse(struct db *db, struct sv sql, enum err_code code, const char *word)
{
    struct migration list[3] = {plan[0], plan[1], {3, SV("0003_bad"), sql}};
    struct migrate_state s;
    struct err err = {0};
    int64_t before = fixture_int(db, "SELECT count(*) FROM sqlite_schema");
    assert_int_equal(migrate_apply_list(db, list, 3, &s, &err), code);
    assert_non_null(strstr(err.msg, "0003_bad"));
    assert_non_null(strstr(err.msg, word));
    assert_int_equal(s.have, 2);
    assert_int_equal(fixture_int(db, "PRAGMA user_version"), 2);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM sqlite_schema"), before);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM migration"), 2);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM a"), 1);
    assert_int_equal(fixture_int(db, "PRAGMA foreign_keys"), 1);
}

FOLDER_TEST(a_failing_one_changes_nothing)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    apply(db, 2, 0);
    refuse(db, SV("CREATE TABLE d (x); INSERT INTO nowhere VALUES (1);"), ERR_BUG, "nowhere");
    refuse(db, SV("CREATE TABLE d (x); DELETE FROM a;"), ERR_CONFLICT, "table b");
    refuse(db, SV("CREATE TABLE d (x); INSERT INTO a VALUES (1);"), ERR_CONFLICT, "a.id");
    apply(db, 3, 2);
    db_close(db);
}

FOLDER_TEST(a_table_may_be_rebuilt)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    struct migration list[3] = {plan[0], plan[1],
                                MIGRATION(3, "0003_rebuild",
                                          "CREATE TABLE a2 (id INTEGER PRIMARY KEY, more TEXT);"
                                          "INSERT INTO a2 (id) SELECT id FROM a;"
                                          "DROP TABLE a; ALTER TABLE a2 RENAME TO a;")};
    struct migrate_state s;
    struct err err = {0};
    must(migrate_apply_list(db, list, 3, &s, &err), &err);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM b"), 1); /* DROP did not cascade */
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM a WHERE more IS NULL"), 1);
    db_close(db);
}

FOLDER_TEST(the_built_in_ones_apply)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    struct migrate_state s;
    struct err err = {0};
    must(migrate_check(db, &s, &err), &err);
    assert_int_equal(s.have, 0);
    assert_true(s.want >= 1);
    must(migrate_apply(db, &s, &err), &err);
    assert_int_equal(s.have, s.want);
    must(migrate_check(db, &s, &err), &err);
    assert_int_equal(s.have, s.want);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'event'"), 1);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM migration WHERE number = 1"
                                     " AND name = '0001_foundation'"),
                     1);
    fixture_run(db, "PRAGMA user_version=9999");
    assert_int_equal(migrate_check(db, &s, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, "database-newer");
    db_close(db);
}
