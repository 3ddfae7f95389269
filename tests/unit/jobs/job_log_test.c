/* job_log_test.c - the lock that says whether a job runs, and the text that pages show. */
#include "unit.h"

#include "jobs/job_log.h"

static char *folder;
static struct arena arena;
static struct err err;

static int open_folder(void **state)
{
    (void)state;
    folder = unit_folder();
    arena_init(&arena, 1 << 20);
    err_clear(&err);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    arena_release(&arena);
    unit_remove(folder);
    return 0;
}

TEST_WITH(one_holds_it_at_a_time, open_folder, close_folder)
{
    int fd, other;
    assert_false(job_log_held(folder, 1));
    assert_int_equal(job_log_hold(folder, 1, &fd, &err), OK);
    assert_true(job_log_held(folder, 1));
    assert_false(job_log_held(folder, 2));
    assert_int_equal(job_log_hold(folder, 1, &other, &err), ERR_BUSY);
    assert_string_equal(err.rule, "job-runs");
    /* A copy of the descriptor, as a child process has it, holds it on. */
    int copy = dup(fd);
    close(fd);
    assert_true(job_log_held(folder, 1));
    close(copy);
    assert_false(job_log_held(folder, 1));
    err_clear(&err);
    assert_int_equal(job_log_hold(folder, 1, &fd, &err), OK);
    close(fd);
}

static struct sv tail(size_t most, bool *cut)
{
    struct sv out;
    assert_int_equal(job_log_tail(folder, 1, most, &arena, &out, cut, &err), OK);
    return out;
}

static void write_log(const char *text, size_t n)
{
    int fd;
    assert_int_equal(job_log_hold(folder, 1, &fd, &err), OK);
    assert_int_equal(write(fd, text, n), (ssize_t)n);
    close(fd);
}

TEST_WITH(shown_text_is_valid_and_without_control_characters, open_folder, close_folder)
{
    bool cut;
    assert_int_equal(tail(100, &cut).n, 0);
    static const char raw[] = "one\ttwo\r\n\033[31mred \xff\xc3\xa4\0end\n";
    write_log(raw, sizeof raw - 1);
    struct sv text = tail(100, &cut);
    assert_false(cut);
    assert_string_equal(text.p, "one two?\n?[31mred ?\xc3\xa4?end\n");
    text = tail(12, &cut);
    assert_true(cut);
    assert_int_equal(text.n, 0); /* no line begins there */
}

TEST_WITH(the_end_of_a_long_log, open_folder, close_folder)
{
    bool cut;
    write_log("first line\nsecond\nthird\n", 24);
    struct sv text = tail(15, &cut);
    assert_true(cut);
    assert_string_equal(text.p, "second\nthird\n");
}

TEST_WITH(the_last_thing_said, open_folder, close_folder)
{
    int fd;
    assert_true(sv_is(job_log_last(folder, 1, &arena), ""));
    write_log("of an earlier start\n", 20);
    assert_int_equal(job_log_hold(folder, 1, &fd, &err), OK);
    job_log_mark(fd, 2, "holdout predict DIR");
    assert_true(sv_is(job_log_last(folder, 1, &arena), ""));
    assert_true(dprintf(fd, "works\nholdout: it failed\nusage: holdout predict\n") > 0);
    assert_true(sv_is(job_log_last(folder, 1, &arena), "it failed"));
    job_log_mark(fd, 3, "holdout predict DIR");
    assert_true(dprintf(fd, "12 images\n\n") > 0);
    assert_true(sv_is(job_log_last(folder, 1, &arena), "12 images"));
    close(fd);
}

TEST_WITH(a_log_that_is_too_long_begins_anew, open_folder, close_folder)
{
    bool cut;
    char *text = arena_alloc(&arena, JOB_LOG_MOST + 1);
    memset(text, 'x', JOB_LOG_MOST + 1);
    write_log(text, JOB_LOG_MOST);
    job_log_trim(folder, 1);
    assert_int_equal(tail(100, &cut).n, 0);
    assert_true(cut);
    write_log("y\n", 2);
    job_log_trim(folder, 1);
    assert_string_equal(tail(100, &cut).p, "== the log was longer than 256 KiB and starts again\n");
    assert_false(cut);
}

TEST_WITH(whose_log_it_is, open_folder, close_folder)
{
    int fd, kept = dup(1);
    assert_int_equal(job_log_hold(folder, 1, &fd, &err), OK);
    assert_false(job_log_is_of(folder, 1, getpid()));
    assert_int_equal(fflush(stdout), 0);
    assert_int_equal(dup2(fd, 1), 1);
    bool mine = job_log_is_of(folder, 1, getpid()), other = job_log_is_of(folder, 2, getpid());
    bool nobody = job_log_is_of(folder, 1, 0);
    dup2(kept, 1);
    close(kept);
    close(fd);
    assert_true(mine);
    assert_false(other || nobody);
}
