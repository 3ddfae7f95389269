/* claims.h - what journals (journal.h) say was acknowledged, read back for verify.c. */
#ifndef LOAD_CLAIMS_H
#define LOAD_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"

enum { CLAIM_TOKEN = 16, CLAIM_TEXT = 64 };

struct claim {
    unsigned char token[CLAIM_TOKEN]; /* of the assignment, as the database has it */
    char text[CLAIM_TEXT];            /* its text, for messages */
    char client_id[CLAIM_TEXT];
    uint64_t mask; /* in the order shown */
    bool surplus;
    int64_t event;
};

struct claims {
    struct claim *items;
    size_t n, cap;
    struct map_sv by_client_id;
    uint64_t repeated;     /* acknowledged more than once, the same each time */
    uint64_t contradicted; /* acknowledged more than once, not the same */
};

void claims_init(struct claims *c);
void claims_release(struct claims *c);
/* Adds a journal; ERR_INPUT names file and line of what is no journal line. A last line without
 * its end is left out: the program that wrote it was killed. */
enum err_code claims_read(struct claims *c, const char *path, struct err *err);

#endif
