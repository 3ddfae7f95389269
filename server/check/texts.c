/* texts.c - what models said in their own words, and the predictions that mappings made of it. */
#include "check/parts.h"
#include "store/models/texts.h"

/* Every block of a source. */
static enum err_code check_blocks(struct check *c, const struct text_source *s)
{
    struct err why = {OK, "", ""};
    enum err_code rc = OK;
    for (int64_t block = 0; rc == OK; block++) {
        struct text_record *r;
        struct arena a;
        size_t n;
        arena_init(&a, (size_t)64 << 20);
        rc = texts_block(c->db, s->id, block, &a, &r, &n, &why);
        arena_release(&a);
    }
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    check_found(c, "texts: " SV_FMT ": %s", SV_ARG(s->file), why.msg);
    return rc == ERR_IO ? OK : err_set(c->err, rc, "%s", why.msg);
}

/* Predictions without a class by the mapping's own account. */
static void count(void *arg, const struct text_unmapped *u)
{
    (void)u;
    ++*(uint64_t *)arg;
}

static enum err_code check_mapped(struct check *c, const struct text_source *sources, size_t n_sources)
{
    struct text_mapped *list;
    size_t n = 0;
    enum err_code rc = text_mapped_list(c->db, 0, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct err why = {OK, "", ""};
        uint64_t unmapped = 0;
        size_t at = 0;
        while (at < n_sources && sources[at].id != list[i].texts) {
            at++;
        }
        if (at < n_sources && list[i].records != sources[at].stored) {
            check_found(c, "texts: " SV_FMT " has predictions of %lld of the %lld texts of " SV_FMT ": run `holdout map-texts` again",
                        SV_ARG(list[i].model_name), (long long)list[i].records, (long long)sources[at].stored, SV_ARG(list[i].file));
        }
        rc = text_unmapped_each(c->db, list[i].source, count, &unmapped, &why);
        if (rc == ERR_IO || (rc == OK && unmapped > (uint64_t)list[i].records)) {
            check_found(c, "texts: " SV_FMT ": %s", SV_ARG(list[i].model_name), rc == OK ? "more texts are no class than there are predictions" : why.msg);
            rc = OK;
        }
    }
    return rc;
}

enum err_code check_texts(struct check *c)
{
    struct text_source *list;
    size_t n = 0;
    enum err_code rc = texts_sources(c->db, 0, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        check_progress(c, "checking texts", i, n);
        if (list[i].stored != list[i].records) {
            check_found(c, "texts: the import of " SV_FMT " was cut off after %lld of %lld texts: run it again", SV_ARG(list[i].file),
                        (long long)list[i].stored, (long long)list[i].records);
        }
        rc = check_blocks(c, &list[i]);
    }
    return rc == OK ? check_mapped(c, list, n) : rc;
}
