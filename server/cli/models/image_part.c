/* image_part.c - the part of part files that predict and features have in common. */
#include "cli/models/image_part.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "json/object.h"

enum { HEADER_DIGITS = 9 };

enum err_code image_part_ask(struct cli *cli, struct image_part *part)
{
    const char *text = cli_opt(cli, "shard");
    part->file.path = cli_opt(cli, "output");
    part->wanted = part->file.path != NULL;
    if (!part_number(sv_of(text ? text : "1/1"), &part->shard, &part->shards)) {
        return cli_usage(cli, "--shard must be i/n, such as 1/8 to 8/8");
    }
    return text && !part->wanted ? cli_usage(cli, "--shard needs --output: the part file it writes") : OK;
}

/* ---- resuming ---- */

struct seen {
    struct image_run *run;
    const char *path;
};

static enum err_code see_line(void *arg, const json_t *line, struct err *err)
{
    const struct seen *s = arg;
    const json_t *image = json_object_get(line, "image");
    int64_t id = 0;
    if (!json_is_string(image)) {
        return err_rule(err, ERR_CONFLICT, "part-differs", "%s has a line that is about no image. Nothing was changed",
                        s->path);
    }
    enum err_code rc = images_find(s->run->cli->db, sv_make(json_string_value(image), json_string_length(image)), &id, err);
    if (rc == OK && id) {
        image_work_done(&s->run->work, (uint32_t)id);
    }
    return rc;
}

static const char *line_of(struct arena *a, json_t *header)
{
    char *text = json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(HEADER_DIGITS));
    BUG_IF(!text);
    const char *line = arena_printf(a, "%s\n", text);
    free(text);
    json_decref(header);
    return line;
}

/* A part holds the whole shard, whatever the project has already: parts of one run then fit together. */
enum err_code image_part_open(struct image_part *part, struct image_run *run, json_t *header, int digits,
                              const char *others)
{
    struct seen seen = {run, part->file.path};
    const char *line = line_of(&run->cli->arena, header);
    part->file.digits = digits;
    enum err_code rc = part_file_open(&part->file, sv_of(line), others, see_line, &seen, &run->cli->err);
    if (rc == OK) {
        image_work_queue(&run->work, NULL, NULL);
    }
    return rc;
}

/* ---- writing ---- */

enum err_code image_part_add(struct image_part *part, struct db *db, uint32_t image, json_t *more, struct err *err)
{
    struct arena a;
    struct image_row row;
    arena_init(&a, 1 << 20);
    enum err_code rc = images_get(db, image, &a, &row, err);
    if (rc == OK) {
        json_t *line = object(field_sv("image", row.name));
        if (!more || !line || json_object_update(line, more) != 0) { /* part_file_add fails without one */
            json_decref(line);
            line = NULL;
        }
        rc = part_file_add(&part->file, line, err);
    }
    json_decref(more);
    arena_release(&a);
    return rc;
}
