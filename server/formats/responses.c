/* responses.c - rows of three shapes into responses and labels; then everything is checked, and sorted by image. */
#include "formats/responses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "formats/csv.h"
#include "formats/jsonl.h"
#include "formats/manifest.h"

enum { OBVIOUSLY_MANY = 100 };

struct tick { /* a label of a response */
    uint32_t response, label;
};
struct reader {
    const struct responses_ask *ask;
    struct responses *out;
    struct arena *a;
    struct err *err;
    struct list rows, ticks;
    struct map_u64 of_worker; /* image and worker -> response */
    uint64_t line;
};

#define SAY(r, at, ...) say(r, at, arena_printf((r)->a, __VA_ARGS__))
static enum err_code say(const struct reader *r, uint64_t line, const char *what)
{
    return err_rule(r->err, ERR_INPUT, "response", "%s:%" PRIu64 ": %s", r->ask->name, line, what);
}

bool response_label_good(struct sv label)
{
    for (size_t i = 0; i < label.n; i++) {
        if (strchr("+|:", label.p[i])) {
            return false;
        }
    }
    return label.n <= RESPONSE_LABEL_BYTES && manifest_id_good(label);
}

/* ---- pieces of a row ---- */

static enum err_code read_image(const struct reader *r, struct sv text, uint32_t *out)
{
    text = sv_trim(text);
    if (!manifest_id_good(text)) {
        return say(r, r->line, "the image needs a name of 1 to 255 bytes without control characters");
    }
    *out = names_put(&r->out->images, text);
    return OK;
}

static enum err_code read_label(const struct reader *r, struct sv text, uint32_t *out)
{
    text = sv_trim(text);
    if (!response_label_good(text)) {
        return SAY(r, r->line, "a label must have 1 to %d bytes, without control characters, \"+\", \"|\" and \":\"",
                   (int)RESPONSE_LABEL_BYTES);
    }
    *out = r->ask->classes ? names_get(r->ask->labels, text) : names_put(r->ask->labels, text);
    return *out != MAP_NONE
               ? OK
               : SAY(r, r->line, "label " SV_FMT " is not among the classes of %s", SV_ARG(text), r->ask->classes);
}

static enum err_code read_worker(const struct reader *r, struct sv text, uint32_t *out)
{
    text = sv_trim(text);
    if (!manifest_id_good(text)) {
        return say(r, r->line, "the worker's id must have 1 to 255 bytes without control characters");
    }
    *out = names_put(&r->out->workers, text);
    return OK;
}

/* A new response; its number is its place unless the file says another. */
static enum err_code add_response(struct reader *r, uint32_t image, struct responses_row **out)
{
    if (r->rows.n == RESPONSES_MOST) {
        return err_rule(r->err, ERR_LIMIT, "responses", "%s has more than %d responses.", r->ask->name,
                        (int)RESPONSES_MOST);
    }
    *out = LIST_ADD(&r->rows, r->a, struct responses_row);
    **out = (struct responses_row){image, RESPONSE_ANONYMOUS, MAP_NONE, 0, 0, (int64_t)r->rows.n, r->line};
    return OK;
}

/* Much in one response is refused here, before a file of nothing else fills the memory; what is too much is said later. */
static enum err_code add_tick(struct reader *r, uint32_t response, uint32_t label)
{
    struct responses_row *row = (struct responses_row *)r->rows.items + response;
    if (r->ticks.n == RESPONSE_TICKS_MOST) {
        return err_rule(r->err, ERR_LIMIT, "responses", "%s has more than %d labels.", r->ask->name, (int)RESPONSE_TICKS_MOST);
    }
    if (++row->n > OBVIOUSLY_MANY) {
        return SAY(r, r->line, "more than %d labels are selected; expected at most %u", (int)OBVIOUSLY_MANY, r->ask->most);
    }
    *LIST_ADD(&r->ticks, r->a, struct tick) = (struct tick){response, label};
    return OK;
}

/* The response of a worker about an image, the number of the next one if there is none. */
static uint32_t response_of(struct reader *r, uint32_t image, uint32_t worker)
{
    return map_u64_put(&r->of_worker, (uint64_t)image << 32 | worker, (uint32_t)r->rows.n);
}

/* A whole response, before its labels: who gave it (empty: nobody says) and its number (empty: none). */
static enum err_code begin_response(struct reader *r, struct sv image, struct sv worker, struct sv number)
{
    uint32_t i = 0, w = RESPONSE_ANONYMOUS;
    struct responses_row *row;
    int64_t given = 0;
    enum err_code rc = read_image(r, image, &i);
    rc = rc == OK && worker.n ? read_worker(r, worker, &w) : rc;
    if (rc == OK && number.n && !sv_i64(sv_trim(number), &given)) {
        rc = say(r, r->line, "response must be a whole number");
    }
    if (rc == OK && w != RESPONSE_ANONYMOUS && response_of(r, i, w) != r->rows.n) {
        rc = SAY(r, r->line, "worker " SV_FMT " has answered about image " SV_FMT " before",
                 SV_ARG(r->out->workers.at[w]), SV_ARG(r->out->images.at[i]));
    }
    rc = rc == OK ? add_response(r, i, &row) : rc;
    if (rc == OK) {
        row->worker = w;
        row->number = number.n ? given : row->number;
    }
    return rc;
}

static enum err_code add_label(struct reader *r, struct sv text, bool main)
{
    uint32_t label;
    enum err_code rc = read_label(r, text, &label);
    if (rc == OK && main) {
        ((struct responses_row *)r->rows.items)[r->rows.n - 1].main = label;
    } else if (rc == OK) {
        rc = add_tick(r, (uint32_t)r->rows.n - 1, label);
    }
    return rc;
}

/* ---- CSV with a row per response ---- */

static struct sv cell(const struct csv *c, int column) { return column < 0 ? (struct sv){0} : c->cells[column]; }

static enum err_code whole_row(struct reader *r, const struct csv *c, const int *columns)
{
    struct sv rest = sv_trim(cell(c, columns[2]));
    enum err_code rc = begin_response(r, cell(c, columns[0]), cell(c, columns[4]), cell(c, columns[3]));
    rc = rc == OK && sv_trim(cell(c, columns[1])).n ? add_label(r, cell(c, columns[1]), true) : rc;
    while (rc == OK && rest.n) {
        rc = add_label(r, sv_cut(&rest, '+'), false);
        if (rc == OK && rest.p && rest.n == 0) {
            rc = say(r, r->line, "selected ends with \"+\"");
        }
    }
    return rc;
}

static enum err_code read_whole(struct reader *r, struct csv *c)
{
    int columns[5] = {0, 0, 0, csv_column(c, "response"), csv_column(c, "worker")};
    bool more = true;
    enum err_code rc = csv_need(c, "image", &columns[0], r->err);
    rc = rc == OK ? csv_need(c, "main", &columns[1], r->err) : rc;
    rc = rc == OK ? csv_need(c, "selected", &columns[2], r->err) : rc;
    while (rc == OK && (rc = csv_next(c, &more, r->err)) == OK && more) {
        r->line = c->line;
        rc = whole_row(r, c, columns);
    }
    return rc;
}

/* ---- CSV with a row per label ---- */

static enum err_code set_main(struct reader *r, struct responses_row *row, uint32_t label, struct sv main)
{
    if (sv_is(main, "0")) {
        return OK;
    }
    if (!sv_is(main, "1")) {
        return say(r, r->line, "main must be 1 or 0");
    }
    if (row->main != MAP_NONE) {
        return SAY(r, r->line, "a second main label; the first is " SV_FMT, SV_ARG(r->ask->labels->at[row->main]));
    }
    row->main = label;
    return OK;
}

static enum err_code long_row(struct reader *r, const struct csv *c, const int *columns)
{
    uint32_t image = 0, worker = 0, label = 0;
    enum err_code rc = read_image(r, cell(c, columns[0]), &image);
    rc = rc == OK ? read_worker(r, cell(c, columns[1]), &worker) : rc;
    rc = rc == OK ? read_label(r, cell(c, columns[2]), &label) : rc;
    if (rc != OK) {
        return rc;
    }
    struct responses_row *row = NULL;
    uint32_t at = response_of(r, image, worker);
    rc = at == r->rows.n ? add_response(r, image, &row) : OK;
    if (rc != OK) {
        return rc;
    }
    row = (struct responses_row *)r->rows.items + at;
    row->worker = worker;
    rc = add_tick(r, at, label);
    if (rc != OK) {
        return rc;
    }
    if (columns[3] >= 0) {
        return set_main(r, row, label, sv_trim(cell(c, columns[3])));
    }
    if (row->main != MAP_NONE) {
        return say(r, r->line,
                   "a second label of this worker for this task; add a column main (1 or 0) that says which of "
                   "them is the main one");
    }
    row->main = label;
    return OK;
}

static enum err_code read_long(struct reader *r, struct csv *c)
{
    int columns[4] = {csv_column(c, "task"), 0, 0, csv_column(c, "main")};
    bool more = true;
    enum err_code rc = csv_need(c, "worker", &columns[1], r->err);
    rc = rc == OK ? csv_need(c, "label", &columns[2], r->err) : rc;
    while (rc == OK && (rc = csv_next(c, &more, r->err)) == OK && more) {
        r->line = c->line;
        rc = long_row(r, c, columns);
    }
    return rc;
}

static enum err_code read_csv(struct reader *r, struct sv text)
{
    struct csv c;
    enum err_code rc = csv_open(&c, r->ask->name, text, r->err);
    if (rc == OK) {
        rc = csv_column(&c, "task") >= 0 ? read_long(r, &c) : read_whole(r, &c);
        csv_close(&c);
    }
    return rc;
}

/* ---- JSON lines ---- */

/* A text, or a whole number as one. False: something else. Nothing: the empty text. */
static bool json_text(const struct reader *r, const json_t *v, struct sv *out)
{
    *out = (struct sv){0};
    if (json_is_string(v)) {
        *out = sv_make(json_string_value(v), json_string_length(v));
    } else if (json_is_integer(v)) {
        *out = sv_of(arena_printf(r->a, "%" JSON_INTEGER_FORMAT, json_integer_value(v)));
    }
    return !v || json_is_null(v) || out->n;
}

static enum err_code json_labels(struct reader *r, const json_t *list)
{
    enum err_code rc = OK;
    const json_t *v;
    size_t i;
    json_array_foreach(list, i, v)
    {
        struct sv text;
        rc = rc == OK && !json_text(r, v, &text) ? say(r, r->line, "selected must be a list of labels") : rc;
        rc = rc == OK ? add_label(r, text, false) : rc;
    }
    return rc;
}

static enum err_code json_row(struct reader *r, const json_t *o)
{
    static const char *const names[] = {"image", "worker", "response", "main"};
    struct sv text[4];
    const json_t *selected = json_object_get(o, "selected");
    for (size_t i = 0; i < 4; i++) {
        if (!json_text(r, json_object_get(o, names[i]), &text[i])) {
            return SAY(r, r->line, "%s must be a text or a whole number", names[i]);
        }
    }
    if (!json_is_array(selected)) {
        return say(r, r->line, "selected must be a list of labels");
    }
    enum err_code rc = begin_response(r, text[0], text[1], text[2]);
    rc = rc == OK && text[3].n ? add_label(r, text[3], true) : rc;
    return rc == OK ? json_labels(r, selected) : rc;
}

static enum err_code read_lines(struct reader *r, struct sv text)
{
    struct jsonl lines;
    json_t *o = NULL;
    enum err_code rc;
    jsonl_open(&lines, r->ask->name, text);
    while ((rc = jsonl_next(&lines, &o, r->err)) == OK && o) {
        r->line = lines.line;
        rc = json_row(r, o);
        json_decref(o);
        if (rc != OK) {
            break;
        }
    }
    return rc;
}

/* ---- everything read ---- */

/* Labels of each response, together. */
static void gather_labels(struct reader *r)
{
    struct responses_row *rows = r->rows.items;
    const struct tick *ticks = r->ticks.items;
    uint32_t *selected = arena_calloc(r->a, r->ticks.n + 1, sizeof *selected), first = 0;
    for (size_t i = 0; i < r->rows.n; i++) {
        rows[i].first = first;
        first += rows[i].n;
        rows[i].n = 0;
    }
    for (size_t i = 0; i < r->ticks.n; i++) {
        struct responses_row *row = &rows[ticks[i].response];
        selected[row->first + row->n++] = ticks[i].label;
    }
    r->out->selected = selected;
}

static enum err_code check_labels(const struct reader *r, const struct responses_row *row)
{
    const uint32_t *selected = r->out->selected + row->first;
    const struct sv *labels = r->ask->labels->at;
    bool main = false;
    if (row->n == 0) {
        return say(r, row->line, "no label is selected");
    }
    if (row->n > r->ask->most) {
        return SAY(r, row->line, "%u labels are selected; expected at most %u", row->n, r->ask->most);
    }
    for (uint32_t i = 0; i < row->n; i++) {
        main = main || selected[i] == row->main;
        for (uint32_t j = 0; j < i; j++) {
            if (selected[i] == selected[j]) {
                return SAY(r, row->line, "label " SV_FMT " is selected twice", SV_ARG(labels[selected[i]]));
            }
        }
    }
    if (row->main == MAP_NONE) {
        return say(r, row->line, "no main label");
    }
    return main ? OK
                : SAY(r, row->line, "the main label " SV_FMT " is not among those selected", SV_ARG(labels[row->main]));
}

static int by_image(const void *a, const void *b)
{
    const struct responses_row *x = a, *y = b;
    int image = (x->image > y->image) - (x->image < y->image),
        number = (x->number > y->number) - (x->number < y->number);
    return image ? image : number ? number : (x->line > y->line) - (x->line < y->line);
}

static enum err_code sort_rows(const struct reader *r)
{
    struct responses_row *rows = r->rows.items;
    bool sorted = true;
    enum err_code rc = OK;
    for (size_t i = 1; i < r->rows.n && sorted; i++) {
        sorted = by_image(&rows[i - 1], &rows[i]) < 0;
    }
    if (!sorted) {
        qsort(rows, r->rows.n, sizeof *rows, by_image);
    }
    for (size_t i = 1; i < r->rows.n && rc == OK; i++) {
        if (rows[i].image == rows[i - 1].image && rows[i].number == rows[i - 1].number) {
            rc = SAY(r, rows[i].line, "response %" PRId64 " of image " SV_FMT " appears a second time", rows[i].number,
                     SV_ARG(r->out->images.at[rows[i].image]));
        }
    }
    return rc;
}

static enum err_code index_images(const struct reader *r)
{
    const struct responses_row *rows = r->rows.items;
    struct responses *out = r->out;
    out->begin = arena_calloc(r->a, out->images.n + 1, sizeof *out->begin);
    for (size_t i = 0; i < r->rows.n; i++) {
        out->begin[rows[i].image + 1]++;
    }
    for (size_t i = 0; i < out->images.n; i++) {
        if (out->begin[i + 1] > RESPONSES_OF_IMAGE) {
            return err_rule(r->err, ERR_LIMIT, "responses", "%s has more than %d responses about image " SV_FMT ".",
                            r->ask->name, (int)RESPONSES_OF_IMAGE, SV_ARG(out->images.at[i]));
        }
        out->begin[i + 1] += out->begin[i];
    }
    return OK;
}

static enum err_code finish(struct reader *r)
{
    const struct responses_row *rows = r->rows.items;
    enum err_code rc = OK;
    gather_labels(r);
    for (size_t i = 0; i < r->rows.n && rc == OK; i++) {
        rc = check_labels(r, &rows[i]);
    }
    rc = rc == OK ? sort_rows(r) : rc;
    rc = rc == OK ? index_images(r) : rc;
    r->out->rows = r->rows.items;
    r->out->n = r->rows.n;
    return rc;
}

enum err_code responses_read(const struct responses_ask *ask, struct sv text, struct arena *a, struct responses *out,
                             struct err *err)
{
    BUG_IF(ask->most == 0 || ask->most > RESPONSE_LABELS);
    struct reader r = {.ask = ask, .out = out, .a = a, .err = err};
    *out = (struct responses){0};
    names_init(&out->images);
    names_init(&out->workers);
    map_u64_init(&r.of_worker);
    bool json = sv_starts(sv_trim(sv_unmarked(text)), "{");
    enum err_code rc = json ? read_lines(&r, text) : read_csv(&r, text);
    rc = rc == OK ? finish(&r) : rc;
    map_u64_release(&r.of_worker);
    return rc;
}

void responses_release(struct responses *r)
{
    names_release(&r->images);
    names_release(&r->workers);
}
