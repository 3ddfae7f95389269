/* response_rows.c - one response as a row, as JSON, as a row for each label. */
#include "measures/objects/response_rows.h"

#include "json/object.h"
#include "record/record.h"

struct response_row {
    struct sv image, worker, main, joined;
    int64_t number;
    json_t *selected;
};
#define OF(member) RECORD_OF(struct response_row, member)
#define IMAGE {"image", OF(image), .about = "The image."}, {"response", OF(number), .about = "Its number among those about the image."}
#define WORKER {"worker", OF(worker), .maybe = true, .absent = true, .about = "Who gave it; left out where nobody says."}
#define LABELS                                                                                                         \
    {"main", OF(main), .about = "The main object's label."},                                                           \
        {"selected", OF(joined), .face = RECORD_CSV, .about = "A label for each object that the person sees."},        \
        {"selected", OF(selected), .kind = RECORD_TEXTS, .face = RECORD_JSON, .about = "A label for each object that the person sees."}
static RECORD(known_record, struct response_row, "response", "What one person ticked in an image.", IMAGE, WORKER, LABELS);
static RECORD(nameless_record, struct response_row, "nameless_response", "What one person ticked in an image.", IMAGE, LABELS);
#undef LABELS
#undef WORKER
#undef IMAGE
#undef OF

struct vote_row {
    struct sv task, worker, label;
    uint32_t main;
};
#define OF(member) RECORD_OF(struct vote_row, member)
static RECORD(vote_record, struct vote_row, "label_vote", "A label that one person ticked in an image.",
              {"task", OF(task), .about = "The image."}, {"worker", OF(worker), .about = "Who ticked it."},
              {"label", OF(label), .about = "The label."}, {"main", OF(main), .about = "1: it is the main object's."});
#undef OF

static const struct record *record_of(bool workers) { return workers ? &known_record : &nameless_record; }

void responses_head(enum response_shape s, bool workers, struct str *out)
{
    if (s != RESPONSES_JSONL) {
        record_csv_names(s == RESPONSES_VOTES ? &vote_record : record_of(workers), out);
        str_addc(out, '\n');
    }
}

static struct sv joined(const struct response_text *r, struct arena *a)
{
    const char *text = "";
    for (uint32_t k = 0; k < r->n; k++) {
        text = arena_printf(a, "%s%s" SV_FMT, text, k ? "+" : "", SV_ARG(r->selected[k]));
    }
    return sv_of(text);
}

/* Whoever it was, the same for all labels of the response. */
static struct sv worker_of(const struct response_text *r, struct arena *a)
{
    return r->worker.n ? r->worker : sv_of(arena_printf(a, "response %lld", (long long)r->number));
}

void response_print(enum response_shape s, bool workers, const struct response_text *r, struct arena *a, struct str *out)
{
    struct response_row row = {.image = r->image, .worker = workers ? r->worker : SV(""), .main = r->main, .number = r->number};
    if (s == RESPONSES_JSONL) {
        row.selected = json_array();
        for (uint32_t k = 0; k < r->n; k++) {
            json_array_append_new(row.selected, json_stringn(r->selected[k].p, r->selected[k].n));
        }
        json_add_line(record_json(record_of(workers && r->worker.n > 0), &row), out);
        return;
    }
    if (s == RESPONSES_CSV) {
        row.joined = joined(r, a);
        record_csv_cells(record_of(workers), &row, out);
        str_addc(out, '\n');
        return;
    }
    for (uint32_t k = 0; k < r->n; k++) {
        const struct vote_row vote = {r->image, worker_of(r, a), r->selected[k], sv_eq(r->selected[k], r->main)};
        record_csv_cells(&vote_record, &vote, out);
        str_addc(out, '\n');
    }
}
