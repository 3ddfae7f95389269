/* list.h - the list of classes: what the address asks for, sorted, filtered, one page of it. Slow steps only. */
#ifndef WEB_CLASSES_LIST_H
#define WEB_CLASSES_LIST_H

#include "store/classes/classes.h"
#include "web/core/lists.h"
#include "web/parts/class_numbers.h"

enum { CLASS_LIST_PAGE = 100 };
enum class_sort {
    CLASS_CID, CLASS_WNID, CLASS_NAME, CLASS_IMAGES, CLASS_ANSWERS, CLASS_ORIGINALS,
    CLASS_CANDIDATES, CLASS_COVERAGE, CLASS_DIFFERENCE
};
enum class_only {
    CLASS_ALL,
    CLASS_BELOW,        /* fewer covered originals than the target */
    CLASS_NO_ORIGINALS, /* none in the project */
    CLASS_SHORT_TOP,    /* fewer candidates in the top bin than a sample of 10 needs */
    CLASS_SHORT,        /* in any bin */
};
extern const struct list_word class_sorts[], class_onlys[];

struct class_query {
    struct sv q, view;
    enum class_sort sort;
    bool falling;
    enum class_only only;
    int64_t as_of, page, skip; /* as of 0: now; page from 1, or with skip >= 0 rows left out */
};
/* ERR_INPUT (rule "list"). */
enum err_code class_query_read(struct ctx *c, struct class_query *out);
extern const struct list_table class_table;
extern const struct class_query class_usual;

struct class_line {
    const struct class_info *info;
    struct class_numbers now;   /* the newest, with intervals */
    int64_t images, originals;  /* in the project */
    uint32_t target[HISTOGRAM_BINS];
    double key;                 /* of the order; larger than any value: not known */
};
struct class_list {
    struct class_line *lines;   /* of this page, in the arena */
    size_t n, total;
    int64_t page, pages, as_of, coverage; /* coverage: the target */
    bool newer;                 /* the numbers are newer than the order */
};
enum err_code class_list_make(struct ctx *c, const struct class_query *q, size_t most,
                              struct class_list *out);
/* Selection frequency of originals minus that of candidates; false: one is not known. */
bool class_difference(const struct stats_class *s, double *out);

/* Addresses: the list as asked without its moment, and one of its pages as of the same moment. */
const char *class_query_url(struct ctx *c, const char *path, const struct class_query *q);
const char *class_list_url(struct ctx *c, const char *path, const struct class_query *q,
                           const struct class_list *l, int64_t page);

#endif
