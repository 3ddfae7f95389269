/* feature_file.h - adds rows to DIR/features/<source>.f32: rows are on the disk before the index names them; what lies behind
 * the index was being written when somebody pulled the plug, and is cut away. Knows nothing of where rows come from. */
#ifndef TRANSFER_CORE_FEATURE_FILE_H
#define TRANSFER_CORE_FEATURE_FILE_H

#include "store/models/features.h"

struct feature_file {
    struct feature_source *source; /* the caller's; `rows` grows */
    const char *path;
    int fd;                        /* -1: closed */
    float *rows;                   /* room for rows that wait */
    uint32_t images[FEATURE_BLOCK];
    size_t n, most;                /* rows that wait, at most so many */
};

/* Finds or adds the source by its digest, takes the file for this process and makes it as long as the index says. `what` is
 * done to it, as in "computing features", with `model`: ERR_BUSY (rule "model-busy") says so when another process does
 * that; ERR_IO (rule "features-short") when rows are lost. Close it whatever came out. */
enum err_code feature_file_open(struct feature_file *f, struct db *db, const char *dir, struct feature_source *source,
                                const char *what, struct sv model, struct arena *a, struct err *err);
/* Room for the next row, `source->dim` numbers; there is some as long as n < most. */
float *feature_file_next(struct feature_file *f);
/* Puts the rows that wait on the disk. The caller's transaction then names them (features_append, from source->rows on). */
enum err_code feature_file_write(struct feature_file *f, struct err *err);
/* That was committed. */
void feature_file_written(struct feature_file *f);
void feature_file_close(struct feature_file *f);

#endif
