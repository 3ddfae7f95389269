/* router.c - patterns kept as a tree of path segments. A node's literal children are tried before
 * its parameter and that before its rest, so what is found is the most specific pattern from the
 * left that has the method. */
#include "http/router.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { METHODS = HTTP_OTHER + 1, ROUTER_MAX = 1 << 20, NO_ROW = -1, NO_METHOD = -2 };

struct node {
    struct sv segment;
    struct node *next;    /* the parent's next literal child */
    struct node *literal; /* the first literal child */
    struct node *param, *rest;
    int rows[METHODS]; /* index of the row that ends here, or NO_ROW */
};

struct router {
    struct arena arena;
    struct node *root;
};

/* Cuts the slash that paths and patterns begin with; p is NULL when there is none. */
static struct sv without_slash(struct sv path)
{
    if (path.n == 0 || path.p[0] != '/') {
        return (struct sv){0};
    }
    return sv_make(path.p + 1, path.n - 1);
}

static struct node *node_new(struct arena *a, struct sv segment)
{
    struct node *node = arena_calloc(a, 1, sizeof *node);
    node->segment = segment;
    for (int m = 0; m < METHODS; m++) {
        node->rows[m] = NO_ROW;
    }
    return node;
}

static struct node *literal_child(const struct node *node, struct sv segment)
{
    struct node *child = node->literal;
    while (child && !sv_eq(child->segment, segment)) {
        child = child->next;
    }
    return child;
}

/* The child for one segment of a pattern, made when it is new. */
static struct node *child_for(struct arena *a, struct node *node, struct sv segment)
{
    if (sv_starts(segment, ":") || sv_starts(segment, "*")) {
        struct node **slot = segment.p[0] == ':' ? &node->param : &node->rest;
        if (!*slot) {
            *slot = node_new(a, segment);
        }
        return *slot;
    }
    struct node *child = literal_child(node, segment);
    if (!child) {
        child = node_new(a, segment);
        child->next = node->literal;
        node->literal = child;
    }
    return child;
}

static void add_row(struct router *r, const char *pattern, enum http_method method, int row)
{
    struct sv rest = without_slash(sv_of(pattern));
    BUG_IF(!rest.p);
    struct node *node = r->root;
    int params = 0;
    while (rest.p) {
        struct sv segment = sv_cut(&rest, '/');
        BUG_IF(sv_starts(segment, "*") && rest.p);
        params += sv_starts(segment, ":") || sv_starts(segment, "*");
        node = child_for(&r->arena, node, segment);
    }
    BUG_IF(params > HTTP_PARAMS);
    BUG_IF(node->rows[method] != NO_ROW); /* two rows for the same request */
    node->rows[method] = row;
}

struct router *router_new(const char *const *patterns, const enum http_method *methods, size_t n)
{
    struct router *r = xcalloc(1, sizeof *r);
    arena_init(&r->arena, ROUTER_MAX);
    r->root = node_new(&r->arena, SV(""));
    for (size_t i = 0; i < n; i++) {
        add_row(r, patterns[i], methods[i], (int)i);
    }
    return r;
}

void router_free(struct router *r)
{
    if (r) {
        arena_release(&r->arena);
        free(r);
    }
}

struct search {
    enum http_method method;
    struct sv *params;
    unsigned allow; /* methods of every pattern that fits */
};

/* The row that ends at this node; without one its methods are noted. */
static int row_at(const struct node *node, struct search *s)
{
    for (unsigned m = 0; m < METHODS; m++) {
        if (node->rows[m] != NO_ROW) {
            s->allow |= 1u << m;
        }
    }
    if (node->rows[HTTP_GET] != NO_ROW) {
        s->allow |= 1u << HTTP_HEAD;
    }
    if (s->method == HTTP_HEAD && node->rows[HTTP_HEAD] == NO_ROW) {
        return node->rows[HTTP_GET];
    }
    return node->rows[s->method];
}

/* Looks below `node` for what is left of the path; p NULL is its end. No deeper than the patterns,
 * and a way back is only tried where a pattern has one of its few parameters. */
static int walk(const struct node *node, struct sv left, struct search *s, int n)
{
    if (!left.p) {
        return row_at(node, s);
    }
    struct sv rest = left;
    struct sv segment = sv_cut(&rest, '/');
    const struct node *child = literal_child(node, segment);
    int row = child ? walk(child, rest, s, n) : NO_ROW;
    if (row == NO_ROW && node->param && segment.n) {
        s->params[n] = segment;
        row = walk(node->param, rest, s, n + 1);
    }
    if (row == NO_ROW && node->rest && left.n) {
        s->params[n] = left;
        row = row_at(node->rest, s);
    }
    return row;
}

int router_find(const struct router *r, enum http_method method, struct sv path,
                struct sv params[HTTP_PARAMS], unsigned *allow)
{
    for (int i = 0; i < HTTP_PARAMS; i++) {
        params[i] = SV("");
    }
    struct search s = {.method = method, .params = params};
    struct sv left = without_slash(path);
    int row = left.p ? walk(r->root, left, &s, 0) : NO_ROW;
    if (row != NO_ROW) {
        return row;
    }
    if (s.allow) {
        *allow = s.allow;
        return NO_METHOD;
    }
    return NO_ROW;
}
