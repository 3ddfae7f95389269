/* data.c - pieces of data that need nothing but the values themselves. */
#include "view/data.h"

#include <stdio.h>

#include "base/str.h"
#include "json/object.h"

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
    return number[0] == '-' ? arena_printf(a, "\xe2\x88\x92%s", number + 1) : number;
}

json_t *data_frequency(struct arena *a, int64_t selected, int64_t shown)
{
    if (shown == 0) {
        return object(field_null("frequency"), field_int("n", 0), field_int("selected", 0),
                      field_null("lo"), field_null("hi"), field_text("text", "no answers"));
    }
    double f = (double)selected / (double)shown;
    struct interval ci = binomial_clopper_pearson(selected, shown, 0.05);
    return object(field_real("frequency", f), field_int("n", shown),
                  field_int("selected", selected), field_real("lo", ci.lo), field_real("hi", ci.hi),
                  field_text("text", arena_printf(a, "%.2f (n %lld, %.2f\xe2\x80\x93%.2f)", f,
                                                  (long long)shown, ci.lo, ci.hi)));
}

json_t *data_pooled(struct arena *a, int64_t selected, int64_t shown)
{
    if (shown == 0) {
        return object(field_null("frequency"), field_int("n", 0), field_int("selected", 0),
                      field_text("text", "no votes"));
    }
    double f = (double)selected / (double)shown;
    return object(field_real("frequency", f), field_int("n", shown),
                  field_int("selected", selected),
                  field_text("text", arena_printf(a, "%.2f (%s vote%s)", f, data_count(a, shown),
                                                  shown == 1 ? "" : "s")));
}

json_t *data_clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci)
{
    if (shown == 0) {
        return data_frequency(a, 0, 0);
    }
    double f = (double)selected / (double)shown;
    return object(field_real("frequency", f), field_int("n", shown),
                  field_int("selected", selected), field_real("lo", ci.lo), field_real("hi", ci.hi),
                  field_text("text", arena_printf(a, "%.2f (n %s vote%s, %.2f\xe2\x80\x93%.2f)", f,
                                                  data_count(a, shown), shown == 1 ? "" : "s",
                                                  ci.lo, ci.hi)));
}
