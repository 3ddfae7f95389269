/* image_query.c - what the address of a list of images asks for, and the addresses of its pages. */
#include "web/gallery/image_list.h"
#include "web/gallery/image_words.h"

#define USUAL .ask = {.gray = LISTING_ALL, .most = 1, .from = LISTING_NO_DATE, .to = LISTING_NO_DATE
#define OF_NOW .view = {"default", 7}, .page = 1, .skip = -1

const struct image_query image_usual_all = {USUAL, .sort = LISTING_ID, .role = LISTING_ALL}, OF_NOW};
const struct image_query image_usual_class = {USUAL, .sort = LISTING_FREQUENCY, .role = LISTING_ALL, .falling = true},
                                              OF_NOW};
const struct image_query image_usual_browser = {USUAL, .sort = LISTING_FREQUENCY, .role = IMAGE_CANDIDATE, .falling = true},
                                                OF_NOW, .blacklist = MARK_WITHOUT, .near = MARK_WITHOUT, .cards = 1};

#define AT(member) .at = offsetof(struct image_query, member)
static const struct list_param params[] = {
    {"sort", LIST_WORD, AT(ask.sort), .words = words_sort, .always = true},
    {"order", LIST_ORDER, AT(ask.falling)},
    {"role", LIST_WORD, AT(ask.role), .words = words_role},
    {"blacklist", LIST_WORD, AT(blacklist), .words = words_blacklist},
    {"near_duplicates", LIST_WORD, AT(near), .words = words_near},
    {"bin", LIST_WORDS, AT(bins), .words = words_bin},
    {"least", LIST_SHARE, AT(ask.least)},
    {"most", LIST_SHARE, AT(ask.most)},
    {"gray", LIST_WORD, AT(ask.gray), .words = words_gray},
    {"state", LIST_WORD, AT(state), .words = words_state},
    {"show", LIST_WORD, AT(cards), .words = words_show},
    {"answers", LIST_NUMBER, AT(answers), .most = UINT32_MAX - 1},
    {"from", LIST_TEXT, AT(from)},
    {"to", LIST_TEXT, AT(to)},
    {"view", LIST_TEXT, AT(view)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {"as_of", LIST_NUMBER, AT(as_of), .most = INT64_MAX, .moment = true},
    {"images", LIST_NUMBER, AT(images), .most = UINT32_MAX - 1, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct image_query), &params[0], words_falls};

/* `last`: of a day, the last minute is meant; of a month or year, its last day's. */
static enum err_code read_date(struct ctx *c, const char *name, bool last, struct sv text, uint32_t *out)
{
    if (text.n == 0) {
        return OK;
    }
    const char *end = text.n == 4 ? "-12-31 23:59" : text.n == 7 ? "-31 23:59" : " 23:59";
    const char *full = arena_printf(c->arena, SV_FMT "%s", SV_ARG(text), last ? end : "");
    *out = text.n <= 10 ? catalogue_minute(sv_of(full)) : CATALOGUE_UNKNOWN;
    return *out != CATALOGUE_UNKNOWN
               ? OK
               : err_rule(&c->err, ERR_INPUT, "list",
                          "The list's %s must be a date: 2013-05-11, 2013-05 or 2013.", name);
}

enum err_code image_query_read(struct ctx *c, const struct image_query *usual, struct image_query *q)
{
    struct listing_ask *ask = &q->ask;
    if (list_read(c, &table, usual, q) != OK || read_date(c, "from", false, q->from, &ask->from) != OK ||
        read_date(c, "to", true, q->to, &ask->to) != OK) {
        return c->err.code;
    }
    q->usual = usual;
    q->targets = q->bins >> BIN_TARGETS & 1;
    ask->bins = q->bins & ~(1u << BIN_TARGETS);
    ask->ranged = ask->least > 0 || ask->most < 1;
    ask->least_answers = (uint32_t)q->answers;
    return OK;
}

const char *image_query_url(struct ctx *c, const char *path, const struct image_query *q)
{
    return list_url(c, &table, path, q->usual, q, false);
}

const char *image_list_url(struct ctx *c, const char *path, const struct image_query *q,
                           const struct image_list *l, int64_t page)
{
    struct image_query shown = *q;
    shown.page = page;
    shown.as_of = l->as_of;
    shown.images = l->images;
    return list_url(c, &table, path, q->usual, &shown, true);
}

json_t *image_query_keep(struct ctx *c)
{
    return list_keep(c, &table, "view");
}
