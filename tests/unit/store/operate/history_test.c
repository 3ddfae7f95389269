/* history_test.c - the pages of what happened: order, filters, cursors, runs, and what events are
 * about. */
#include "unit.h"

#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "store/core/events.h"
#include "store/operate/history.h"
#include "store/people/notes.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

static const int64_t day = INT64_C(86400000);

static int64_t add(struct temp_project *t, int64_t at, int64_t account, const char *kind,
                   int64_t subject, const char *detail)
{
    int64_t id;
    assert_int_equal(events_add(t->db, at, account, kind, subject, detail, &id, &t->err), OK);
    return id;
}

static struct history_page page(struct temp_project *t, struct history_ask ask)
{
    struct history_page p;
    ask.kinds = ask.kinds.p ? ask.kinds : SV("");
    ask.limit = ask.limit ? ask.limit : 1000;
    assert_int_equal(history_page(t->db, &ask, &t->arena, &p, &t->err), OK);
    for (size_t i = 1; i < p.n; i++) {
        assert_true(p.events[i].id < p.events[i - 1].id);
    }
    return p;
}

static bool shows(const struct history_page *p, int64_t id)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->events[i].id == id) {
            return true;
        }
    }
    return false;
}

/* An account that can sign in, made by SQL: its login stands beside what it does. */
static int64_t account(struct temp_project *t, const char *login)
{
    int64_t person = world_person(t->db);
    assert_int_equal(db_run(t->db,
                            "INSERT INTO identity (person, source, external_id)"
                            " VALUES (?1, 'local', ?2)",
                            DB_VALS(db_int(person), db_str(login)), &t->err),
                     OK);
    assert_int_equal(db_run(t->db,
                            "INSERT INTO account (person, role, password_hash, created_at)"
                            " VALUES (?1, 'lead', '', 0)",
                            DB_VALS(db_int(person)), &t->err),
                     OK);
    return db_last_id(t->db);
}

PROJECT_TEST(newest_first_without_single_answers)
{
    struct temp_project *t = *state;
    int64_t a = add(t, WORLD_NOW, 0, "campaign.open", 1, NULL);
    int64_t b = add(t, WORLD_NOW + 1, 0, "answer", 1, NULL);
    int64_t c = add(t, WORLD_NOW + 2, 0, "person.create", 1, NULL);
    int64_t d = add(t, WORLD_NOW + 3, 0, "campaign.paused", 1, NULL);
    struct history_page p = page(t, (struct history_ask){0});
    assert_int_equal(p.events[0].id, d);
    assert_int_equal(p.events[1].id, a);
    assert_false(shows(&p, b) || shows(&p, c));
    assert_int_equal(p.next, 0);
    assert_false(p.cut);
    p = page(t, (struct history_ask){.singles = true});
    assert_int_equal(p.events[0].id, d);
    assert_int_equal(p.events[1].id, c);
    assert_int_equal(p.events[2].id, b);
}

PROJECT_TEST(pages_meet_without_gap_or_repeat)
{
    struct temp_project *t = *state;
    for (int i = 0; i < 25; i++) {
        add(t, WORLD_NOW + i, 0, i % 3 ? "campaign.open" : "study.change", i, NULL);
    }
    size_t all = page(t, (struct history_ask){0}).n, seen = 0;
    int64_t before = 0, last = INT64_MAX;
    do {
        struct history_page p = page(t, (struct history_ask){.before = before, .limit = 4});
        assert_true(p.n > 0 && p.n <= 4 && p.events[0].id < last);
        seen += p.n;
        last = p.events[p.n - 1].id;
        before = p.next;
    } while (before);
    assert_int_equal(seen, all);
}

PROJECT_TEST(filters_by_kind_account_and_day)
{
    struct temp_project *t = *state;
    int64_t maria = account(t, "maria"), ada = account(t, "ada");
    int64_t a = add(t, WORLD_NOW + day, maria, "campaign.open", 1, NULL);
    int64_t b = add(t, WORLD_NOW + 2 * day, ada, "campaign.paused", 1, NULL);
    int64_t c = add(t, WORLD_NOW + 3 * day, maria, "study.change", 1, NULL);
    struct history_page p =
        page(t, (struct history_ask){.kinds = SV("|campaign.open|campaign.paused|")});
    assert_true(shows(&p, a) && shows(&p, b) && !shows(&p, c));
    p = page(t, (struct history_ask){.account = maria});
    assert_true(p.n == 2 && p.events[0].id == c && p.events[1].id == a);
    assert_true(sv_is(p.events[0].login, "maria"));
    p = page(t, (struct history_ask){.account = maria, .kinds = SV("|campaign.open|")});
    assert_true(p.n == 1 && p.events[0].id == a);
    p = page(t,
             (struct history_ask){.from_ms = WORLD_NOW + 2 * day, .until_ms = WORLD_NOW + 3 * day});
    assert_true(p.n == 1 && p.events[0].id == b);
    p = page(t, (struct history_ask){.from_ms = WORLD_NOW + 4 * day});
    assert_int_equal(p.n, 0);
    struct history_who *who;
    size_t n;
    assert_int_equal(history_accounts(t->db, &t->arena, &who, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(who[0].login, "ada") && who[1].account == maria);
}

/* Two campaigns, a person in each; the flag was given on a grid of the first. */
PROJECT_TEST(filters_by_campaign_and_person)
{
    struct temp_project *t = *state;
    struct campaign one = world_terms("one"), two = world_terms("two");
    int64_t class_id = world_class(t->db, 1);
    int64_t image = world_image(t->db, 1, class_id, "candidate");
    int64_t campaign = world_campaign(t->db, &one), other = world_campaign(t->db, &two);
    int64_t grid = world_grid(t->db, campaign, class_id, &image, 1);
    int64_t person = world_person(t->db), stranger = world_person(t->db);
    int64_t place = world_place(t->db, campaign, person);
    world_place(t->db, other, stranger);
    int64_t lent = world_lend(t->db, grid, person, place, WORLD_NOW, WORLD_NOW + 1000);
    int64_t answer = world_answer(t->db, lent, 1, false, WORLD_NOW + 5);
    bool added;
    assert_int_equal(flags_add(t->db,
                               &(struct flag_new){image, person, lent, SV("broken"), SV(""), 100},
                               WORLD_NOW + 6, &added, &t->err),
                     OK);
    assert_int_equal(studies_outcome(t->db, place, STUDY_COMPLETE, 0, WORLD_NOW + 7, &t->err), OK);
    assert_int_equal(notes_add(t->db, person, "block", SV("why"), 0, WORLD_NOW + 8, &t->err), OK);

    struct history_page p = page(t, (struct history_ask){.campaign = campaign});
    /* made, planned, joined, flagged, ended */
    assert_int_equal(p.n, 5);
    assert_true(sv_is(p.events[0].kind, "place.outcome") && sv_is(p.events[1].kind, "flag"));
    p = page(t, (struct history_ask){.campaign = campaign, .singles = true});
    assert_true(shows(&p, answer));
    p = page(t, (struct history_ask){.campaign = other});
    assert_int_equal(p.n, 2);

    p = page(t, (struct history_ask){.person = person});
    assert_int_equal(p.n, 4);
    assert_true(sv_is(p.events[0].kind, "person.block"));
    assert_true(sv_is(p.events[3].kind, "place.join"));
    p = page(t, (struct history_ask){.person = person, .singles = true});
    assert_true(shows(&p, answer));
    p = page(t, (struct history_ask){.person = person, .limit = 3});
    assert_true(p.n == 3 && p.next > 0 && !p.cut);
    p = page(t, (struct history_ask){.person = person, .before = p.next});
    assert_int_equal(p.n, 1);
    p = page(t, (struct history_ask){.person = stranger});
    assert_int_equal(p.n, 1);
}

PROJECT_TEST(pieces_in_a_row_are_one_line)
{
    struct temp_project *t = *state;
    struct history_ask ask = {.runs = SV("images.import|grids.create"),
                              .crowds = SV("participant.add")};
    add(t, WORLD_NOW, 0, "images.import", 0, "{\"images\":5}");
    add(t, WORLD_NOW + 1, 0, "images.import", 0, "{\"images\":7}");
    add(t, WORLD_NOW + 2 * HISTORY_RUN_MS, 0, "images.import", 0, "{\"images\":1}");
    add(t, WORLD_NOW + 2 * HISTORY_RUN_MS, 0, "grids.create", 1, "{\"grids\":2}");
    add(t, WORLD_NOW + 2 * HISTORY_RUN_MS, 0, "grids.create", 2, "{\"grids\":3}");
    add(t, WORLD_NOW + 2 * HISTORY_RUN_MS, 0, "participant.add", 1, NULL);
    add(t, WORLD_NOW + 2 * HISTORY_RUN_MS, 0, "participant.add", 2, NULL);
    struct history_page p = page(t, ask);
    static const struct {
        const char *kind;
        int64_t run, count;
    } lines[] = {{"participant.add", 2, 0},
                 {"grids.create", 1, 3},
                 {"grids.create", 1, 2},
                 {"images.import", 1, 1},
                 {"images.import", 2, 12}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_true(sv_is(p.events[i].kind, lines[i].kind));
        assert_int_equal(p.events[i].run, lines[i].run);
        assert_int_equal(p.events[i].count, lines[i].count);
    }
    /* A page ends behind the run, not inside it. */
    ask.limit = 1;
    p = page(t, ask);
    assert_int_equal(p.n, 1);
    ask.before = p.next;
    p = page(t, ask);
    assert_true(sv_is(p.events[0].kind, "grids.create") && p.events[0].count == 3);
}

/* A filter that nothing fits looks through so many events, and says where it stopped. */
PROJECT_TEST(a_search_that_finds_nothing_ends)
{
    struct temp_project *t = *state;
    assert_int_equal(db_run(t->db,
                            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
                            "  WHERE i < ?1)"
                            " INSERT INTO event (at, kind, subject)"
                            " SELECT ?2, 'study.change', 1 FROM n",
                            DB_VALS(db_int(HISTORY_LOOKED_MOST + 500), db_int(WORLD_NOW)), &t->err),
                     OK);
    struct history_page p = page(t, (struct history_ask){.kinds = SV("|view.create|")});
    assert_true(p.n == 0 && p.cut && p.next > 1);
    p = page(t, (struct history_ask){.kinds = SV("|view.create|"), .before = p.next});
    assert_true(p.n == 1 && !p.cut && p.next == 0);
}

PROJECT_TEST(facts_of_what_is_gone_are_empty)
{
    struct temp_project *t = *state;
    for (int about = 0; about < HISTORY_ABOUTS; about++) {
        struct history_facts f;
        const struct history_event e = {.id = 999999, .subject = 999999};
        assert_int_equal(
            history_facts(t->db, &e, (enum history_about)about, &t->arena, &f, &t->err), OK);
        assert_int_equal(f.campaign.n + f.person.n + f.name.n + f.text.n, 0);
        assert_int_equal(f.number, 0);
    }
    struct history_facts f;
    const struct history_event first = {.id = 1, .subject = 1};
    assert_int_equal(history_facts(t->db, &first, ABOUT_VIEW, &t->arena, &f, &t->err), OK);
    assert_true(sv_is(f.name, "default") && f.other == 1);
}
