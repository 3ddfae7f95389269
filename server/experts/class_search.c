/* class_search.c - all classes are compared: there are thousands at most. */
#include "experts/class_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum { NOT_FOUND = 9, QUERY_MOST = 200 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? ' ' : c;
}

static bool starts(struct sv text, struct sv query)
{
    bool same = text.n >= query.n;
    for (size_t i = 0; i < query.n && same; i++) {
        same = lower(text.p[i]) == lower(query.p[i]);
    }
    return same;
}

static bool has(struct sv text, struct sv query, bool *at_word)
{
    for (size_t i = 0; i + query.n <= text.n; i++) {
        if (starts(sv_make(text.p + i, text.n - i), query)) {
            *at_word = i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == '-';
            return true;
        }
    }
    return false;
}

static int rank_of_word(struct sv word, struct sv query)
{
    bool at_word = false;
    return word.n == query.n && starts(word, query) ? 0
           : starts(word, query)                    ? 1
           : has(word, query, &at_word)             ? (at_word ? 2 : 3)
                                                    : NOT_FOUND;
}

static int rank_of(const struct class_info *k, struct sv query)
{
    struct sv rest = k->synset;
    int best = rank_of_word(k->wnid, query);
    bool at_word;
    while (rest.n) {
        int rank = rank_of_word(sv_cut(&rest, '|'), query);
        best = rank < best ? rank : best;
    }
    return best == NOT_FOUND && has(k->gloss, query, &at_word) && at_word ? 4 : best;
}

static int best_first(const void *a, const void *b)
{
    const struct class_found *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : (x->k.cid > y->k.cid) - (x->k.cid < y->k.cid);
}

enum err_code class_search(struct db *db, struct sv query, size_t most, struct arena *a, struct class_found **out, size_t *n,
                           struct err *err)
{
    struct class_info *classes;
    struct list list = {0};
    size_t n_classes = 0;
    enum err_code rc = classes_list(db, a, &classes, &n_classes, err);
    query = sv_trim(query);
    for (size_t i = 0; i < n_classes && rc == OK && query.n && query.n <= QUERY_MOST; i++) {
        int rank = rank_of(&classes[i], query);
        if (rank < NOT_FOUND) {
            *LIST_ADD(&list, a, struct class_found) = (struct class_found){classes[i], rank};
        }
    }
    if (list.n) {
        qsort(list.items, list.n, sizeof **out, best_first);
    }
    *out = list.items;
    *n = list.n < most ? list.n : most;
    return rc;
}
