/* events_test.c - numbers grow, optional members are NULL. */
#include "unit.h"

#include "store/core/events.h"
#include "store/people/accounts.h"
#include "temp_project.h"

PROJECT_TEST(numbers_grow)
{
    struct temp_project *t = *state;
    int64_t a = 0, b = 0;
    assert_int_equal(events_add(t->db, 5, 0, "test.one", 0, NULL, &a, &t->err), OK);
    assert_int_equal(events_add(t->db, 6, 0, "test.two", 7, "{}", &b, &t->err), OK);
    assert_true(a > 1 && b == a + 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'test.one' AND at = 5 AND "
                                 "account IS NULL AND subject IS NULL AND detail IS NULL"),
                     1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'test.two' AND "
                                 "subject = 7 AND detail = '{}'"),
                     1);
}

PROJECT_TEST(an_unknown_account_is_refused)
{
    struct temp_project *t = *state;
    assert_int_not_equal(events_add(t->db, 5, 99, "test.one", 0, NULL, NULL, &t->err), OK);
    int64_t id = 0;
    err_clear(&t->err);
    assert_int_equal(
        accounts_create(t->db, 1, 0, SV("ada"), SV("lead"), "hash", &id, &t->err), OK);
    assert_int_equal(events_add(t->db, 5, id, "test.one", 0, NULL, NULL, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT account FROM event WHERE kind = 'test.one'"), id);
}

/* SQLite refuses INDEXED BY where the statement does not say what the index's condition says. */
PROJECT_TEST(the_told_are_found_by_index)
{
    struct temp_project *t = *state;
    static const char *const sql[] = {
        "SELECT count(*) FROM event e INDEXED BY event_told WHERE " EVENTS_TOLD,
        "SELECT count(*) FROM event e INDEXED BY event_account WHERE e.account = 1 AND " EVENTS_TOLD,
        "SELECT count(*) FROM event e INDEXED BY event_subject WHERE e.subject = 7"
        " AND e.kind = 'export.panel-ids' AND " EVENTS_TOLD,
    };
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
        int64_t n = 0;
        assert_int_equal(db_one_int(t->db, sql[i], DB_NONE, &n, &t->err), OK);
    }
}
