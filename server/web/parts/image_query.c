/* image_query.c - what the address of a list of images asks for, and the addresses of its pages. */
#include <string.h>

#include "view/escape.h"
#include "web/core/view_choice.h"
#include "web/parts/image_list.h"
#include "web/parts/image_words.h"

const struct image_usual image_usual_all = {LISTING_ID, LISTING_ALL, MARK_ANY, MARK_ANY, false};
const struct image_usual image_usual_class = {LISTING_FREQUENCY, LISTING_ALL, MARK_ANY, MARK_ANY,
                                              false};
const struct image_usual image_usual_browser = {LISTING_FREQUENCY, IMAGE_CANDIDATE, MARK_WITHOUT,
                                                MARK_WITHOUT, true};

/* ---- what is asked for ---- */

static enum err_code read_word(struct ctx *c, const char *name, const struct word *words, size_t n,
                               int *out)
{
    struct sv value = request_query(c->req, name);
    for (size_t i = 0; i < n; i++) {
        if (value.n == 0 || sv_is(value, words[i].word)) {
            *out = value.n ? words[i].value : *out;
            return OK;
        }
    }
    return err_rule(&c->err, ERR_INPUT, "list",
                    "Unknown %s. Choose one on the page.", name);
}

static enum err_code read_number(struct ctx *c, const char *name, int64_t least, int64_t most,
                                 int64_t *out)
{
    struct sv value = request_query(c->req, name);
    if (value.n && (!sv_i64(value, out) || *out < least || *out > most)) {
        return err_rule(&c->err, ERR_INPUT, "list",
                        "The list's %s must be a number from %lld to "
                        "%lld.",
                        name, (long long)least, (long long)most);
    }
    return OK;
}

/* `last`: of a day, the last minute is meant; of a month or year, its last day's. */
static enum err_code read_date(struct ctx *c, const char *name, bool last, struct sv *text,
                               uint32_t *out)
{
    *text = sv_trim(request_query(c->req, name));
    *out = LISTING_NO_DATE;
    if (text->n == 0) {
        return OK;
    }
    const char *end = text->n == 4 ? "-12-31 23:59" : text->n == 7 ? "-31 23:59" : " 23:59";
    const char *full = arena_printf(c->arena, SV_FMT "%s", SV_ARG(*text), last ? end : "");
    *out = text->n <= 10 ? catalogue_minute(sv_of(full)) : CATALOGUE_UNKNOWN;
    return *out != CATALOGUE_UNKNOWN
               ? OK
               : err_rule(&c->err, ERR_INPUT, "list",
                          "The list's %s must be a date: 2013-05-11, 2013-05 or 2013.", name);
}

/* Several bins, one word each: bin=4&bin=5 as boxes send it, or bin=4,5. */
static enum err_code read_bins(struct ctx *c, struct image_query *q)
{
    struct sv rest = request_query_all(c->req, "bin");
    while (rest.n) {
        struct sv one = sv_cut(&rest, ',');
        size_t i = 0;
        while (i < words_bin_n && !sv_is(one, words_bin[i].word)) {
            i++;
        }
        if (i == words_bin_n && one.n && !sv_is(one, "all")) {
            return err_rule(
                &c->err, ERR_INPUT, "list",
                "The list's bin must be 1 to 5, none, targets, or some of them with commas.");
        }
        if (i < words_bin_n && words_bin[i].value == BIN_TARGETS) {
            q->targets = true;
        } else if (i < words_bin_n) {
            q->ask.bins |= 1u << words_bin[i].value;
        }
    }
    return OK;
}

/* A frequency from 0 to 1; absent, the limit that it is. */
static enum err_code read_frequency(struct ctx *c, const char *name, double *out)
{
    struct sv value = sv_trim(request_query(c->req, name));
    return value.n == 0 || (sv_f64(value, out) && *out >= 0 && *out <= 1)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "list",
                          "The list's %s must be a frequency from 0 to 1, such as 0.7.", name);
}

static enum err_code read_range(struct ctx *c, struct listing_ask *ask)
{
    ask->least = 0;
    ask->most = 1;
    enum err_code rc = read_frequency(c, "least", &ask->least);
    rc = rc == OK ? read_frequency(c, "most", &ask->most) : rc;
    ask->ranged = ask->least > 0 || ask->most < 1;
    return rc;
}

enum err_code image_query_read(struct ctx *c, const struct image_usual *usual,
                               struct image_query *q)
{
    int order = -1, state = STATE_ANY, cards = usual->cards, chosen = (int)usual->sort;
    int blacklist = (int)usual->blacklist, near = (int)usual->near;
    int64_t answers = 0;
    *q = (struct image_query){.usual = usual,
                              .ask = {.role = usual->role, .gray = LISTING_ALL},
                              .page = 1,
                              .skip = -1,
                              .view = view_choice_asked(c)};
    struct listing_ask *ask = &q->ask;
    if (read_word(c, "sort", words_sort, words_sort_n, &chosen) != OK ||
        read_word(c, "order", words_order, words_order_n, &order) != OK ||
        read_word(c, "role", words_role, words_role_n, &ask->role) != OK ||
        read_word(c, "gray", words_gray, words_gray_n, &ask->gray) != OK ||
        read_word(c, "state", words_state, words_state_n, &state) != OK ||
        read_word(c, "show", words_show, words_show_n, &cards) != OK ||
        read_word(c, "blacklist", words_blacklist, words_blacklist_n, &blacklist) != OK ||
        read_word(c, "near_duplicates", words_near, words_near_n, &near) != OK ||
        read_bins(c, q) != OK || read_range(c, ask) != OK ||
        read_number(c, "answers", 0, UINT32_MAX - 1, &answers) != OK ||
        read_number(c, "as_of", 0, INT64_MAX, &q->as_of) != OK ||
        read_number(c, "images", 0, UINT32_MAX - 1, &q->images) != OK ||
        read_number(c, "page", 1, INT32_MAX, &q->page) != OK ||
        read_date(c, "from", false, &q->from, &ask->from) != OK ||
        read_date(c, "to", true, &q->to, &ask->to) != OK) {
        return c->err.code;
    }
    ask->sort = (enum listing_sort)chosen;
    ask->falling = order < 0 ? words_falls(ask->sort) : order == 1;
    ask->least_answers = (uint32_t)answers;
    q->state = (enum image_state)state;
    q->blacklist = (enum image_mark)blacklist;
    q->near = (enum image_mark)near;
    q->cards = cards == 1;
    return OK;
}

/* ---- addresses ---- */

static void add_word(struct str *s, const char *name, const char *word)
{
    if (word) {
        str_printf(s, "%c%s=%s", memchr(s->p, '?', s->n) ? '&' : '?', name, word);
    }
}

static void add_text(struct str *s, const char *name, struct sv text)
{
    if (text.n) {
        add_word(s, name, "");
        escape_url(s, text);
    }
}

static void add_bins(struct str *s, const struct image_query *q)
{
    const char *before = memchr(s->p, '?', s->n) ? "&bin=" : "?bin=";
    for (size_t i = 0; i < words_bin_n; i++) {
        bool has =
            words_bin[i].value == BIN_TARGETS ? q->targets : q->ask.bins >> words_bin[i].value & 1;
        if (has) {
            str_printf(s, "%s%s", before, words_bin[i].word);
            before = ",";
        }
    }
}

/* Unless it is what the list shows anyway. */
static void add_choice(struct str *s, const char *name, const struct word *words, size_t n,
                       int value, int usual)
{
    add_word(s, name, value == usual ? NULL : words_of(words, n, value));
}

static void add_query(struct ctx *c, struct str *s, const struct image_query *q)
{
    const struct listing_ask *a = &q->ask;
    const struct image_usual *u = q->usual;
    add_word(s, "sort", words_of(words_sort, words_sort_n, (int)a->sort));
    if (a->falling != words_falls(a->sort)) {
        add_word(s, "order", a->falling ? "falling" : "rising");
    }
    add_choice(s, "role", words_role, words_role_n, a->role, u->role);
    add_choice(s, "blacklist", words_blacklist, words_blacklist_n, (int)q->blacklist,
               (int)u->blacklist);
    add_choice(s, "near_duplicates", words_near, words_near_n, (int)q->near, (int)u->near);
    add_bins(s, q);
    add_word(s, "least", a->least > 0 ? arena_printf(c->arena, "%.15g", a->least) : NULL);
    add_word(s, "most", a->most < 1 ? arena_printf(c->arena, "%.15g", a->most) : NULL);
    add_choice(s, "gray", words_gray, words_gray_n, a->gray, LISTING_ALL);
    add_choice(s, "state", words_state, words_state_n, (int)q->state, STATE_ANY);
    add_choice(s, "show", words_show, words_show_n, q->cards, u->cards);
    add_word(s, "answers",
             a->least_answers ? arena_printf(c->arena, "%u", a->least_answers) : NULL);
    add_text(s, "from", q->from);
    add_text(s, "to", q->to);
    add_text(s, "view", view_choice_is_default(q->view) ? SV("") : q->view);
}

static const char *finish(struct ctx *c, struct str *s)
{
    const char *url = arena_cstr(c->arena, str_sv(s));
    str_release(s);
    return url;
}

const char *image_query_url(struct ctx *c, const char *path, const struct image_query *q)
{
    struct str s;
    str_init(&s, 8192);
    str_addz(&s, path);
    add_query(c, &s, q);
    return finish(c, &s);
}

const char *image_list_url(struct ctx *c, const char *path, const struct image_query *q,
                           const struct image_list *l, int64_t page)
{
    struct str s;
    str_init(&s, 8192);
    str_addz(&s, path);
    add_query(c, &s, q);
    str_printf(&s, "%cpage=%lld&as_of=%lld&images=%lld", memchr(s.p, '?', s.n) ? '&' : '?',
               (long long)page, (long long)l->as_of, (long long)l->images);
    return finish(c, &s);
}
