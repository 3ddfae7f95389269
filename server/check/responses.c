/* responses.c - whether answers of CLASSIFY tasks are ones that their task offers. */
#include "check/parts.h"
#include "store/work/responses.h"

static enum err_code look(void *arg, const struct work_response *w, struct err *err)
{
    (void)err;
    bool none = w->mask == 0;
    if (!grid_mask_fits(w->mask, w->options->n) || none != (w->main == OPTION_NONE) || (none && !w->none_offered)) {
        check_found(arg, "answer: %lld ticks what its CLASSIFY task does not offer", (long long)w->id);
    }
    return OK;
}

enum err_code check_responses(struct check *c)
{
    struct responses_of all = {.until = INT64_MAX};
    return responses_each(c->db, &all, c->arena, look, c, c->err);
}
