/* search_terms.c - terms from words, and which step comes next. */
#include "domain/classes/search_terms.h"

#include <strings.h>

enum { TERMS_MOST = 200 };

const char *const search_steps[SEARCH_STEPS] = {"synonym",      "parent-word", "more-results",
                                                "longer-range", "compound",    "by-hand"};

enum search_step search_step_of(struct sv word)
{
    int s = 0;
    while (s < SEARCH_STEPS && !sv_is(word, search_steps[s])) {
        s++;
    }
    return (enum search_step)s;
}

struct terms {
    struct search_term *at;
    size_t n;
    struct arena *a;
};

static bool same(struct sv a, struct sv b)
{
    return a.n == b.n && (a.n == 0 || strncasecmp(a.p, b.p, a.n) == 0);
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* The next run of letters in *rest; empty at the end. */
static struct sv next_word(struct sv *rest)
{
    size_t from = 0, to;
    while (from < rest->n && !letter(rest->p[from])) {
        from++;
    }
    for (to = from; to < rest->n && letter(rest->p[to]);) {
        to++;
    }
    struct sv word = sv_make(rest->p + from, to - from);
    *rest = sv_make(rest->p + to, rest->n - to);
    return word;
}

static bool has_word(struct sv text, struct sv word)
{
    for (struct sv w = next_word(&text); w.n > 0; w = next_word(&text)) {
        if (same(w, word)) {
            return true;
        }
    }
    return false;
}

/* Words that say nothing of what is to be seen. */
static bool small_word(struct sv w)
{
    static const char *const words[] = {"the",  "and",  "for",  "with",
                                        "from", "into", "that", "this"};
    bool any = w.n < 3;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        any = any || sv_eq_nocase(w, words[i]);
    }
    return any;
}

static void add(struct terms *t, enum search_step step, struct sv text)
{
    for (size_t i = 0; i < t->n; i++) {
        if (same(t->at[i].text, text)) {
            return;
        }
    }
    if (text.n > 0 && t->n < TERMS_MOST) {
        t->at[t->n++] = (struct search_term){.step = step, .text = text};
    }
}

static void add_parent_words(struct terms *t, const struct search_class *k, struct sv synonym)
{
    for (size_t p = 0; p < k->n_parents; p++) {
        struct sv words = k->parents[p];
        for (struct sv w = next_word(&words); w.n > 0; w = next_word(&words)) {
            if (!small_word(w) && has_word(k->gloss, w) && !has_word(synonym, w)) {
                add(t, SEARCH_PARENT_WORD,
                    sv_of(arena_printf(t->a, SV_FMT " " SV_FMT, SV_ARG(synonym), SV_ARG(w))));
            }
        }
    }
}

static bool parts(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static void add_compound(struct terms *t, struct sv synonym)
{
    char *one = arena_alloc(t->a, synonym.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < synonym.n; i++) {
        if (!parts(synonym.p[i])) {
            one[n++] = synonym.p[i];
        }
    }
    if (n < synonym.n) {
        add(t, SEARCH_COMPOUND, sv_make(one, n));
    }
}

void search_terms(const struct search_class *k, struct arena *a, struct search_term **out,
                  size_t *n)
{
    struct terms t = {.at = arena_alloc(a, TERMS_MOST * sizeof *t.at), .a = a};
    for (int step = SEARCH_SYNONYM; step <= SEARCH_COMPOUND; step++) {
        struct sv rest = k->synset;
        while (rest.p && rest.n) {
            struct sv synonym = sv_trim(sv_cut(&rest, '|'));
            if (step == SEARCH_SYNONYM) {
                add(&t, SEARCH_SYNONYM, synonym);
            } else if (step == SEARCH_PARENT_WORD) {
                add_parent_words(&t, k, synonym);
            } else if (step == SEARCH_COMPOUND) {
                add_compound(&t, synonym);
            }
        }
    }
    *out = t.at;
    *n = t.n;
}

/* Whether a step brings terms of its own, and whether any of them found something. */
static bool brings(const struct search_state *s, enum search_step step, bool *found)
{
    bool any = false;
    *found = false;
    for (size_t i = 0; i < s->n_terms; i++) {
        any = any || s->terms[i].step == step;
        *found = *found || (s->terms[i].step == step && s->terms[i].found > 0);
    }
    return any;
}

static bool is_done(const struct search_state *s, enum search_step step)
{
    bool found, any = brings(s, step, &found);
    if (step == SEARCH_SYNONYM) {
        return s->candidates > 0; /* of candidates without keyword nobody knows by which word */
    }
    if (step == SEARCH_MORE_RESULTS) {
        return s->candidates > s->first_results;
    }
    return step == SEARCH_LONGER_RANGE ? s->later : !any || found;
}

enum search_step search_due(const struct search_state *s)
{
    int step = s->after;
    while (step < SEARCH_BY_HAND && is_done(s, (enum search_step)step)) {
        step++;
    }
    return (enum search_step)(step < SEARCH_BY_HAND ? step : SEARCH_BY_HAND);
}

uint64_t search_more(uint64_t missing, uint64_t fine, uint64_t candidates)
{
    return fine == 0 || candidates == 0 ? missing * 10 : (missing * candidates + fine - 1) / fine;
}
