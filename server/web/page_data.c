/* page_data.c - pieces of page data. */
#include "web/page_data.h"

#include "base/clock.h"
#include "base/str.h"

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

const char *data_site(struct ctx *c)
{
    struct sv url = sv_of(c->config->public_url), host = request_header(c->req, "Host");
    if (url.n) {
        return arena_cstr(c->arena, sv_make(url.p, url.n - sv_ends(url, "/")));
    }
    return host.n ? arena_printf(c->arena, "%s://" SV_FMT, c->req->secure ? "https" : "http",
                                 SV_ARG(host))
                  : "";
}

json_t *data_text(struct sv s)
{
    json_t *text = json_stringn(s.n ? s.p : "", s.n);
    BUG_IF(!text); /* everything stored was checked to be UTF-8 when it came in */
    return text;
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

json_t *data_class(struct arena *a, const struct class_info *k)
{
    json_t *pages = json_array();
    struct sv rest = k->wikipedia;
    while (rest.n) {
        json_array_append_new(pages, json_pack("{s:o}", "url", data_text(sv_cut(&rest, '|'))));
    }
    return json_pack("{s:o, s:I, s:s, s:o, s:o, s:s}", "wnid", data_text(k->wnid), "cid",
                     (json_int_t)k->cid, "synset", data_synset(a, k->synset, " or "), "gloss",
                     data_text(k->gloss), "wikipedia", pages, "url",
                     arena_printf(a, "/classes/" SV_FMT, SV_ARG(k->wnid)));
}

json_t *data_frequency(struct arena *a, int64_t selected, int64_t shown)
{
    if (shown == 0) {
        return json_pack("{s:n, s:i, s:i, s:n, s:n, s:s}", "frequency", "n", 0, "selected", 0,
                         "lo", "hi", "text", "no answers");
    }
    double f = (double)selected / (double)shown;
    struct interval ci = binomial_clopper_pearson(selected, shown, 0.05);
    return json_pack("{s:f, s:I, s:I, s:f, s:f, s:s}", "frequency", f, "n", (json_int_t)shown,
                     "selected", (json_int_t)selected, "lo", ci.lo, "hi", ci.hi, "text",
                     arena_printf(a, "%.2f (n %lld, %.2f\xe2\x80\x93%.2f)", f, (long long)shown,
                                  ci.lo, ci.hi));
}

/* The desk knows what is handed out; imported campaigns and drafts are counted here. */
void data_progress(struct ctx *c, const struct campaign *k, struct desk_progress *out)
{
    *out = (struct desk_progress){0};
    if (app_progress(c->app, k->id, out)) {
        return;
    }
    struct tally *t = app_tally(c->app);
    size_t n;
    tally_read_lock(t);
    const struct tally_grid *g = tally_grids(t, &n);
    for (size_t i = 0; i < n; i++) {
        if (g[i].campaign == k->id) {
            out->grids++;
            out->answers += g[i].answers;
            out->complete += g[i].answers >= k->answers_per_grid;
        }
    }
    tally_read_unlock(t);
    out->wanted = out->grids * (uint32_t)k->answers_per_grid;
}

json_t *data_pooled(struct arena *a, int64_t selected, int64_t shown)
{
    if (shown == 0) {
        return json_pack("{s:n, s:i, s:i, s:s}", "frequency", "n", 0, "selected", 0, "text",
                         "no votes");
    }
    double f = (double)selected / (double)shown;
    return json_pack("{s:f, s:I, s:I, s:s}", "frequency", f, "n", (json_int_t)shown, "selected",
                     (json_int_t)selected, "text",
                     arena_printf(a, "%.2f (%s vote%s)", f, data_count(a, shown),
                                  shown == 1 ? "" : "s"));
}

json_t *data_clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci)
{
    if (shown == 0) {
        return data_frequency(a, 0, 0);
    }
    double f = (double)selected / (double)shown;
    return json_pack("{s:f, s:I, s:I, s:f, s:f, s:s}", "frequency", f, "n", (json_int_t)shown,
                     "selected", (json_int_t)selected, "lo", ci.lo, "hi", ci.hi, "text",
                     arena_printf(a, "%.2f (n %s vote%s, %.2f\xe2\x80\x93%.2f)", f,
                                  data_count(a, shown), shown == 1 ? "" : "s", ci.lo, ci.hi));
}

json_t *data_campaign(struct ctx *c, const struct campaign *k)
{
    struct desk_progress p;
    char iso[CLOCK_ISO_SIZE];
    data_progress(c, k, &p);
    unsigned percent = p.wanted ? (unsigned)(100u * (uint64_t)p.answers / p.wanted) : 0;
    json_t *progress = json_pack(
        "{s:i, s:i, s:i, s:s}", "done", (int)p.answers, "total", (int)(p.wanted ? p.wanted : 1),
        "percent", (int)percent, "text",
        k->imported ? "done elsewhere"
                    : arena_printf(c->arena, "%s of %s answers, %s of %s grids complete",
                                   data_count(c->arena, p.answers), data_count(c->arena, p.wanted),
                                   data_count(c->arena, p.complete),
                                   data_count(c->arena, p.grids)));
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:s, s:I, s:s%, s:o}", "name",
                     data_text(k->name), "title", data_text(k->title), "kind", data_text(k->kind),
                     "state", data_text(k->state), "is_open",
                     sv_is(k->state, "open") && !k->imported, "is_paused",
                     sv_is(k->state, "paused"), "imported", k->imported, "simulated",
                     k->simulated, "url",
                     arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k->name)),
                     "answers_per_grid", (json_int_t)k->answers_per_grid, "created",
                     clock_iso(k->created_at, iso), 10, "progress", progress);
}

const char *data_minus(struct arena *a, const char *number)
{
    return number[0] == '-' ? arena_printf(a, "\xe2\x88\x92%s", number + 1) : number;
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

void data_tile(json_t *tiles, const char *label, const char *value, const char *note)
{
    json_array_append_new(tiles, json_pack("{s:s, s:s, s:n, s:s?}", "label", label, "value", value,
                                           "unit", "note", note));
}

void data_term(json_t *terms, const char *term, const char *value)
{
    json_array_append_new(terms, json_pack("{s:s, s:s}", "term", term, "value", value));
}

json_t *data_live(const char *topic, const char *url)
{
    return json_pack("{s:s, s:s}", "topic", topic, "url", url);
}
