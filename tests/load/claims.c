/* claims.c - reads journals of acknowledged answers. */
#include "load/claims.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"

void claims_init(struct claims *c)
{
    *c = (struct claims){0};
    map_sv_init(&c->by_client_id);
}

void claims_release(struct claims *c)
{
    free(c->items);
    map_sv_release(&c->by_client_id);
}

static bool read_selected(json_t *list, uint64_t *mask)
{
    size_t i;
    json_t *item;
    *mask = 0;
    if (!json_is_array(list)) {
        return false;
    }
    json_array_foreach(list, i, item)
    {
        json_int_t cell = json_is_integer(item) ? json_integer_value(item) : -1;
        if (cell < 0 || cell > 47) {
            return false;
        }
        *mask |= UINT64_C(1) << cell;
    }
    return true;
}

static bool read_claim(json_t *line, struct claim *out)
{
    const char *assignment, *client_id, *status;
    json_t *selected;
    json_int_t event;
    if (json_unpack(line, "{s:s,s:s,s:o,s:s,s:I}", "assignment", &assignment, "client_id",
                    &client_id, "selected", &selected, "status", &status, "event", &event) != 0) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->surplus = strcmp(status, "surplus") == 0;
    out->event = event;
    int n = snprintf(out->client_id, sizeof out->client_id, "%s", client_id);
    int m = snprintf(out->text, sizeof out->text, "%s", assignment);
    return n > 0 && (size_t)n < sizeof out->client_id && m > 0 && (size_t)m < sizeof out->text &&
           (out->surplus || strcmp(status, "stored") == 0) &&
           crypto_unbase64url(sv_of(assignment), out->token, sizeof out->token) &&
           read_selected(selected, &out->mask);
}

static void add(struct claims *c, const struct claim *claim)
{
    uint32_t at = map_sv_put(&c->by_client_id, sv_of(claim->client_id), (uint32_t)c->n);
    if (at == c->n) {
        xgrow(&c->items, &c->cap, c->n + 1, sizeof *c->items);
        c->items[c->n++] = *claim;
    } else if (memcmp(&c->items[at], claim, sizeof *claim) == 0) {
        c->repeated++;
    } else {
        c->contradicted++;
    }
}

enum err_code claims_read(struct claims *c, const char *path, struct err *err)
{
    struct fs_map file;
    enum err_code rc = fs_map(path, &file, err);
    if (rc != OK) {
        return rc;
    }
    struct sv rest = {(const char *)file.data, file.n};
    for (size_t number = 1; rest.n > 0 && rc == OK; number++) {
        struct sv line = sv_cut(&rest, '\n');
        struct claim claim;
        if (!rest.p) {
            break; /* cut short by a kill */
        }
        json_t *parsed = json_loadb(line.p, line.n, 0, NULL);
        if (parsed && read_claim(parsed, &claim)) {
            add(c, &claim);
        } else {
            rc = err_set(err, ERR_INPUT, "%s:%zu: not a journal line", path, number);
        }
        json_decref(parsed);
    }
    fs_unmap(&file);
    return rc;
}
