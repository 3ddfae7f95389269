/* label_pick.c - a word, a source and a rule. */
#include "measures/core/label_pick.h"

#include "base/hash.h"
#include "base/list.h"
#include "measures/core/label_books.h"

static const char *rules_of(enum label_kind k, struct arena *a)
{
    const char *text = "";
    for (int r = 0; r < LABEL_RULES; r++) {
        if (label_rule_fits(k, (enum label_rule)r)) {
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", label_rule_word((enum label_rule)r));
        }
    }
    return text;
}

static enum err_code choose_rule(struct label_pick *p, struct sv word, struct arena *a, struct err *err)
{
    const struct label_version_row *v = &p->version;
    p->rule = label_rule_usual(v->kind);
    if (word.n == 0 || (label_rule_of(word, &p->rule) && label_rule_fits(v->kind, p->rule))) {
        return OK;
    }
    return err_rule(err, ERR_INPUT, "label-rule",
                    "The label source " SV_FMT " has no rule \"" SV_FMT "\": it is of kind \"%s\" (%s), whose rules are: %s.",
                    SV_ARG(v->name), SV_ARG(word), label_kind_word(v->kind), label_kind_about(v->kind),
                    rules_of(v->kind, a));
}

bool label_pick_is_set(const struct label_pick *p)
{
    return !p || p->version.id == 0;
}

enum err_code label_pick_find(struct db *db, struct sv word, struct arena *a, struct label_pick *out, struct err *err)
{
    struct sv rule = word, source = sv_cut(&rule, ':');
    *out = (struct label_pick){.label = "the set's label"};
    if (word.n == 0 || sv_is(word, "set")) {
        return OK;
    }
    enum err_code rc = label_source_find(db, source, a, &out->version, err);
    rc = rc == OK ? choose_rule(out, rule, a, err) : rc;
    if (rc == OK) {
        const char *how = label_rule_word(out->rule);
        out->name = sv_of(arena_printf(a, SV_FMT "/%lld:%s", SV_ARG(out->version.name), (long long)out->version.number, how));
        out->label = arena_printf(a, "%s, by " SV_FMT, label_rule_about(out->rule), SV_ARG(out->version.name));
    }
    return rc;
}

enum err_code label_pick_covers(struct db *db, const struct label_pick *p, int64_t revision, struct err *err)
{
    const struct label_version_row *v = &p->version;
    int64_t has = 0, counts = 0;
    enum err_code rc = label_pick_is_set(p) ? OK : label_source_covers(db, v, revision, &has, &counts, err);
    if (rc != OK || counts > 0 || label_pick_is_set(p)) {
        return rc;
    }
    return err_rule(err, ERR_INPUT, "labels-missing",
                    "The label source " SV_FMT "/%lld %s this set%s. Choose another source, or import labels of these images "
                    "with `holdout import labels`.",
                    SV_ARG(v->name), (long long)v->number, has ? "counts no image of" : "has no image of",
                    has ? ": those that it has are problematic, partly reviewed or without labels" : "");
}

uint64_t label_pick_hash(const struct label_pick *p)
{
    return label_pick_is_set(p) ? 0 : hash_u64((uint64_t)p->version.list << 4 | p->rule) ^ hash_u64((uint64_t)p->version.view << 4 | (p->version.kind + 1));
}

enum err_code label_pick_choices(struct db *db, struct arena *a, struct label_choice **out, size_t *n, struct err *err)
{
    struct label_version_row *sources;
    struct list list = {0};
    size_t n_sources = 0;
    enum err_code rc = label_source_newest(db, a, &sources, &n_sources, err);
    *LIST_ADD(&list, a, struct label_choice) = (struct label_choice){"", "the set's label"};
    for (size_t i = 0; i < n_sources && rc == OK; i++) {
        for (int r = 0; r < LABEL_RULES; r++) {
            if (label_rule_fits(sources[i].kind, (enum label_rule)r)) {
                *LIST_ADD(&list, a, struct label_choice) = (struct label_choice){
                    arena_printf(a, SV_FMT ":%s", SV_ARG(sources[i].name), label_rule_word((enum label_rule)r)),
                    arena_printf(a, SV_FMT ": %s", SV_ARG(sources[i].name), label_rule_about((enum label_rule)r))};
            }
        }
    }
    *out = list.items;
    *n = list.n;
    return rc;
}
