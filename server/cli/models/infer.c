/* infer.c - `holdout infer`: raw floats through a model, for scripts, benchmarks and tests;
 * says how fast it is and where the time goes. Needs no project. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "infer/engine/engine.h"
#include "json/object.h"

enum { INFER_REPEAT = 100000, INFER_SHARE = 8 };
/* Bytes of input or output: 8 GiB. */
#define INFER_MOST ((size_t)8 << 30)

struct infer {
    struct cli *cli;
    struct engine *engine;
    struct engine_team *team;
    int64_t dims[ENGINE_RANK], images, repeat, batch, threads;
    uint32_t rank;
    size_t floats; /* of the input */
    float *in, *out;
    double *seconds;    /* of each repeat */
    double cpu_seconds; /* of all repeats together: what other processes do counts less here */
};

/* ------------------------------------------------------------------ what is given */

static enum err_code read_shape(struct infer *f)
{
    const char *text = cli_opt(f->cli, "shape");
    struct sv rest = sv_of(text);
    if (!text) {
        return cli_usage(f->cli,
                         "--shape is missing: give the dimensions of the input, such as 2,3,224,224");
    }
    f->floats = 1;
    while (rest.p) {
        struct sv one = sv_cut(&rest, ',');
        int64_t d;
        if (f->rank == ENGINE_RANK || !sv_i64(one, &d) || d < 1 ||
            (uint64_t)d > INFER_MOST / sizeof(float) / f->floats) {
            return cli_usage(f->cli,
                             "--shape %s: 1 to %d dimensions from 1 on, at most %zu bytes in all",
                             text, ENGINE_RANK, INFER_MOST);
        }
        f->dims[f->rank++] = d;
        f->floats *= (size_t)d;
    }
    return OK;
}

static enum err_code read_options(struct infer *f)
{
    int64_t cores = parallel_cores();
    enum err_code rc = read_shape(f);
    rc = rc == OK ? cli_opt_int(f->cli, "threads", 1, PARALLEL_THREADS, cores, &f->threads) : rc;
    rc = rc == OK ? cli_opt_int(f->cli, "repeat", 1, INFER_REPEAT, 0, &f->repeat) : rc;
    rc = rc == OK ? cli_opt_int(f->cli, "batch", 1, ENGINE_BATCH, 0, &f->batch) : rc;
    if (rc == OK && (!cli_opt(f->cli, "input") || !cli_opt(f->cli, "output"))) {
        rc = cli_usage(
            f->cli,
            "--input and --output must both be given: files of float32 in this machine's byte order, or -");
    }
    return rc;
}

/* "-1,3,224,224" with the batch as N. */
static const char *shape_text(struct infer *f, const struct engine_port *port)
{
    const char *text = "";
    for (uint32_t i = 0; i < port->rank; i++) {
        text = port->dims[i] < 0 ? arena_printf(&f->cli->arena, "%s%sN", text, i ? "," : "")
                                 : arena_printf(&f->cli->arena, "%s%s%lld", text, i ? "," : "",
                                                (long long)port->dims[i]);
    }
    return text;
}

static enum err_code check_shape(struct infer *f)
{
    const struct engine_port *port = &engine_facts(f->engine)->input;
    bool same = port->rank == f->rank;
    for (uint32_t i = 0; same && i < f->rank; i++) {
        same = port->dims[i] < 0 || port->dims[i] == f->dims[i];
    }
    if (!same) {
        return err_rule(&f->cli->err, ERR_INPUT, "infer-shape",
                        "--shape %s does not fit the model's input \"%s\": %s.",
                        cli_opt(f->cli, "shape"), port->name, shape_text(f, port));
    }
    f->images = (int64_t)(f->floats / engine_input_size(f->engine));
    return OK;
}

static enum err_code refuse_size(struct infer *f, const char *path, const char *what)
{
    return err_rule(&f->cli->err, ERR_INPUT, "infer-size",
                    "%s holds %s than the %zu bytes of --shape %s (4 each).", path, what,
                    f->floats * sizeof(float), cli_opt(f->cli, "shape"));
}

static enum err_code read_input(struct infer *f)
{
    const char *path = cli_opt(f->cli, "input");
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    enum err_code rc = OK;
    if (!file) {
        return err_errno(&f->cli->err, errno, "%s cannot be read", path);
    }
    void *room;
    rc = xalloc_checked(f->floats, sizeof(float), INFER_MOST, "the input", &room, &f->cli->err);
    f->in = rc == OK ? room : NULL;
    size_t got = rc == OK ? fread(f->in, sizeof(float), f->floats, file) : 0;
    if (rc == OK && ferror(file)) {
        rc = err_errno(&f->cli->err, errno, "%s cannot be read", path);
    } else if (rc == OK && got < f->floats) {
        rc = refuse_size(f, path, "less");
    } else if (rc == OK && fgetc(file) != EOF) {
        rc = refuse_size(f, path, "more");
    }
    if (!standard) {
        fclose(file);
    }
    return rc;
}

/* ------------------------------------------------------------------ running */

static enum err_code run_once(struct infer *f, int64_t *ns)
{
    float *out[ENGINE_OUTPUTS] = {f->out};
    int64_t before = clock_mono_ns();
    enum err_code rc = engine_team_run(f->team, f->in, f->images, out, &f->cli->err);
    *ns = clock_mono_ns() - before;
    return rc;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double cpu_time(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first run warms caches and is not counted. */
static enum err_code run_all(struct infer *f)
{
    int64_t ns;
    enum err_code rc = run_once(f, &ns);
    if (cli_has(f->cli, "profile")) {
        for (unsigned i = 0; engine_team_session(f->team, i); i++) {
            session_profile(engine_team_session(f->team, i));
        }
        f->repeat = f->repeat > 0 ? f->repeat : 1;
    }
    f->seconds = xcalloc((size_t)f->repeat + 1, sizeof *f->seconds);
    f->cpu_seconds = -cpu_time();
    for (int64_t i = 0; rc == OK && i < f->repeat; i++) {
        rc = run_once(f, &ns);
        f->seconds[i] = (double)ns * 1e-9;
    }
    f->cpu_seconds += cpu_time();
    qsort(f->seconds, (size_t)f->repeat, sizeof *f->seconds, by_value);
    return rc;
}

static enum err_code prepare(struct infer *f)
{
    const char *name = cli_opt(f->cli, "name");
    int64_t side = f->rank == 4 ? f->dims[3] : 0, best;
    enum err_code rc = engine_open(f->cli->args[0], name ? &name : NULL, name ? 1 : 0, side, NULL,
                                   &f->engine, &f->cli->err);
    rc = rc == OK ? check_shape(f) : rc;
    rc = rc == OK ? read_input(f) : rc;
    if (rc == OK) {
        void *room;
        rc = xalloc_checked((size_t)f->images * engine_output_size(f->engine, 0) + 1, sizeof(float),
                            INFER_MOST, "the output", &room, &f->cli->err);
        f->out = rc == OK ? room : NULL;
    }
    if (rc == OK) {
        best = engine_best_batch(f->engine);
        if (f->threads > 1 && best > INFER_SHARE && f->images > INFER_SHARE) {
            best = INFER_SHARE; /* so that the threads have something to share */
        }
        f->batch = f->batch > 0 ? f->batch : f->images < best ? f->images : best;
        rc = engine_team_open(f->engine, f->batch, (unsigned)f->threads, &f->team, &f->cli->err);
    }
    return rc;
}

/* ------------------------------------------------------------------ what comes out */

static enum err_code write_output(struct infer *f)
{
    const char *path = cli_opt(f->cli, "output");
    size_t floats = (size_t)f->images * engine_output_size(f->engine, 0);
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdout : fopen(path, "wb");
    if (!file) {
        return err_errno(&f->cli->err, errno, "%s cannot be written", path);
    }
    bool ok = fwrite(f->out, sizeof(float), floats, file) == floats;
    ok = fflush(file) == 0 && ok;
    int number = errno;
    if (!standard) {
        ok = fclose(file) == 0 && ok;
    }
    return ok ? OK : err_errno(&f->cli->err, number, "%s could not be written", path);
}

static json_t *speed(struct infer *f)
{
    struct rusage usage;
    double middle = f->seconds[f->repeat / 2];
    getrusage(RUSAGE_SELF, &usage);
    return object(
        field_real("images_per_second", (double)f->images / middle), field_int("images", f->images),
        field_int("batch", f->batch), field_int("threads", f->threads),
        field_int("repeat", f->repeat), field_real("seconds", middle),
        field_real("seconds_least", f->seconds[0]),
        field_real("cpu_seconds_per_image", f->cpu_seconds / (double)f->repeat / (double)f->images),
        field_int("peak_bytes", (json_int_t)usage.ru_maxrss * 1024));
}

static int by_seconds(const void *a, const void *b)
{
    const struct session_step *x = a, *y = b;
    return x->seconds > y->seconds ? -1 : x->seconds < y->seconds;
}

/* The steps of the first thread for a batch, slowest first. */
static json_t *profile(struct infer *f)
{
    const struct session *s = engine_team_session(f->team, 0);
    size_t n = session_steps(s);
    struct session_step *steps = xcalloc(n + 1, sizeof *steps);
    double all = 0;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        session_step(s, i, &steps[i]);
        all += steps[i].seconds;
    }
    qsort(steps, n, sizeof *steps, by_seconds);
    for (size_t i = 0; i < n; i++) {
        const struct session_step *t = &steps[i];
        double ms = t->seconds * 1e3;
        if (f->cli->json) {
            object_add(list, field_real("ms", ms),
                       field_sv("op", sv_make(t->op ? t->op : "", t->op_n)),
                       field_sv("node", sv_make(t->op ? t->name : "", t->name_n)),
                       field_text("how", t->what));
        } else {
            fprintf(stderr, "%9.3f ms %5.1f %%  %-20.*s %-32s %.*s\n", ms, t->seconds / all * 100,
                    (int)t->op_n, t->op ? t->op : "", t->what, (int)t->name_n,
                    t->op ? t->name : "");
        }
    }
    free(steps);
    return list;
}

static void say(struct infer *f)
{
    bool taken = strcmp(cli_opt(f->cli, "output"), "-") == 0; /* standard output has the floats */
    json_t *said = f->repeat > 0 ? speed(f) : NULL;
    if (cli_has(f->cli, "profile")) {
        json_t *steps = profile(f);
        json_object_set_new(said, "steps", steps);
    }
    if (said) {
        json_dumpf(said, taken ? stderr : stdout, JSON_REAL_PRECISION(7));
        fputc('\n', taken ? stderr : stdout);
    }
    json_decref(said);
}

enum err_code cmd_infer(struct cli *cli)
{
    struct infer f = {.cli = cli};
    enum err_code rc = read_options(&f);
    rc = rc == OK ? prepare(&f) : rc;
    rc = rc == OK ? run_all(&f) : rc;
    rc = rc == OK ? write_output(&f) : rc;
    if (rc == OK) {
        say(&f);
    }
    engine_team_close(f.team);
    engine_close(f.engine);
    free(f.in);
    free(f.out);
    free(f.seconds);
    return rc;
}
