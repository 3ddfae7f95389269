/* study_of.h - what services of study/ are given for one request. */
#ifndef WEB_CORE_STUDY_OF_H
#define WEB_CORE_STUDY_OF_H

#include "study/study.h"
#include "web/core/app.h"

/* Borrows c. Without `kept`: that is for the worker's pages. */
struct study study_of(struct ctx *c);

#endif
