/* training.c - training lists that lack images, and answers and suggestions that could not have been given. */
#include "check/parts.h"
#include "store/labels/training_answers.h"

static void say(struct check *c, int64_t n, const char *list, const char *what)
{
    if (n) {
        check_found(c, "training: %lld %s in the list %s", (long long)n, what, list);
    }
}

enum err_code check_training(struct check *c)
{
    struct training_fault *list;
    size_t n = 0;
    enum err_code rc = training_faults(c->db, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct training_fault *f = &list[i];
        const char *name = arena_cstr(c->arena, f->name);
        if (f->images != f->rows || f->stateless) {
            check_found(c, "training: the list %s has %lld of its %lld images%s; restore a backup", name, (long long)f->rows,
                        (long long)f->images, f->stateless ? " and no state" : "");
        }
        say(c, f->twice, name, "answers count though the person had answered the image before");
        say(c, f->misjudged, name, "answers with the right label are called wrong");
        say(c, f->strangers, name, "suggestions are about labels that the person had not chosen");
    }
    return rc;
}
