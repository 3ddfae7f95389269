/* wordnet.h - WordNet 3.0 data.noun: synsets and hypernyms. A wnid is "n" + 8-digit offset.
 *
 * A line: offset lex_filenum ss_type w_cnt(hex) word lex_id ... p_cnt(3 digits)
 *         ptr_symbol offset pos source/target ... | gloss
 * The licence lines at the top begin with two blanks. */
#ifndef FORMATS_WORDNET_H
#define FORMATS_WORDNET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

enum { WORDNET_WORDS = 64, WORDNET_PARENTS = 32 };

struct wordnet_synset {
    uint32_t offset;
    struct sv words[WORDNET_WORDS]; /* with underscores as in the file */
    size_t n_words;
    uint32_t parents[WORDNET_PARENTS]; /* offsets of @ and @i pointers to nouns */
    size_t n_parents;
    struct sv gloss; /* definition and examples as in the file, trimmed */
};

struct wordnet {
    const char *name;
    struct sv text, rest;
    uint64_t line;
};
void wordnet_open(struct wordnet *w, const char *name, struct sv text);
/* The next synset; *more false at the end. ERR_INPUT "NAME:LINE: ..." for a malformed line or an
 * offset that is not the byte position of its line. */
enum err_code wordnet_next(struct wordnet *w, struct wordnet_synset *out, bool *more,
                           struct err *err);

#endif
