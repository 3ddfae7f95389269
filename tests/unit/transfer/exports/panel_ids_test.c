/* panel_ids_test.c - lists with panel ids are on record before they are written, and others leave no record. */
#include "unit.h"

#include "store/campaigns/campaigns.h"
#include "temp_project.h"
#include "transfer/exports/exports.h"
#include "world.h"

#define RECORDS "SELECT count(*) FROM event WHERE kind = 'export.panel-ids'"

/* How many records there were when the first bytes came. */
struct taker {
    struct temp_project *t;
    int64_t records;
    bool refuse;
};

static enum err_code take(void *arg, const char *p, size_t n, struct err *err)
{
    struct taker *k = arg;
    (void)p;
    (void)n;
    k->records = k->records < 0 ? temp_int(k->t, RECORDS) : k->records;
    return k->refuse ? err_set(err, ERR_IO, "the disk is full") : OK;
}

static struct transfer given(struct temp_project *t, struct taker *k)
{
    *k = (struct taker){.t = t, .records = -1};
    return (struct transfer){.db = t->db, .arena = &t->arena, .err = &t->err, .dir = t->dir, .alone = true,
                             .write = take, .arg = k};
}

PROJECT_TEST(recorded_first)
{
    struct temp_project *t = *state;
    struct taker k;
    struct transfer tr = given(t, &k);
    struct campaign terms = world_terms("main"), c;
    struct pay_list_told told;
    world_campaign(t->db, &terms);
    assert_int_equal(campaigns_find(t->db, SV("main"), &t->arena, &c, &t->err), OK);
    assert_int_equal(workers_export(&tr, false), OK);
    assert_int_equal(votes_export(&tr, &c, true, false), OK);
    assert_int_equal(participants_export(&tr, &c, false), OK);
    assert_int_equal(k.records, 0);
    assert_int_equal(temp_int(t, RECORDS), 0);

    enum { LISTS = 4 };
    for (int i = 0; i < LISTS; i++) {
        tr = given(t, &k);
        enum err_code rc = i == 0   ? workers_export(&tr, true)
                           : i == 1 ? votes_export(&tr, &c, false, true)
                           : i == 2 ? participants_export(&tr, &c, true)
                                    : pay_list_export(&tr, &c, PAY_LIST_REJECT, 0, &told);
        assert_int_equal(rc, OK);
        assert_int_equal(k.records, i + 1);
        assert_int_equal(temp_int(t, RECORDS), i + 1);
    }
    assert_int_equal(temp_int(t, RECORDS " AND subject IS NULL AND detail = '{\"what\":\"workers\"}'"), 1);
    assert_int_equal(temp_int(t, RECORDS " AND subject = 1 AND detail = '{\"what\":\"reject\"}'"), 1);
}

PROJECT_TEST(recorded_when_nobody_could_read_it)
{
    struct temp_project *t = *state;
    struct taker k;
    struct transfer tr = given(t, &k);
    k.refuse = true;
    assert_int_equal(workers_export(&tr, true), ERR_IO);
    err_clear(&t->err);
    assert_int_equal(temp_int(t, RECORDS), 1);
}
