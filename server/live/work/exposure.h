/* exposure.h - which contents a person has been shown, for the desk's rule that no person is shown the
 * same picture twice. Two images of the same bytes are the same content, whatever their classes.
 *
 * Lives in memory on the writer thread; a person's part is read from the database the first time it
 * is asked for. Knows nothing of grids. */
#ifndef LIVE_WORK_EXPOSURE_H
#define LIVE_WORK_EXPOSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct exposure;
struct seen; /* what one person saw */

struct exposure *exposure_new(void);
void exposure_free(struct exposure *e);
/* Forgets what was read of persons: the database may say otherwise now. */
void exposure_reset(struct exposure *e);
/* Reads which images have the same bytes, once per version of the plan: images come to grids by a
 * plan, so their content is known before. */
enum err_code exposure_load(struct exposure *e, struct db *db, uint64_t plan_version,
                            struct err *err);

/* Borrowed until the next call of exposure_of. */
enum err_code exposure_of(struct exposure *e, struct db *db, int64_t person,
                          const struct seen **out, struct err *err);
/* Whether the person saw the image or another of the same bytes. */
bool exposure_saw(const struct exposure *e, const struct seen *seen, uint32_t image);
/* The person is shown the image; the row that says so is written. */
void exposure_show(struct exposure *e, int64_t person, uint32_t image);

#endif
