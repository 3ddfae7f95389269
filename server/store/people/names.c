/* names.c - finding and erasing panel ids in what people typed. The one place that updates append-only
 * texts: forgetting is why. */
#include "store/people/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "base/str.h"
#include "base/xalloc.h"

enum {
    NAMES_ARENA = 16 << 20,
    TEXT_MOST = 1 << 20,
    COMPARED = 4000, /* texts by ids in one step: well under a millisecond */
    DISTINCT = 8     /* a shorter id, "7", is one only where it is a word of its own */
};

struct names {
    struct arena arena;
    struct sv *ids;
    size_t n;
};

static enum err_code load(struct db *db, const char *sql, int64_t value, struct names *out,
                          struct err *err)
{
    struct db_rows rows;
    struct list list = {0};
    arena_init(&out->arena, NAMES_ARENA);
    db_begin(db, sql, DB_VALS(db_int(value)), &rows, err);
    while (db_step(&rows, err)) {
        if (db_col_text(&rows, 0).n) {
            struct sv *id = list_add(&list, &out->arena, sizeof *id);
            *id = arena_sv(&out->arena, db_col_text(&rows, 0));
        }
    }
    out->ids = list.items;
    out->n = list.n;
    return db_end(&rows);
}

static bool part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Where the text contains the id from `at` on, in upper or lower case; SIZE_MAX: nowhere. */
static size_t find(struct sv text, size_t at, struct sv id)
{
    int first = tolower((unsigned char)*id.p);
    for (; at + id.n <= text.n; at++) {
        if (tolower((unsigned char)text.p[at]) != first ||
            strncasecmp(text.p + at, id.p, id.n) != 0) {
            continue;
        }
        size_t end = at + id.n;
        if (id.n >= DISTINCT || ((at == 0 || !part_of_word(text.p[at - 1])) &&
                                 (end == text.n || !part_of_word(text.p[end])))) {
            return at;
        }
    }
    return SIZE_MAX;
}

/* What the person ?1 is called: their ids, and what the links that they came by said of them alone. A study's
 * number or a language is what others were given too: a hundred of them in the campaign are asked, as a link's
 * parameter is of everybody or of one. */
#define IDS_OF_PERSON                                                                              \
    "SELECT external_id FROM identity WHERE person = ?1 AND external_id <> '' UNION "              \
    "SELECT j.value FROM place p JOIN arrival a ON a.place = p.id, json_each(a.parameters) j "     \
    "WHERE p.person = ?1 AND j.type = 'text' AND j.value <> '' AND NOT EXISTS ("                   \
    "SELECT 1 FROM (SELECT o.parameters AS said FROM place q JOIN arrival o ON o.place = q.id "    \
    "WHERE q.campaign = p.campaign AND q.person <> ?1 LIMIT 100), json_each(said) k "              \
    "WHERE k.key = j.key AND k.value = j.value)"

enum err_code names_refuse(struct db *db, int64_t person, struct sv text, struct err *err)
{
    struct names names;
    enum err_code rc = load(db, IDS_OF_PERSON, person, &names, err);
    for (size_t i = 0; i < names.n && rc == OK; i++) {
        if (find(text, 0, names.ids[i]) != SIZE_MAX) {
            rc = err_rule(err, ERR_INPUT, "text-names-person",
                          "The text contains this person's panel id, which could not be erased if they ask "
                          "to be forgotten. Nothing was stored; write it without the id.");
        }
    }
    arena_release(&names.arena);
    return rc;
}

/* The text without the ids; true when that changed anything. */
static bool erase(const struct names *names, struct sv text, struct arena *a, struct sv *out)
{
    *out = text;
    for (size_t i = 0; i < names->n; i++) {
        struct str s;
        size_t from = 0;
        str_init(&s, TEXT_MOST);
        for (size_t at; (at = find(*out, from, names->ids[i])) != SIZE_MAX;
             from = at + names->ids[i].n) {
            str_add(&s, out->p + from, at - from);
            str_addz(&s, "[erased]");
        }
        if (from) {
            str_add(&s, out->p + from, out->n - from);
            *out = arena_sv(a, str_sv(&s));
        }
        str_release(&s);
    }
    return out->p != text.p;
}

struct typed {
    const char *select, *update;
};

/* Rows after ?1, at most ?2 of them; texts that are empty count too, so that a slice is short. */
#define TYPED(column, table)                                                                       \
    "SELECT id, " column " FROM " table " WHERE id > ?1 ORDER BY id LIMIT ?2"
static const struct typed tables[NAMES_TABLES] = {
    {TYPED("text", "person_note"), "UPDATE person_note SET text = ?2 WHERE id = ?1"},
    {TYPED("reason", "pay"), "UPDATE pay SET reason = ?2 WHERE id = ?1"},
    {TYPED("note", "flag"), "UPDATE flag SET note = ?2 WHERE id = ?1"},
    {TYPED("reason", "image_decision"), "UPDATE image_decision SET reason = ?2 WHERE id = ?1"},
    {TYPED("description", "vote_view"), "UPDATE vote_view SET description = ?2 WHERE id = ?1"},
    /* The rows that a decision wrote, or put back, say its text. */
    {TYPED("rule", "decision"), "UPDATE answer_state SET rule = ?2 WHERE decision IS NOT NULL"
                                " AND rule = (SELECT d.rule FROM decision d WHERE d.id = ?1)"},
    {TYPED("rule", "decision"), "UPDATE decision SET rule = ?2 WHERE id = ?1"},
};

enum err_code names_keep(struct db *db, int64_t person, struct err *err)
{
    return db_run(db, "INSERT INTO erasure_name (text) " IDS_OF_PERSON, DB_VALS(db_int(person)), err);
}

enum err_code names_to_erase(struct db *db, struct names **out, struct err *err)
{
    struct names *names = xcalloc(1, sizeof *names);
    *out = names;
    return load(db, "SELECT text FROM erasure_name WHERE id > ?1", 0, names, err);
}

void names_free(struct names *names)
{
    if (names) {
        arena_release(&names->arena);
        free(names);
    }
}

/* Collects first: a table must not change under the statement that walks it. */
enum err_code names_erase_some(struct db *db, struct names *names, size_t table, int64_t *after,
                               bool *more, struct err *err)
{
    struct found {
        int64_t id;
        struct sv text;
    };
    struct db_rows rows;
    struct list list = {0};
    int64_t n = 0, most = 1 + COMPARED / (int64_t)(names->n + 1);
    enum err_code rc =
        db_begin(db, tables[table].select, DB_VALS(db_int(*after), db_int(most)), &rows, err);
    while (rc == OK && db_step(&rows, err)) {
        struct sv text;
        *after = db_col_int(&rows, 0);
        n++;
        if (db_col_text(&rows, 1).n && erase(names, db_col_text(&rows, 1), &names->arena, &text)) {
            struct found *f = list_add(&list, &names->arena, sizeof *f);
            *f = (struct found){db_col_int(&rows, 0), text};
        }
    }
    rc = db_end_after(&rows, rc);
    const struct found *found = list.items;
    for (size_t i = 0; i < list.n && rc == OK; i++) {
        rc = db_run(db, tables[table].update, DB_VALS(db_int(found[i].id), db_text(found[i].text)),
                    err);
    }
    *more = n == most;
    return rc;
}
