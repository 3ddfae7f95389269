/* discriminator_file.c - results as files: what was scored, from which everything else is counted again. */
#include "measures/discriminator/discriminator.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/list.h"
#include "json/object.h"

#define FOLDER "discriminators"
enum { FORMAT = 1, FILE_MOST = 1 << 26, IMAGES_MOST = 1000000 };

static const char *path_of(struct arena *a, const char *dir, int64_t set, int64_t original, struct sv features)
{
    return arena_printf(a, "%s/" FOLDER "/%lld-%lld-" SV_FMT ".json", dir, (long long)set, (long long)original, SV_ARG(features));
}

/* ---- writing ---- */

static json_t *images_json(const struct discriminator *d)
{
    json_t *images = json_array();
    for (size_t i = 0; i < d->n; i++) {
        const struct discriminator_image *from = &d->images[i];
        json_array_append_new(images, list(json_integer(from->image), json_integer(from->group), json_integer(from->fold),
                                           json_integer(from->fresh), json_real(from->score)));
    }
    return images;
}

static json_t *lambdas_json(const struct discriminator *d)
{
    json_t *lambdas = json_array();
    for (size_t i = 0; i < d->folds; i++) {
        json_array_append_new(lambdas, json_real(d->lambdas[i]));
    }
    return lambdas;
}

enum err_code discriminator_write(const struct discriminator *d, const char *dir, struct arena *a, struct err *err)
{
    json_t *all = object(field_int("format", FORMAT), field_text("tool", "holdout " HOLDOUT_VERSION),
                         field_sv("set", d->set), field_sv("original", d->original), field_sv("features", d->features),
                         field_int("at", d->at), field_int("seed", d->seed), field_int("resamples", d->resamples),
                         field_int("in_both", d->in_both), field_int("without_features", d->without_features),
                         field_int("sealed", d->sealed), field_int("surplus", d->surplus), field_int("unknown", d->unknown),
                         field_count("groups", d->n_groups), field_real("auc_lo", d->all.of_auc.lo),
                         field_real("auc_hi", d->all.of_auc.hi), field_json("lambdas", lambdas_json(d)),
                         field_json("images", images_json(d)));
    char *text = all ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(all);
    BUG_IF(!text);
    enum err_code rc = fs_mkdirs_private(fs_join(a, dir, FOLDER), err);
    rc = rc == OK ? fs_write_whole(path_of(a, dir, d->set_id, d->original_id, d->features), text, strlen(text), true, err) : rc;
    free(text);
    return rc;
}

/* ---- reading ---- */

static uint32_t count_of(const json_t *all, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(all, name));
    return n >= 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static bool read_image(const json_t *from, const struct discriminator *d, struct discriminator_image *out)
{
    json_int_t image = json_integer_value(json_array_get(from, 0)), group = json_integer_value(json_array_get(from, 1));
    json_int_t fold = json_integer_value(json_array_get(from, 2));
    *out = (struct discriminator_image){.image = image, .fresh = json_integer_value(json_array_get(from, 3)) == 1,
                                        .score = json_number_value(json_array_get(from, 4))};
    if (image < 1 || group < 0 || (size_t)group >= d->n_groups || fold < 0 || (size_t)fold >= d->folds || !isfinite(out->score)) {
        return false;
    }
    out->group = (uint32_t)group;
    out->fold = (uint8_t)fold;
    return true;
}

static bool read_all(const json_t *all, struct discriminator *d, struct arena *a)
{
    const json_t *lambdas = json_object_get(all, "lambdas"), *images = json_object_get(all, "images");
    size_t folds = json_array_size(lambdas);
    d->n = json_array_size(images);
    d->n_groups = count_of(all, "groups");
    if (json_integer_value(json_object_get(all, "format")) != FORMAT || folds < DISCRIMINATOR_FOLDS_LEAST ||
        folds > DISCRIMINATOR_FOLDS_MOST || d->n == 0 || d->n > IMAGES_MOST || d->n_groups == 0 || d->n_groups > d->n) {
        return false;
    }
    d->folds = folds;
    for (size_t i = 0; i < folds; i++) {
        d->lambdas[i] = json_number_value(json_array_get(lambdas, i));
    }
    d->at = json_integer_value(json_object_get(all, "at"));
    d->seed = json_integer_value(json_object_get(all, "seed"));
    d->resamples = count_of(all, "resamples");
    d->in_both = count_of(all, "in_both");
    d->without_features = count_of(all, "without_features");
    d->sealed = count_of(all, "sealed");
    d->surplus = count_of(all, "surplus");
    d->unknown = count_of(all, "unknown");
    d->all.of_auc = (struct interval){json_number_value(json_object_get(all, "auc_lo")),
                                      json_number_value(json_object_get(all, "auc_hi"))};
    d->images = arena_calloc(a, d->n, sizeof *d->images);
    bool good = true;
    for (size_t i = 0; i < d->n && good; i++) {
        good = read_image(json_array_get(images, i), d, &d->images[i]);
    }
    return good;
}

static bool is_features(struct sv s)
{
    bool good = s.n > 0 && s.n <= DISCRIMINATOR_FEATURES && s.p[0] != '.';
    for (size_t i = 0; i < s.n && good; i++) {
        char c = s.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-_.+@", c));
    }
    return good;
}

static struct sv title_of(struct arena *a, const struct revision_row *r)
{
    return sv_of(arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number));
}

enum err_code discriminator_read(const char *dir, const struct revision_row *fresh, const struct revision_row *original,
                                 struct sv features, struct arena *a, struct discriminator *out, struct err *err)
{
    enum err_code rc = revision_may_be_scored(fresh, err);
    rc = rc == OK ? revision_may_be_scored(original, err) : rc;
    if (rc != OK) {
        return rc;
    }
    struct err ignored = {0};
    struct str text;
    str_init(&text, FILE_MOST);
    *out = (struct discriminator){.set = title_of(a, fresh), .original = title_of(a, original), .features = arena_sv(a, features),
                                  .set_id = fresh->id, .original_id = original->id};
    bool good = is_features(features) && fs_read(path_of(a, dir, fresh->id, original->id, features), &text, &ignored) == OK;
    json_t *all = good ? json_loadb(str_sv(&text).p, str_sv(&text).n, 0, NULL) : NULL;
    good = all && read_all(all, out, a);
    json_decref(all);
    str_release(&text);
    if (!good) {
        return err_rule(err, ERR_NOT_FOUND, "discriminator",
                        "Nobody has tried yet to tell " SV_FMT " from " SV_FMT " by " SV_FMT ": compute it with `holdout discriminate`.",
                        SV_ARG(out->set), SV_ARG(out->original), SV_ARG(is_features(features) ? features : SV("these features")));
    }
    discriminator_count(out, 0, a);
    return OK;
}

/* ---- which there are ---- */

struct listing {
    int64_t set_id;
    struct arena *a;
    struct list names;
};

/* NEW-ORIGINAL-FEATURES.json; anything else is not ours. */
static enum err_code take_name(void *arg, const char *relative, struct err *err)
{
    struct listing *l = arg;
    struct sv rest = sv_of(relative);
    int64_t set, original;
    bool good = rest.n > 5 && memcmp(rest.p + rest.n - 5, ".json", 5) == 0 && sv_i64(sv_cut(&rest, '-'), &set) && rest.p &&
                sv_i64(sv_cut(&rest, '-'), &original) && rest.p && rest.n > 5;
    (void)err;
    struct sv features = good ? sv_make(rest.p, rest.n - 5) : SV("");
    if (good && set == l->set_id && is_features(features)) {
        *LIST_ADD(&l->names, l->a, struct discriminator_name) = (struct discriminator_name){original, arena_sv(l->a, features)};
    }
    return OK;
}

enum err_code discriminator_list(const char *dir, int64_t set_id, struct arena *a, struct discriminator_name **out, size_t *n,
                                 struct err *err)
{
    struct listing l = {.set_id = set_id, .a = a};
    const char *folder = fs_join(a, dir, FOLDER);
    enum err_code rc = fs_is_dir(folder) ? fs_walk(folder, take_name, &l, err) : OK;
    *out = l.names.items;
    *n = l.names.n;
    return rc;
}
