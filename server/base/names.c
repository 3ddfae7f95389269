/* names.c - a map to numbers, and the texts by number. */
#include "base/names.h"

#include <stdlib.h>

#include "base/xalloc.h"

void names_init(struct names *l)
{
    *l = (struct names){0};
    map_sv_init(&l->map);
}

void names_release(struct names *l)
{
    map_sv_release(&l->map);
    free(l->at);
    names_init(l);
}

uint32_t names_put(struct names *l, struct sv text)
{
    uint32_t at = map_sv_put(&l->map, text, (uint32_t)l->n);
    if (at == l->n) {
        xgrow(&l->at, &l->cap, l->n + 1, sizeof *l->at);
        l->at[l->n++] = arena_sv(&l->map.keys, text);
    }
    return at;
}

uint32_t names_get(const struct names *l, struct sv text) { return map_sv_get(&l->map, text); }

struct placed {
    int64_t value;
    struct sv text;
    uint32_t at;
};

static int by_value(const void *a, const void *b)
{
    int64_t x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
    return sv_cmp(((const struct placed *)a)->text, ((const struct placed *)b)->text);
}

static int by_value_then_text(const void *a, const void *b)
{
    int order = by_value(a, b); /* 7 and 07 */
    return order ? order : by_text(a, b);
}

void names_rank(const struct names *l, uint32_t *rank)
{
    bool numbers = true;
    struct placed *list = xcalloc(l->n + 1, sizeof *list);
    for (size_t i = 0; i < l->n; i++) {
        list[i] = (struct placed){.text = l->at[i], .at = (uint32_t)i};
        numbers = numbers && sv_i64(l->at[i], &list[i].value);
    }
    qsort(list, l->n, sizeof *list, numbers ? by_value_then_text : by_text);
    for (size_t i = 0; i < l->n; i++) {
        rank[list[i].at] = (uint32_t)i;
    }
    free(list);
}
