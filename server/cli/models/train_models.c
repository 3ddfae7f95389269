/* train_models.c - images for training, and trained models into the project. */
#include "cli/models/train_models.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "cli/core/sub_command.h"
#include "json/object.h"
#include "store/images/originals.h"
#include "store/images/paths.h"
#include "store/models/models.h"

/* JPEG knows no larger sides; how many files that cannot be read are named. */
enum { SIDE_MOST = 65535, TOLD_MOST = 10 };

/* ------------------------------------------------------------------ while it runs */

static void show(void *arg, const char *what, uint64_t done, uint64_t total)
{
    struct train_models *t = arg;
    struct err err = {OK, "", ""};
    cli_progress(t->cli, what, done, total);
    if (t->report && job_report_progress(t->report, done, total, what, &err) != OK) {
        cli_note(t->cli, "%s", err.msg); /* the work goes on: only its page stands still */
    }
}

static bool asked_to_stop(void *arg)
{
    const struct train_models *t = arg;
    return t->report && job_report_stop(t->report);
}

static struct train_watch watch_of(struct train_models *t)
{
    return (struct train_watch){.progress = show, .stop = asked_to_stop, .arg = t};
}

/* ------------------------------------------------------------------ which images */

static void add_image(struct train_models *t, const char *path, size_t label)
{
    size_t cap = t->cap;
    xgrow(&t->paths, &cap, t->n + 1, sizeof *t->paths);
    xgrow(&t->labels, &t->cap, t->n + 1, sizeof *t->labels);
    t->paths[t->n] = path;
    t->labels[t->n++] = (uint32_t)label;
}

static enum err_code list_classes(struct train_models *t)
{
    struct cli *cli = t->cli;
    enum err_code rc = classes_list(cli->db, &cli->arena, &t->classes, &t->n_classes, &cli->err);
    if (rc == OK && t->n_classes < 2) {
        rc = err_rule(&cli->err, ERR_CONFLICT, "no-classes",
                      "The project has %zu classes: a model needs at least two. Import them with `holdout "
                      "import classes`.",
                      t->n_classes);
    }
    return rc;
}

struct folder {
    struct train_models *t;
    const char *path;
    struct map_sv labels; /* of wnids */
};

static enum err_code take_file(void *arg, const char *relative, struct err *err)
{
    struct folder *f = arg;
    struct cli *cli = f->t->cli;
    struct sv rest = sv_of(relative), wnid = sv_cut(&rest, '/');
    if (!rest.p) {
        return OK; /* beside the folders of classes anything may lie */
    }
    uint32_t label = map_sv_get(&f->labels, wnid);
    if (label == MAP_NONE) {
        return err_rule(err, ERR_INPUT, "train-folder",
                        "%s/" SV_FMT ": the project has no class of that name. Training images must be in "
                        "one folder per class, named by its wnid.",
                        f->path, SV_ARG(wnid));
    }
    if (f->t->n == TRAIN_IMAGES) {
        return err_rule(err, ERR_LIMIT, "train-images", "%s holds more than %d images", f->path,
                        TRAIN_IMAGES);
    }
    add_image(f->t, fs_join(&cli->arena, f->path, relative), label);
    return OK;
}

static enum err_code list_folder(struct train_models *t, const char *folder)
{
    struct cli *cli = t->cli;
    struct folder f = {.t = t, .path = folder};
    if (!fs_is_dir(folder)) {
        return err_set(&cli->err, ERR_NOT_FOUND, "%s: no such folder", folder);
    }
    map_sv_init(&f.labels);
    for (size_t k = 0; k < t->n_classes; k++) {
        map_sv_put(&f.labels, t->classes[k].wnid, (uint32_t)k);
    }
    enum err_code rc = fs_walk(folder, take_file, &f, &cli->err);
    map_sv_release(&f.labels);
    return rc;
}

struct role {
    struct train_models *t;
    const char *word;
    struct map_u64 labels; /* of class ids */
};

static enum err_code take_original(void *arg, const struct original_row *r, struct err *err)
{
    struct role *role = arg;
    struct cli *cli = role->t->cli;
    uint32_t label = map_u64_get(&role->labels, (uint64_t)r->class_id);
    if (!sv_is(r->role, role->word) || r->source == 0 || label == MAP_NONE) {
        return OK;
    }
    if (role->t->n == TRAIN_IMAGES) {
        return err_rule(err, ERR_LIMIT, "train-images", "There are more than %d %s images",
                        TRAIN_IMAGES, role->word);
    }
    unsigned char sha256[IMAGE_SHA];
    memcpy(sha256, r->sha256.p, sizeof sha256);
    add_image(role->t,
              r->reference.n ? arena_cstr(&cli->arena, r->reference)
                             : path_rendition(&cli->arena, cli->dir, sha256, RENDITION_SOURCE),
              label);
    return OK;
}

static enum err_code list_role(struct train_models *t, const char *word)
{
    struct role role = {.t = t, .word = word};
    map_u64_init(&role.labels);
    for (size_t k = 0; k < t->n_classes; k++) {
        map_u64_put(&role.labels, (uint64_t)t->classes[k].id, (uint32_t)k);
    }
    enum err_code rc = originals_each(t->cli->db, take_original, &role, &t->cli->err);
    map_u64_release(&role.labels);
    return rc;
}

/* ------------------------------------------------------------------ reading them */

static const char *path_of(void *arg, size_t i)
{
    const struct train_models *t = arg;
    return t->paths[i];
}

static const char *wnid_of(void *arg, uint32_t label)
{
    const struct train_models *t = arg;
    return arena_cstr(&t->cli->arena, t->classes[label].wnid);
}

static void say_skipped(void *arg, size_t i, const struct err *why)
{
    struct train_models *t = arg;
    if (t->skipped++ < TOLD_MOST) {
        cli_note(t->cli, "%s: left out: %s", t->paths[i], why->msg);
    }
}

static enum err_code load(struct train_models *t)
{
    struct cli *cli = t->cli;
    struct train_watch watch = watch_of(t);
    struct train_list list = {
        .n = t->n,
        .classes = t->n_classes,
        .labels = t->labels,
        .path = path_of,
        .skipped = say_skipped,
        .class_name = wnid_of,
        .arg = t,
        .side = t->side,
        .threads = t->threads,
        .limits = {.max_side = SIDE_MOST,
                   .max_pixels = (uint64_t)cli->config.max_megapixels * 1000000}};
    enum err_code rc = train_images_load(&list, &watch, &t->images, &cli->err);
    cli_progress_end(cli);
    if (rc == OK && t->skipped > 0) {
        cli_note(cli, "%llu of %zu images could not be read and are left out.",
                 (unsigned long long)t->skipped, t->n);
    }
    return rc;
}

enum err_code train_models_read_folder(struct train_models *t, const char *folder)
{
    enum err_code rc = list_classes(t);
    rc = rc == OK ? list_folder(t, folder) : rc;
    const char *slash = strrchr(folder, '/');
    t->from = arena_printf(&t->cli->arena, "images of the folder %s",
                           slash && slash[1] ? slash + 1 : folder);
    return rc == OK ? load(t) : rc;
}

enum err_code train_models_read_role(struct train_models *t, const char *role)
{
    enum err_code rc = list_classes(t);
    rc = rc == OK ? list_role(t, role) : rc;
    t->from = arena_printf(&t->cli->arena, "%s images of the project", role);
    return rc == OK ? load(t) : rc;
}

void train_models_release(struct train_models *t)
{
    train_images_free(t->images);
    free(t->paths);
    free(t->labels);
}

/* ------------------------------------------------------------------ a model */

static enum err_code write_recipe(const struct train_models *t, const char *path)
{
    struct preprocess p = train_preprocess(t->side);
    json_t *labels = json_array();
    for (size_t k = 0; k < t->n_classes; k++) {
        json_array_append_new(labels, json_stringn(t->classes[k].wnid.p, t->classes[k].wnid.n));
    }
    json_t *all =
        object(field_int("resize", p.resize), field_int("crop", p.crop),
               field_text("filter", "bilinear"), field_real("scale", p.scale),
               field_json("mean", list(json_real((double)p.mean[0]), json_real((double)p.mean[1]),
                                       json_real((double)p.mean[2]))),
               field_json("std", list(json_real((double)p.std[0]), json_real((double)p.std[1]),
                                      json_real((double)p.std[2]))),
               field_text("features", "features"), field_bool("softmax", true),
               field_json("labels", labels));
    char *text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    BUG_IF(!text);
    enum err_code rc = fs_write_whole(path, text, strlen(text), true, &t->cli->err);
    free(text);
    return rc;
}

static const char *note_of(const struct train_models *t, const struct train_plan *p,
                           const struct train_facts *f)
{
    double n = (double)f->images / 100;
    return arena_printf(&t->cli->arena,
                        "Trained by holdout on %zu %s, %zu classes: %u random filters of %u x %u "
                        "on %u x %u pixels, %zu features, "
                        "ridge regression with lambda %g (%s), seed %llu. Right about %zu of %zu "
                        "of these images (%.1f %%); about %zu "
                        "(%.1f %%) when each is left out of the training.",
                        f->images, t->from, t->n_classes, p->filters, p->patch, p->patch, t->side,
                        t->side, f->features, f->lambda,
                        p->lambda < 0 ? "the best of six on held-out images" : "given",
                        (unsigned long long)p->seed, f->right, f->images, (double)f->right / n,
                        f->held_out_right, (double)f->held_out_right / n);
}

/* Files first outside of models/: what is there is replaced by nothing that might be another model.
 */
static enum err_code make_in(struct train_models *t, const char *folder, const char *name,
                             const struct train_plan *p, struct train_facts *out)
{
    struct cli *cli = t->cli;
    struct train_watch watch = watch_of(t);
    const char *model = arena_printf(&cli->arena, "%s/%s.onnx", folder, name);
    const char *recipe = arena_printf(&cli->arena, "%s/%s.json", folder, name);
    enum err_code rc = train_model(t->images, p, model, &watch, out, &cli->err);
    cli_progress_end(cli);
    rc = rc == OK ? write_recipe(t, recipe) : rc;
    if (rc == OK) {
        rc = sub_command(cli, "model add", ARGS(cli->dir, model),
                         ARGS("name", name, "note", note_of(t, p, out)));
    }
    unlink(model);
    unlink(recipe);
    return rc;
}

/* A folder beside models/ for this name alone: what a killed process left in it is written over. */
static enum err_code lock_folder(struct cli *cli, const char *folder, const char *name, int *fd)
{
    enum err_code rc = fs_mkdirs(folder, &cli->err);
    if (rc == OK) {
        *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB) != 0) {
            rc = err_rule(&cli->err, ERR_BUSY, "model-busy",
                          "Another process is training %s right now; try again when that is done.",
                          name);
        }
    }
    return rc;
}

enum err_code train_models_make(struct train_models *t, const char *name,
                                const struct train_plan *p, struct train_facts *out)
{
    struct cli *cli = t->cli;
    int fd = -1;
    enum err_code rc = model_name_check(sv_of(name), &cli->err);
    rc = rc == OK ? train_plan_check(p, t->side, &cli->err) : rc;
    char *folder =
        project_path(&cli->arena, cli->dir, arena_printf(&cli->arena, ".train-%s", name));
    rc = rc == OK ? lock_folder(cli, folder, name, &fd) : rc;
    if (rc == OK) {
        rc = make_in(t, folder, name, p, out);
        rmdir(folder);
    }
    if (fd >= 0) {
        close(fd);
    }
    return rc;
}
