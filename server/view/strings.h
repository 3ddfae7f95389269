/* strings.h - the texts of workers' pages, one catalogue per language: static/lang/CODE.json, a flat
 * object of texts plus "scripts", the ones that scripts say, and "classify": those (with its own "scripts") that read
 * otherwise where the task is CLASSIFY. English is complete; a key that another language lacks is English. A template shows {{t.grid_submit}}; a text with places like {n} is
 * filled by strings_fill. Read at start, never changed. */
#ifndef VIEW_STRINGS_H
#define VIEW_STRINGS_H

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

struct strings;

/* Reads every built-in static/lang/CODE.json. ERR_BUG for one that is no flat object. */
enum err_code strings_open(struct strings **out, struct err *err);
void strings_close(struct strings *s);

/* "de" for "de", "de-AT"; NULL for a language without a catalogue. Lives as long as the strings. */
const char *strings_language(const struct strings *s, struct sv tag);
/* The catalogue of a language for the task CLASSIFY, as a code for strings_catalogue; as long as the strings. */
const char *strings_classify(const struct strings *s, const char *code);
/* The codes of all languages in the order of their names; returns how many there are, at most `most`
 * of them written. */
size_t strings_codes(const struct strings *s, const char **codes, size_t most);
/* The first language of an Accept-Language header that there is a catalogue for, by its weights;
 * "en" otherwise. */
const char *strings_accept(const struct strings *s, struct sv header);
/* The catalogue to be put under "t" in a page's data: its texts, "code" and "help_url", and "scripts_json", text that is safe
 * inside a <script> element. English for an unknown code. Never counted, so threads may share it. */
json_t *strings_catalogue(const struct strings *s, const char *code);

/* A text with {name} replaced, in the arena: pairs of name and value, then NULL. `key` must be in
 * the catalogue (BUG). */
const char *strings_fill(const json_t *catalogue, struct arena *a, const char *key, ...)
    __attribute__((sentinel));
/* KEY_one for 1, KEY_other for the rest, with {n} replaced. */
const char *strings_count(const json_t *catalogue, struct arena *a, const char *key, int64_t n);

#endif
