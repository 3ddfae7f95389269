/* fuzz_said.c - any text as JSON lines of what a model said: reading comes to an end, a line that is taken keeps its
 * promises, one that is refused says so in words that can be shown, and any text that was taken has one meaning. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "domain/labels/text_class.h"
#include "formats/jsonl.h"
#include "formats/said.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_text(struct sv text, size_t most)
{
    BUG_IF(text.n > most || !sv_utf8(text));
}

/* With a list that says of the text what it is, however it is written. */
static void check_meaning(const struct text_list *l, struct sv text)
{
    struct text_list own;
    text_list_init(&own);
    text_list_add(&own, SV("n00000001"), SV("apple"), 1);
    bool taken = text_list_decide(&own, text, 1);
    struct text_meaning is = text_list_find(&own, TEXT_WORDS, text), before = text_list_find(l, TEXT_NUMBERS, text);
    BUG_IF(taken ? is.outcome != TEXT_CLASS || is.cid != 1 : is.outcome != TEXT_EMPTY);
    BUG_IF((before.outcome == TEXT_EMPTY) == taken || (before.cid == TEXT_NO_CLASS) != (before.outcome != TEXT_CLASS));
    text_list_release(&own);
}

static void check_line(const struct text_list *l, const struct said *s)
{
    BUG_IF(s->image.n == 0 || (!s->has_text && s->n == 0) || s->n > SAID_CANDIDATES);
    check_text(s->image, SAID_TEXT);
    check_text(s->text, SAID_TEXT);
    check_text(s->prompt, SAID_PROMPT);
    check_text(s->recipe, SAID_RECIPE);
    BUG_IF(s->recipe.n && s->recipe.p[0] != '{');
    check_meaning(l, s->text);
    for (size_t i = 0; i < s->n; i++) {
        check_text(s->scores[i].text, SAID_TEXT);
        BUG_IF(!isfinite(s->scores[i].score));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sv text = sv_make((const char *)data, n), recipe;
    struct arena a;
    struct err err = {OK, "", ""};
    struct text_list l;
    struct jsonl lines;
    struct said s;
    json_t *o = NULL;
    text_list_init(&l);
    text_list_add(&l, SV("n00000002"), SV("pear|apple"), 2);
    arena_init(&a, (size_t)64 << 20);
    enum err_code rc = said_recipe(text, &a, &recipe, &err);
    BUG_IF(rc != err.code || (rc != OK && err.msg[0] == '\0'));
    jsonl_open(&lines, "fuzz", text);
    err_clear(&err);
    while (jsonl_next(&lines, &o, &err) == OK && o) {
        rc = said_read(o, &a, &s, &err);
        BUG_IF(rc != err.code || (rc != OK && (rc != ERR_INPUT || err.msg[0] == '\0')));
        if (rc == OK) {
            check_line(&l, &s);
        }
        err_clear(&err);
        json_decref(o);
        o = NULL;
    }
    arena_release(&a);
    text_list_release(&l);
    return 0;
}
