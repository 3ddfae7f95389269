/* data.c - pieces of data that need nothing but the values themselves. */
#include "view/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "view/escape.h"

json_t *data_text(struct sv s)
{
    json_t *text = json_stringn(s.n ? s.p : "", s.n);
    BUG_IF(!text); /* everything stored was checked to be UTF-8 when it came in */
    return text;
}

static void add_paragraph(json_t *list, const char *from, const char *to)
{
    struct sv one = from ? sv_trim(sv_make(from, (size_t)(to - from))) : SV("");
    if (one.n) {
        json_array_append_new(list, data_text(one));
    }
}

json_t *data_paragraphs(struct sv text)
{
    json_t *list = json_array();
    const char *from = NULL;
    for (struct sv rest = text; rest.p;) {
        struct sv line = sv_cut(&rest, '\n');
        if (sv_trim(line).n == 0) {
            add_paragraph(list, from, line.p);
            from = NULL;
        } else if (!from) {
            from = line.p;
        }
    }
    add_paragraph(list, from, text.p + text.n);
    return list;
}

const char *data_synset(struct arena *a, struct sv synset, const char *glue)
{
    struct str s;
    str_init(&s, 8192);
    while (synset.p) {
        struct sv word = sv_cut(&synset, '|');
        str_addz(&s, s.n ? glue : "");
        str_addsv(&s, word);
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}

const char *data_class_name(struct arena *a, struct sv synset, struct sv wnid)
{
    struct sv first = sv_cut(&synset, '|');
    return arena_cstr(a, first.n ? first : wnid);
}

const char *data_in_query(struct arena *a, struct sv text)
{
    struct str s;
    str_init(&s, 3 * text.n + 1);
    escape_url(&s, text);
    const char *out = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return out;
}

const char *data_number(struct arena *a, double v, int digits)
{
    return isfinite(v) ? data_minus(a, arena_printf(a, "%.*f", digits, v)) : "\xe2\x80\x93";
}

const char *data_range(struct arena *a, double lo, double hi, int digits)
{
    return arena_printf(a, "%s\xe2\x80\x93%s", data_number(a, lo, digits), data_number(a, hi, digits));
}

const char *data_count(struct arena *a, int64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)n);
    char *out = arena_alloc(a, 40);
    char *p = out;
    for (int i = 0; i < len; i++) {
        *p++ = digits[i];
        int left = len - 1 - i;
        if (left > 0 && left % 3 == 0 && digits[i] != '-') {
            *p++ = ',';
        }
    }
    *p = '\0';
    return out;
}

json_t *data_counts(struct arena *a, json_t *record)
{
    for (void *at = json_object_iter(record); at; at = json_object_iter_next(record, at)) {
        const json_t *value = json_object_iter_value(at);
        if (json_is_integer(value)) {
            json_object_iter_set_new(record, at, json_string(data_count(a, json_integer_value(value))));
        }
    }
    return record;
}

const char *data_minus(struct arena *a, const char *number)
{
    if (number[0] != '-') {
        return number;
    }
    /* What rounds to nothing has no sign. */
    return strpbrk(number, "123456789") ? arena_printf(a, "\xe2\x88\x92%s", number + 1) : number + 1;
}

/* ---- shares ---- */

struct share {
    double frequency, lo, hi; /* NAN: of nothing */
    int64_t n, selected;
    const char *text;
};

#define OF(member) RECORD_OF(struct share, member)
#define SHARE                                                                                      \
    {"frequency", OF(frequency), .maybe = true, .about = "The share, from 0 to 1; null when n is 0."}, \
    {"n", OF(n), .about = "Of how many: votes, controls or answers."},                             \
    {"selected", OF(selected), .about = "How many of them selected the image, or were right."}
RECORD(frequency_record, struct share, "frequency", "A share with its interval.",
       SHARE,
       {"lo", OF(lo), .maybe = true, .about = "Lower bound of the share's interval, 95 %."},
       {"hi", OF(hi), .maybe = true, .about = "Upper bound."},
       {"text", OF(text), .about = "The same for people."});
RECORD(pooled_record, struct share, "pooled_frequency", "A share of all votes about several images.",
       SHARE,
       {"lo", OF(lo), .maybe = true, .absent = true, .about = "Lower bound of the share's interval, 95 %; not there without one."},
       {"hi", OF(hi), .maybe = true, .absent = true, .about = "Upper bound."},
       {"text", OF(text), .about = "The same for people."});
#undef OF
#undef SHARE

static json_t *share_json(const struct record *r, int64_t selected, int64_t n, struct interval ci, const char *text)
{
    const double none = (double)NAN;
    const struct share s = {n ? (double)selected / (double)n : none, n ? ci.lo : none, n ? ci.hi : none, n,
                            n ? selected : 0, text};
    return record_json(r, &s);
}

json_t *data_frequency(struct arena *a, int64_t selected, int64_t shown)
{
    if (shown == 0) {
        return share_json(&frequency_record, 0, 0, (struct interval){0}, "no answers");
    }
    struct interval ci = binomial_clopper_pearson(selected, shown, 0.05);
    return share_json(&frequency_record, selected, shown, ci,
                      arena_printf(a, "%.2f (n %lld, %.2f\xe2\x80\x93%.2f)", (double)selected / (double)shown,
                                   (long long)shown, ci.lo, ci.hi));
}

json_t *data_pooled(struct arena *a, int64_t selected, int64_t shown)
{
    const char *text = shown ? arena_printf(a, "%.2f (%s vote%s)", (double)selected / (double)shown,
                                            data_count(a, shown), shown == 1 ? "" : "s")
                             : "no votes";
    return share_json(&pooled_record, selected, shown, (struct interval){(double)NAN, (double)NAN}, text);
}

static json_t *clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci, const char *one)
{
    if (shown == 0) {
        return data_frequency(a, 0, 0);
    }
    return share_json(&frequency_record, selected, shown, ci,
                      arena_printf(a, "%.2f (n %s %s%s, %.2f\xe2\x80\x93%.2f)", (double)selected / (double)shown,
                                   data_count(a, shown), one, shown == 1 ? "" : "s", ci.lo, ci.hi));
}

json_t *data_clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci)
{
    return clustered(a, selected, shown, ci, "vote");
}

json_t *data_clustered_answers(struct arena *a, int64_t right, int64_t answers, struct interval ci)
{
    return clustered(a, right, answers, ci, "answer");
}
