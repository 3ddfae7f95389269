/* people_test.c - pseudonyms, identities, forgetting. */
#include "unit.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/people/accounts.h"
#include "store/people/erasure.h"
#include "store/people/people.h"
#include "store/people/sessions.h"
#include "temp_project.h"
#include "world.h"

PROJECT_TEST(pseudonyms_are_random_and_readable)
{
    struct temp_project *t = *state;
    enum { N = 200 };
    for (int i = 0; i < N; i++) {
        int64_t id = 0;
        struct person p;
        assert_int_equal(people_create(t->db, 7, 0, "worker", &id, &t->err), OK);
        assert_int_equal(people_get(t->db, id, &t->arena, &p, &t->err), OK);
        assert_int_equal(p.pseudonym.n, 13);
        assert_int_equal(p.pseudonym.p[0], 'p');
        assert_int_equal(strspn(p.pseudonym.p, "0123456789abcdefghjkmnpqrstvwxyz"), 13);
        assert_true(sv_is(p.kind, "worker"));
        assert_int_equal(p.created_at, 7);
        assert_int_equal(p.external_id.n, 0);
    }
    assert_int_equal(temp_int(t, "SELECT count(DISTINCT pseudonym) FROM person"), N);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'person.create'"), N);
    /* No position is constant. */
    for (int at = 1; at < 13; at++) {
        int64_t kinds = 0;
        assert_int_equal(
            db_one_int(t->db, "SELECT count(DISTINCT substr(pseudonym, ?1, 1)) FROM person",
                       DB_VALS(db_int(at + 1)), &kinds, &t->err),
            OK);
        assert_true(kinds > 16);
    }
}

PROJECT_TEST(an_unknown_kind_is_refused)
{
    struct temp_project *t = *state;
    int64_t id = 0;
    assert_int_not_equal(people_create(t->db, 7, 0, "robot", &id, &t->err), OK);
}

PROJECT_TEST(identities_are_unique)
{
    struct temp_project *t = *state;
    int64_t a = 0, b = 0, found = 0;
    people_create(t->db, 1, 0, "worker", &a, &t->err);
    people_create(t->db, 1, 0, "worker", &b, &t->err);
    assert_int_equal(people_find_external(t->db, SV("panel"), SV("w1"), &found, &t->err),
                     ERR_NOT_FOUND);
    assert_int_equal(t->err.code, OK);
    assert_int_equal(people_identify(t->db, 2, 0, a, SV("panel"), SV("w1"), SV("Ada"), &t->err),
                     OK);
    assert_int_equal(people_find_external(t->db, SV("panel"), SV("w1"), &found, &t->err), OK);
    assert_int_equal(found, a);
    assert_int_equal(people_find_external(t->db, SV("other"), SV("w1"), &found, &t->err),
                     ERR_NOT_FOUND);
    assert_int_equal(people_identify(t->db, 2, 0, b, SV("panel"), SV("w1"), SV(""), &t->err),
                     ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "identity-taken");
    assert_int_equal(people_identify(t->db, 2, 0, a, SV("panel"), SV("w2"), SV(""), &t->err),
                     ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "identity-taken");
    assert_int_equal(people_identify(t->db, 2, 0, b, SV("other"), SV("w1"), SV(""), &t->err), OK);
    /* The event says that, never who. */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE detail LIKE '%w1%'"), 0);
}

PROJECT_TEST(forgetting_leaves_the_pseudonym)
{
    struct temp_project *t = *state;
    int64_t id = 0, found = 0;
    struct person p;
    people_create(t->db, 1, 0, "worker", &id, &t->err);
    people_identify(t->db, 1, 0, id, SV("panel"), SV("w1"), SV("Ada"), &t->err);
    assert_int_equal(people_forget(t->db, 3, 0, id, &t->err), OK);
    assert_int_equal(people_forget(t->db, 4, 0, id, &t->err), OK);
    assert_int_equal(people_find_external(t->db, SV("panel"), SV("w1"), &found, &t->err),
                     ERR_NOT_FOUND);
    assert_int_equal(people_get(t->db, id, &t->arena, &p, &t->err), OK);
    assert_int_equal(p.pseudonym.n, 13);
    assert_int_equal(p.name.n, 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'person.forget'"), 1);
    assert_int_equal(people_forget(t->db, 3, 0, 999, &t->err), ERR_NOT_FOUND);
}

enum { MANY = 2500, FORGOTTEN = 40 };

static const char *panel_id(struct temp_project *t, int i)
{
    return arena_printf(&t->arena, "%08x-panel-%04d", (unsigned)i * 2654435761U, i);
}

/* The place of the i-th person to arrive gets what the link said, of uneven length. */
static void arrive(struct temp_project *t, int i, int64_t person, int64_t place)
{
    const char *id = panel_id(t, i);
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), sv_of(id), SV(""), &t->err), OK);
    assert_int_equal(
        db_run(t->db, "INSERT INTO arrival (place, parameters) VALUES (?1, ?2)",
               DB_VALS(db_int(place),
                       db_str(arena_printf(&t->arena, "{\"id\": \"%s\", \"more\": \"%0*d\"}", id,
                                           1 + (int)((unsigned)i * 7919U % 900), 7))),
               &t->err),
        OK);
}

static bool file_holds(struct temp_project *t, const char *name, const char *text)
{
    const char *path = fs_join(&t->arena, t->dir, name);
    struct fs_map map;
    if (fs_size(path) <= 0) {
        return false;
    }
    assert_int_equal(fs_map(path, &map, &t->err), OK);
    bool found = memmem(map.data, map.n, text, strlen(text)) != NULL;
    fs_unmap(&map);
    return found;
}

/* People arrive in any order and rows go again, so that SQLite moves rows between pages and leaves
 * copies behind. */
static void make_a_crowd(struct temp_project *t, int64_t person[MANY])
{
    struct campaign terms = world_terms("main");
    int64_t campaign = world_campaign(t->db, &terms), place[MANY];
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    for (int i = 0; i < MANY; i++) {
        person[i] = world_person(t->db);
        place[i] = world_place(t->db, campaign, person[i]);
    }
    for (int k = 0; k < MANY; k++) {
        int i = (int)((unsigned)k * 1009U % MANY);
        arrive(t, i, person[i], place[i]);
        if (k % 3 == 2 && i > FORGOTTEN) {
            assert_int_equal(db_run(t->db, "DELETE FROM arrival WHERE place = ?1",
                                    DB_VALS(db_int(place[i])), &t->err),
                             OK);
            assert_int_equal(db_run(t->db, "DELETE FROM identity WHERE person = ?1",
                                    DB_VALS(db_int(person[i])), &t->err),
                             OK);
        }
    }
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

/* A slice at a time, each in a transaction, some of them undone. */
static void erase_the_rest(struct temp_project *t)
{
    bool more = true;
    for (int i = 0; more; i++) {
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(erasure_slice(t->db, i % 5, &more, &t->err), OK);
        if (i % 7 == 6) {
            db_tx_rollback(t->db);
            more = true;
        } else {
            assert_int_equal(db_tx_commit(t->db, &t->err), OK);
        }
    }
}

PROJECT_TEST(no_byte_of_a_forgotten_id_stays)
{
    struct temp_project *t = *state;
    int64_t person[MANY];
    make_a_crowd(t, person);
    for (int i = 0; i < FORGOTTEN; i++) {
        const char *id = panel_id(t, i);
        assert_true(file_holds(t, "holdout.db", id) || file_holds(t, "holdout.db-wal", id));
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(people_forget(t->db, 3, 0, person[i], &t->err), OK);
        assert_int_equal(db_tx_commit(t->db, &t->err), OK);
        erase_the_rest(t);
        assert_true(db_erase_due(t->db));
        assert_int_equal(db_erase_finish(t->db, 1000, &t->err), OK);
        assert_false(db_erase_due(t->db));
        assert_false(file_holds(t, "holdout.db", id));
        assert_false(file_holds(t, "holdout.db-wal", id));
        assert_true(file_holds(t, "holdout.db", panel_id(t, i + 1)));
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM identity"),
                     temp_int(t, "SELECT count(*) FROM arrival"));
}

PROJECT_TEST(who_leaves_during_an_erasure_is_erased_too)
{
    struct temp_project *t = *state;
    int64_t person[MANY];
    bool more = true;
    make_a_crowd(t, person);
    int64_t known = temp_int(t, "SELECT count(*) FROM identity") - FORGOTTEN;
    for (int i = 0; i < FORGOTTEN; i++) {
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(people_forget(t->db, 3, 0, person[i], &t->err), OK);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(erasure_slice(t->db, 0, &more, &t->err), OK);
        }
        assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    }
    int64_t late = world_person(t->db), found = 0;
    assert_int_equal(
        people_identify(t->db, 1, 0, late, SV("panel"), SV("comes late"), SV(""), &t->err), OK);
    erase_the_rest(t);
    assert_int_equal(db_erase_finish(t->db, 1000, &t->err), OK);
    for (int i = 0; i < FORGOTTEN; i++) {
        assert_false(file_holds(t, "holdout.db", panel_id(t, i)));
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM identity"), known + 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM arrival"), known);
    assert_int_equal(people_find_external(t->db, SV("panel"), SV("comes late"), &found, &t->err),
                     OK);
    assert_int_equal(found, late);
}

PROJECT_TEST(the_log_is_not_emptied_under_a_reader)
{
    struct temp_project *t = *state;
    struct db *reader = NULL;
    int64_t person = world_person(t->db), n;
    people_identify(t->db, 1, 0, person, SV("panel"), SV("w1"), SV(""), &t->err);
    assert_int_equal(db_open(fs_join(&t->arena, t->dir, "holdout.db"), DB_READ, &reader, &t->err),
                     OK);
    assert_int_equal(db_snapshot(reader, &t->err), OK);
    assert_int_equal(db_one_int(reader, "SELECT count(*) FROM identity", DB_NONE, &n, &t->err),
                     OK);
    assert_int_equal(people_forget(t->db, 3, 0, person, &t->err), OK);
    db_erase_mark(t->db);
    assert_int_equal(db_erase_finish(t->db, 5, &t->err), ERR_BUSY);
    temp_clear(t, ERR_BUSY, "log-in-use");
    assert_true(db_erase_due(t->db));
    db_snapshot_end(reader);
    erase_the_rest(t);
    assert_int_equal(db_erase_finish(t->db, 5, &t->err), OK);
    assert_false(file_holds(t, "holdout.db-wal", "w1"));
    db_close(reader);
}

/* Another process holds SQLite's lock for checkpoints (the byte 121 of the shared index) for a moment, as a server does
 * that empties its log just then. */
static pid_t hold_checkpoints(struct temp_project *t)
{
    int told[2];
    char c;
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 121, .l_len = 1};
        int fd = open(fs_join(&t->arena, t->dir, "holdout.db-shm"), O_RDWR | O_CLOEXEC);
        bool held = fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0 && write(told[1], "x", 1) == 1;
        usleep(50000);
        _exit(held ? 0 : 1);
    }
    close(told[1]);
    assert_int_equal(read(told[0], &c, 1), 1);
    close(told[0]);
    return child;
}

PROJECT_TEST(anothers_checkpoint_is_waited_for)
{
    struct temp_project *t = *state;
    int64_t person = world_person(t->db);
    int status;
    people_identify(t->db, 1, 0, person, SV("panel"), SV("w1"), SV(""), &t->err);
    assert_int_equal(people_forget(t->db, 3, 0, person, &t->err), OK);
    db_erase_mark(t->db);
    erase_the_rest(t);
    pid_t child = hold_checkpoints(t);
    assert_int_equal(db_erase_finish(t->db, 10000, &t->err), OK);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(file_holds(t, "holdout.db-wal", "w1"));
}

PROJECT_TEST(people_are_found_by_pseudonym)
{
    struct temp_project *t = *state;
    int64_t person = world_person(t->db), found = 0;
    struct person p;
    people_get(t->db, person, &t->arena, &p, &t->err);
    assert_int_equal(people_find_pseudonym(t->db, p.pseudonym, &found, &t->err), OK);
    assert_int_equal(found, person);
    people_find_pseudonym(t->db, SV("nobody"), &found, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-person");
}

PROJECT_TEST(forgetting_closes_the_account)
{
    struct temp_project *t = *state;
    int64_t root = 0, ada = 0;
    struct account a;
    struct session s;
    unsigned char hash[SECRET_HASH] = {1};
    accounts_create(t->db, 1, 0, SV("root"), SV("admin"), "h", &root, &t->err);
    accounts_create(t->db, 1, 0, SV("ada"), SV("lead"), "h", &ada, &t->err);
    assert_int_equal(sessions_create(t->db, 1, hash, ada, 1000, &t->err), OK);
    accounts_get(t->db, ada, &t->arena, &a, &t->err);
    assert_int_equal(people_forget(t->db, 2, root, a.person, &t->err), OK);
    assert_int_equal(accounts_find_login(t->db, SV("ada"), &t->arena, &a, &t->err),
                     ERR_NOT_FOUND);
    assert_int_equal(accounts_get(t->db, ada, &t->arena, &a, &t->err), OK);
    assert_true(a.disabled);
    assert_int_equal(a.login.n, 0);
    assert_int_equal(sessions_find(t->db, hash, 2, 0, &t->arena, &s, &t->err), ERR_NOT_FOUND);
    assert_int_equal(accounts_set_disabled(t->db, 3, root, ada, false, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "forgotten");
    /* The name is free again. */
    assert_int_equal(accounts_create(t->db, 4, root, SV("ada"), SV("lead"), "h", &ada, &t->err),
                     OK);
}

PROJECT_TEST(the_last_admin_is_not_forgotten)
{
    struct temp_project *t = *state;
    int64_t root = 0;
    struct account a;
    accounts_create(t->db, 1, 0, SV("root"), SV("admin"), "h", &root, &t->err);
    accounts_get(t->db, root, &t->arena, &a, &t->err);
    assert_int_equal(people_forget(t->db, 2, root, a.person, &t->err), ERR_DENIED);
    temp_clear(t, ERR_DENIED, "last-admin");
    assert_int_equal(accounts_find_login(t->db, SV("root"), &t->arena, &a, &t->err), OK);
    assert_false(a.disabled);
}

/* The text of the views and their triggers without its white space. */
static struct sv views(struct temp_project *t)
{
    struct db_rows r;
    assert_int_equal(
        db_begin(t->db,
                 "SELECT group_concat(replace(replace(sql, ' ', ''), char(10), ''), ';') FROM"
                 " (SELECT sql FROM sqlite_schema WHERE tbl_name IN ('identity', 'arrival')"
                 "  ORDER BY type, name)",
                 DB_NONE, &r, &t->err),
        OK);
    assert_true(db_step(&r, &t->err));
    struct sv text = arena_sv(&t->arena, db_col_text(&r, 0));
    assert_int_equal(db_end(&r), OK);
    return text;
}

PROJECT_TEST(the_views_come_back_as_the_migration_made_them)
{
    struct temp_project *t = *state;
    struct sv made = views(t), other = SV("");
    assert_true(made.n > 1000);
    for (int i = 0; i < 2; i++) {
        int64_t person = world_person(t->db);
        bool more = true;
        assert_int_equal(people_identify(t->db, 1, 0, person, SV("panel"), i ? SV("ann") : SV("bob"),
                                         SV(""), &t->err),
                         OK);
        assert_int_equal(people_forget(t->db, 2, 0, person, &t->err), OK);
        while (more) {
            assert_int_equal(erasure_slice(t->db, 5, &more, &t->err), OK);
        }
        other = i ? other : views(t);
    }
    struct sv again = views(t);
    assert_true(!sv_eq(made, other) && made.n == other.n);
    assert_true(sv_eq(made, again));
}
