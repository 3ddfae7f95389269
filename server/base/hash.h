/* hash.h - hashes for tables in memory. Not for secrets and not stored: crypto/ has those. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* 64-bit mix of bytes, seeded once per process so that chosen keys cannot pile up in one slot. */
uint64_t hash_bytes(const void *p, size_t n);
/* The finaliser of splitmix64: every input bit reaches every output bit. */
uint64_t hash_u64(uint64_t x);
/* CRC-less stable checksum of a text (FNV-1a 64), the same in every process: migrations. */
uint64_t hash_stable(const void *p, size_t n);

#endif
