/* lists.h - the kit of lists. What the address of a list may ask is one table of parameters; from it come reading
 * the address and writing it, the options of the form, heads that sort, and what other forms carry along. A new
 * filter or sort is a row. Besides: links to the pages of a list, and the cursors of the API.
 *
 * A list has a struct for what is asked for. What is usual is such a struct too: what is not in an address is as
 * there, and what is as there is not in an address. */
#ifndef WEB_CORE_LISTS_H
#define WEB_CORE_LISTS_H

#include <jansson.h>

#include "web/core/app.h"

/* ---- what a list asks for ---- */

struct list_word {
    const char *word, *label; /* in addresses, on pages */
    int value;
};

enum list_kind {
    LIST_WORD,   /* int or enum: the value of one of `words` */
    LIST_WORDS,  /* unsigned: a bit for the value of each word given, as bin=4&bin=5 or bin=4,5 */
    LIST_ORDER,  /* bool: falling or rising; which is usual follows from the sort */
    LIST_NUMBER, /* int64_t from `least` to `most` */
    LIST_SHARE,  /* double from 0 to 1 */
    LIST_REAL,   /* double from `least` to `most` */
    LIST_TEXT,   /* struct sv */
    LIST_FLAG,   /* bool: 1 */
};
struct list_param {
    const char *name;
    enum list_kind kind;
    size_t at;                     /* of the value in the list's struct */
    const struct list_word *words; /* ends with a row without word */
    int64_t least, most;
    bool always;                   /* in addresses also when it is usual */
    bool moment;                   /* of the page on show, not of what a person would keep: page, as_of */
    const char *chips;             /* a LIST_WORD that is chosen by chips: what they choose; NULL: it is not */
};
struct list_table {
    const struct list_param *params; /* in the order of addresses; ends with a row without name */
    size_t size;                     /* of the list's struct */
    const struct list_param *sort;   /* the LIST_WORD by which it is sorted; NULL: it has one order */
    bool (*falls)(int sort);         /* whether a sort is falling when nobody says which way */
};

/* From the address. ERR_INPUT (rule "list") names the parameter and what it may be. */
enum err_code list_read(struct ctx *c, const struct list_table *t, const void *usual, void *out);
/* The address of what `asked` asks for; `moment`: of the page on show, else of what a person would keep. */
const char *list_url(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                     const void *asked, bool moment);
/* {url, sorted: "ascending", "descending" or null}: the head of a column that sorts by `sort`, the other way round
 * when the list is sorted by it already. New reference. */
json_t *list_head(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                  const void *asked, int sort);
/* {word: list_head} of every sort there is. New reference. */
json_t *list_heads(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                   const void *asked);
/* Rising (0) and falling (1), for the form of a LIST_ORDER. */
extern const struct list_word list_orders[];
/* [{value, label, current}] of a form's choice. New reference. */
json_t *list_options(const struct list_word *words, int current);
/* [{name, value}]: the address as it came, for a form about something else, without the parameters of the moment
 * and without `without` (NULL: nothing). New reference. */
json_t *list_keep(struct ctx *c, const struct list_table *t, const char *without);
/* The parameters with chips, which apply at once, for layout/chips: {action, choices [{name, label, options}], keep}.
 * New reference. */
json_t *list_chips(struct ctx *c, const struct list_table *t, const char *path, const void *asked);
/* The value of a word of an address, `name` being its parameter; empty leaves *out. ERR_INPUT (rule "list"). */
enum err_code list_word_read(struct ctx *c, const char *name, const struct list_word *words, struct sv given, int *out);
/* One parameter's value in the list's struct: read from a text (empty leaves it), and as addresses have it. ERR_INPUT (rule
 * "list"). Not of a LIST_ORDER. */
enum err_code list_value_read(struct ctx *c, const struct list_param *p, struct sv given, void *list);
struct sv list_value_text(struct ctx *c, const struct list_param *p, const void *list);
/* The word of a value; NULL when there is none. */
const char *list_word_of(const struct list_word *words, int value);

/* ---- pages of a list, for layout/page_links: {text, first_url, previous_url, next_url, last_url} ---- */

/* `base` is the address up to "page=N", `rest` what follows. New reference. */
json_t *list_pages(struct ctx *c, int64_t page, int64_t pages, const char *base, const char *rest);
/* The page that the address asks for, where it asks for nothing else of the list. ERR_INPUT (rule "list"). */
enum err_code list_page_asked(struct ctx *c, int64_t *out);
/* Which of its pages is shown: the one asked for, or the last. */
struct list_page {
    int64_t no, pages;  /* from 1 */
    size_t skip, most;  /* rows before it, rows on it at most */
    const char *name;   /* "page"; of a second list on the same page another one */
};
struct list_page list_page_of(int64_t rows, size_t most, int64_t asked);
/* As list_pages, of a parameter p->name; JSON null of a list that has one page. New reference. */
json_t *list_page_links(struct ctx *c, const struct list_page *p, const char *base, const char *rest);
/* Of a list whose address says from which row on: "Classes 101 to 200 of 950", for `what` "Classes". `base` is the
 * address up to "from=N". New reference. */
json_t *list_parts(struct ctx *c, const char *what, int64_t from, int64_t n, int64_t step,
                   const char *base, const char *rest);
/* The row from which on it is shown: "from" of the address, at most INT64_MAX / 2. ERR_INPUT (rule "cursor"). */
enum err_code list_from(struct ctx *c, int64_t *out);

/* ---- lists of the API ---- */

struct cursor {
    int64_t from;  /* the "next" of an earlier page; 0: the first page */
    size_t limit;  /* rows of this page */
};
/* From the query: `name` ("after" or "before") and "limit", which is 1 to `most`, and `usual` when it is
 * not there. ERR_INPUT (rule "cursor") for anything else. */
enum err_code cursor_read(struct ctx *c, const char *name, size_t usual, size_t most,
                          struct cursor *out);

#endif
