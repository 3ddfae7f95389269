/* model.c - `holdout model add|list|remove`. Adding checks everything that predict would
 * stumble over: the file, whether the engine can run it, the recipe, and which class each output
 * is. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "cli/models/use.h"
#include "jobs/report.h"
#include "json/object.h"

/* ---- add ---- */

/* What the model is called when nobody says: its file's name without ".onnx". */
static struct sv name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct sv name = sv_of(slash ? slash + 1 : path);
    if (sv_ends(name, ".onnx")) {
        name.n -= strlen(".onnx");
    }
    return name;
}

static char *folder_of(struct cli *cli, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_cstr(&cli->arena, sv_make(path, (size_t)(slash - path)))
                 : arena_strdup(&cli->arena, ".");
}

/* The path below DIR/models when the file lies there already, else NULL. */
static const char *below_models(struct cli *cli, const char *path)
{
    char *models = realpath(project_path(&cli->arena, cli->dir, "models"), NULL),
         *full = realpath(path, NULL);
    const char *below = NULL;
    size_t n = models ? strlen(models) : 0;
    if (models && full && strncmp(full, models, n) == 0 && full[n] == '/') {
        below = arena_strdup(&cli->arena, full + n + 1);
    }
    free(models);
    free(full);
    return below;
}

/* Copies one file under a name that begins with a dot, and renames it when it is whole. */
static enum err_code copy_file(struct cli *cli, const char *from, const char *to)
{
    char *folder = folder_of(cli, to);
    const char *part = arena_printf(&cli->arena, "%s/.%ld.part", folder, (long)getpid());
    enum err_code rc = fs_mkdirs(folder, &cli->err);
    if (rc != OK) {
        return rc;
    }
    unlink(part); /* of a killed process that had the same number */
    rc = fs_copy_new(from, part, &cli->err);
    rc = rc == OK ? fs_sync_file(part, &cli->err) : rc;
    if (rc == OK && rename(part, to) != 0) {
        rc = err_errno(&cli->err, errno, "cannot rename %s to %s", part, to);
    }
    if (rc != OK) {
        unlink(part);
        return rc;
    }
    return fs_sync_dir(folder, &cli->err);
}

/* A model of one file becomes models/NAME.onnx. External data is found by the name that the file
 * says, so such a model gets a folder of its own. The recipe is written beside it with all defaults
 * and labels. */
static enum err_code copy_model(struct cli *cli, struct model_use *m, struct sv name)
{
    struct arena *a = &cli->arena;
    const char *stem = arena_cstr(a, name);
    bool alone = m->n_parts == 1;
    const char *folder = alone ? arena_printf(a, "%s/models", cli->dir)
                               : arena_printf(a, "%s/models/%s", cli->dir, stem);
    char *real = realpath(folder_of(cli, m->path), NULL); /* as the reader names the parts */
    size_t from = real ? strlen(real) + 1 : 0;
    free(real);
    enum err_code rc = OK;
    const char **parts = arena_calloc(a, m->n_parts, sizeof *parts);
    for (size_t i = 0; i < m->n_parts && rc == OK; i++) {
        const char *below = i == 0 ? arena_printf(a, "%s.onnx", stem) : m->parts[i] + from;
        parts[i] = arena_printf(a, "%s/%s", folder, below);
        rc = copy_file(cli, m->parts[i], parts[i]);
    }
    if (rc == OK) {
        const char *recipe = arena_printf(a, "%s/%s.json", folder, stem);
        rc = fs_write_whole(recipe, m->recipe.canonical, strlen(m->recipe.canonical), true,
                            &cli->err);
    }
    m->parts = parts;
    m->row.file =
        sv_of(alone ? arena_printf(a, "%s.onnx", stem) : arena_printf(a, "%s/%s.onnx", stem, stem));
    return rc;
}

/* Files first: a row that names them is written when they are there. */
static enum err_code place_files(struct cli *cli, struct model_use *m)
{
    const char *below = below_models(cli, m->path);
    unsigned char hash[MODEL_HASH];
    int64_t bytes;
    if (below) {
        m->row.file = sv_of(below);
        return OK;
    }
    enum err_code rc = copy_model(cli, m, m->row.name);
    rc = rc == OK ? model_use_hash(cli, m, hash, &bytes) : rc;
    if (rc == OK && memcmp(hash, m->row.hash, sizeof hash) != 0) {
        rc = err_rule(&cli->err, ERR_INPUT, "file-changed",
                      "%s changed while it was copied; try again", m->path);
    }
    return rc;
}

/* Another model of that name is found before anything is copied over its file. */
static enum err_code check_name(struct cli *cli, const struct model_use *m, bool *there)
{
    struct model_row row;
    struct err err = {.code = OK};
    enum err_code rc = model_name_check(m->row.name, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = models_find(cli->db, m->row.name, &cli->arena, &row, &err);
    *there = rc == OK;
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    bool same = rc == OK && sv_eq(row.kind, m->row.kind) && sv_eq(row.recipe, m->row.recipe) &&
                memcmp(row.hash, m->row.hash, MODEL_HASH) == 0;
    return same       ? OK
           : rc != OK ? err_set(&cli->err, rc, "%s", err.msg)
                      : err_rule(&cli->err, ERR_CONFLICT, "model-differs",
                                 "There is already another model named " SV_FMT " (other content or another "
                                 "recipe). Nothing was changed; choose a name with --name.",
                                 SV_ARG(row.name));
}

static enum err_code store(struct cli *cli, struct model_use *m, bool *added)
{
    int64_t now = clock_wall_ms();
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    rc = rc == OK ? models_put(cli->db, &m->row, 0, now, added, &cli->err) : rc;
    if (rc == OK && cli_has(cli, "note") && !*added) {
        rc = models_note(cli->db, m->row.id, m->row.note, 0, now, &cli->err);
    }
    return db_tx_end(cli->db, rc, &cli->err);
}

static void tell(const struct cli *cli, const struct model_use *m, const char *what)
{
    const struct engine_facts *f = engine_facts(m->engine);
    cli_note(cli,
             "%s the model " SV_FMT ": %.1f million parameters, %.2f GFLOP an image, %.1f MiB of "
             "memory and %.1f MiB for each thread while it runs, %zu classes",
             what, SV_ARG(m->row.name), (double)f->parameters / 1e6, (double)f->flops / 1e9,
             (double)f->weight_bytes / 1048576, (double)f->run_bytes / 1048576, m->scores);
    if (m->classes_without) {
        cli_note(
            cli,
            "%" PRIu64 " classes of the project are not outputs of the model: it cannot get their images "
            "right",
            m->classes_without);
    }
}

static enum err_code add(struct cli *cli, struct model_use *m)
{
    bool there = false, added = false;
    m->row.name = cli_opt(cli, "name") ? sv_of(cli_opt(cli, "name")) : name_of_file(m->path);
    m->row.kind = SV("onnx");
    m->row.recipe = sv_of(m->recipe.canonical);
    m->row.note = sv_of(cli_opt(cli, "note"));
    m->row.facts = sv_of(model_use_facts(cli, m));
    enum err_code rc = model_use_classes(cli, m);
    rc = rc == OK ? model_use_hash(cli, m, m->row.hash, &m->row.bytes) : rc;
    rc = rc == OK ? check_name(cli, m, &there) : rc;
    if (rc != OK) {
        return rc;
    }
    if (cli->dry_run) {
        tell(cli, m, there ? "would keep" : "would add");
        return OK;
    }
    rc = place_files(cli, m);
    rc = rc == OK ? store(cli, m, &added) : rc;
    if (rc == OK) {
        tell(cli, m, added ? "added" : "already there:");
    }
    return rc;
}

enum err_code cmd_model_add(struct cli *cli)
{
    struct model_use m;
    struct job_report report;
    int64_t job;
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job);
    if (rc == OK && job) { /* too short to be stopped: it only says that it is the job */
        rc = job_report_begin(&report, cli->db, job, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    rc = model_use_file(cli, cli->args[1], cli_opt(cli, "recipe"), NULL, &m);
    rc = rc == OK ? add(cli, &m) : rc;
    model_use_close(&m);
    return rc;
}

/* ---- list ---- */

static json_t *to_json(const struct model_row *m)
{
    char hash[MODEL_HASH * 2 + 1] = "", at[CLOCK_ISO_SIZE];
    for (size_t i = 0; i < MODEL_HASH && m->file.n; i++) {
        snprintf(hash + 2 * i, 3, "%02x", m->hash[i]);
    }
    return object(
        field_text("name", m->name.p), field_text("kind", m->kind.p), field_text("file", m->file.p),
        field_int("bytes", m->bytes), field_text("hash", hash),
        field_text("added", clock_iso(m->at, at)), field_bool("removed", m->removed),
        field_json("recipe", m->recipe.n ? json_loads(m->recipe.p, 0, NULL) : json_null()),
        field_json("facts", m->facts.n ? json_loads(m->facts.p, 0, NULL) : json_null()));
}

static enum err_code print_json(const struct model_row *list, size_t n, struct err *err)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = to_json(&list[i]);
        json_object_set_new(one, "note", json_string(list[i].note.p));
        json_array_append_new(all, one);
    }
    int bad = json_dumpf(all, stdout, JSON_INDENT(1));
    json_decref(all);
    return bad || putchar('\n') == EOF ? err_set(err, ERR_IO, "cannot write the output") : OK;
}

static void print_line(const struct model_row *m)
{
    char at[CLOCK_ISO_SIZE], size[32] = "-";
    if (m->bytes) {
        snprintf(size, sizeof size, "%.1f MB", (double)m->bytes / 1e6);
    }
    clock_iso(m->at, at);
    printf("%-32s %-7s %12s  %.10s  %s%s%s\n", m->name.p, m->kind.p, size, at,
           m->removed ? "removed" : "", m->removed && m->note.n ? ": " : "", m->note.p);
}

enum err_code cmd_model_list(struct cli *cli)
{
    struct model_row *list;
    size_t n;
    enum err_code rc =
        models_list(cli->db, cli_has(cli, "removed"), &cli->arena, &list, &n, &cli->err);
    if (rc != OK || cli->json) {
        return rc == OK ? print_json(list, n, &cli->err) : rc;
    }
    if (n == 0) {
        cli_note(cli, "the project has no models yet; add one with `holdout model add`");
    } else {
        printf("%-32s %-7s %12s  %-10s  %s\n", "name", "kind", "size", "added", "note");
    }
    for (size_t i = 0; i < n; i++) {
        print_line(&list[i]);
    }
    return OK;
}

/* ---- remove ---- */

struct own_folder {
    const char *path;
    struct arena *arena;
};

/* The folder of a model with external data goes with all that is in it, which is only its files. */
static enum err_code remove_one(void *arg, const char *relative, struct err *err)
{
    const struct own_folder *in = arg;
    char *path = arena_printf(in->arena, "%s/%s", in->path, relative);
    if (unlink(path) != 0) {
        return err_errno(err, errno, "cannot remove %s", path);
    }
    while (strlen(path) > strlen(in->path)) { /* and every folder that is empty now */
        *strrchr(path, '/') = '\0';
        rmdir(path);
    }
    return OK;
}

static enum err_code delete_files(struct cli *cli, const struct model_row *m)
{
    struct arena *a = &cli->arena;
    const char *file = arena_printf(a, "%s/models/%s", cli->dir, m->file.p);
    const char *own = arena_printf(a, "%s/models/" SV_FMT, cli->dir, SV_ARG(m->name));
    enum err_code rc = OK;
    if (strcmp(folder_of(cli, file), own) == 0) {
        struct own_folder in = {own, a};
        rc = fs_walk(own, remove_one, &in, &cli->err);
    } else {
        unlink(file);
        unlink(arena_printf(a, "%.*s.json", (int)(strlen(file) - strlen(".onnx")), file));
    }
    return rc;
}

static enum err_code file_is_shared(struct cli *cli, const struct model_row *m, bool *shared)
{
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_list(cli->db, false, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        *shared = *shared || (list[i].id != m->id && sv_eq(list[i].file, m->file));
    }
    return rc;
}

enum err_code cmd_model_remove(struct cli *cli)
{
    struct model_row m;
    enum err_code rc = models_find(cli->db, sv_of(cli->args[1]), &cli->arena, &m, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (m.removed) {
        cli_note(cli, "the model %s was already removed", cli->args[1]);
    } else if (!cli->dry_run) {
        rc = db_tx_begin(cli->db, &cli->err);
        if (rc == OK) {
            rc = models_remove(cli->db, m.id, sv_of(cli_opt(cli, "reason")), 0, clock_wall_ms(),
                               &cli->err);
        }
        rc = db_tx_end(cli->db, rc, &cli->err);
        if (rc != OK) {
            return rc;
        }
        cli_note(cli, "removed the model %s; its predictions stay", cli->args[1]);
    }
    bool files = cli_has(cli, "delete-file") && m.file.n && !cli->dry_run, shared = false;
    rc = files ? file_is_shared(cli, &m, &shared) : OK;
    if (shared) {
        cli_note(cli, "another model uses models/%s too: the file stays", m.file.p);
    }
    return rc == OK && files && !shared ? delete_files(cli, &m) : rc;
}
