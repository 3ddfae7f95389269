/* list.h - rows collected into an array in the caller's arena, for the list functions of store/. */
#ifndef STORE_CORE_LIST_H
#define STORE_CORE_LIST_H

#include <stddef.h>

#include "base/arena.h"

struct list {
    void *items;
    size_t n, cap;
};

/* A zeroed slot of `size` bytes at the end. Earlier slots move: keep no pointers to them. */
void *list_add(struct list *l, struct arena *arena, size_t size);

#endif
