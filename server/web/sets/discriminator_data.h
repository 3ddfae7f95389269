/* discriminator_data.h - a discriminator's result (measures/discriminator/discriminator.h) for its page, its chart and scripts. Refuses
 * sealed sets. Slow steps only: it reads a file. */
#ifndef WEB_SETS_DISCRIMINATOR_DATA_H
#define WEB_SETS_DISCRIMINATOR_DATA_H

#include "measures/discriminator/discriminator.h"
#include "web/core/charts.h"

struct discriminator_asked {
    struct revision_row fresh, original;
    struct sv features;
    bool found;              /* somebody computed it; otherwise `is` is empty */
    struct discriminator is;
    struct discriminator_name *list; /* every result of the revision */
    size_t n_list;
};
/* `original` "": that of the first result there is, by name, else the newest revision of the first set of originals; "SET[/NUMBER]".
 * `features` "": those of that result, else statistics. ERR_NOT_FOUND (rule "set"), ERR_DENIED (rule "set-sealed"),
 * ERR_INPUT (rule "discriminator-set") for a revision against itself or without originals. */
enum err_code discriminator_load(struct ctx *c, const struct revision_row *fresh, struct sv original, struct sv features,
                                 struct discriminator_asked *out);

/* Held-out scores of either set as bars: parameters set, original, model (the features). */
enum err_code chart_set_discriminator(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
