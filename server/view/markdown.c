/* markdown.c - a walk over the tree that libcmark makes. Every tag is written here, every text is escaped. */
#include "view/markdown.h"

#include <cmark.h>
#include <string.h>

#include "view/escape.h"

enum { HEADING_FIRST = 3, HEADING_LAST = 6 };

static enum err_code refuse(struct err *err, const char *why)
{
    return err_rule(err, ERR_INPUT, "markdown", "%s Nothing was stored.", why);
}

/* ---- limits ---- */

static enum err_code check_tree(cmark_node *root, struct err *err)
{
    cmark_iter *iter = cmark_iter_new(root);
    int depth = 0, images = 0;
    bool deep = false;
    for (cmark_event_type ev = cmark_iter_next(iter); ev != CMARK_EVENT_DONE && !deep; ev = cmark_iter_next(iter)) {
        cmark_node *node = cmark_iter_get_node(iter);
        const bool leaf = cmark_node_first_child(node) == NULL;
        images += ev == CMARK_EVENT_ENTER && cmark_node_get_type(node) == CMARK_NODE_IMAGE;
        depth += leaf ? 0 : ev == CMARK_EVENT_ENTER ? 1 : -1;
        deep = depth > MARKDOWN_DEPTH;
    }
    cmark_iter_free(iter);
    return deep                       ? refuse(err, "The text has quotes, lists or emphasis more than 32 levels deep.")
           : images > MARKDOWN_IMAGES ? refuse(err, "The text has more than 40 pictures.")
                                      : OK;
}

/* NULL with err set. */
static cmark_node *parse(struct sv text, struct err *err)
{
    if (text.n > MARKDOWN_BYTES) {
        refuse(err, "The text has more than 32 KiB.");
        return NULL;
    }
    if (!sv_utf8(text)) {
        refuse(err, "The text is not UTF-8.");
        return NULL;
    }
    cmark_node *root = cmark_parse_document(text.n ? text.p : "", text.n, CMARK_OPT_DEFAULT);
    if (check_tree(root, err) != OK) {
        cmark_node_free(root);
        return NULL;
    }
    return root;
}

/* ---- writing ---- */

struct writing {
    const struct markdown_ways *ways;
    struct str *out;
    cmark_node *picture; /* whose words are being read instead of written; NULL: none */
    struct str words;
};

static void escaped(struct writing *w, const char *text)
{
    escape_html(w->picture ? &w->words : w->out, sv_of(text));
}

static void attribute(struct writing *w, const char *name, const char *value)
{
    str_printf(w->out, " %s=\"", name);
    escape_html(w->out, sv_of(value));
    str_addc(w->out, '"');
}

static bool starts(const char *url, const char *scheme)
{
    size_t n = strlen(scheme);
    return strlen(url) >= n && sv_eq_nocase(sv_make(url, n), scheme);
}

/* Where a link leads; NULL: nowhere. */
static const char *way_of(const struct writing *w, cmark_node *node, bool *outside)
{
    const char *url = cmark_node_get_url(node);
    *outside = starts(url, "https://") || starts(url, "http://");
    return *outside                 ? url
           : starts(url, "guide:")  ? w->ways->page(w->ways->arg, sv_of(url + strlen("guide:")))
                                    : NULL;
}

static void link_tag(struct writing *w, cmark_node *node, bool enter)
{
    bool outside;
    const char *way = way_of(w, node, &outside);
    if (!way || w->picture) {
        return;
    }
    if (!enter) {
        str_addz(w->out, "</a>");
        return;
    }
    str_addz(w->out, "<a");
    attribute(w, "href", way);
    if (outside) {
        str_addz(w->out, " target=\"_blank\" rel=\"noreferrer noopener nofollow\"");
    }
    str_addc(w->out, '>');
}

/* The words between are read first: they are what the picture is called. */
static void picture(struct writing *w, cmark_node *node, bool enter)
{
    if (enter && !w->picture) {
        w->picture = node;
        str_clear(&w->words);
    }
    if (enter || w->picture != node) {
        return;
    }
    const char *url = cmark_node_get_url(node);
    const char *way = starts(url, "image:") ? w->ways->image(w->ways->arg, sv_of(url + strlen("image:"))) : NULL;
    w->picture = NULL;
    str_addz(w->out, way ? "<img class=\"guide-image\" loading=\"lazy\"" : "<span class=\"muted\">[");
    if (way) {
        attribute(w, "src", way);
        str_addz(w->out, " alt=\"");
    }
    str_addsv(w->out, str_sv(&w->words));
    str_addz(w->out, way ? "\">" : ": this picture is not shown]</span>");
}

/* Paragraphs of a list whose items have no empty lines between them are no <p>. */
static bool tight(cmark_node *node)
{
    cmark_node *item = cmark_node_parent(node), *list = item ? cmark_node_parent(item) : NULL;
    return list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list);
}

static void tag(struct writing *w, const char *name, bool enter)
{
    if (!w->picture) {
        str_printf(w->out, enter ? "<%s>" : "</%s>", name);
    }
}

static void list_tag(struct writing *w, cmark_node *node, bool enter)
{
    const bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    if (enter && ordered && cmark_node_get_list_start(node) != 1) {
        str_printf(w->out, "<ol start=\"%d\">", cmark_node_get_list_start(node));
    } else {
        tag(w, ordered ? "ol" : "ul", enter);
    }
}

static void heading(struct writing *w, cmark_node *node, bool enter)
{
    const int level = cmark_node_get_heading_level(node) + HEADING_FIRST - 1;
    const char name[] = {'h', (char)('0' + (level > HEADING_LAST ? HEADING_LAST : level)), '\0'};
    tag(w, name, enter);
}

static void code(struct writing *w, cmark_node *node, bool block)
{
    if (!w->picture) {
        str_addz(w->out, block ? "<pre><code>" : "<code>");
    }
    escaped(w, cmark_node_get_literal(node));
    if (!w->picture) {
        str_addz(w->out, block ? "</code></pre>\n" : "</code>");
    }
}

static void write_node(struct writing *w, cmark_node *node, bool enter)
{
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_BLOCK_QUOTE: tag(w, "blockquote", enter); break;
    case CMARK_NODE_LIST: list_tag(w, node, enter); break;
    case CMARK_NODE_ITEM: tag(w, "li", enter); break;
    case CMARK_NODE_HEADING: heading(w, node, enter); break;
    case CMARK_NODE_EMPH: tag(w, "em", enter); break;
    case CMARK_NODE_STRONG: tag(w, "strong", enter); break;
    case CMARK_NODE_THEMATIC_BREAK: str_addz(w->out, "<hr>"); break;
    case CMARK_NODE_CODE_BLOCK: code(w, node, true); break;
    case CMARK_NODE_CODE: code(w, node, false); break;
    case CMARK_NODE_TEXT:
    case CMARK_NODE_HTML_INLINE: escaped(w, cmark_node_get_literal(node)); break;
    case CMARK_NODE_SOFTBREAK: escaped(w, "\n"); break;
    case CMARK_NODE_LINEBREAK: w->picture ? escaped(w, " ") : str_addz(w->out, "<br>\n"); break;
    case CMARK_NODE_LINK: link_tag(w, node, enter); break;
    case CMARK_NODE_IMAGE: picture(w, node, enter); break;
    case CMARK_NODE_PARAGRAPH:
        if (!tight(node)) {
            tag(w, "p", enter);
        }
        break;
    case CMARK_NODE_HTML_BLOCK:
        tag(w, "p", true);
        escape_html(w->out, sv_trim(sv_of(cmark_node_get_literal(node))));
        tag(w, "p", false);
        break;
    case CMARK_NODE_NONE:
    case CMARK_NODE_DOCUMENT:
    case CMARK_NODE_CUSTOM_BLOCK:
    case CMARK_NODE_CUSTOM_INLINE:
    default: break; /* no tags of their own; custom ones come of no text */
    }
}

enum err_code markdown_html(struct sv text, const struct markdown_ways *ways, struct str *out, struct err *err)
{
    struct writing w = {.ways = ways, .out = out};
    cmark_node *root = parse(text, err);
    if (!root) {
        return ERR_INPUT;
    }
    str_init(&w.words, MARKDOWN_HTML);
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type ev = cmark_iter_next(iter); ev != CMARK_EVENT_DONE; ev = cmark_iter_next(iter)) {
        write_node(&w, cmark_iter_get_node(iter), ev == CMARK_EVENT_ENTER);
    }
    cmark_iter_free(iter);
    cmark_node_free(root);
    str_release(&w.words);
    return str_check(out, "the text", err);
}
