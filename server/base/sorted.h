/* sorted.h - finding by halving in arrays that are sorted by a number: of numbers, or of structs
 * that have it as a member; sorting by a number that may not be known. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index of the first element whose key is not below `key`; n when all are. The keys lie at `offset`
 * of elements of `size` bytes, rising. */
size_t sorted_i64(const void *items, size_t n, size_t size, size_t offset, int64_t key);
size_t sorted_u32(const void *items, size_t n, size_t size, size_t offset, uint32_t key);

/* Whether a list of numbers has it. */
bool sorted_has_i64(const int64_t *list, size_t n, int64_t key);
bool sorted_has_u32(const uint32_t *list, size_t n, uint32_t key);

struct sorted_key {
    double key; /* NAN: not known */
    size_t at;
};
/* Rising or falling by `key`: what is not known is last either way, equal ones are in the order of `at`. */
void sorted_keys(struct sorted_key *list, size_t n, bool falling);

#endif
