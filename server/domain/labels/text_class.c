/* text_class.c - texts as they are compared, looked up and ranked. */
#include "domain/labels/text_class.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { SEVERAL = TEXT_NO_CLASS, SHORT = 256 };

const char *text_outcome_word(enum text_outcome outcome)
{
    static const char *const words[] = {"class", "out-of-list", "ambiguous", "empty"};
    return words[outcome];
}

bool text_answers_find(struct sv word, enum text_answers *out)
{
    static const char *const words[] = {"words", "wnids", "numbers"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sv_is(word, words[i])) {
            *out = (enum text_answers)i;
            return true;
        }
    }
    return false;
}

/* ---- folding ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* The character of 2 or 3 bytes as the ASCII one that it is compared as: a space, an apostrophe, a hyphen, a full stop for
 * punctuation that is left out at both ends; 0: as itself, 1: not at all. */
static char plain(const char *p, size_t n)
{
    unsigned code = n == 2   ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu)
                    : n == 3 ? (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu)
                             : 0;
    if (code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x3000) {
        return ' ';
    }
    if (code == 0x2018 || code == 0x2019 || code == 0x2bc) {
        return '\'';
    }
    if (code >= 0x2010 && code <= 0x2012) {
        return '-';
    }
    if ((code >= 0x200b && code <= 0x200d) || code == 0xad || code == 0xfeff) {
        return 1;
    }
    bool mark = code == 0xa1 || code == 0xab || code == 0xb7 || code == 0xbb || code == 0xbf ||
                (code >= 0x2013 && code <= 0x205e) || (code >= 0x3001 && code <= 0x3003) || (code >= 0x3008 && code <= 0x3011);
    return mark ? '.' : 0;
}

static char lower(char c)
{
    bool space = c == ' ' || (c >= '\t' && c <= '\r') || c == '_';
    return space ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Everything but the ends: lower case, one space for several, plain punctuation. */
static size_t flatten(struct sv text, char *out)
{
    size_t n = 0;
    while (text.n) {
        size_t bytes = sv_utf8_first(text);
        char as = bytes == 2 || bytes == 3 ? plain(text.p, bytes) : 0;
        bytes = bytes ? bytes : 1;
        char one = bytes == 1 ? lower(text.p[0]) : as;
        if (one == 0) {
            memcpy(out + n, text.p, bytes);
            n += bytes;
        } else if (one != 1 && !(one == ' ' && (n == 0 || out[n - 1] == ' '))) {
            out[n++] = one;
        }
        text = sv_make(text.p + bytes, text.n - bytes);
    }
    return n;
}

static struct sv trimmed(struct sv s)
{
    while (s.n && !is_word(s.p[0])) {
        s = sv_make(s.p + 1, s.n - 1);
    }
    while (s.n && !is_word(s.p[s.n - 1])) {
        s.n--;
    }
    return s;
}

/* Writes the text as it is compared into `out`, which has room for text.n bytes; returns its length. */
static size_t text_fold(struct sv text, char *out)
{
    static const char *const articles[] = {"a ", "an ", "the "};
    struct sv s = trimmed(sv_make(out, flatten(text, out)));
    for (size_t i = 0; i < sizeof articles / sizeof *articles; i++) {
        size_t n = strlen(articles[i]);
        struct sv rest = sv_starts(s, articles[i]) ? trimmed(sv_make(s.p + n, s.n - n)) : SV("");
        if (rest.n) {
            s = rest;
            break;
        }
    }
    memmove(out, s.p, s.n);
    return s.n;
}

/* ---- the list ---- */

/* Folded text; `room` serves the usual ones. Release it with `free(f.own)`. */
struct folded {
    struct sv text;
    char room[SHORT], *own;
};

static void fold(struct folded *f, struct sv text)
{
    f->own = text.n > sizeof f->room ? xmalloc(text.n) : NULL;
    char *out = f->own ? f->own : f->room;
    f->text = sv_make(out, text_fold(text, out));
}

void text_list_init(struct text_list *l)
{
    map_sv_init(&l->words);
    map_sv_init(&l->wnids);
    map_sv_init(&l->decided);
    l->numbers = xcalloc(TEXT_NO_CLASS, sizeof *l->numbers);
}

void text_list_release(struct text_list *l)
{
    map_sv_release(&l->words);
    map_sv_release(&l->wnids);
    map_sv_release(&l->decided);
    free(l->numbers);
}

/* Words of one class come in one go, so that a word that is there belongs to another class, unless it comes twice. */
static void add_word(struct map_sv *words, struct sv word, uint16_t cid)
{
    struct folded f;
    fold(&f, word);
    if (f.text.n && map_sv_put(words, f.text, cid) != cid) {
        map_sv_set(words, f.text, SEVERAL);
    }
    free(f.own);
}

void text_list_add(struct text_list *l, struct sv wnid, struct sv synset, uint16_t cid)
{
    BUG_IF(cid >= TEXT_NO_CLASS);
    l->numbers[cid] = true;
    add_word(&l->wnids, wnid, cid);
    while (synset.n) {
        add_word(&l->words, sv_cut(&synset, '|'), cid);
    }
}

bool text_list_decide(struct text_list *l, struct sv text, uint16_t cid)
{
    struct folded f;
    fold(&f, text);
    bool ok = f.text.n && map_sv_put(&l->decided, f.text, cid) == cid;
    free(f.own);
    return ok;
}

/* Folding takes the sign for punctuation. */
static bool negative(struct sv text)
{
    struct sv s = sv_trim(text);
    return s.n > 1 && s.p[0] == '-' && s.p[1] >= '0' && s.p[1] <= '9';
}

/* `text` as it is compared; `as_said` as it is. */
static uint32_t look_up(const struct text_list *l, enum text_answers answers, struct sv text, struct sv as_said)
{
    int64_t number = -1;
    uint32_t cid = map_sv_get(&l->decided, text);
    if (cid == MAP_NONE && answers == TEXT_WNIDS) {
        cid = map_sv_get(&l->wnids, text);
    }
    if (cid == MAP_NONE && answers == TEXT_NUMBERS && !negative(as_said) && sv_i64(text, &number) && number >= 0 &&
        number < TEXT_NO_CLASS) {
        cid = l->numbers[number] ? (uint32_t)number : MAP_NONE;
    }
    return cid == MAP_NONE ? map_sv_get(&l->words, text) : cid;
}

struct text_meaning text_list_find(const struct text_list *l, enum text_answers answers, struct sv text)
{
    struct text_meaning is = {TEXT_EMPTY, TEXT_NO_CLASS};
    struct folded f;
    fold(&f, text);
    if (f.text.n) {
        uint32_t cid = look_up(l, answers, f.text, text);
        is.outcome = cid == MAP_NONE ? TEXT_OUT_OF_LIST : cid == SEVERAL ? TEXT_AMBIGUOUS : TEXT_CLASS;
        is.cid = is.outcome == TEXT_CLASS ? (uint16_t)cid : TEXT_NO_CLASS;
    }
    free(f.own);
    return is;
}

/* ---- ranking ---- */

static bool better(const struct text_ranking *r, int at, struct text_meaning is, double score)
{
    return score != r->score[at] ? score > r->score[at] : is.cid < r->is[at].cid;
}

static void remove_at(struct text_ranking *r, int at)
{
    for (int i = at; i + 1 < r->n; i++) {
        r->at[i] = r->at[i + 1];
        r->is[i] = r->is[i + 1];
        r->score[i] = r->score[i + 1];
    }
    r->n--;
}

static void insert(struct text_ranking *r, size_t candidate, struct text_meaning is, double score)
{
    int to = r->n;
    while (to > 0 && better(r, to - 1, is, score)) {
        to--;
    }
    if (to == TEXT_RANKED) {
        return;
    }
    r->n += r->n < TEXT_RANKED;
    for (int i = r->n - 1; i > to; i--) {
        r->at[i] = r->at[i - 1];
        r->is[i] = r->is[i - 1];
        r->score[i] = r->score[i - 1];
    }
    r->at[to] = candidate;
    r->is[to] = is;
    r->score[to] = score;
}

struct text_ranking text_rank(const struct text_meaning *is, const double *score, size_t n)
{
    struct text_ranking r = {.n = 0};
    for (size_t i = 0; i < n; i++) {
        int same = 0;
        while (same < r.n && (is[i].outcome != TEXT_CLASS || r.is[same].cid != is[i].cid)) {
            same++;
        }
        if (same < r.n && !better(&r, same, is[i], score[i])) {
            continue;
        }
        if (same < r.n) {
            remove_at(&r, same);
        }
        insert(&r, i, is[i], score[i]);
    }
    return r;
}
