/* ask.c - the list of people in an address. */
#include "web/people/ask.h"

#include <string.h>

#include "base/str.h"
#include "view/escape.h"

void people_asked(const struct form *query, struct people_words *out)
{
    const struct people_typed typed = {.show = form_get(query, "show"),
                                       .query = form_get(query, "q"),
                                       .sort = form_get(query, "sort"),
                                       .order = form_get(query, "order"),
                                       .by = form_get(query, "by"),
                                       .least = form_get(query, "least"),
                                       .most = form_get(query, "most")};
    people_words_read(&typed, out);
}

static void add(struct str *s, const char *name, struct sv value)
{
    if (value.n) {
        str_printf(s, "%c%s=", memchr(s->p, '?', s->n) ? '&' : '?', name);
        escape_url(s, value);
    }
}

const char *people_list_url(const struct people_words *w, unsigned page, struct arena *a)
{
    struct str s;
    bool limited = w->least.n || w->most.n;
    str_init(&s, 8192);
    str_addz(&s, "/workers");
    add(&s, "show", w->show ? sv_of(people_shows[w->show]) : SV(""));
    add(&s, "q", w->query);
    add(&s, "by", limited ? sv_of(people_keys[w->by]) : SV(""));
    add(&s, "least", w->least);
    add(&s, "most", w->most);
    add(&s, "sort", w->sort ? sv_of(people_keys[w->sort]) : SV(""));
    if (w->falling != people_key_falls(w->sort)) {
        add(&s, "order", w->falling ? SV("falling") : SV("rising"));
    }
    if (page > 1) {
        add(&s, "page", sv_of(arena_printf(a, "%u", page)));
    }
    const char *url = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return url;
}
