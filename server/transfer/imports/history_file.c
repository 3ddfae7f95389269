/* history_file.c - reads the published history of a set. */
#include "transfer/imports/history_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "formats/jsonl.h"
#include "formats/manifest.h"
#include "sets/revisions/digest.h"

enum { PARAMETERS_MOST = 1 << 16 };

void history_file_init(struct history_file *h, struct import *im, struct sv set)
{
    *h = (struct history_file){.im = im, .set = set};
    map_sv_init(&h->by_name);
    map_sv_init(&h->by_revision);
    map_sv_init(&h->by_number);
    map_sv_init(&h->by_waiting);
}

void history_file_release(struct history_file *h)
{
    for (size_t i = 0; i < h->n; i++) {
        free(h->revisions[i].members);
    }
    free(h->revisions);
    free(h->names);
    map_sv_release(&h->by_name);
    map_sv_release(&h->by_revision);
    map_sv_release(&h->by_number);
    map_sv_release(&h->by_waiting);
    free(h->waiting);
}

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

/* The first line alone, when that is an object; otherwise the object goes on behind it. */
static json_t *first_line(struct sv text)
{
    struct sv start = sv_trim(text), line = sv_cut(&start, '\n');
    return line.n ? json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES, NULL) : NULL;
}

bool history_file_is(struct sv text)
{
    json_t *line = first_line(text);
    bool is = json_is_array(json_object_get(line, "add"));
    json_decref(line);
    return is;
}

/* ---- members ---- */

/* A revision that is being put together: of each name its class, or NOT. */
enum { NOT = UINT32_MAX };
struct making {
    struct history_file *h;
    struct history_revision *r;
    uint32_t *class_of; /* by name */
    size_t cap_class;
    uint32_t *touched; /* names that were in it at some time */
    size_t n_touched, cap_touched;
};

static uint32_t name_index(struct making *m, struct sv name, uint32_t class_at)
{
    struct history_file *h = m->h;
    uint32_t at = map_sv_put(&h->by_name, name, (uint32_t)h->n_names);
    if (at == h->n_names) {
        struct import *im = h->im;
        xgrow(&h->names, &h->cap_names, h->n_names + 1, sizeof *h->names);
        h->names[h->n_names++] = (struct set_member){.name = arena_sv(im->tr->arena, name),
                                                     .class_id = im->class_list[class_at].id};
    }
    size_t before = m->cap_class;
    xgrow(&m->class_of, &m->cap_class, h->n_names, sizeof *m->class_of);
    for (size_t i = before; i < m->cap_class; i++) {
        m->class_of[i] = NOT;
    }
    return at;
}

static void add_member(struct making *m, struct sv name, uint32_t class_at)
{
    uint32_t at = name_index(m, name, class_at);
    if (m->class_of[at] != NOT) {
        import_bad(m->h->im, m->r->line,
                   "image " SV_FMT " is added, but it is already in " SV_FMT, SV_ARG(name),
                   SV_ARG(m->r->name));
        return;
    }
    m->class_of[at] = class_at;
    xgrow(&m->touched, &m->cap_touched, m->n_touched + 1, sizeof *m->touched);
    m->touched[m->n_touched++] = at;
}

static void add_pair(struct making *m, const json_t *pair)
{
    struct import *im = m->h->im;
    struct sv name = text_of(json_array_get(pair, 0)), wnid = text_of(json_array_get(pair, 1));
    uint32_t class_at = map_sv_get(&im->classes, wnid);
    if (json_array_size(pair) != 2 || !manifest_id_good(name) || !wnid.n) {
        import_bad(im, m->r->line, "an image of " SV_FMT " is not given as [image, wnid]",
                   SV_ARG(m->r->name));
    } else if (class_at == MAP_NONE) {
        import_class(im, m->r->line, wnid); /* says so */
    } else {
        add_member(m, name, class_at);
    }
}

static void remove_member(struct making *m, struct sv name)
{
    uint32_t at = map_sv_get(&m->h->by_name, name);
    if (at == MAP_NONE || at >= m->cap_class || m->class_of[at] == NOT) {
        import_bad(m->h->im, m->r->line,
                   "image " SV_FMT " is removed, but the parent of " SV_FMT " does not have it",
                   SV_ARG(name), SV_ARG(m->r->name));
        return;
    }
    m->class_of[at] = NOT;
}

static int by_name(const void *a, const void *b, void *names)
{
    const struct history_member *x = a, *y = b;
    const struct set_member *list = names;
    return sv_cmp(list[x->name].name, list[y->name].name);
}

/* The members that are left, each once: one that was removed and added again was touched twice. A list keeps its
 * order, which predictions without names have too; changes leave none. */
static void take_members(struct making *m)
{
    struct history_revision *r = m->r;
    r->members = xcalloc(m->n_touched + 1, sizeof *r->members);
    for (size_t i = 0; i < m->n_touched; i++) {
        uint32_t name = m->touched[i];
        if (m->class_of[name] != NOT) {
            r->members[r->n++] = (struct history_member){name, m->class_of[name]};
            m->class_of[name] = NOT;
        }
    }
    if (r->n && !r->listed) {
        qsort_r(r->members, r->n, sizeof *r->members, by_name, m->h->names);
    }
    m->n_touched = 0;
    m->h->rows += r->n;
}

/* ---- the parent ---- */

static enum err_code take_stored(void *arg, const struct revision_name *v, struct err *err)
{
    struct making *m = arg;
    (void)err;
    add_member(m, v->name, map_sv_get(&m->h->im->classes, v->wnid));
    return OK;
}

/* The number that a published name ends with, and what stands before it; 0 and all of it without
 * one. */
static int64_t split_name(struct sv name, struct sv *set)
{
    size_t at = name.n;
    int64_t number = 0;
    while (at > 0 && name.p[at - 1] >= '0' && name.p[at - 1] <= '9') {
        at--;
    }
    bool numbered = at > 1 && at < name.n && name.p[at - 1] == '-' &&
                    sv_i64(sv_make(name.p + at, name.n - at), &number) && number < INT32_MAX;
    *set = numbered ? sv_make(name.p, at - 1) : name;
    return numbered ? number : 0;
}

/* "imagenetv2-b/7" of "imagenetv2-b-7", or "SET/7" when all are given one name; a set may have the published name. */
static struct sv stored_name(const struct history_file *h, struct sv published)
{
    struct sv set;
    int64_t number = split_name(published, &set);
    bool numbered = set.n < published.n;
    return h->set.n || numbered
               ? sv_of(arena_printf(h->im->tr->arena, SV_FMT "/%lld",
                                    SV_ARG(h->set.n ? h->set : set), (long long)number))
               : published;
}

static enum err_code find_parent(struct making *m)
{
    struct history_file *h = m->h;
    struct history_revision *r = m->r;
    struct revision_row row;
    struct err none = {OK, "", ""};
    r->parent_at = r->parent.n ? map_sv_get(&h->by_revision, r->parent) : MAP_NONE;
    if (r->parent.n && sv_eq(r->parent, r->name)) {
        import_bad(h->im, r->line, "revision " SV_FMT " names itself as its parent",
                   SV_ARG(r->name));
        r->parent_at = MAP_NONE;
        return OK;
    }
    if (r->parent_at != MAP_NONE && !sv_eq(h->revisions[r->parent_at].set, r->set)) {
        import_bad(h->im, r->line, "the parent " SV_FMT " of " SV_FMT " belongs to another set",
                   SV_ARG(r->parent), SV_ARG(r->name));
    }
    if (!r->parent.n || r->parent_at != MAP_NONE) {
        return OK;
    }
    struct sv name = stored_name(h, r->parent);
    enum err_code rc = revisions_find(h->im->tr->db, name, h->im->tr->arena, &row, &none);
    if (rc == ERR_NOT_FOUND) {
        import_bad(h->im, r->line,
                   "the parent " SV_FMT " of " SV_FMT " is neither in the files nor in the project",
                   SV_ARG(r->parent), SV_ARG(r->name));
        return OK;
    }
    if (rc == OK && !sv_eq(row.set, r->set)) {
        import_bad(h->im, r->line, "the parent " SV_FMT " of " SV_FMT " belongs to the set " SV_FMT,
                   SV_ARG(r->parent), SV_ARG(r->name), SV_ARG(row.set));
        return OK;
    }
    r->parent_id = row.id;
    return rc == OK ? OK : err_set(h->im->tr->err, rc, "%s", none.msg);
}

static enum err_code begin_with_parent(struct making *m)
{
    struct history_file *h = m->h;
    if (m->r->parent_at != MAP_NONE) {
        const struct history_revision *p = &h->revisions[m->r->parent_at];
        for (size_t i = 0; i < p->n; i++) {
            add_member(m, h->names[p->members[i].name].name, p->members[i].class_at);
        }
    }
    return m->r->parent_id ? revision_images_named(h->im->tr->db, m->r->parent_id, take_stored, m,
                                                   h->im->tr->err)
                           : OK;
}

/* ---- a revision ---- */

static void digest_of(struct history_file *h, struct history_revision *r)
{
    struct set_line *lines = xcalloc(r->n + 1, sizeof *lines);
    for (size_t i = 0; i < r->n; i++) {
        const struct history_member *m = &r->members[i];
        lines[i] = (struct set_line){h->names[m->name].name, h->im->class_list[m->class_at].wnid};
    }
    set_digest(lines, r->n, r->digest);
    free(lines);
}

/* What the line says of its images beside them must hold, or it is another history than was
 * published. */
static void check_words(struct history_file *h, const struct history_revision *r, const json_t *v)
{
    const json_t *size = json_object_get(v, "size");
    struct sv sha = text_of(json_object_get(v, "sha256_sorted"));
    unsigned char digest[SET_DIGEST];
    if (json_is_integer(size) && json_integer_value(size) != (json_int_t)r->n) {
        import_bad(h->im, r->line, SV_FMT " says that it has %lld images, but has %zu",
                   SV_ARG(r->name), (long long)json_integer_value(size), r->n);
    }
    if (sha.n && (!crypto_unhex(sha, digest, sizeof digest) ||
                  memcmp(digest, r->digest, sizeof digest) != 0)) {
        import_bad(h->im, r->line, "sha256_sorted of " SV_FMT " does not match its images",
                   SV_ARG(r->name));
    }
}

/* What else the line says: how the revision was sampled, by whom, when. */
static void keep_parameters(struct history_file *h, struct history_revision *r, const json_t *v)
{
    static const char *const images[] = {"add", "remove", "image_filenames", "sha256_sorted"};
    const char *slash = strrchr(h->im->name, '/');
    json_t *rest = json_copy((json_t *)(uintptr_t)v), *p = json_object();
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        json_object_del(rest, images[i]);
    }
    json_object_set_new(p, "file", json_string(slash ? slash + 1 : h->im->name));
    json_object_set_new(p, "format", json_string("history"));
    json_object_set_new(p, "name", json_stringn(r->name.p, r->name.n));
    json_object_set_new(p, "dataset", rest);
    char *text = json_dumps(p, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(p);
    if (!text || strlen(text) > PARAMETERS_MOST) {
        import_bad(h->im, r->line, "its members other than images have more than %d bytes",
                   PARAMETERS_MOST);
    } else {
        r->parameters = arena_sv(h->im->tr->arena, sv_of(text));
    }
    free(text);
}

/* Its own word, else what an older tool called its file, else what the file is called now. */
static struct sv name_of(const struct history_file *h, const json_t *v)
{
    struct sv name = text_of(json_object_get(v, "name"));
    if (!name.n) {
        name = text_of(json_object_get(v, "output_filename"));
        name = name.n ? name : sv_of(h->im->name);
    }
    const char *slash = name.n ? memrchr(name.p, '/', name.n) : NULL;
    if (slash) {
        name = sv_make(slash + 1, (size_t)(name.p + name.n - slash - 1));
    }
    return sv_ends(name, ".json") ? sv_make(name.p, name.n - strlen(".json")) : name;
}

static struct sv parent_of(const json_t *v)
{
    struct sv name = text_of(json_object_get(v, "parent"));
    name = name.n ? name : text_of(json_object_get(v, "starting_from"));
    const char *slash = name.n ? memrchr(name.p, '/', name.n) : NULL;
    if (slash) {
        name = sv_make(slash + 1, (size_t)(name.p + name.n - slash - 1));
    }
    return sv_ends(name, ".json") ? sv_make(name.p, name.n - strlen(".json")) : name;
}

/* Images come as changes of the parent, or all of them. */
static enum err_code read_members(struct making *m, const json_t *v)
{
    const json_t *whole = json_object_get(v, "image_filenames"), *one;
    const json_t *add = json_object_get(v, "add"), *gone = json_object_get(v, "remove");
    size_t i;
    enum err_code rc = OK;
    if (!json_is_array(whole) && !json_is_array(add)) {
        import_bad(m->h->im, m->r->line,
                   "a revision must list its images as \"add\" and \"remove\", or as \"image_filenames\"");
        return OK;
    }
    rc = find_parent(m);
    if (json_is_array(whole)) {
        m->r->listed = true;
        add = whole;
        gone = NULL;
    } else if (rc == OK) {
        rc = begin_with_parent(m);
    }
    json_array_foreach(gone, i, one)
    {
        remove_member(m, text_of(one));
    }
    json_array_foreach(add, i, one)
    {
        add_pair(m, one);
    }
    take_members(m);
    return rc;
}

/* The project may have it already: with the same images, or it is another history. */
static enum err_code find_there(struct history_file *h, struct history_revision *r)
{
    struct transfer *tr = h->im->tr;
    struct err none = {OK, "", ""};
    struct revision_row row;
    const char *name =
        arena_printf(tr->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
    enum err_code rc = revisions_find(tr->db, sv_of(name), tr->arena, &row, &none);
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    if (rc == OK && memcmp(row.digest, r->digest, SET_DIGEST) != 0) {
        import_bad(h->im, r->line, "the project already has %s with other images", name);
        return OK;
    }
    r->there = row.id;
    return rc == OK ? OK : err_set(tr->err, rc, "%s", none.msg);
}

/* Names may differ and still end with the same number of the same set. */
static bool number_is_new(struct history_file *h, const struct history_revision *r)
{
    const char *key =
        arena_printf(h->im->tr->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
    uint32_t at = map_sv_put(&h->by_number, sv_of(key), (uint32_t)h->n);
    if (at == h->n) {
        return true;
    }
    import_bad(h->im, r->line,
               "revision " SV_FMT " is number %lld of the set " SV_FMT ", and so is " SV_FMT
               " in line %llu",
               SV_ARG(r->name), (long long)r->number, SV_ARG(r->set), SV_ARG(h->revisions[at].name),
               (unsigned long long)h->revisions[at].line);
    return false;
}

static enum err_code add_revision(struct making *m, const json_t *v, uint64_t line)
{
    struct history_file *h = m->h;
    struct arena *a = h->im->tr->arena;
    const json_t *valid = json_object_get(v, "is_valid");
    xgrow(&h->revisions, &h->cap, h->n + 1, sizeof *h->revisions);
    struct history_revision *r = &h->revisions[h->n];
    *r = (struct history_revision){.name = arena_sv(a, name_of(h, v)),
                                   .parent = arena_sv(a, parent_of(v)),
                                   .line = line,
                                   .parent_at = MAP_NONE,
                                   .valid = json_is_boolean(valid) ? json_is_true(valid) : -1};
    m->r = r;
    r->number = split_name(r->name, &r->set);
    r->set = h->set.n ? h->set : r->set;
    if (map_sv_put(&h->by_revision, r->name, (uint32_t)h->n) != h->n) {
        import_bad(h->im, line, "revision " SV_FMT " appears twice", SV_ARG(r->name));
        return OK;
    }
    if (!number_is_new(h, r)) {
        return OK;
    }
    h->n++;
    struct err why = {OK, "", ""};
    if (set_name_check(r->set, &why) != OK) {
        import_bad(h->im, line, "revision " SV_FMT ": %s", SV_ARG(r->name), why.msg);
        return OK;
    }
    enum err_code rc = read_members(m, v);
    if (rc == OK) {
        digest_of(h, r);
        check_words(h, r, v);
        keep_parameters(h, r, v);
        rc = find_there(h, r);
    }
    if (rc == OK && (h->n > HISTORY_REVISIONS || h->rows > HISTORY_ROWS)) {
        rc = err_rule(h->im->tr->err, ERR_LIMIT, "history-size",
                      "A history can have at most %d revisions and %d rows. Nothing was written.",
                      HISTORY_REVISIONS, HISTORY_ROWS);
    }
    return rc;
}

/* ---- the order ---- */

/* Whether the revision has to wait: its parent was not read yet, and may come later. */
static bool must_wait(const struct history_file *h, const json_t *v)
{
    struct sv parent = parent_of(v);
    return parent.n && !sv_eq(parent, name_of(h, v)) &&
           map_sv_get(&h->by_revision, parent) == MAP_NONE;
}

static void wait_for_parent(struct history_file *h, const json_t *v, struct sv text, uint64_t line)
{
    struct arena *a = h->im->tr->arena;
    struct history_waiting w = {.im = h->im,
                                .text = text,
                                .line = line,
                                .name = arena_sv(a, name_of(h, v)),
                                .parent = arena_sv(a, parent_of(v))};
    xgrow(&h->waiting, &h->cap_waiting, h->n_waiting + 1, sizeof *h->waiting);
    map_sv_put(&h->by_waiting, w.name, (uint32_t)h->n_waiting);
    h->waiting[h->n_waiting++] = w;
}

static enum err_code read_revision(struct making *m, const json_t *v, struct sv text, uint64_t line)
{
    if (m->h->n_waiting < HISTORY_REVISIONS && must_wait(m->h, v)) {
        wait_for_parent(m->h, v, text, line);
        return OK;
    }
    return add_revision(m, v, line);
}

static enum err_code read_again(struct making *m, struct history_waiting *w)
{
    json_t *v = json_loadb(w->text.p, w->text.n, JSON_REJECT_DUPLICATES, NULL);
    m->h->im = w->im;
    w->taken = true;
    enum err_code rc = add_revision(m, v, w->line);
    json_decref(v);
    transfer_progress(w->im->tr, "reading revisions", m->h->n, 0);
    return rc;
}

/* The revision after its parents that wait as well; `chain` has room for all. Parents that come round to the
 * revision itself are a bad row. */
static enum err_code read_with_parents(struct making *m, size_t at, uint32_t *chain)
{
    struct history_file *h = m->h;
    size_t n = 0;
    enum err_code rc = OK;
    for (uint32_t next = (uint32_t)at; next != MAP_NONE && !h->waiting[next].taken;
         next = map_sv_get(&h->by_waiting, h->waiting[next].parent)) {
        h->waiting[next].taken = true;
        chain[n++] = next;
        if (map_sv_get(&h->by_waiting, h->waiting[next].parent) == at) {
            import_bad(h->waiting[at].im, h->waiting[at].line,
                       "the parents of " SV_FMT " lead back to itself", SV_ARG(h->waiting[at].name));
            return OK;
        }
    }
    while (n > 0 && rc == OK) {
        rc = read_again(m, &h->waiting[chain[--n]]);
    }
    return rc;
}

static enum err_code check_files(const struct history_file *h)
{
    enum err_code rc = import_checked(h->im);
    for (size_t i = 0; i < h->n_waiting && rc == OK; i++) {
        rc = import_checked(h->waiting[i].im);
    }
    return rc;
}

enum err_code history_file_read_waiting(struct history_file *h)
{
    struct making m = {.h = h};
    uint32_t *chain = xcalloc(h->n_waiting + 1, sizeof *chain);
    enum err_code rc = OK;
    for (size_t i = 0; i < h->n_waiting && rc == OK; i++) {
        rc = h->waiting[i].taken ? OK : read_with_parents(&m, i, chain);
    }
    free(chain);
    free(m.class_of);
    free(m.touched);
    transfer_progress_end(h->im->tr);
    return rc == OK ? check_files(h) : rc;
}

/* ---- the file ---- */

static enum err_code read_lines(struct making *m)
{
    struct import *im = m->h->im;
    struct jsonl j;
    json_t *v = NULL;
    enum err_code rc = OK;
    jsonl_open(&j, im->name, im->text);
    while (rc == OK && (rc = jsonl_next(&j, &v, im->tr->err)) == OK && v) {
        rc = read_revision(m, v, j.text, j.line);
        json_decref(v);
        transfer_progress(im->tr, "reading revisions", m->h->n, 0);
    }
    return rc;
}

static enum err_code read_whole(struct making *m)
{
    struct import *im = m->h->im;
    json_error_t why;
    json_t *v = json_loadb(im->text.p, im->text.n, JSON_REJECT_DUPLICATES, &why);
    enum err_code rc =
        v ? read_revision(m, v, im->text, 1)
          : err_set(im->tr->err, ERR_INPUT, "%s:%d: %s", im->name, why.line, why.text);
    json_decref(v);
    return rc;
}

enum err_code history_file_read(struct history_file *h)
{
    struct making m = {.h = h};
    json_t *line = first_line(h->im->text);
    bool empty = sv_trim(h->im->text).n == 0;
    enum err_code rc = line || empty ? read_lines(&m) : read_whole(&m);
    json_decref(line);
    free(m.class_of);
    free(m.touched);
    transfer_progress_end(h->im->tr);
    return rc;
}
