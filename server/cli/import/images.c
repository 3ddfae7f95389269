/* images.c - `holdout import images`, `image-list`: images with their pixels, and by name alone. */
#include <string.h>
#include <unistd.h>

#include "cli/core/commands.h"
#include "domain/images/image_role.h"
#include "formats/manifest.h"
#include "transfer/imports/images_run.h"
#include "transfer/imports/imports.h"

static enum err_code read_keep(struct cli *cli, enum keep *out)
{
    const char *given = cli_has(cli, "keep") ? cli_opt(cli, "keep") : keep_words[KEEP_COPY];
    for (size_t i = 0; i < sizeof keep_words / sizeof *keep_words; i++) {
        if (strcmp(given, keep_words[i]) == 0) {
            *out = (enum keep)i;
            return OK;
        }
    }
    return cli_usage(cli, "--keep must be copy, reflink, link or reference");
}

static enum err_code read_options(struct cli *cli, struct images_ask *ask)
{
    const struct config *c = &cli->config;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t otherwise = c->threads_import ? c->threads_import : cores > 0 ? cores : 1;
    *ask = (struct images_ask){
        .path = cli->args[1],
        .base = cli_opt(cli, "base"),
        .prefix = cli_opt(cli, "prefix"),
        .role = cli_has(cli, "role") ? cli_opt(cli, "role") : "candidate",
        .options = cli_pictures(cli),
    };
    if (manifest_role(sv_of(ask->role)) < 0) {
        return cli_usage(cli, "--role must be " IMAGE_ROLE_LIST);
    }
    if (sv_is(sv_of(ask->role), image_role_words[IMAGE_TRAINING]) && cli_has(cli, "keep") &&
        !sv_is(sv_of(cli_opt(cli, "keep")), "reference")) {
        return cli_usage(cli, "training images stay where they are: leave --keep out, or say --keep reference");
    }
    enum err_code rc = read_keep(cli, &ask->keep);
    return rc == OK ? cli_opt_int(cli, "threads", 1, IMPORT_THREADS_MOST,
                                  otherwise > IMPORT_THREADS_MOST ? IMPORT_THREADS_MOST : otherwise,
                                  &ask->threads)
                    : rc;
}

enum err_code cmd_import_images(struct cli *cli)
{
    struct images_ask ask;
    enum err_code rc = read_options(cli, &ask);
    return rc == OK ? images_import(cli_transfer(cli), &ask) : rc;
}

enum err_code cmd_import_image_list(struct cli *cli)
{
    return image_list_import(cli_transfer(cli), cli->args[1]);
}
