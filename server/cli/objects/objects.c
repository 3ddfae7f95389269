/* objects.c - `holdout objects`: from what people ticked in images to the objects that the images show. Reads files and
 * no project. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/list.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/objects/print_records.h"
#include "cli/objects/table_file.h"
#include "formats/responses.h"
#include "json/object.h"
#include "measures/objects/object_rows.h"
#include "measures/objects/response_rows.h"

#define OUT_MOST ((size_t)1 << 26)
enum { PLACE_NONE = 255, DRAWS = 1000, DRAWS_MOST = 1000000, SEED_BITS = 53, SCRATCH_MOST = 1 << 26 };

/* ---- options ---- */

enum objects_print {
    PRINT_CSV,
    PRINT_JSONL,
    PRINT_SOFT,
    PRINT_SOFT_JSONL,
    PRINT_RESPONSES,
    PRINT_RESPONSES_JSONL,
    PRINT_VOTES,
    PRINTS
};
static const char *const print_words[PRINTS] = {"csv",       "jsonl",           "soft", "soft-jsonl",
                                                "responses", "responses-jsonl", "votes"};

struct objects_options {
    enum objects_print print;
    int64_t least, most;      /* responses; labels of a response */
    int64_t first, drawn;     /* responses that count; 0: all */
    int64_t leave_out, draws; /* 0: no stability */
    int64_t seed;
    bool workers;
};

static enum err_code read_options(struct cli *cli, struct objects_options *o)
{
    const char *word = cli_opt(cli, "format");
    o->print = word ? PRINTS : cli->json ? PRINT_JSONL : PRINT_CSV;
    for (int i = 0; word && i < PRINTS; i++) {
        o->print = sv_is(sv_of(word), print_words[i]) ? (enum objects_print)i : o->print;
    }
    o->workers = !cli_has(cli, "without-workers");
    if (o->print == PRINTS) {
        return cli_usage(cli, "--format must be csv, jsonl, soft, soft-jsonl, responses, responses-jsonl or votes");
    }
    if (cli_has(cli, "first") && cli_has(cli, "random")) {
        return cli_usage(cli, "give --first or --random, not both");
    }
    if (cli_has(cli, "leave-out") && o->print != PRINT_CSV && o->print != PRINT_JSONL) {
        return cli_usage(cli, "--leave-out goes with --format csv or jsonl");
    }
    enum err_code rc = cli_opt_int(cli, "least", 1, RESPONSES_OF_IMAGE, OBJECTS_LEAST, &o->least);
    rc = rc == OK ? cli_opt_int(cli, "most", 1, RESPONSE_LABELS, RESPONSE_LABELS, &o->most) : rc;
    rc = rc == OK ? cli_opt_int(cli, "first", 1, RESPONSES_OF_IMAGE, 0, &o->first) : rc;
    rc = rc == OK ? cli_opt_int(cli, "random", 1, OBJECTS_STABLE_MOST, 0, &o->drawn) : rc;
    rc = rc == OK ? cli_opt_int(cli, "leave-out", 1, OBJECTS_STABLE_MOST, 0, &o->leave_out) : rc;
    rc = rc == OK ? cli_opt_int(cli, "draws", 1, DRAWS_MOST, DRAWS, &o->draws) : rc;
    return rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, 1, &o->seed) : rc;
}

/* ---- labels and orders of images ---- */

struct ordered { /* what --order says of an image */
    bool told;
    uint32_t label;    /* number, in labels_known */
    uint32_t first, n; /* its order in `labels` */
};
struct objects_run {
    struct cli *cli;
    struct objects_options o;
    struct labels_known known;
    struct responses r;
    struct ordered *orders;   /* of each image; NULL: no file */
    struct list order_labels; /* uint32_t */
    unsigned char *place;     /* of each label in the current image; PLACE_NONE */
    struct arena scratch;     /* of the current image */
    uint64_t images, several, tied, few, beyond;
};

static enum err_code read_order_row(struct objects_run *run, const struct table_file *f, const int *columns,
                                    uint32_t image)
{
    struct ordered *o = &run->orders[image];
    struct sv rest = table_file_cell(f, columns[2]);
    uint32_t label;
    if (o->told) {
        return table_file_wrong(f, "image " SV_FMT " has a row already", SV_ARG(run->r.images.at[image]));
    }
    *o = (struct ordered){.told = true, .first = (uint32_t)run->order_labels.n};
    enum err_code rc = labels_known_read(&run->known, f, table_file_cell(f, columns[1]), &o->label);
    while (rc == OK && rest.n) {
        rc = labels_known_read(&run->known, f, sv_trim(sv_cut(&rest, '+')), &label);
        const uint32_t *own = (const uint32_t *)run->order_labels.items + o->first;
        for (uint32_t i = 0; i < o->n && rc == OK; i++) {
            rc = own[i] == label
                     ? table_file_wrong(f, "label " SV_FMT " appears twice", SV_ARG(run->known.names.at[label]))
                     : OK;
        }
        if (rc == OK) {
            *LIST_ADD(&run->order_labels, &run->cli->arena, uint32_t) = label;
            o->n++;
        }
        if (rc == OK && run->order_labels.n > RESPONSE_TICKS_MOST) {
            rc = err_rule(&run->cli->err, ERR_LIMIT, "labels", "%s has more than %d labels.", f->csv.name, (int)RESPONSE_TICKS_MOST);
        }
        if (rc == OK && o->n > OBJECT_LABELS) {
            rc = table_file_wrong(f, "more than %d labels", (int)OBJECT_LABELS);
        }
    }
    return rc;
}

/* Images without responses are passed over. */
static enum err_code read_orders(struct objects_run *run, const char *path)
{
    struct table_file f;
    struct err *err = &run->cli->err;
    int columns[3] = {0};
    bool more = true;
    run->orders = arena_calloc(&run->cli->arena, run->r.images.n + 1, sizeof *run->orders);
    enum err_code rc = table_file_open(&f, run->cli, path);
    rc = rc == OK ? csv_need(&f.csv, "image", &columns[0], err) : rc;
    rc = rc == OK ? csv_need(&f.csv, "label", &columns[1], err) : rc;
    rc = rc == OK ? csv_need(&f.csv, "candidate_order", &columns[2], err) : rc;
    while (rc == OK && (rc = table_file_next(&f, &more)) == OK && more) {
        uint32_t image = names_get(&run->r.images, table_file_cell(&f, columns[0]));
        rc = image != MAP_NONE ? read_order_row(run, &f, columns, image) : OK;
    }
    table_file_close(&f);
    return rc;
}

/* ---- one image ---- */

struct one_image {
    uint32_t ids[OBJECT_LABELS];
    uint32_t n_labels;
    struct sv names[OBJECT_LABELS];
    struct object_response *responses;
    uint32_t n;
    const struct responses_row *rows;
};

static bool add_label(struct objects_run *run, struct one_image *one, uint32_t id)
{
    if (run->place[id] != PLACE_NONE) {
        return true;
    }
    if (one->n_labels == OBJECT_LABELS) {
        return false;
    }
    run->place[id] = (unsigned char)one->n_labels;
    one->names[one->n_labels] = run->known.text[id];
    one->ids[one->n_labels++] = id;
    return true;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* First those that --order names, then the others that were selected, by class. */
static bool list_labels(struct objects_run *run, struct one_image *one, uint32_t image)
{
    const uint32_t *named = run->order_labels.items, *id = run->known.id;
    const struct ordered *o = run->orders ? &run->orders[image] : NULL;
    bool room = true;
    for (uint32_t i = 0; o && i < o->n && room; i++) {
        room = add_label(run, one, id[named[o->first + i]]);
    }
    uint32_t named_n = one->n_labels;
    for (uint32_t i = 0; i < one->n; i++) {
        for (uint32_t k = 0; k < one->rows[i].n && room; k++) {
            room = add_label(run, one, id[run->r.selected[one->rows[i].first + k]]);
        }
    }
    qsort(one->ids + named_n, one->n_labels - named_n, sizeof *one->ids, by_id);
    for (uint32_t i = named_n; i < one->n_labels; i++) {
        run->place[one->ids[i]] = (unsigned char)i;
        one->names[i] = run->known.text[one->ids[i]];
    }
    return room;
}

static void list_responses(struct objects_run *run, struct one_image *one)
{
    one->responses = arena_calloc(&run->scratch, one->n, sizeof *one->responses);
    for (uint32_t i = 0; i < one->n; i++) {
        const struct responses_row *row = &one->rows[i];
        for (uint32_t k = 0; k < row->n; k++) {
            one->responses[i].selected |= UINT64_C(1) << run->place[run->known.id[run->r.selected[row->first + k]]];
        }
        one->responses[i].main = run->place[run->known.id[row->main]];
    }
}

static enum err_code read_image(struct objects_run *run, uint32_t image, struct one_image *one)
{
    struct sv name = run->r.images.at[image];
    *one = (struct one_image){.rows = run->r.rows + run->r.begin[image],
                              .n = run->r.begin[image + 1] - run->r.begin[image]};
    bool room = list_labels(run, one, image);
    if (room) {
        list_responses(run, one);
    }
    for (uint32_t i = 0; i < one->n_labels; i++) {
        run->place[one->ids[i]] = PLACE_NONE;
    }
    return room ? OK
                : err_rule(&run->cli->err, ERR_LIMIT, "labels", "image " SV_FMT " has more than %d different labels",
                           SV_ARG(name), (int)OBJECT_LABELS);
}

/* With --first or --random only some of the responses count. */
static enum err_code leave_some(struct objects_run *run, uint32_t image, struct one_image *one)
{
    int64_t keep = run->o.first ? run->o.first : run->o.drawn;
    if (keep == 0 || keep >= one->n) {
        return OK;
    }
    struct rng r;
    struct object_response *all = one->responses;
    rng_stream(&r, (uint64_t)run->o.seed, image);
    if (run->o.drawn && one->n > OBJECTS_STABLE_MOST) {
        return err_rule(&run->cli->err, ERR_LIMIT, "responses",
                        "image " SV_FMT " has more than %d responses to draw from", SV_ARG(run->r.images.at[image]),
                        (int)OBJECTS_STABLE_MOST);
    }
    if (run->o.drawn) {
        object_responses_some(all, one->n, (uint32_t)keep, &r, one->responses);
    }
    one->n = (uint32_t)keep;
    return OK;
}

static void leave_out(const struct objects_run *run, uint32_t image, const struct objects_ask *ask,
                      struct object_image *im, struct objects_stability *s)
{
    struct rng r;
    *s = (struct objects_stability){0};
    im->stability = s;
    if (ask->n <= run->o.leave_out || ask->n > OBJECTS_STABLE_MOST) {
        return;
    }
    rng_stream(&r, (uint64_t)run->o.seed, image);
    im->kept = ask->n - (uint32_t)run->o.leave_out;
    objects_stability(ask, im->kept, (uint64_t)run->o.draws, &r, s);
}

/* ---- output ---- */

static struct sv worker_of(const struct objects_run *run, const struct responses_row *row)
{
    return run->o.workers && row->worker != RESPONSE_ANONYMOUS ? run->r.workers.at[row->worker] : (struct sv){0};
}

static struct sv label_text(const struct objects_run *run, uint32_t label) { return run->known.names.at[label]; }

static bool prints_responses(const struct objects_run *run)
{
    return run->o.print == PRINT_RESPONSES || run->o.print == PRINT_RESPONSES_JSONL || run->o.print == PRINT_VOTES;
}

static enum response_shape shape_of(const struct objects_run *run)
{
    return run->o.print == PRINT_VOTES             ? RESPONSES_VOTES
           : run->o.print == PRINT_RESPONSES_JSONL ? RESPONSES_JSONL
                                                   : RESPONSES_CSV;
}

static bool with_workers(const struct objects_run *run) { return run->o.workers && run->r.workers.n; }

static void print_head(const struct objects_run *run, struct str *out)
{
    if (prints_responses(run)) {
        responses_head(shape_of(run), with_workers(run), out);
    } else if (run->o.print == PRINT_CSV) {
        object_csv_names(run->o.leave_out > 0, out);
    } else if (run->o.print == PRINT_SOFT) {
        soft_csv_names(out);
    }
}

static void print_responses(struct objects_run *run, uint32_t image, struct str *out)
{
    struct sv selected[RESPONSE_LABELS];
    for (uint32_t i = run->r.begin[image]; i < run->r.begin[image + 1]; i++) {
        const struct responses_row *row = &run->r.rows[i];
        const struct response_text text = {.image = run->r.images.at[image], .worker = worker_of(run, row), .number = row->number,
                                           .main = label_text(run, row->main), .selected = selected, .n = row->n};
        for (uint32_t k = 0; k < row->n; k++) {
            selected[k] = label_text(run, run->r.selected[row->first + k]);
        }
        response_print(shape_of(run), with_workers(run), &text, &run->scratch, out);
    }
}

static void print_found(struct objects_run *run, const struct object_image *im, struct str *out)
{
    switch (run->o.print) {
    case PRINT_CSV:
        object_csv_row(im, &run->scratch, out);
        break;
    case PRINT_JSONL:
        json_add_line(object_json(im, &run->scratch), out);
        break;
    case PRINT_SOFT:
        soft_csv_rows(im, out);
        break;
    case PRINT_SOFT_JSONL:
        json_add_line(soft_json(im), out);
        break;
    case PRINT_RESPONSES:
    case PRINT_RESPONSES_JSONL:
    case PRINT_VOTES:
    case PRINTS:
        break;
    }
}

static enum err_code do_image(struct objects_run *run, uint32_t image, struct str *out)
{
    struct one_image one;
    struct objects_found found;
    struct objects_stability stability;
    enum err_code rc = read_image(run, image, &one);
    rc = rc == OK ? leave_some(run, image, &one) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct objects_ask ask = {one.ids, one.n_labels, one.responses, one.n, (uint32_t)run->o.least};
    objects_find(&ask, &found);
    struct object_image im = {.image = run->r.images.at[image], .names = one.names, .ask = &ask, .found = &found};
    if (run->orders && run->orders[image].told) {
        im.label = label_text(run, run->orders[image].label);
        im.label_id = run->known.id[run->orders[image].label];
    }
    if (run->o.leave_out) {
        leave_out(run, image, &ask, &im, &stability);
    }
    run->images++;
    run->several += found.n > 1;
    run->tied += found.n_optimal > 1;
    run->few += found.few;
    run->beyond += found.beyond;
    print_found(run, &im, out);
    return OK;
}

static void say_found(const struct objects_run *run)
{
    const struct cli *cli = run->cli;
    if (!prints_responses(run)) {
        cli_note(cli,
                 "%" PRIu64 " images, %zu responses. Images with several objects: %" PRIu64
                 "; with several partitions as good as the one shown: "
                 "%" PRIu64 ".",
                 run->images, run->r.n, run->several, run->tied);
    }
    if (run->few) {
        cli_warn(cli, "%" PRIu64 " images have fewer than %" PRId64 " responses: nothing is said of them.", run->few,
                 run->o.least);
    }
    if (run->beyond) {
        cli_warn(cli,
                 "%" PRIu64
                 " images have more than %d labels beside another: the least selected ones are of no object.",
                 run->beyond, (int)PARTITION_LABELS);
    }
}

static enum err_code print_all(struct objects_run *run)
{
    struct str out;
    enum err_code rc = OK;
    str_init(&out, OUT_MOST);
    run->place = arena_alloc(&run->cli->arena, run->known.names.n + 1);
    memset(run->place, PLACE_NONE, run->known.names.n);
    print_head(run, &out);
    for (uint32_t image = 0; image < run->r.images.n && rc == OK; image++) {
        if (prints_responses(run)) {
            print_responses(run, image, &out);
        } else {
            rc = do_image(run, image, &out);
        }
        arena_clear(&run->scratch);
        rc = rc == OK ? export_flush(&out, &run->cli->err) : rc;
    }
    return export_end(&out, rc, &run->cli->err);
}

/* ---- the command ---- */

static enum err_code read_responses(struct objects_run *run, const char *path)
{
    struct str text;
    const struct responses_ask ask = {path, &run->known.names, run->known.classes, (uint32_t)run->o.most};
    str_init(&text, TABLE_FILE_MOST);
    enum err_code rc = fs_read(path, &text, &run->cli->err);
    rc = rc == OK ? responses_read(&ask, str_sv(&text), &run->cli->arena, &run->r, &run->cli->err) : rc;
    str_release(&text);
    return rc;
}

enum err_code cmd_objects(struct cli *cli)
{
    struct objects_run run = {.cli = cli};
    const char *classes = cli_opt(cli, "classes"), *order = cli_opt(cli, "order");
    labels_known_init(&run.known, cli);
    arena_init(&run.scratch, SCRATCH_MOST);
    enum err_code rc = read_options(cli, &run.o);
    rc = rc == OK && classes ? labels_known_classes(&run.known, classes) : rc;
    rc = rc == OK ? read_responses(&run, cli->args[0]) : rc;
    rc = rc == OK && order ? read_orders(&run, order) : rc;
    if (rc == OK) {
        labels_known_end(&run.known);
        rc = print_all(&run);
    }
    if (rc == OK) {
        say_found(&run);
    }
    arena_release(&run.scratch);
    responses_release(&run.r);
    labels_known_release(&run.known);
    return rc;
}
