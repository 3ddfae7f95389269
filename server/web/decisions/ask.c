/* ask.c - the fields of a form as words of a choice. */
#include "web/decisions/ask.h"

enum err_code decision_choice(const struct form *f, struct arena *a, struct choice *out,
                              struct err *err)
{
    struct choice_word *words = arena_calloc(a, f->n + 1, sizeof *words);
    for (size_t i = 0; i < f->n; i++) {
        words[i] = (struct choice_word){.name = f->fields[i].name, .value = f->fields[i].value};
    }
    return choice_read(words, f->n, a, out, err);
}
