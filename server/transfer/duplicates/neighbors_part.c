/* neighbors_part.c - parts are runs of queries in the order of the search, so that reading one after the other gives
 * all lists in order. */
#include "transfer/duplicates/neighbors_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/jsonl.h"
#include "json/object.h"

enum { DISTANCE_DIGITS = 17 /* enough for the same double to be read again */, LISTS_AT_ONCE = 256 };

#define HEADER "{\"holdout\":\"neighbors\",\"plan\":\"%s\",\"shard\":\"%u/%u\"}\n"

void neighbors_part_range(const struct near_search *s, uint32_t part, uint32_t parts, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)((uint64_t)s->queries.numbers * part / parts);
    *end = (uint32_t)((uint64_t)s->queries.numbers * (part + 1) / parts);
}

static enum err_code differs(const char *path, uint64_t line, struct err *err)
{
    return err_rule(err, ERR_CONFLICT, "part-differs",
                    "%s:%llu: this line is not of the plan that the file names. Nothing of it was stored", path,
                    (unsigned long long)line);
}

/* ------------------------------------------------------------------ writing */

static enum err_code see_line(void *arg, const json_t *line, struct err *err)
{
    struct neighbors_part *p = arg;
    const json_t *image = json_object_get(line, "image");
    json_int_t search = json_integer_value(json_object_get(line, "search"));
    if (search < 0 || search >= p->shared->n) {
        return differs(p->file.path, 0, err);
    }
    p->next[search] += json_is_integer(image);
    return OK;
}

enum err_code neighbors_part_open(struct neighbors_part *p, const char *path, const struct neighbors_shared *shared,
                                  uint32_t part, uint32_t parts, uint32_t *next, struct err *err)
{
    char header[160];
    uint32_t end;
    snprintf(header, sizeof header, HEADER, shared->plan, part + 1, parts);
    *p = (struct neighbors_part){.file = {.path = path, .digits = DISTANCE_DIGITS}, .shared = shared, .part = part,
                                 .parts = parts, .next = next};
    for (uint32_t i = 0; i < shared->n; i++) {
        neighbors_part_range(shared->searches[i], part, parts, &next[i], &end);
    }
    return part_file_open(&p->file, sv_of(header), "plan or shard", see_line, p, err);
}

static json_t *near_json(const struct near_list *l)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < l->n; i++) {
        json_array_append_new(out, list(json_integer(l->at[i].image), json_real(l->at[i].distance)));
    }
    return out;
}

static enum err_code add_unread(struct neighbors_part *p, uint32_t search, const uint32_t *unread, uint32_t n,
                                struct err *err)
{
    json_t *images = json_array();
    for (uint32_t i = 0; i < n; i++) {
        json_array_append_new(images, json_integer(unread[i]));
    }
    return part_file_add(&p->file, object(field_int("search", search), field_json("unread", images)), err);
}

enum err_code neighbors_part_take(struct neighbors_part *p, uint32_t search, uint32_t first,
                                  const struct near_list *lists, uint32_t n, const uint32_t *unread, uint32_t n_unread,
                                  struct err *err)
{
    const struct near_search *s = p->shared->searches[search];
    enum err_code rc = n_unread > 0 ? add_unread(p, search, unread, n_unread, err) : OK;
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        rc = part_file_add(&p->file,
                           object(field_int("search", search), field_int("image", ranges_at(&s->queries, first + i)),
                                  field_json("near", near_json(&lists[i]))),
                           err);
    }
    return rc == OK ? part_file_flush(&p->file, err) : rc;
}

/* ------------------------------------------------------------------ reading */

struct neighbors_merge {
    const struct neighbors_shared *shared;
    struct part_read *parts; /* in their order */
    uint32_t n;
    struct near_list lists[LISTS_AT_ONCE];
    struct near_neighbor room[LISTS_AT_ONCE][NEAR_MOST];
    uint32_t n_lists;
    uint32_t *unread, n_unread; /* of the search at hand; some twice */
    size_t cap_unread;
};

/* Which part a file is; its lines are read from behind the header on. */
static enum err_code read_header(struct part_read *p, const char *path, const struct neighbors_shared *shared,
                                 uint32_t *part, uint32_t *parts, struct err *err)
{
    json_t *header = NULL;
    enum err_code rc = part_read_open(p, path, &header, err);
    const char *plan = json_string_value(json_object_get(header, "plan"));
    const char *shard = json_string_value(json_object_get(header, "shard"));
    bool good = plan && strcmp(plan, shared->plan) == 0 && shard && part_number(sv_of(shard), part, parts);
    if (rc == OK && !good) {
        rc = err_rule(err, ERR_CONFLICT, "part-differs",
                      "%s is of another plan: images, searches, metrics or options were not the same when it was made. "
                      "Nothing was stored; compute the part again with this project and these options",
                      path);
    }
    json_decref(header);
    return rc;
}

static enum err_code add_part(struct neighbors_merge *m, const char *path, struct err *err)
{
    struct part_read p;
    uint32_t part = 0, parts = 0;
    enum err_code rc = read_header(&p, path, m->shared, &part, &parts, err);
    if (rc == OK && (parts != m->n || m->parts[part].path)) {
        rc = err_rule(err, ERR_CONFLICT, "part-differs",
                      "%s is part %u of %u, but %u file%s given: name each part once. Nothing was stored", path, part + 1,
                      parts, m->n, m->n == 1 ? " was" : "s were");
    }
    if (rc == OK) {
        m->parts[part] = p;
    } else {
        part_read_close(&p);
    }
    return rc;
}

enum err_code neighbors_merge_open(struct neighbors_merge **out, const char *const *paths, uint32_t n,
                                   const struct neighbors_shared *shared, struct err *err)
{
    struct neighbors_merge *m = xcalloc(1, sizeof *m);
    *m = (struct neighbors_merge){.shared = shared, .parts = xcalloc(n + 1, sizeof *m->parts), .n = n};
    *out = m;
    enum err_code rc = OK;
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        rc = add_part(m, paths[i], err);
    }
    return rc;
}

void neighbors_merge_close(struct neighbors_merge *m)
{
    if (m) {
        for (uint32_t i = 0; i < m->n; i++) {
            part_read_close(&m->parts[i]);
        }
        free(m->parts);
        free(m->unread);
        free(m);
    }
}

static bool take_number(const json_t *v, uint32_t *out)
{
    json_int_t n = json_integer_value(v);
    *out = (uint32_t)n;
    return json_is_integer(v) && n > 0 && n < RANGES_NONE;
}

static bool take_list(struct neighbors_merge *m, const json_t *near)
{
    struct near_neighbor *room = m->room[m->n_lists];
    size_t n = json_array_size(near);
    bool good = json_is_array(near) && n <= NEAR_MOST;
    for (size_t i = 0; i < n && good; i++) {
        const json_t *pair = json_array_get(near, i);
        good = take_number(json_array_get(pair, 0), &room[i].image) && json_is_number(json_array_get(pair, 1));
        room[i].distance = json_number_value(json_array_get(pair, 1));
    }
    if (good) {
        m->lists[m->n_lists++] = (struct near_list){room, (uint32_t)n};
    }
    return good;
}

static bool take_unread(struct neighbors_merge *m, const json_t *images)
{
    bool good = json_is_array(images);
    for (size_t i = 0; i < json_array_size(images) && good; i++) {
        xgrow(&m->unread, &m->cap_unread, m->n_unread + 1, sizeof *m->unread);
        good = take_number(json_array_get(images, i), &m->unread[m->n_unread]);
        m->n_unread += good;
    }
    return good;
}

/* The next line of a part: a list of the query, or what was unread before it. *more: the list is yet to come. */
static enum err_code read_line(struct neighbors_merge *m, struct part_read *p, uint32_t search, uint32_t query, bool *more,
                               struct err *err)
{
    json_t *line = NULL;
    uint32_t image = 0;
    enum err_code rc = jsonl_next(&p->lines, &line, err);
    if (rc == OK && !line) {
        rc = err_rule(err, ERR_CONFLICT, "part-unfinished",
                      "%s ends before its last list; the command that makes it resumes it", p->path);
    }
    if (rc != OK) {
        return rc;
    }
    const json_t *unread = json_object_get(line, "unread"), *at = json_object_get(line, "search");
    bool good = json_is_integer(at) && json_integer_value(at) == search;
    *more = unread != NULL;
    good = good && (unread ? take_unread(m, unread)
                           : take_number(json_object_get(line, "image"), &image) && image == query &&
                                 take_list(m, json_object_get(line, "near")));
    json_decref(line);
    return good ? OK : differs(p->path, p->lines.line, err);
}

static enum err_code read_query(struct neighbors_merge *m, struct part_read *p, uint32_t search, uint32_t query,
                                struct err *err)
{
    bool more = true;
    enum err_code rc = OK;
    while (rc == OK && more) {
        rc = read_line(m, p, search, query, &more, err);
    }
    return rc;
}

enum err_code neighbors_merge_each(struct neighbors_merge *m, uint32_t search, uint32_t from,
                                   enum err_code (*take)(void *arg, const struct near_list *lists, uint32_t n,
                                                         const uint32_t *unread, uint32_t n_unread, struct err *err),
                                   void *arg, struct err *err)
{
    const struct near_search *s = m->shared->searches[search];
    enum err_code rc = OK;
    m->n_unread = 0;
    m->n_lists = 0;
    for (uint32_t i = 0; i < m->n && rc == OK; i++) {
        uint32_t place, end;
        neighbors_part_range(s, i, m->n, &place, &end);
        for (; place < end && rc == OK; place++) {
            rc = read_query(m, &m->parts[i], search, ranges_at(&s->queries, place), err);
            m->n_lists = rc == OK && place < from ? 0 : m->n_lists; /* stored already */
            if (rc == OK && m->n_lists == LISTS_AT_ONCE) {
                rc = take(arg, m->lists, m->n_lists, m->unread, m->n_unread, err);
                m->n_lists = 0;
            }
        }
    }
    return rc == OK && m->n_lists > 0 ? take(arg, m->lists, m->n_lists, m->unread, m->n_unread, err) : rc;
}
