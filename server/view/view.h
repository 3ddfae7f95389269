/* view.h - pages from Mustache templates (the specification's core) and json data.
 * All templates are compiled at start. `{{x}}` escapes & < > " '. Data for scripts travels as
 * <script type="application/json">{{{x_json}}}</script>, where names ending in _json hold text
 * made by view_json_text. A chart is markup that chart/ made: {{{svg}}} in layout/chart and layout/report_figure; a
 * report has its style sheets in it: {{{css}}} in report/index. The guide's text is markup of view/markdown.h: {{{markdown}}} in
 * layout/classes/guide_text. No other triple or & tag is allowed (tests/lint/templates). */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "view/strings.h"

struct view;

/* Compiles every built-in templates/NAME.mustache ("work/grid"). `strict`: a plain name that the
 * data lacks, or a partial that does not exist, is ERR_BUG (tests); otherwise it renders empty and
 * is logged once per name. */
enum err_code view_open(bool strict, struct view **out, struct err *err);
void view_close(struct view *v);

/* Appends template `name` with `data` (borrowed) to `out`; ERR_BUG when there is no such template,
 * ERR_LIMIT when `out` is full. Any number of threads at a time. Partials `{{> area/part}}` are templates too. */
enum err_code view_render(const struct view *v, const char *name, const json_t *data,
                          struct str *out, struct err *err);

/* JSON text that is safe inside a <script> element: "<" ">" "&" U+2028 U+2029 are escaped. The
 * caller owns the json_t string that is returned. */
json_t *view_json_text(const json_t *value);

/* "/static/css/tokens.3f2a91c0.css" for "css/tokens.css": names change with content, so that they
 * can be cached for ever. NULL for an unknown file. */
const char *view_asset_url(const struct view *v, const char *name);

/* The same for templates: an object with a URL for every file of static/, to be put under "assets"
 * in each page's data: {{assets.css_tokens}} is css/tokens.css. A key is the path without its
 * extension, with _ for each of / . -. Lives as long as the view and is never counted, so threads
 * may share it; nobody may change it. */
json_t *view_assets(const struct view *v);

/* The texts of workers' pages in every language; they live as long as the view. */
const struct strings *view_strings(const struct view *v);

#endif
