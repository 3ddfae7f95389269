/* files.c - looks into models/ for ONNX files. */
#include "web/models/files.h"

#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/list.h"

enum { FILES_LOOKED = 10000 }; /* a folder that holds more is not one of models */

struct search {
    struct ctx *c;
    const struct model_row *models;
    size_t n_models, looked;
    struct list found;
    const char *folder;
};

static bool is_model(const struct search *s, struct sv file)
{
    for (size_t i = 0; i < s->n_models; i++) {
        if (sv_eq(s->models[i].file, file)) {
            return true;
        }
    }
    return false;
}

/* The file's own name with what names may not have left out. */
static struct sv name_of(struct arena *a, struct sv file)
{
    struct sv rest = sv_make(file.p, file.n - strlen(".onnx")), own = rest;
    while (rest.p) {
        own = sv_cut(&rest, '/');
    }
    char *name = arena_alloc(a, own.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < own.n && n + 1 < MODEL_NAME; i++) {
        unsigned char ch = (unsigned char)own.p[i];
        if (isalnum(ch) || (n && strchr("-_.", ch))) {
            name[n++] = (char)ch;
        }
    }
    return sv_make(name, n);
}

static enum err_code look(void *arg, const char *relative, struct err *err)
{
    struct search *s = arg;
    struct sv file = sv_of(relative);
    (void)err;
    if (s->looked++ >= FILES_LOOKED || !sv_ends(file, ".onnx") || !sv_utf8(file) ||
        is_model(s, file)) {
        return OK;
    }
    struct arena *a = s->c->arena;
    struct model_file *f = list_add(&s->found, a, sizeof *f);
    file = arena_sv(a, file);
    *f = (struct model_file){file, name_of(a, file), fs_size(fs_join(a, s->folder, relative))};
    return OK;
}

enum err_code model_files_list(struct ctx *c, const struct model_row *models, size_t n_models,
                               struct model_file **out, size_t *n)
{
    struct search s = {.c = c, .models = models, .n_models = n_models,
                       .folder = fs_join(c->arena, app_dir(c->app), "models")};
    *out = NULL;
    *n = 0;
    if (!fs_is_dir(s.folder)) {
        return OK;
    }
    enum err_code rc = fs_walk(s.folder, look, &s, &c->err);
    *out = s.found.items;
    *n = s.found.n < MODEL_FILES_SHOWN ? s.found.n : MODEL_FILES_SHOWN;
    return rc;
}

/* No part of the path may be hidden, empty or lead upwards. */
static bool path_ok(struct sv file)
{
    bool ok = file.n && file.n < 256 && sv_utf8(file) && sv_ends(file, ".onnx");
    for (struct sv rest = file; ok && rest.p;) {
        struct sv part = sv_cut(&rest, '/');
        ok = part.n && part.p[0] != '.' && part.p[0] != '-';
    }
    for (size_t i = 0; ok && i < file.n; i++) {
        ok = (unsigned char)file.p[i] >= ' ' && file.p[i] != 0x7f;
    }
    return ok;
}

enum err_code model_files_check(struct ctx *c, struct sv file)
{
    const char *folder = fs_join(c->arena, app_dir(c->app), "models");
    if (path_ok(file) && fs_size(fs_join(c->arena, folder, arena_cstr(c->arena, file))) > 0) {
        return OK;
    }
    return err_rule(&c->err, ERR_INPUT, "model-file",
                    "There is no such ONNX file in the project's folder models/. Nothing was added; copy it "
                    "there and choose it in the list.");
}
