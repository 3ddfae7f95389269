/* jobs_test.c - every step of a job's row names the state it comes from; what is open, what ended. */
#include "unit.h"

#include "store/operate/jobs.h"
#include "store/operate/news.h"
#include "temp_project.h"

static int64_t add(struct temp_project *t, const char *arguments)
{
    int64_t id = 0;
    assert_int_equal(jobs_add(t->db, SV("predict"), sv_of(arguments), SV("title"), 0, 10, &id, &t->err),
                     OK);
    return id;
}

static struct job_row get(struct temp_project *t, int64_t id)
{
    struct job_row j;
    assert_int_equal(jobs_get(t->db, id, &t->arena, &j, &t->err), OK);
    return j;
}

static void progress(struct temp_project *t, int64_t id, int64_t done, int64_t now, bool stop)
{
    bool asked = !stop;
    assert_int_equal(jobs_progress(t->db, id, done, 100, SV("works"), now, &asked, &t->err), OK);
    assert_int_equal(asked, stop);
}

PROJECT_TEST(a_job_goes_from_the_queue_to_its_end)
{
    struct temp_project *t = *state;
    int64_t id = add(t, "[]");
    struct job_row j = get(t, id);
    assert_int_equal(j.state, JOB_QUEUED);
    assert_int_equal(j.at, 10);
    assert_true(sv_is(j.who, ""));
    assert_int_equal(jobs_claim(t->db, id, 20, &t->err), OK);
    assert_int_equal(jobs_begun(t->db, id, 4711, &t->err), OK);
    progress(t, id, 40, 30, false);
    progress(t, id, 70, 50, false);
    j = get(t, id);
    assert_int_equal(j.pid, 4711);
    assert_int_equal(j.first_done, 40);
    assert_int_equal(j.first_at, 30);
    assert_int_equal(j.done, 70);
    assert_int_equal(j.beat_at, 50);
    assert_int_equal(jobs_end(t->db, id, JOB_DONE, SV("all of it"), 60, &t->err), OK);
    j = get(t, id);
    assert_int_equal(j.state, JOB_DONE);
    assert_int_equal(j.done, 100);
    assert_int_equal(j.pid, 0);
    assert_int_equal(j.ended_at, 60);
    assert_true(sv_is(j.note, "all of it"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind IN ('job.start', 'job.done')"), 2);
}

PROJECT_TEST(only_one_of_two_who_try_succeeds)
{
    struct temp_project *t = *state;
    int64_t id = add(t, "[]");
    bool stop;
    assert_int_equal(jobs_begun(t->db, id, 1, &t->err), ERR_CONFLICT); /* not claimed yet */
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_claim(t->db, id, 20, &t->err), OK);
    assert_int_equal(jobs_claim(t->db, id, 20, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_begun(t->db, id, 1, &t->err), OK);
    assert_int_equal(jobs_begun(t->db, id, 2, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_requeue(t->db, id, true, SV("died"), &t->err), OK);
    /* A process that was thought dead is not the job any more. */
    assert_int_equal(jobs_progress(t->db, id, 1, 2, SV(""), 30, &stop, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_end(t->db, id, JOB_DONE, SV(""), 30, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_claim(t->db, id, 40, &t->err), OK);
    assert_int_equal(jobs_begun(t->db, id, 3, &t->err), OK);
    assert_int_equal(get(t, id).starts, 2);
    assert_int_equal(get(t, id).deaths, 1);
    assert_int_equal(jobs_requeue(t->db, id, true, SV(""), &t->err), OK);
    assert_int_equal(get(t, id).deaths, 2);
    /* One that got further counts anew. */
    assert_int_equal(jobs_claim(t->db, id, 50, &t->err), OK);
    progress(t, id, 7, 60, false);
    assert_false(job_moved_on(&(struct job_row){.done = 7}));
    struct job_row j = get(t, id);
    assert_false(job_moved_on(&j));
    progress(t, id, 8, 70, false);
    j = get(t, id);
    assert_true(job_moved_on(&j));
    assert_int_equal(jobs_requeue(t->db, id, true, SV(""), &t->err), OK);
    assert_int_equal(get(t, id).deaths, 1);
    assert_int_equal(jobs_claim(t->db, id, 80, &t->err), OK);
    assert_int_equal(jobs_requeue(t->db, id, false, SV(""), &t->err), OK);
    assert_int_equal(get(t, id).deaths, 0);
}

PROJECT_TEST(cancelling)
{
    struct temp_project *t = *state;
    int64_t waits = add(t, "[1]"), runs = add(t, "[2]");
    assert_int_equal(jobs_ask_to_stop(t->db, waits, 0, 20, &t->err), OK);
    assert_int_equal(get(t, waits).state, JOB_CANCELLED);
    assert_int_equal(jobs_ask_to_stop(t->db, waits, 0, 20, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-over");
    assert_int_equal(jobs_claim(t->db, runs, 20, &t->err), OK);
    assert_int_equal(jobs_ask_to_stop(t->db, runs, 0, 30, &t->err), OK);
    assert_int_equal(jobs_ask_to_stop(t->db, runs, 0, 31, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'job.cancel'"), 1);
    assert_int_equal(get(t, runs).state, JOB_RUNNING);
    progress(t, runs, 1, 40, true);
    assert_int_equal(jobs_end(t->db, runs, JOB_CANCELLED, SV("kept"), 50, &t->err), OK);
    assert_int_equal(jobs_ask_to_stop(t->db, 999999, 0, 20, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-job");
}

PROJECT_TEST(lists_and_counts)
{
    struct temp_project *t = *state;
    struct job_row *rows;
    size_t n;
    int64_t ids[4], found, count[JOB_STATES];
    for (int i = 0; i < 4; i++) {
        ids[i] = add(t, i == 3 ? "[\"last\"]" : "[]");
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(jobs_claim(t->db, ids[i], 20, &t->err), OK);
        assert_int_equal(jobs_end(t->db, ids[i], JOB_FAILED, SV("x"), 30, &t->err), OK);
    }
    assert_int_equal(jobs_open(t->db, &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].id, ids[2]);
    struct jobs_ask ask = {.state = JOB_STATES, .falling = true, .most = 10};
    assert_int_equal(jobs_ended(t->db, &ask, &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].id, ids[1]);
    ask.before = ids[1];
    assert_int_equal(jobs_ended(t->db, &ask, &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(jobs_count(t->db, count, &t->err), OK);
    assert_int_equal(count[JOB_FAILED], 2);
    assert_int_equal(count[JOB_QUEUED], 2);
    assert_int_equal(count[JOB_DONE], 0);
    assert_int_equal(jobs_find_open(t->db, SV("predict"), SV("[\"last\"]"), &found, &t->err), OK);
    assert_int_equal(found, ids[3]);
    assert_int_equal(jobs_find_open(t->db, SV("features"), SV("[\"last\"]"), &found, &t->err), OK);
    assert_int_equal(found, 0);
    assert_int_equal(jobs_get(t->db, 999999, &t->arena, rows, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-job");
}

PROJECT_TEST(ended_ones_are_sorted_and_filtered)
{
    struct temp_project *t = *state;
    int64_t ids[4];
    const struct {
        struct jobs_ask ask;
        int n, want[4];
    } asks[] = {
        {{.state = JOB_STATES, .falling = true}, 4, {3, 2, 1, 0}},
        {{.state = JOB_STATES}, 4, {0, 1, 2, 3}},
        {{.state = JOB_STATES, .skip = 1, .falling = true}, 3, {2, 1, 0}},
        {{.state = JOB_STATES, .sort = JOBS_BY_TOOK, .falling = true}, 4, {2, 1, 0, 3}},
        {{.state = JOB_STATES, .sort = JOBS_BY_TOOK}, 4, {1, 0, 2, 3}},
        {{.state = JOB_FAILED, .falling = true}, 2, {2, 0}},
        {{.state = JOB_CANCELLED, .sort = JOBS_BY_TOOK}, 1, {3}},
        {{.state = JOB_STATES, .kind = SV("predict")}, 4, {0, 1, 2, 3}},
        {{.state = JOB_STATES, .kind = SV("train")}, 0, {0}},
    };
    for (int i = 0; i < 4; i++) {
        static const int64_t took[] = {10, 10, 70};
        ids[i] = add(t, "[]");
        if (i == 3) { /* it never began */
            assert_int_equal(jobs_ask_to_stop(t->db, ids[i], 0, 99, &t->err), OK);
        } else {
            assert_int_equal(jobs_claim(t->db, ids[i], 20, &t->err), OK);
            assert_int_equal(jobs_end(t->db, ids[i], i == 1 ? JOB_DONE : JOB_FAILED, SV("x"), 20 + took[i], &t->err), OK);
        }
    }
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct jobs_ask ask = asks[i].ask;
        struct job_row *rows;
        size_t n;
        int64_t all;
        ask.most = 10;
        assert_int_equal(jobs_ended(t->db, &ask, &t->arena, &rows, &n, &t->err), OK);
        assert_int_equal(n, asks[i].n);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(rows[k].id, ids[asks[i].want[k]]);
        }
        assert_int_equal(jobs_ended_count(t->db, &ask, &all, &t->err), OK);
        assert_int_equal(all, n + ask.skip);
    }
}

PROJECT_TEST(there_is_an_end_to_the_queue)
{
    struct temp_project *t = *state;
    int64_t id;
    for (int i = 0; i < JOBS_OPEN_MOST; i++) {
        add(t, "[]");
    }
    assert_int_equal(jobs_add(t->db, SV("predict"), SV("[]"), SV("x"), 0, 1, &id, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "jobs-full");
}

PROJECT_TEST(long_texts_are_cut_between_characters)
{
    struct temp_project *t = *state;
    int64_t id = add(t, "[]");
    char text[JOB_NOTE_MOST + 2];
    memset(text, 'x', sizeof text);
    memcpy(text + JOB_NOTE_MOST - 1, "\xc3\xa4", 2);
    assert_int_equal(jobs_claim(t->db, id, 20, &t->err), OK);
    assert_int_equal(jobs_end(t->db, id, JOB_DONE, sv_make(text, sizeof text), 30, &t->err), OK);
    assert_int_equal(get(t, id).note.n, JOB_NOTE_MOST - 1);
}

static struct news news(struct temp_project *t)
{
    struct news n;
    assert_int_equal(news_read(t->db, &n, &t->err), OK);
    return n;
}

PROJECT_TEST(every_move_is_news)
{
    struct temp_project *t = *state;
    struct news before = news(t), after;
#define MOVED(what)                                                                                \
    do {                                                                                           \
        assert_int_equal(what, OK);                                                                \
        after = news(t);                                                                           \
        assert_true(after.jobs != before.jobs);                                                    \
        assert_true(after.models == before.models);                                                \
        before = after;                                                                            \
    } while (0)
    int64_t id = 0;
    bool stop;
    MOVED(jobs_add(t->db, SV("predict"), SV("[]"), SV("x"), 0, 1, &id, &t->err));
    MOVED(jobs_claim(t->db, id, 20, &t->err));
    MOVED(jobs_progress(t->db, id, 1, 9, SV(""), 30, &stop, &t->err));
    MOVED(jobs_progress(t->db, id, 1, 9, SV(""), 31, &stop, &t->err));
    MOVED(jobs_ask_to_stop(t->db, id, 0, 40, &t->err));
    MOVED(jobs_requeue(t->db, id, true, SV(""), &t->err));
    MOVED(jobs_claim(t->db, id, 50, &t->err));
    MOVED(jobs_end(t->db, id, JOB_FAILED, SV(""), 60, &t->err));
    assert_int_equal(db_script(t->db, "INSERT INTO event (at, kind) VALUES (1, 'model.add');"
                                      "INSERT INTO model (id, name, kind) SELECT max(id), 'm', 'import' FROM event",
                               &t->err), OK);
    after = news(t);
    assert_true(after.jobs == before.jobs);
    assert_true(after.models > before.models);
}
