/* people_words.c - the words of lists of people. */
#include "live/people/people_words.h"

#include "base/str.h"

const char *const people_key_labels[PEOPLE_KEYS] = {
    "Joined",        "Grids",     "Active time",    "Effective pay", "Controls right",
    "Negatives right", "Gold answered right", "Against the others", "Agreement",  "Share of answers",
    "Last answer",   "Excluded from the analysis"};
const char *const people_show_labels[PEOPLE_SHOWS] = {"Everybody", "Who answered", "Blocked",
                                                      "With excluded answers", "Simulated", "Imported",
                                                      "Forgotten"};

bool people_key_falls(enum people_key key)
{
    switch (key) {
    case PEOPLE_ANSWERS:
    case PEOPLE_ACTIVE:
    case PEOPLE_SHARE:
    case PEOPLE_LAST:
    case PEOPLE_OUT: return true;
    case PEOPLE_JOINED:
    case PEOPLE_RATE:
    case PEOPLE_CONTROL:
    case PEOPLE_NEGATIVE:
    case PEOPLE_GOLD:
    case PEOPLE_RELATIVE:
    case PEOPLE_AGREEMENT:
    case PEOPLE_KEYS: break;
    }
    return false; /* who looks at scores looks for the low ones */
}

static unsigned word_of(struct sv word, const char *const *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (sv_is(word, list[i])) {
            return i;
        }
    }
    return 0;
}

void people_words_read(const struct people_typed *t, struct people_words *out)
{
    *out = (struct people_words){
        .show = (enum people_show)word_of(t->show, people_shows, PEOPLE_SHOWS),
        .sort = (enum people_key)word_of(t->sort, people_keys, PEOPLE_KEYS),
        .by = (enum people_key)word_of(t->by, people_keys, PEOPLE_KEYS),
        .query = sv_trim(t->query),
        .least = sv_trim(t->least),
        .most = sv_trim(t->most),
    };
    out->falling = t->order.n ? sv_is(t->order, "falling") : people_key_falls(out->sort);
}

/* From what people type to what is compared. */
static double scale_of(enum people_key key)
{
    switch (key) {
    case PEOPLE_ACTIVE: return 60000;
    case PEOPLE_RATE: return 100;
    case PEOPLE_CONTROL:
    case PEOPLE_NEGATIVE:
    case PEOPLE_GOLD:
    case PEOPLE_AGREEMENT:
    case PEOPLE_SHARE: return 0.01;
    case PEOPLE_JOINED:
    case PEOPLE_ANSWERS:
    case PEOPLE_RELATIVE:
    case PEOPLE_LAST:
    case PEOPLE_OUT:
    case PEOPLE_KEYS: break;
    }
    return 1;
}

static const char *unit_of(enum people_key key)
{
    double scale = scale_of(key);
    return scale == 60000 ? " min" : scale == 100 ? " an hour" : scale < 1 ? " %" : "";
}

static enum err_code read_limit(struct sv text, enum people_key key, bool *has, double *out,
                                struct err *err)
{
    *has = text.n > 0;
    if (*has && !sv_f64(text, out)) {
        return err_rule(err, ERR_INPUT, "people-figure",
                        "A limit of the list must be a number such as 0.5; nothing was changed.");
    }
    *out = *has ? *out * scale_of(key) : 0;
    return OK;
}

enum err_code people_words_ask(const struct people_words *w, struct people_ask *out,
                               struct err *err)
{
    *out = (struct people_ask){
        .show = w->show, .sort = w->sort, .falling = w->falling, .by = w->by};
    enum err_code rc = read_limit(w->least, w->by, &out->has_least, &out->least, err);
    return rc == OK ? read_limit(w->most, w->by, &out->has_most, &out->most, err) : rc;
}

const char *people_words_text(const struct people_words *w, struct arena *a)
{
    struct str s;
    str_init(&s, 8192);
    str_addz(&s, people_show_labels[w->show]);
    if (w->least.n) {
        str_printf(&s, ", %s at least " SV_FMT "%s", people_key_labels[w->by], SV_ARG(w->least),
                   unit_of(w->by));
    }
    if (w->most.n) {
        str_printf(&s, ", %s at most " SV_FMT "%s", people_key_labels[w->by], SV_ARG(w->most),
                   unit_of(w->by));
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}

bool people_words_narrow(const struct people_words *w)
{
    return w->show != PEOPLE_ALL || w->query.n || w->least.n || w->most.n;
}
