/* list.h - rows collected into an array in the caller's arena. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stddef.h>

#include "base/arena.h"

struct list {
    void *items;
    size_t n, cap;
};

/* A zeroed slot of `size` bytes at the end. Earlier slots move: keep no pointers to them. */
void *list_add(struct list *l, struct arena *arena, size_t size);
/* The same, typed: *LIST_ADD(&names, arena, struct sv) = name; */
#define LIST_ADD(l, arena, type) ((type *)list_add(l, arena, sizeof(type)))

#endif
