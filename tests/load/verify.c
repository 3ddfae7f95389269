/* verify.c - the program build/verify: holds a project's database against journals of what its
 * server acknowledged (tests/load/journal.h).
 *
 *     verify DIR [JOURNAL...] [--campaign NAME] [--expect-full] [--exact]
 *
 * It looks at the tables itself, not through store/, so that a mistake there is seen. Prints a JSON
 * summary, each kind of violation with its count and first example. Exit status: 0 when nothing is
 * violated, 1 when something is, 2 usage or an unreadable input. */
#include <getopt.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sv.h"
#include "domain/grids/grid.h"
#include "load/claims.h"

enum { KINDS = 32, EXAMPLE = 200 };

struct violation {
    const char *kind;
    uint64_t n;
    char first[EXAMPLE];
};

struct verify {
    sqlite3 *db;
    const char *campaign; /* NULL: all that are not imported */
    bool expect_full, exact;
    struct claims claims;
    struct violation kinds[KINDS];
    unsigned n_kinds;
    bool broken; /* a statement failed: the result says nothing */
};

/* ------------------------------------------------------------ findings */

__attribute__((format(printf, 3, 4))) static void violated(struct verify *v, const char *kind,
                                                           const char *fmt, ...)
{
    unsigned i = 0;
    while (i < v->n_kinds && strcmp(v->kinds[i].kind, kind) != 0) {
        i++;
    }
    BUG_IF(i == KINDS);
    if (i == v->n_kinds) {
        v->kinds[v->n_kinds++].kind = kind;
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(v->kinds[i].first, EXAMPLE, fmt, ap);
        va_end(ap);
    }
    v->kinds[i].n++;
}

static sqlite3_stmt *prepare(struct verify *v, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(v->db, sql, -1, &s, NULL) != SQLITE_OK) {
        fprintf(stderr, "verify: %s\n", sqlite3_errmsg(v->db));
        v->broken = true;
    }
    return s;
}

/* True for a row; an error marks the whole result. */
static bool step(struct verify *v, sqlite3_stmt *s)
{
    int rc = s ? sqlite3_step(s) : SQLITE_DONE;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
        fprintf(stderr, "verify: %s\n", sqlite3_errmsg(v->db));
        v->broken = true;
    }
    return rc == SQLITE_ROW;
}

static const char *column(sqlite3_stmt *s, int i)
{
    const unsigned char *p = sqlite3_column_text(s, i);
    return p ? (const char *)p : "";
}

/* Every row of the query is a violation; its first two columns are the example. */
static void no_rows(struct verify *v, const char *kind, const char *sql)
{
    sqlite3_stmt *s = prepare(v, sql);
    while (step(v, s)) {
        violated(v, kind, "%s %s", column(s, 0), sqlite3_column_count(s) > 1 ? column(s, 1) : "");
    }
    sqlite3_finalize(s);
}

static int64_t number(struct verify *v, const char *sql)
{
    sqlite3_stmt *s = prepare(v, sql);
    int64_t n = step(v, s) ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return n;
}

/* ------------------------------------------------------------ checks */

/* The stored mask is in the planned order; the journal's in the order the person saw. */
static void check_mask(struct verify *v, const struct claim *c, sqlite3_stmt *s)
{
    uint64_t stored = (uint64_t)sqlite3_column_int64(s, 1);
    bool shuffled = sqlite3_column_type(s, 4) != SQLITE_NULL && sqlite3_column_int(s, 5);
    int cells = sqlite3_column_int(s, 6);
    if (__builtin_popcountll(stored) != __builtin_popcountll(c->mask)) {
        violated(v, "mask", "%s: %d cells stored, %d selected", c->text,
                 __builtin_popcountll(stored), __builtin_popcountll(c->mask));
        return;
    }
    if (cells < 1 || cells > GRID_CELLS || !grid_mask_fits(c->mask, (unsigned)cells)) {
        violated(v, "mask", "%s: does not fit %d cells", c->text, cells);
        return;
    }
    uint8_t order[GRID_CELLS];
    grid_order((uint64_t)sqlite3_column_int64(s, 4), shuffled, (unsigned)cells, order);
    if (grid_mask_stored(c->mask, order, (unsigned)cells) != stored) {
        violated(v, "mask", "%s: other cells are stored than were selected", c->text);
    }
}

static void check_claims(struct verify *v)
{
    sqlite3_stmt *s = prepare(
        v, "SELECT w.client_id, w.mask, w.surplus, w.id, a.seed, k.shuffle,"
           " CASE k.task WHEN 'classify' THEN (SELECT count(*) FROM grid_option o WHERE o.grid = a.grid)"
           "  ELSE (SELECT count(*) FROM grid_cell c WHERE c.grid = a.grid) END"
           " FROM assignment a JOIN answer w ON w.assignment = a.id JOIN grid g ON g.id = a.grid"
           " JOIN campaign k ON k.id = g.campaign WHERE a.token = ?1");
    for (size_t i = 0; s && i < v->claims.n; i++) {
        const struct claim *c = &v->claims.items[i];
        sqlite3_bind_blob(s, 1, c->token, sizeof c->token, SQLITE_STATIC);
        if (!step(v, s)) {
            violated(v, "missing", "%s event %lld", c->text, (long long)c->event);
        } else if (strcmp(column(s, 0), c->client_id) != 0) {
            violated(v, "client_id", "%s has %s, acknowledged was %s", c->text, column(s, 0),
                     c->client_id);
        } else {
            check_mask(v, c, s);
            if ((sqlite3_column_int(s, 2) != 0) != c->surplus) {
                violated(v, "status", "%s: acknowledged as %s", c->text,
                         c->surplus ? "surplus" : "stored");
            }
            if (sqlite3_column_int64(s, 3) != c->event) {
                violated(v, "event", "%s: event %lld, acknowledged was %lld", c->text,
                         (long long)sqlite3_column_int64(s, 3), (long long)c->event);
            }
        }
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    if (v->claims.contradicted > 0) {
        violated(v, "contradicted", "%llu answers were acknowledged twice and differently",
                 (unsigned long long)v->claims.contradicted);
    }
}

/* Exactly N: never more, and with --expect-full never less. */
static void check_counts(struct verify *v)
{
    sqlite3_stmt *s =
        prepare(v, "SELECT g.name, k.answers_per_grid, (SELECT count(*) FROM assignment a"
                   " JOIN answer w ON w.assignment = a.id WHERE a.grid = g.id AND w.surplus = 0)"
                   " FROM grid g JOIN campaign k ON k.id = g.campaign"
                   " WHERE CASE WHEN ?1 IS NULL THEN k.imported = 0 ELSE k.name = ?1 END");
    int64_t grids = 0;
    if (s) {
        sqlite3_bind_text(s, 1, v->campaign, -1, SQLITE_STATIC);
    }
    while (step(v, s)) {
        int wanted = sqlite3_column_int(s, 1), have = sqlite3_column_int(s, 2);
        grids++;
        if (have > wanted) {
            violated(v, "too-many", "grid %s has %d of %d", column(s, 0), have, wanted);
        } else if (have < wanted && v->expect_full) {
            violated(v, "too-few", "grid %s has %d of %d", column(s, 0), have, wanted);
        }
    }
    sqlite3_finalize(s);
    if (v->expect_full && grids == 0) {
        violated(v, "no-grids", "%s", v->campaign ? v->campaign : "no campaign");
    }
}

static int64_t answers_of(struct verify *v, int surplus)
{
    sqlite3_stmt *s =
        prepare(v, "SELECT count(*) FROM answer w JOIN assignment a ON a.id = w.assignment"
                   " JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
                   " WHERE w.surplus = ?2 AND CASE WHEN ?1 IS NULL THEN k.imported = 0"
                   " ELSE k.name = ?1 END");
    if (s) {
        sqlite3_bind_text(s, 1, v->campaign, -1, SQLITE_STATIC);
        sqlite3_bind_int(s, 2, surplus);
    }
    int64_t n = step(v, s) ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return n;
}

/* What the schema forbids is asked again: an index can be damaged or be missing. */
static void check_rules(struct verify *v)
{
    no_rows(v, "client-id-twice",
            "SELECT client_id, count(*) FROM answer GROUP BY +client_id HAVING count(*) > 1");
    no_rows(v, "assignment-twice",
            "SELECT assignment, count(*) FROM answer GROUP BY +assignment HAVING count(*) > 1");
    no_rows(v, "grid-twice",
            "SELECT grid, person FROM assignment GROUP BY +grid, +person"
            " HAVING count(*) > 1");
    no_rows(v, "person-twice",
            "SELECT campaign, person FROM place GROUP BY +campaign, +person"
            " HAVING count(*) > 1");
    no_rows(v, "wrong-place",
            "SELECT a.id, a.place FROM assignment a"
            " JOIN place p ON p.id = a.place JOIN grid g ON g.id = a.grid"
            " WHERE p.person <> a.person OR p.campaign <> g.campaign");
    no_rows(v, "half-done",
            "SELECT w.id FROM answer w LEFT JOIN event e ON e.id = w.id"
            " LEFT JOIN assignment a ON a.id = w.assignment"
            " WHERE e.id IS NULL OR e.kind <> 'answer' OR a.id IS NULL");
    no_rows(v, "half-done",
            "SELECT e.id FROM event e LEFT JOIN answer w ON w.id = e.id"
            " WHERE e.kind = 'answer' AND w.id IS NULL");
    no_rows(v, "foreign-key", "SELECT \"table\", rowid FROM pragma_foreign_key_check");
    no_rows(v, "damaged",
            "SELECT integrity_check FROM pragma_integrity_check"
            " WHERE integrity_check <> 'ok'");
}

static void report(struct verify *v, int64_t counted, int64_t surplus)
{
    printf("{\"acknowledged\":%zu,\"repeated\":%llu,\"counted\":%lld,\"surplus\":%lld,"
           "\"people\":%lld,\"assignments\":%lld,\"violations\":{",
           v->claims.n, (unsigned long long)v->claims.repeated, (long long)counted,
           (long long)surplus, (long long)number(v, "SELECT count(*) FROM person"),
           (long long)number(v, "SELECT count(*) FROM assignment"));
    for (unsigned i = 0; i < v->n_kinds; i++) {
        for (char *p = v->kinds[i].first; *p; p++) {
            *p = *p == '"' || *p == '\\' || (unsigned char)*p < 0x20 ? ' ' : *p;
        }
        printf("%s\"%s\":{\"n\":%llu,\"first\":\"%s\"}", i ? "," : "", v->kinds[i].kind,
               (unsigned long long)v->kinds[i].n, v->kinds[i].first);
    }
    printf("}}\n");
}

/* ------------------------------------------------------------ main */

static bool open_project(struct verify *v, const char *dir)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/holdout.db", dir);
    if (n < 0 || (size_t)n >= sizeof path ||
        sqlite3_open_v2(path, &v->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        fprintf(stderr, "verify: cannot open %s/holdout.db\n", dir);
        return false;
    }
    sqlite3_busy_timeout(v->db, 5000);
    /* The log stays as it was found: other checks may want to see it. */
    sqlite3_db_config(v->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
    return sqlite3_exec(v->db, "PRAGMA query_only = ON; BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

static bool parse(struct verify *v, int argc, char **argv)
{
    static const struct option long_options[] = {{"campaign", 1, NULL, 'c'},
                                                 {"expect-full", 0, NULL, 'f'},
                                                 {"exact", 0, NULL, 'e'},
                                                 {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (option) {
        case 'c':
            v->campaign = optarg;
            break;
        case 'f':
            v->expect_full = true;
            break;
        case 'e':
            v->exact = true;
            break;
        default:
            return false;
        }
    }
    if (optind >= argc) {
        fputs("verify DIR [JOURNAL...] [--campaign NAME] [--expect-full] [--exact]\n", stderr);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct verify v;
    struct err err = {0};
    bool usable = parse(&v, argc, argv);
    claims_init(&v.claims);
    for (int i = optind + 1; usable && i < argc; i++) {
        if (claims_read(&v.claims, argv[i], &err) != OK) {
            fprintf(stderr, "verify: %s\n", err.msg);
            usable = false;
        }
    }
    if (usable && open_project(&v, argv[optind])) {
        check_claims(&v);
        check_counts(&v);
        check_rules(&v);
        int64_t counted = answers_of(&v, 0), surplus = answers_of(&v, 1);
        if (v.exact && counted + surplus != (int64_t)v.claims.n) {
            violated(&v, "not-acknowledged", "%lld answers, %zu acknowledged",
                     (long long)(counted + surplus), v.claims.n);
        }
        report(&v, counted, surplus);
    } else {
        v.broken = true;
    }
    sqlite3_close(v.db);
    claims_release(&v.claims);
    return v.broken ? 2 : v.n_kinds > 0;
}
