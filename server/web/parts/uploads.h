/* uploads.h - files that come with a form and are read by a job (jobs/kinds.h), kept in the project's folder uploads. */
#ifndef WEB_PARTS_UPLOADS_H
#define WEB_PARTS_UPLOADS_H

#include "web/core/app.h"

/* Keeps the text under "NAME-DIGEST.ENDING", which says what it holds: the same again is the same file. *file: its name in the folder,
 * in the request's arena. ERR_INPUT (rule "upload-text") for what is no text in UTF-8. Not on the writer's thread. */
enum err_code upload_keep(struct ctx *c, struct sv name, struct sv text, const char *ending, const char **file);

#endif
