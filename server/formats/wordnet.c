/* wordnet.c - synsets of WordNet's data.noun, one line at a time. Knows the file's line format
 * (wordnet.h, wndb(5)) and nothing of classes or the database. */
#include "formats/wordnet.h"

#include <inttypes.h>

void wordnet_open(struct wordnet *w, const char *name, struct sv text)
{
    *w = (struct wordnet){.name = name, .text = text, .rest = text};
}

static enum err_code bad(const struct wordnet *w, const char *what, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": %s", w->name, w->line, what);
}

/* A field of exactly `width` digits in that base. */
static bool fixed(struct sv field, size_t width, unsigned base, uint32_t *out)
{
    uint64_t hex;
    int64_t dec;
    if (field.n != width) {
        return false;
    }
    if (base == 16) {
        if (!sv_hex64(field, &hex)) {
            return false;
        }
        *out = (uint32_t)hex;
        return true;
    }
    if (field.p[0] < '0' || field.p[0] > '9' || !sv_i64(field, &dec)) {
        return false;
    }
    *out = (uint32_t)dec;
    return true;
}

/* offset lex_filenum ss_type */
static enum err_code read_head(const struct wordnet *w, size_t position, struct sv *rest,
                               struct wordnet_synset *out, struct err *err)
{
    uint32_t lex_file;
    if (!fixed(sv_cut(rest, ' '), 8, 10, &out->offset)) {
        return bad(w, "expected a synset offset of 8 digits", err);
    }
    if (out->offset != position) {
        return err_set(err, ERR_INPUT,
                       "%s:%" PRIu64 ": the offset is %08" PRIu32 " but the line "
                       "begins at byte %zu; expected an unchanged WordNet file (line ends "
                       "converted?)",
                       w->name, w->line, out->offset, position);
    }
    if (!fixed(sv_cut(rest, ' '), 2, 10, &lex_file)) {
        return bad(w, "expected a lexicographer file number of 2 digits", err);
    }
    if (!sv_is(sv_cut(rest, ' '), "n")) {
        return bad(w, "expected a noun synset (type n)", err);
    }
    return OK;
}

/* w_cnt, then w_cnt times: word lex_id */
static enum err_code read_words(const struct wordnet *w, struct sv *rest,
                                struct wordnet_synset *out, struct err *err)
{
    uint32_t n, lex_id;
    if (!fixed(sv_cut(rest, ' '), 2, 16, &n) || n == 0 || n > WORDNET_WORDS) {
        return bad(w, "expected a number of words from 01 to 40 (hexadecimal)", err);
    }
    for (uint32_t i = 0; i < n; i++) {
        out->words[i] = sv_cut(rest, ' ');
        if (out->words[i].n == 0 || !fixed(sv_cut(rest, ' '), 1, 16, &lex_id)) {
            return bad(w, "expected as many words with their numbers as the line says", err);
        }
    }
    out->n_words = n;
    return OK;
}

/* p_cnt, then p_cnt times: pointer_symbol offset pos source/target */
static enum err_code read_pointers(const struct wordnet *w, struct sv *rest,
                                   struct wordnet_synset *out, struct err *err)
{
    uint32_t n, offset, words;
    if (!fixed(sv_cut(rest, ' '), 3, 10, &n)) {
        return bad(w, "expected a number of pointers of 3 digits", err);
    }
    out->n_parents = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct sv symbol = sv_cut(rest, ' ');
        if (symbol.n == 0 || !fixed(sv_cut(rest, ' '), 8, 10, &offset)) {
            return bad(w, "expected a pointer symbol and an offset of 8 digits", err);
        }
        struct sv pos = sv_cut(rest, ' ');
        if (pos.n != 1 || !fixed(sv_cut(rest, ' '), 4, 16, &words)) {
            return bad(w, "expected a pointer's part of speech and 4 digits source/target", err);
        }
        if (!sv_is(pos, "n") || !(sv_is(symbol, "@") || sv_is(symbol, "@i"))) {
            continue;
        }
        if (out->n_parents == WORDNET_PARENTS) {
            return bad(w, "expected at most 32 hypernyms", err);
        }
        out->parents[out->n_parents++] = offset;
    }
    return OK;
}

static enum err_code read_line(const struct wordnet *w, struct sv line, struct wordnet_synset *out,
                               struct err *err)
{
    size_t position = (size_t)(line.p - w->text.p);
    if (!sv_utf8(line)) {
        return bad(w, "not valid UTF-8", err);
    }
    enum err_code rc = read_head(w, position, &line, out, err);
    rc = rc == OK ? read_words(w, &line, out, err) : rc;
    rc = rc == OK ? read_pointers(w, &line, out, err) : rc;
    if (rc == OK && !sv_is(sv_cut(&line, ' '), "|")) {
        rc = bad(w, "expected | and a gloss after the last pointer", err);
    }
    if (rc == OK) {
        out->gloss = sv_trim(line);
    }
    return rc;
}

enum err_code wordnet_next(struct wordnet *w, struct wordnet_synset *out, bool *more,
                           struct err *err)
{
    while (w->rest.n) {
        struct sv line = sv_cut(&w->rest, '\n');
        w->line++;
        if (!sv_starts(line, "  ")) {
            *more = true;
            return read_line(w, line, out, err);
        }
    }
    *more = false;
    return OK;
}
