/* train.c - `holdout train`: a baseline of random features, trained on images of the project or
 * of a folder, exported as ONNX and added to the models. */
#include <string.h>

#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/models/train_models.h"
#include "domain/images/image_role.h"

enum { SIDE = 32, FILTERS = 256, PATCH = 6, POOL = 2 };

static enum err_code read_plan(struct cli *cli, struct train_plan *p, unsigned *side)
{
    const struct {
        const char *name;
        int64_t least, most, otherwise;
        unsigned *out;
    } counts[] = {
        {"filters", 1, TRAIN_FILTERS, FILTERS, &p->filters},
        {"patch", 2, TRAIN_SIDE, PATCH, &p->patch},
        {"side", 2, TRAIN_SIDE, SIDE, side},
        {"pool", 1, TRAIN_SIDE, POOL, &p->pool},
        {"threads", 1, PARALLEL_THREADS, (int64_t)parallel_cores(), &p->threads},
    };
    enum err_code rc = OK;
    int64_t value, seed = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts && rc == OK; i++) {
        rc = cli_opt_int(cli, counts[i].name, counts[i].least, counts[i].most, counts[i].otherwise,
                         &value);
        *counts[i].out = rc == OK ? (unsigned)value : 0;
    }
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, 1, &seed) : rc;
    p->seed = (uint64_t)seed;
    p->lambda = -1;
    return rc == OK && cli_has(cli, "lambda")
               ? cli_opt_real(cli, "lambda", 1e-9, 1e6, 1, &p->lambda)
               : rc;
}

static enum err_code read_images(struct cli *cli, struct train_models *t)
{
    const char *folder = cli_opt(cli, "images"),
               *role = cli_has(cli, "role") ? cli_opt(cli, "role") : image_role_words[IMAGE_REFERENCE];
    if (folder && cli_has(cli, "role")) {
        return cli_usage(cli, "--images and --role both say which images to use: choose one");
    }
    if (folder) {
        return train_models_read_folder(t, folder);
    }
    return image_role_of(sv_of(role)) < IMAGE_ROLES ? train_models_read_role(t, role)
                                                    : cli_usage(cli, "--role must be " IMAGE_ROLE_LIST);
}

static void tell(const struct cli *cli, const struct train_facts *f)
{
    cli_note(
        cli,
        "Right about %zu of %zu images when each is left out of the training (%.1f %%), lambda %g. "
        "Next: holdout predict %s --model %s",
        f->held_out_right, f->images, 100 * (double)f->held_out_right / (double)f->images,
        f->lambda, cli->dir, cli_opt(cli, "name"));
}

static enum err_code train(struct cli *cli, struct train_models *t, const struct train_plan *p)
{
    struct train_facts facts;
    enum err_code rc = read_images(cli, t);
    rc = rc == OK ? train_models_make(t, cli_opt(cli, "name"), p, &facts) : rc;
    if (rc == OK) {
        tell(cli, &facts);
    }
    train_models_release(t);
    return rc;
}

enum err_code cmd_train(struct cli *cli)
{
    struct train_plan plan = {0};
    struct job_report report;
    struct train_models t = {.cli = cli, .report = &report};
    int64_t job = 0;
    if (!cli_has(cli, "name")) {
        return cli_usage(cli, "--name is missing: give the model a name");
    }
    enum err_code rc = read_plan(cli, &plan, &t.side);
    rc = rc == OK ? cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job) : rc;
    if (rc == OK) {
        rc = train_plan_check(&plan, t.side, &cli->err); /* before an hour of decoding */
    }
    rc = rc == OK ? job_report_begin(&report, cli->db, job, &cli->err) : rc;
    if (rc == OK) {
        t.threads = plan.threads;
        rc = train(cli, &t, &plan);
        job_report_end(&report);
    }
    return rc;
}
