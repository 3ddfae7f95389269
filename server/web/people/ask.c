/* ask.c - the list of people in an address. */
#include "web/people/ask.h"

#define AT(member) .at = offsetof(struct people_typed, member)
static const struct list_param params[] = {
    {"show", LIST_TEXT, AT(show)}, {"q", LIST_TEXT, AT(query)},    {"by", LIST_TEXT, AT(by)},
    {"least", LIST_TEXT, AT(least)}, {"most", LIST_TEXT, AT(most)}, {"sort", LIST_TEXT, AT(sort)},
    {"order", LIST_TEXT, AT(order)}, {0},
};
static const struct list_table table = {.params = params, .size = sizeof(struct people_typed)};
static const struct people_typed usual = {.show = {"", 0}};

enum err_code people_asked(struct ctx *c, struct people_words *out)
{
    struct people_typed typed;
    enum err_code rc = list_read(c, &table, &usual, &typed);
    people_words_read(&typed, out);
    return rc;
}

const char *people_list_url(struct ctx *c, const struct people_words *w)
{
    bool limited = w->least.n || w->most.n;
    const struct people_typed typed = {
        .show = w->show ? sv_of(people_shows[w->show]) : SV(""),
        .query = w->query,
        .by = limited ? sv_of(people_keys[w->by]) : SV(""),
        .least = w->least,
        .most = w->most,
        .sort = w->sort ? sv_of(people_keys[w->sort]) : SV(""),
        .order = w->falling == people_key_falls(w->sort) ? SV("")
                 : w->falling                            ? SV("falling")
                                                         : SV("rising"),
    };
    return list_url(c, &table, "/workers", &usual, &typed, false);
}
