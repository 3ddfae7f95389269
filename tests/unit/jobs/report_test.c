/* report_test.c - a job's side of its row: progress, and the two ways of being asked to stop. */
#include "unit.h"

#include <signal.h>

#include "jobs/report.h"
#include "store/operate/jobs.h"
#include "temp_project.h"

static int64_t claimed(struct temp_project *t)
{
    int64_t id;
    assert_int_equal(jobs_add(t->db, SV("predict"), SV("[]"), SV("x"), 0, 1, &id, &t->err), OK);
    assert_int_equal(jobs_claim(t->db, id, 2, &t->err), OK);
    return id;
}

PROJECT_TEST(progress_is_written_and_the_wish_to_stop_read)
{
    struct temp_project *t = *state;
    struct job_row j;
    struct job_report r;
    int64_t id = claimed(t);
    assert_int_equal(job_report_begin(&r, t->db, id, &t->err), OK);
    assert_int_equal(job_report_progress(&r, 5, 9, "reads", &t->err), OK);
    assert_int_equal(job_report_progress(&r, 6, 9, "reads", &t->err), OK); /* too soon: not written */
    assert_int_equal(jobs_get(t->db, id, &t->arena, &j, &t->err), OK);
    assert_int_equal(j.pid, getpid());
    assert_int_equal(j.done, 5);
    assert_int_equal(j.total, 9);
    assert_true(sv_is(j.note, "reads"));
    assert_false(job_report_stop(&r));
    assert_int_equal(jobs_ask_to_stop(t->db, id, 0, 3, &t->err), OK);
    r.said_ns = 0; /* half a second later */
    assert_int_equal(job_report_progress(&r, 7, 9, NULL, &t->err), OK);
    assert_true(job_report_stop(&r));
    assert_int_equal(job_report_stopped(&t->err), ERR_BUSY);
    temp_clear(t, ERR_BUSY, "job-stopped");
    job_report_end(&r);
}

PROJECT_TEST(a_second_process_may_not_begin)
{
    struct temp_project *t = *state;
    struct job_report r, other;
    int64_t id = claimed(t);
    assert_int_equal(job_report_begin(&r, t->db, id, &t->err), OK);
    assert_int_equal(job_report_begin(&other, t->db, id, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    assert_int_equal(jobs_end(t->db, id, JOB_FAILED, SV(""), 3, &t->err), OK);
    assert_int_equal(job_report_progress(&r, 1, 2, "", &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "job-state");
    job_report_end(&r);
}

PROJECT_TEST(signals_are_remembered)
{
    struct temp_project *t = *state;
    struct job_report r;
    static const int signals[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(job_report_begin(&r, t->db, 0, &t->err), OK);
        assert_false(job_report_stop(&r));
        raise(signals[i]);
        assert_true(job_report_stop(&r));
        assert_int_equal(job_report_progress(&r, 1, 2, "no job, no row", &t->err), OK);
        job_report_end(&r);
    }
}
