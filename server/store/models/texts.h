/* texts.h - SQL for what models said in their own words (migrations/0012): sources of texts, their records in blocks,
 * mappings to classes in versions, and which predictions they made. The only reader and writer of these blocks' bytes. */
#ifndef STORE_MODELS_TEXTS_H
#define STORE_MODELS_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { TEXT_BLOCK = 256, TEXT_DIGEST = 32, TEXT_SCORES_MOST = 1024, TEXT_BLOCK_BYTES = 1 << 18, MAPPING_NAME = 32 };

/* ---- what was said ---- */

struct text_source {
    int64_t id, model, revision, at, records, stored; /* records: of the file; stored: so far; revision 0: of none */
    struct sv file, recipe, set;                      /* set: "NAME/NUMBER"; empty without one */
    unsigned char digest[TEXT_DIGEST];
};
struct text_score {
    uint32_t text; /* said_text */
    double score;
};
struct text_record {
    uint32_t image, text, prompt; /* ids; 0: none */
    struct text_score *scores;
    size_t n;
};
/* Finds the model's source with the digest, or adds it; s->id is set. Call inside a transaction. */
enum err_code texts_source(struct db *db, struct text_source *s, int64_t account, int64_t now, bool *added, struct err *err);
/* By id; model 0: of all. */
enum err_code texts_sources(struct db *db, int64_t model, struct arena *a, struct text_source **out, size_t *n, struct err *err);
/* The number of a text, or of a prompt, which is added when it is new. Inside a transaction. */
enum err_code texts_said(struct db *db, struct sv text, uint32_t *id, struct err *err);
enum err_code texts_prompt(struct db *db, struct sv text, uint32_t *id, struct err *err);
/* Bytes that a record takes in a block. */
size_t texts_record_bytes(size_t n_scores);
/* Appends 1 to TEXT_BLOCK records of at most TEXT_BLOCK_BYTES together. Inside a transaction. */
enum err_code texts_append(struct db *db, int64_t source, const struct text_record *r, size_t n, struct err *err);
/* How many records the source has. */
enum err_code texts_stored(struct db *db, int64_t source, int64_t *records, struct err *err);
/* One block of the source, the first is 0; in the arena. ERR_NOT_FOUND after the last one, ERR_IO when its bytes are damaged. */
enum err_code texts_block(struct db *db, int64_t source, int64_t place, struct arena *a, struct text_record **out, size_t *n, struct err *err);
/* Every text of the project by its number; they rise. */
enum err_code texts_each(struct db *db, void (*each)(void *arg, uint32_t id, struct sv text), void *arg, struct err *err);
/* One text; empty for 0 and for a number that there is not. */
enum err_code texts_get(struct db *db, uint32_t id, struct arena *a, struct sv *out, struct err *err);

/* ---- mappings ---- */

struct text_mapping {
    int64_t id, version, at, rows;
    struct sv name, first; /* "text" or "scores" */
    unsigned char digest[TEXT_DIGEST];
};
struct text_mapping_row {
    struct sv text, wnid;
    int64_t class_id;
};
/* 1 to MAPPING_NAME - 1 letters, digits, "-", "_" or "."; ERR_INPUT, rule "mapping-name". */
enum err_code text_mapping_name_check(struct sv name, struct err *err);
/* The newest version of that name; *out id 0 when there is none. */
enum err_code text_mapping_newest(struct db *db, struct sv name, struct arena *a, struct text_mapping *out, struct err *err);
/* By text. */
enum err_code text_mapping_rows(struct db *db, int64_t mapping, struct arena *a, struct text_mapping_row **out, size_t *n, struct err *err);
/* Finds the version with the name and the digest, or adds it as the next one with its rows; m->id and m->version are set.
 * Inside a transaction. */
enum err_code text_mapping_put(struct db *db, struct text_mapping *m, const struct text_mapping_row *rows, size_t n, int64_t account,
                               int64_t now, bool *added, struct err *err);

/* ---- what they made ---- */

struct text_mapped {            /* a prediction source */
    int64_t source, model, base, mapping, version, texts, records; /* base: the model whose texts these are; records: predictions so far */
    struct sv name, first, file, model_name, base_name;            /* name: of the mapping */
    struct sv recipe;           /* how the model was asked */
};
struct text_unmapped {
    uint32_t image, text; /* said_text; 0: none */
    int outcome;          /* domain/labels/text_class.h */
};
/* Says that a new prediction source is a mapping's. Inside a transaction. */
enum err_code text_mapped_add(struct db *db, int64_t source, int64_t mapping, int64_t texts, struct err *err);
/* How many blocks of predictions the source has: of as many blocks of texts. */
enum err_code text_mapped_blocks(struct db *db, int64_t source, int64_t *blocks, struct err *err);
/* 1 to TEXT_BLOCK images of a block without a class. Inside a transaction. */
enum err_code text_unmapped_append(struct db *db, int64_t source, const struct text_unmapped *u, size_t n, struct err *err);
/* Of a model that a mapping made, of a model whose texts were mapped, or (0) of all; removed models left out. By source. */
enum err_code text_mapped_list(struct db *db, int64_t model, struct arena *a, struct text_mapped **out, size_t *n, struct err *err);
/* Every image without a class of one source. */
enum err_code text_unmapped_each(struct db *db, int64_t source, void (*each)(void *arg, const struct text_unmapped *u), void *arg,
                                 struct err *err);

#endif
