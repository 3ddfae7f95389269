/* view_rules.h - the filters of a named vote view: which answers it leaves out. Pure rules.
 *
 * A filter looks at answers one by one, at those of a grid or at people. What it knows of people is measured over the
 * view's answers before any filter, so the order of filters means nothing: an answer is left out when
 * any of them says so. No filter is ever silent: each is named, and pages show the means with and
 * without it. Stored as a JSON list: [{"rule": "active-least", "value": 20}]. */
#ifndef DOMAIN_VIEW_RULES_H
#define DOMAIN_VIEW_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

#define VIEW_SEED_MOST (INT64_C(1) << 53) /* what a number of JSON holds */

enum view_rule {
    RULE_ACTIVE_LEAST,    /* answers given in less active time (seconds); unknown time passes */
    RULE_NOT_ALL,         /* answers that select every cell */
    RULE_NOT_NONE,        /* answers that select no cell */
    RULE_FIRST_VOTES,     /* of each grid all answers but the first so many */
    RULE_RANDOM_VOTES,    /* of each grid all answers but so many, drawn by the filter's seed and the grid */
    RULE_ANSWERS_LEAST,   /* people with fewer answers */
    RULE_GOLD_LEAST,      /* people whose share of right gold cells is less; without gold: pass */
    RULE_NEGATIVE_LEAST,  /* the same of negative controls */
    RULE_POSITIVE_LEAST,  /* the same of positive controls */
    RULE_RELATIVE_LEAST,  /* people whose mean relative agreement is less (domain/votes/agreement.h) */
    RULE_NOT_BLOCKED,     /* people who are blocked at the event up to which the view counts */
    VIEW_RULES
};
/* What a filter looks at. Every row of the table states it: one that looks at what people selected in the
 * grids that are measured moves what is measured, so it has a warning, wherever the filter is shown. */
enum view_rule_looks {
    LOOKS_AT_WORK = 1,  /* how long, how many: not what was selected */
    LOOKS_AT_GOLD,      /* cells that no frequency counts */
    LOOKS_AT_DECISIONS, /* what somebody decided, with a reason on record */
    LOOKS_AT_ANSWERS    /* what was selected, on controls or on any other measured cell */
};
struct view_rule_info {
    const char *word, *label, *unit; /* unit "": has no value; "%" is of 100 */
    double lo, hi, usual;            /* of the value */
    enum view_rule_looks looks;
    const char *warning;             /* of LOOKS_AT_ANSWERS: what it does to frequencies; NULL for the others */
};
extern const struct view_rule_info view_rule_infos[VIEW_RULES];

enum { VIEW_FILTERS_MOST = 8 };
struct view_filter {
    enum view_rule rule;
    double value;
    uint64_t seed; /* of RULE_RANDOM_VOTES, stored with it: 1 unless it says another */
};
struct view_rules {
    size_t n;
    struct view_filter filters[VIEW_FILTERS_MOST];
};

/* ERR_INPUT (rule "view-filter") names the entry and what it may be. A rule twice is refused. */
enum err_code view_rules_parse(struct sv json, struct view_rules *out, struct err *err);
/* The JSON that view_rules_parse reads; canonical, in the arena. */
const char *view_rules_json(const struct view_rules *v, struct arena *a);
/* As a person reads it: "at least 20 s of active time". */
const char *view_filter_text(const struct view_filter *f, struct arena *a);
/* The same with its warning: "at least one cell selected: Leaves out ..."; NULL when the filter has none. */
const char *view_filter_warning(const struct view_filter *f, struct arena *a);

/* One answer alone, for the rules that are not about people; true: left out. */
bool view_filter_answer(const struct view_filter *f, unsigned cells, unsigned selected,
                        unsigned active_ms);
/* Which of the n answers to a grid are left out by the rules about how many count (Tsipras et al. 2020, footnote 4: what would
 * follow from fewer votes); out[i] of the view's answers before any filter, in the order in which they came. Other rules leave
 * none out. */
bool view_filter_of_grid(const struct view_filter *f);
void view_filter_grid(const struct view_filter *f, uint64_t grid, size_t n, bool *out);
struct view_person { /* over the view's answers before any filter */
    unsigned answers, pos_right, pos, neg_right, neg, gold_right, gold;
    bool compared, blocked;
    double relative;
};
/* All answers of one person, for the rules about people; true: left out. */
bool view_filter_person(const struct view_filter *f, const struct view_person *p);

#endif
