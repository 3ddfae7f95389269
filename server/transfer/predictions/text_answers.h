/* text_answers.h - what a recipe says about a model's answers. */
#ifndef TRANSFER_IMPORTS_TEXT_ANSWERS_H
#define TRANSFER_IMPORTS_TEXT_ANSWERS_H

#include "base/err.h"
#include "domain/labels/text_class.h"

/* Its member "answers": words (also without one), wnids or numbers. ERR_INPUT (rule "texts-answers") for anything else. */
enum err_code text_answers_of(struct sv recipe, enum text_answers *out, struct err *err);

#endif
