/* ledger_test.c - answers by event number, decisions in order, and what must not come: in memory, in a
 * file, and where the disk refuses halfway. */
#include "unit.h"

#include <signal.h>
#include <sys/resource.h>

#include "live/core/ledger.h"

static void add(struct ledger *l, int64_t id, bool surplus)
{
    const struct ledger_answer *stored;
    struct err err = {0};
    struct vote_answer w = {.id = id, .person = 7, .at = 5999, .mask = 3, .surplus = surplus};
    assert_int_equal(ledger_add(l, &w, (uint32_t)id, &stored, &err), OK);
    assert_int_equal(stored->id, id);
    assert_int_equal(stored->at_s, 5);
}

static bool turn(struct ledger *l, int64_t id, int64_t answer, bool out)
{
    const struct ledger_answer *turned;
    struct err err = {0};
    struct vote_state s = {.id = id, .answer = answer, .out = out};
    assert_int_equal(ledger_turn(l, &s, &turned, &err), OK);
    if (turned) {
        assert_int_equal(turned->id, answer);
        assert_int_equal(turned->out, out);
    }
    return turned != NULL;
}

/* In a file without a name: the folder stays empty. */
static struct ledger on_disk(void)
{
    char *folder = unit_folder();
    struct ledger l = {0};
    ledger_use_disk(&l, folder);
    unit_remove(folder);
    assert_true(l.on_disk);
    return l;
}

static void find_by_event(struct ledger *l)
{
    assert_int_equal(ledger_find(l, 3), 0);
    assert_int_equal(ledger_until(l, INT64_MAX), 0);
    for (int64_t id = 3; id < 3000; id += 3) {
        add(l, id, false);
        if (id % 10 == 0) {
            ledger_flush(l);
        }
    }
    ledger_flush(l);
    assert_int_equal(l->n, 999);
    for (int64_t e = -1; e < 3100; e++) {
        size_t until = e < 3 ? 0 : e / 3 < 999 ? (size_t)(e / 3) : 999;
        assert_int_equal(ledger_until(l, e), until);
        assert_int_equal(ledger_find(l, e), e >= 3 && e < 3000 && e % 3 == 0 ? until - 1 : l->n);
        if (e % 100 == 0) {
            ledger_rest(l);
        }
    }
    ledger_clear(l);
    assert_int_equal(l->n, 0);
}

TEST(answers_are_found_by_event)
{
    struct ledger memory = {0}, disk = on_disk();
    for (int round = 0; round < 2; round++) { /* cleared, it begins anew */
        find_by_event(&memory);
        find_by_event(&disk);
        assert_true(disk.on_disk && !memory.on_disk);
    }
    ledger_release(&memory);
    ledger_release(&disk);
}

/* More than one mapping holds: every byte of both is the same. */
TEST(a_file_holds_what_memory_holds)
{
    enum { MANY = 150000 };
    struct ledger memory = {0}, disk = on_disk();
    for (int64_t id = 1; id <= MANY; id++) {
        add(&memory, id, id % 7 == 0);
        add(&disk, id, id % 7 == 0);
        if (id % 50000 == 0) {
            ledger_flush(&disk);
            for (int64_t of = 1; of <= id; of += 1111) {
                turn(&memory, MANY + id, of, (of + id / 50000) % 2);
                turn(&disk, MANY + id, of, (of + id / 50000) % 2);
            }
        }
    }
    assert_true(disk.on_disk);
    assert_int_equal(disk.n, MANY);
    assert_int_equal(disk.n_flips, memory.n_flips);
    assert_true(memory.n_flips > 100);
    ledger_rest(&disk);
    assert_memory_equal(disk.answers, memory.answers, MANY * sizeof *disk.answers);
    ledger_release(&memory);
    ledger_release(&disk);
}

/* No room for a file, or for more of it: nothing is lost, the rest stays in memory. */
TEST(a_disk_that_refuses)
{
    struct ledger l = {0}, disk = on_disk();
    struct rlimit before, few = {40000, 40000};
    ledger_use_disk(&l, "/dev/null/nowhere");
    assert_false(l.on_disk);
    add(&l, 1, false);
    assert_int_equal(l.n, 1);
    ledger_release(&l);

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    few.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    for (int64_t id = 1; id <= 5000; id++) {
        add(&disk, id, false);
        if (id == 1000) {
            ledger_flush(&disk);
            assert_true(disk.on_disk && turn(&disk, 1, 7, true));
        }
    }
    ledger_flush(&disk);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(disk.on_disk);
    assert_int_equal(disk.n, 5000);
    for (int64_t id = 1; id <= 5000; id++) {
        assert_int_equal(disk.answers[id - 1].id, id);
        assert_int_equal(disk.answers[id - 1].out, id == 7);
    }
    assert_true(turn(&disk, 2, 4999, true));
    ledger_release(&disk);
}

/* Only what changes something is kept: each is the opposite of what was. */
TEST(decisions_are_kept_in_order)
{
    struct ledger l = {0};
    add(&l, 10, false);
    add(&l, 20, true);
    assert_false(turn(&l, 21, 10, false)); /* it is in */
    assert_true(turn(&l, 22, 10, true));
    assert_false(turn(&l, 23, 10, true));
    assert_true(turn(&l, 24, 20, true));
    assert_true(turn(&l, 25, 10, false));
    assert_int_equal(l.n_flips, 3);
    assert_true(l.flips[0].id == 22 && l.flips[0].answer == 0 && l.flips[0].out);
    assert_true(l.flips[1].id == 24 && l.flips[1].answer == 1 && l.flips[1].out);
    assert_true(l.flips[2].id == 25 && l.flips[2].answer == 0 && !l.flips[2].out);
    assert_true(!l.answers[0].out && l.answers[1].out && l.answers[1].surplus);
    ledger_release(&l);
}

TEST(times_are_cut_to_what_fits)
{
    struct ledger l = {0};
    const struct ledger_answer *stored;
    struct err err = {0};
    struct vote_answer w = {.id = 1, .at = INT64_MAX, .active_ms = INT64_MAX};
    assert_int_equal(ledger_add(&l, &w, 0, &stored, &err), OK);
    assert_true(stored->at_s == UINT32_MAX && stored->active_ms == UINT32_MAX);
    w = (struct vote_answer){.id = 2, .at = -1000, .active_ms = -5};
    assert_int_equal(ledger_add(&l, &w, 0, &stored, &err), OK);
    assert_true(stored->at_s == 0 && stored->active_ms == 0);
    ledger_release(&l);
}

TEST(what_cannot_be_is_refused)
{
    struct ledger l = {0};
    const struct ledger_answer *stored;
    struct err err = {0};
    add(&l, 10, false);
    struct vote_answer again = {.id = 10}, big = {.id = INT64_C(1) << 32},
                       stranger = {.id = 11, .person = INT64_C(1) << 32};
    assert_int_equal(ledger_add(&l, &again, 0, &stored, &err), ERR_BUG);
    err_clear(&err);
    assert_int_equal(ledger_add(&l, &big, 0, &stored, &err), ERR_LIMIT);
    err_clear(&err);
    assert_int_equal(ledger_add(&l, &stranger, 0, &stored, &err), ERR_LIMIT);
    err_clear(&err);
    struct vote_state of_nothing = {.id = 12, .answer = 9, .out = true};
    assert_int_equal(ledger_turn(&l, &of_nothing, &stored, &err), ERR_BUG);
    assert_null(stored);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.n_flips, 0);
    ledger_release(&l);
}
