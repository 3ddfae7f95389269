/* jsonl.c - JSON lines, one object at a time, from a text in memory. Knows jansson and nothing of
 * what the members mean. */
#include "formats/jsonl.h"

#include <inttypes.h>

void jsonl_open(struct jsonl *j, const char *name, struct sv text)
{
    *j = (struct jsonl){.name = name, .rest = sv_unmarked(text)};
}

static const char *kind(const json_t *v)
{
    static const char *const words[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return words[json_typeof(v)];
}

/* Repeated keys are refused: which of the two a reader takes is anybody's guess. */
enum err_code jsonl_object(const struct jsonl *j, json_t **out, struct err *err)
{
    json_error_t why;
    const struct sv line = j->text;
    json_t *v = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (!v) {
        return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": %s at column %d; expected one JSON object",
                       j->name, j->line, why.text, why.column);
    }
    if (!json_is_object(v)) {
        const char *found = kind(v);
        json_decref(v);
        return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": %s; expected one JSON object per line",
                       j->name, j->line, found);
    }
    *out = v;
    return OK;
}

bool jsonl_line(struct jsonl *j)
{
    j->text = SV("");
    while (j->rest.n && j->text.n == 0) {
        j->text = sv_trim(sv_cut(&j->rest, '\n'));
        j->line++;
    }
    return j->text.n > 0;
}

enum err_code jsonl_next(struct jsonl *j, json_t **out, struct err *err)
{
    *out = NULL;
    return jsonl_line(j) ? jsonl_object(j, out, err) : OK;
}
