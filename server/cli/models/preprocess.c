/* preprocess.c - `holdout preprocess`: one image as a model would get it, before normalisation. For
 * comparing with other frameworks; needs no project. */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/core/commands.h"
#include "image/preprocess.h"
#include "infer/predict/recipe.h"

enum { FILE_MOST = 256 << 20 };

/* A project's limits guard a server; whoever names a file here means it. */
static const struct image_limits limits = {.max_side = 65500, .max_pixels = (uint64_t)1 << 29};

static enum err_code options(struct cli *cli, struct preprocess *how)
{
    int64_t resize, crop;
    const char *filter = cli_opt(cli, "filter");
    enum err_code rc = cli_opt_int(cli, "resize", 0, PREPROCESS_SIDE, 256, &resize);
    rc = rc == OK ? cli_opt_int(cli, "crop", 1, PREPROCESS_SIDE, 224, &crop) : rc;
    if (rc != OK) {
        return rc;
    }
    *how = (struct preprocess){.resize = (uint32_t)resize, .crop = (uint32_t)crop};
    if (filter && !recipe_filter(sv_of(filter), &how->filter)) {
        return cli_usage(cli, "--filter must be one of " RECIPE_FILTERS);
    }
    return cli_opt(cli, "output") ? OK : cli_usage(cli, "--output is missing");
}

enum err_code cmd_preprocess(struct cli *cli)
{
    struct preprocess how;
    struct preprocess_room room = {0};
    enum err_code rc = options(cli, &how);
    if (rc != OK) {
        return rc;
    }
    size_t n = (size_t)how.crop * how.crop * 3;
    unsigned char *out = arena_alloc(&cli->arena, n);
    struct str file;
    str_init(&file, FILE_MOST);
    rc = fs_read(cli->args[0], &file, &cli->err);
    rc = rc == OK ? preprocess_bytes(file.p, file.n, &how, &limits, &room, out, &cli->err) : rc;
    if (rc == OK && strcmp(cli_opt(cli, "output"), "-") == 0) {
        rc = fwrite(out, 1, n, stdout) == n ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    } else if (rc == OK) {
        rc = fs_write_whole(cli_opt(cli, "output"), out, n, false, &cli->err);
    }
    preprocess_room_release(&room);
    str_release(&file);
    return rc;
}
