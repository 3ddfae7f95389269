/* ask.h - who and what a decision is about, from an address or a posted form. */
#ifndef WEB_DECISIONS_ASK_H
#define WEB_DECISIONS_ASK_H

#include "http/form.h"
#include "study/decision_choice.h"

/* As choice_read, of the form's fields. */
enum err_code decision_choice(const struct form *f, struct arena *a, struct choice *out,
                              struct err *err);

#endif
