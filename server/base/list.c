/* list.c - growing arrays in an arena. Outgrown copies stay in the arena until it is released:
 * at most as much again, and rows are few. */
#include "base/list.h"

#include <string.h>

void *list_add(struct list *l, struct arena *arena, size_t size)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 16;
        char *items = arena_calloc(arena, cap, size);
        if (l->n) {
            memcpy(items, l->items, l->n * size);
        }
        l->items = items;
        l->cap = cap;
    }
    return (char *)l->items + size * l->n++;
}
