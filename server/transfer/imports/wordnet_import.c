/* wordnet_import.c - `holdout import wordnet`: all noun synsets with their hypernyms, and from
 * these, for projects that came without, the 21 most similar classes of every class. */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "domain/classes/hierarchy.h"
#include "formats/wordnet.h"
#include "store/core/events.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { SIMILAR = 21, CHUNK = 50 };

struct wordnet_import {
    struct import im;
    struct wordnet reader;
    struct wordnet_synset synset;
    struct hierarchy *hierarchy;
    bool parents;              /* second pass: hypernyms, when every synset is there */
    uint64_t n, total;
    uint32_t *ids, *nearest;   /* of classes, then their similar ones */
    size_t at;
};

static struct sv joined_words(struct str *s, const struct wordnet_synset *w)
{
    str_clear(s);
    for (size_t i = 0; i < w->n_words; i++) {
        str_addz(s, i ? "|" : "");
        for (size_t k = 0; k < w->words[i].n; k++) {
            char c = w->words[i].p[k];
            str_addc(s, c == '_' ? ' ' : c);
        }
    }
    return str_sv(s);
}

/* Reads the whole file once without writing: a broken one changes nothing. */
static enum err_code validate(struct wordnet_import *wi)
{
    bool more = true;
    enum err_code rc = OK;
    wordnet_open(&wi->reader, wi->im.name, wi->im.text);
    while ((rc = wordnet_next(&wi->reader, &wi->synset, &more, wi->im.tr->err)) == OK && more) {
        wi->total++;
        for (size_t p = 0; p < wi->synset.n_parents; p++) {
            hierarchy_add(wi->hierarchy, wi->synset.offset, wi->synset.parents[p]);
        }
    }
    if (rc == OK && wi->total == 0) {
        rc = err_set(wi->im.tr->err, ERR_INPUT, "%s holds no synset: is it WordNet's data.noun?",
                     wi->im.name);
    }
    return rc;
}

static enum err_code write_synset(struct db *db, struct wordnet_import *wi, struct err *err)
{
    const struct wordnet_synset *w = &wi->synset;
    char wnid[16];
    struct str words;
    enum err_code rc = OK;
    if (wi->parents) {
        for (size_t p = 0; p < w->n_parents && rc == OK; p++) {
            rc = synsets_put_parent(db, w->offset, w->parents[p], err);
        }
        return rc;
    }
    str_init(&words, 1 << 16);
    snprintf(wnid, sizeof wnid, "n%08u", w->offset);
    rc = synsets_put(db, w->offset, sv_of(wnid), joined_words(&words, w), w->gloss, err);
    str_release(&words);
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct wordnet_import *wi = arg;
    enum err_code rc = OK;
    *more = true;
    for (int k = 0; k < CHUNK && *more && rc == OK; k++) {
        rc = wordnet_next(&wi->reader, &wi->synset, more, err);
        if (rc == OK && *more) {
            rc = write_synset(db, wi, err);
            wi->n++;
        }
    }
    transfer_progress(wi->im.tr, wi->parents ? "hypernyms" : "synsets", wi->n, wi->total);
    return rc;
}

static enum err_code write_pass(struct wordnet_import *wi, bool parents)
{
    struct transfer *tr = wi->im.tr;
    wi->parents = parents;
    wi->n = 0;
    wordnet_open(&wi->reader, wi->im.name, wi->im.text);
    return bulk_write(tr->db, tr->alone, write_step, wi, tr->err);
}

static enum err_code write_similar(struct db *db, void *arg, bool *more, struct err *err)
{
    struct wordnet_import *wi = arg;
    const struct import *im = &wi->im;
    enum err_code rc = OK;
    if (wi->at < im->n_classes) {
        const uint32_t *near = wi->nearest + wi->at * SIMILAR;
        for (int64_t k = 0; k < SIMILAR && near[k] != UINT32_MAX && rc == OK; k++) {
            rc = classes_put_similar(db, im->class_list[wi->at].id, k, im->class_list[near[k]].id,
                                     err);
        }
        wi->at++;
    }
    *more = wi->at < im->n_classes;
    if (rc == OK && !*more) {
        rc = events_add(db, im->now, 0, "wordnet.import", 0, NULL, NULL, err);
    }
    return rc;
}

/* Classes are listed by cid, which is the order of wnids, so ties go to the smaller wnid. */
static enum err_code find_similar(struct wordnet_import *wi)
{
    struct transfer *tr = wi->im.tr;
    int64_t have = 0;
    enum err_code rc = classes_similar_count(tr->db, &have, tr->err);
    if (rc != OK || have || wi->im.n_classes == 0) {
        return rc;
    }
    size_t n = wi->im.n_classes;
    wi->ids = xcalloc(n, sizeof *wi->ids);
    wi->nearest = xcalloc(n * SIMILAR, sizeof *wi->nearest);
    for (size_t i = 0; i < n; i++) {
        int64_t offset = 0;
        struct sv wnid = wi->im.class_list[i].wnid;
        if (wnid.n == 9 && wnid.p[0] == 'n') {
            sv_i64(sv_make(wnid.p + 1, 8), &offset);
        }
        wi->ids[i] = (uint32_t)offset;
    }
    hierarchy_nearest(wi->hierarchy, wi->ids, n, SIMILAR, wi->nearest);
    return bulk_write(tr->db, tr->alone, write_similar, wi, tr->err);
}

enum err_code wordnet_import(struct transfer *tr, const char *path)
{
    struct wordnet_import wi = {.hierarchy = hierarchy_new()};
    enum err_code rc = import_open(&wi.im, tr, path);
    rc = rc == OK ? validate(&wi) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = write_pass(&wi, false);
    }
    if (rc == OK && !tr->dry_run) {
        rc = write_pass(&wi, true);
    }
    if (rc == OK && !tr->dry_run) {
        rc = find_similar(&wi);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu synsets%s.", (unsigned long long)wi.total,
                 tr->dry_run ? " (dry run)" : "");
    }
    free(wi.ids);
    free(wi.nearest);
    hierarchy_free(wi.hierarchy);
    import_close(&wi.im);
    return rc;
}
