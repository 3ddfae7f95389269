/* class_browser.h - what the page of a class says of sampling, and its parts in which people decide
 * about images: bins against the target, what keeps candidates out, originals to compare with, the
 * fields of a picture, who decided what. */
#ifndef WEB_GALLERY_CLASS_BROWSER_H
#define WEB_GALLERY_CLASS_BROWSER_H

#include "store/classes/classes.h"
#include "web/gallery/image_list.h"

/* [{name, originals, target, valid, unreviewed (null: none), shown, few}]; `few`: fewer valid ones
 * than the target. New reference. */
json_t *class_browser_bins(struct ctx *c, const struct class_bins *b);
/* The tile of candidates, appended; then what kept them out: [{label, count}]. New reference. */
json_t *class_browser_excluded(struct ctx *c, json_t *tiles, const struct image_list *l);

/* What keeps an image out of a sample: {blacklisted (label or null), near_duplicate, kept ("kept of
 * 3" or null), unreviewed, set, fields}, and, as fields where `fields` says so, {id, was,
 * candidate, reasons [{reason, label, current}], note, set} of web/review/decide.h. Null for one
 * that is no original or candidate of the class. New reference. */
json_t *class_browser_state(struct ctx *c, const struct class_facts *f, uint32_t image,
                            bool fields);

enum { BROWSER_ORIGINALS = 10, BROWSER_ORIGINALS_MOST = 50 };
struct browser_query {
    int64_t originals, others; /* how many originals beside the candidates; which draw of them */
    int64_t seen;              /* the version that the page was opened with; -1: this is it */
};
/* From the address: originals, others, seen. ERR_INPUT (rule "list"). */
enum err_code browser_query_read(struct ctx *c, struct browser_query *out);
/* {rows [{name, url, thumb_url, frequency {text}, state}], count, total, most, others_url, any};
 * drawn from the class and the number of the draw. `decide`: with fields. New reference; NULL with
 * c->err set. */
json_t *class_browser_originals(struct ctx *c, const struct class_info *k,
                                const struct image_query *q, const struct browser_query *b,
                                const struct class_facts *f, bool decide);
/* {version, list, more, changed}: who decided what, the newest ten (web/parts/decided_data.h); changed:
 * what others did since `seen`. `version` was read before everything that the page shows, so that a
 * decision that came in between is one that its form has not seen. New reference; NULL with c->err
 * set. */
json_t *class_browser_decisions(struct ctx *c, int64_t class_id, int64_t seen, int64_t version);

#endif
