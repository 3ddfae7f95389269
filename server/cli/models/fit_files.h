/* fit_files.h - files that `fit` and `fit-points` read: accuracies of models, and families of models. */
#ifndef CLI_MODELS_FIT_FILES_H
#define CLI_MODELS_FIT_FILES_H

#include "cli/core/cli.h"
#include "measures/fits/set_fit.h"

enum { FIT_MODELS_MOST = 10000 };

/* A CSV with the columns model and those named x and y: accuracies in percent (a model whose cell is empty is left out);
 * use_for_fit (1 or 0) and family, if it has them; others are not looked at, so that a grid of models x settings will do.
 * In the command's arena. ERR_INPUT "FILE:LINE: ...": what is no such row, a model twice; ERR_LIMIT above
 * FIT_MODELS_MOST. */
enum err_code fit_files_points(struct cli *cli, const char *path, const char *x, const char *y, struct fit_point **out, size_t *n);
/* A CSV with the columns model,family; the same errors. */
enum err_code fit_files_families(struct cli *cli, const char *path, struct set_fit_family **out, size_t *n);

#endif
