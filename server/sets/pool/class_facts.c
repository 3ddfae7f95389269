/* class_facts.c - gathers a class's images with whatever they are near-duplicates of, and resolves
 * that. */
#include "sets/pool/class_facts.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "store/classes/classes.h"
#include "store/duplicates/class_images.h"
#include "store/duplicates/near_metrics.h"
#include "store/duplicates/near_pairs.h"
#include "store/duplicates/near_review.h"
#include "store/duplicates/review_distances.h"
#include "store/work/flags.h"

/* An image, or a name that pairs alone know. The class's own come first, then what pairs and photos
 * lead to, then the candidates of every class among those: a component keeps its member in the
 * class with the fewest good ones. */
struct node {
    struct sv name;
    int64_t image, class_id; /* 0: the project has no such image */
    int64_t content;         /* equal bytes have equal ones; 0: known by name only */
    struct sv source;        /* id of the photo, empty: not known */
    enum {
        NODE_CANDIDATE,
        NODE_ORIGINAL,
        NODE_OTHER
    } kind;       /* other: reference, gold, known by pairs alone */
    uint32_t own; /* into classes; 0: the class itself */
};
struct work {
    struct db *db;
    const struct class_facts_ask *ask;
    struct arena *arena;
    struct err *err;
    struct node *nodes;
    size_t n_nodes, cap_nodes, n_own;
    struct near_edge *edges;
    size_t n_edges, cap_edges;
    int64_t *classes; /* ids of the classes of all nodes, the asked one first */
    uint32_t *place;  /* of each, in order of wnid */
    size_t n_classes, cap_classes;
    struct map_sv names, sources;
    struct map_u64 by_image; /* to nodes */
    struct map_u64 contents; /* to the first node with these bytes */
    struct near_image *near;
    struct near_result duplicates;
    bool *hidden;                           /* of all nodes */
    const struct blacklist_entry **entries; /* of the class's own; NULL: not blacklisted */
};

/* ---- the images that matter ---- */

static uint32_t class_place(struct work *w, int64_t class_id)
{
    for (size_t i = 0; i < w->n_classes; i++) {
        if (w->classes[i] == class_id) {
            return (uint32_t)i;
        }
    }
    xgrow(&w->classes, &w->cap_classes, w->n_classes + 1, sizeof *w->classes);
    w->classes[w->n_classes] = class_id;
    return (uint32_t)w->n_classes++;
}

static uint32_t add_node(struct work *w, const struct node *n)
{
    uint32_t at = map_sv_put(&w->names, n->name, (uint32_t)w->n_nodes);
    if (at == w->n_nodes) {
        xgrow(&w->nodes, &w->cap_nodes, w->n_nodes + 1, sizeof *w->nodes);
        w->nodes[w->n_nodes++] = *n;
        if (n->image) {
            map_u64_put(&w->by_image, (uint64_t)n->image, at);
        }
    }
    return at;
}

static enum err_code take_image(void *arg, const struct class_image_row *r, struct err *err)
{
    struct work *w = arg;
    struct node n = {.image = r->id, .class_id = r->class_id, .content = r->content};
    (void)err;
    if (map_sv_get(&w->names, r->name) == MAP_NONE) {
        n.kind = sv_is(r->role, "candidate")  ? NODE_CANDIDATE
                 : sv_is(r->role, "original") ? NODE_ORIGINAL
                                              : NODE_OTHER;
        n.name = arena_sv(w->arena, r->name);
        n.source = arena_sv(w->arena, r->source_id);
        n.own = class_place(w, r->class_id);
        add_node(w, &n);
    }
    return OK;
}

/* A name that the project does not have speaks of the data set that is replicated, or of nothing
 * that sampling knows (sets/pool/pool.h). */
static enum err_code node_of(struct work *w, struct sv name, uint32_t *out)
{
    *out = map_sv_get(&w->names, name);
    if (*out != MAP_NONE) {
        return OK;
    }
    enum err_code rc = class_images_named(w->db, name, take_image, w, w->err);
    *out = rc == OK ? map_sv_get(&w->names, name) : MAP_NONE;
    if (rc == OK && *out == MAP_NONE && near_name_of_imagenet(name)) {
        *out = add_node(w, &(struct node){.name = arena_sv(w->arena, name), .kind = NODE_OTHER});
    }
    return rc;
}

static void add_edge(struct work *w, uint32_t a, uint32_t b)
{
    xgrow(&w->edges, &w->cap_edges, w->n_edges + 1, sizeof *w->edges);
    w->edges[w->n_edges++] = (struct near_edge){a, b};
}

static enum err_code add_pairs(struct work *w, const struct near_pair *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = NEAR_NONE, b = NEAR_NONE;
        if (node_of(w, p[i].a, &a) != OK || node_of(w, p[i].b, &b) != OK) {
            return w->err->code;
        }
        add_edge(w, a, b);
    }
    return OK;
}

/* What an image leads to: pairs with its name (those of the class are known already), the others of
 * its photo, those with its bytes. */
static enum err_code follow(struct work *w, size_t at)
{
    struct node n = w->nodes[at];
    enum err_code rc = OK;
    if (at >= w->n_own) {
        struct near_pair *p;
        size_t n_pairs;
        rc = near_pairs_of(w->db, n.name, w->arena, &p, &n_pairs, w->err);
        rc = rc == OK ? add_pairs(w, p, n_pairs) : rc;
    }
    bool fresh = n.source.n && map_sv_get(&w->sources, n.source) == MAP_NONE;
    if (rc == OK && fresh) {
        map_sv_put(&w->sources, n.source, (uint32_t)w->sources.n + 1);
        rc = class_images_of_source(w->db, n.source, take_image, w, w->err);
    }
    if (rc == OK && n.content && map_u64_get(&w->contents, (uint64_t)n.content) == MAP_NONE) {
        map_u64_put(&w->contents, (uint64_t)n.content, (uint32_t)at);
        rc = class_images_of_content(w->db, n.content, take_image, w, w->err);
    }
    return rc;
}

static void add_twins(struct work *w)
{
    for (size_t i = 0; i < w->n_nodes; i++) {
        uint64_t content = (uint64_t)w->nodes[i].content;
        uint32_t first = content ? map_u64_get(&w->contents, content) : MAP_NONE;
        if (first != MAP_NONE && first != i) {
            add_edge(w, first, (uint32_t)i);
        }
    }
}

static enum err_code gather(struct work *w)
{
    struct near_pair *p;
    size_t n;
    class_place(w, w->ask->class_id);
    enum err_code rc = class_images_each(w->db, w->ask->class_id, take_image, w, w->err);
    w->n_own = w->n_nodes;
    rc = rc == OK ? near_pairs_of_class(w->db, w->ask->class_id, w->arena, &p, &n, w->err) : rc;
    rc = rc == OK ? add_pairs(w, p, n) : rc;
    for (size_t i = 0; i < w->n_nodes && rc == OK; i++) { /* grows meanwhile */
        rc = follow(w, i);
    }
    add_twins(w);
    size_t reached = w->n_classes; /* classes of images that nothing leads to have no say */
    for (size_t i = 1; i < reached && rc == OK; i++) {
        rc = class_images_each(w->db, w->classes[i], take_image, w, w->err);
    }
    return rc;
}

/* ---- what is known of them ---- */

struct placed {
    struct sv text;
    uint32_t at;
};

static int by_text(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return sv_cmp(x->text, y->text);
}

/* Places of texts in their order, bytewise; equal ones do not occur. */
static void rank_texts(struct placed *list, size_t n, uint32_t *rank)
{
    qsort(list, n, sizeof *list, by_text);
    for (size_t i = 0; i < n; i++) {
        rank[list[i].at] = (uint32_t)i;
    }
}

static enum err_code rank_classes(struct work *w)
{
    struct placed *list = arena_calloc(w->arena, w->n_classes + 1, sizeof *list);
    w->place = arena_calloc(w->arena, w->n_classes + 1, sizeof *w->place);
    for (size_t i = 0; i < w->n_classes; i++) {
        struct class_info k;
        enum err_code rc = classes_get(w->db, w->classes[i], w->arena, &k, w->err);
        if (rc != OK) {
            return rc;
        }
        list[i] = (struct placed){k.wnid, (uint32_t)i};
    }
    rank_texts(list, w->n_classes, w->place);
    return OK;
}

static void make_near(struct work *w)
{
    struct placed *list = arena_calloc(w->arena, w->n_nodes + 1, sizeof *list);
    uint32_t *rank = arena_calloc(w->arena, w->n_nodes + 1, sizeof *rank);
    w->near = arena_calloc(w->arena, w->n_nodes + 1, sizeof *w->near);
    for (size_t i = 0; i < w->n_nodes; i++) {
        list[i] = (struct placed){w->nodes[i].name, (uint32_t)i};
    }
    rank_texts(list, w->n_nodes, rank);
    for (size_t i = 0; i < w->n_nodes; i++) {
        const struct node *n = &w->nodes[i];
        uint32_t source = n->source.n ? map_sv_get(&w->sources, n->source) : MAP_NONE;
        w->near[i] = (struct near_image){
            .class_index = w->place[n->own],
            .rank = rank[i],
            .source = source == MAP_NONE ? 0 : source,
            .original = n->kind != NODE_CANDIDATE,
        };
    }
}

static void votes_of_tally(struct work *w, struct tally *t)
{
    tally_read_lock(t);
    for (size_t i = 0; i < w->n_nodes; i++) {
        const struct node *n = &w->nodes[i];
        const struct tally_pair *p = n->image ? tally_find(t, n->image, n->class_id) : NULL;
        w->near[i].shown = p ? p->shown : 0;
        w->near[i].selected = p ? p->selected : 0;
    }
    tally_read_unlock(t);
}

static void votes_of_view(struct work *w, const struct view_counts *v)
{
    for (size_t i = 0; i < v->n; i++) {
        uint32_t at = map_u64_get(&w->by_image, v->image[i]);
        if (at != MAP_NONE && w->nodes[at].class_id == v->class_id[i]) {
            w->near[at].shown = v->shown[i];
            w->near[at].selected = v->selected[i];
        }
    }
}

static enum err_code take_keep(void *arg, struct sv name, struct err *err)
{
    struct work *w = arg;
    uint32_t at = map_sv_get(&w->names, name);
    (void)err;
    if (at != MAP_NONE) {
        w->near[at].keep = true;
    }
    return OK;
}

static enum err_code load_blacklist(struct work *w)
{
    w->entries = arena_calloc(w->arena, w->n_own + 1, sizeof *w->entries);
    for (size_t i = 0; i < w->n_classes; i++) {
        struct blacklist_entry *e;
        size_t n;
        enum err_code rc = blacklist_of_class(w->db, w->classes[i], w->arena, &e, &n, w->err);
        if (rc != OK) {
            return rc;
        }
        for (size_t k = 0; k < n; k++) {
            uint32_t at = map_sv_get(&w->names, e[k].name);
            if (at != MAP_NONE) {
                w->near[at].blacklisted = true;
            }
            if (at < w->n_own) {
                w->entries[at] = &e[k];
            }
        }
    }
    return OK;
}

static enum err_code take_hidden(void *arg, int64_t image, struct err *err)
{
    struct work *w = arg;
    uint32_t at = map_u64_get(&w->by_image, (uint64_t)image);
    (void)err;
    if (at != MAP_NONE && w->nodes[at].kind != NODE_OTHER) {
        w->hidden[at] = true;
        w->near[at].blacklisted = true; /* of its component it must not be the one that stays */
    }
    return OK;
}

static enum err_code resolve(struct work *w, struct tally *t)
{
    enum err_code rc = rank_classes(w);
    if (rc != OK) {
        return rc;
    }
    make_near(w);
    if (w->ask->votes) {
        votes_of_view(w, w->ask->votes);
    } else {
        votes_of_tally(w, t);
    }
    w->hidden = arena_calloc(w->arena, w->n_nodes + 1, sizeof *w->hidden);
    rc = load_blacklist(w);
    rc = rc == OK ? flags_hidden(w->db, w->ask->flags_to_quarantine, take_hidden, w, w->err) : rc;
    rc = rc == OK ? near_keeps_each(w->db, 0, take_keep, w, w->err) : rc;
    if (rc == OK) {
        struct near_input in = {w->near, w->n_nodes, w->edges, w->n_edges, (uint32_t)w->n_classes};
        near_duplicates_resolve(&in, w->arena, &w->duplicates);
    }
    return rc;
}

/* ---- what is told of them ---- */

static void tell_components(const struct work *w, struct class_facts *out, uint32_t *number)
{
    const struct near_result *r = &w->duplicates;
    out->components = arena_calloc(w->arena, r->n_components + 1, sizeof *out->components);
    for (size_t i = 0; i < r->n_components; i++) {
        number[i] = NEAR_NONE;
    }
    for (size_t i = 0; i < w->n_own; i++) {
        uint32_t k = r->component[i];
        if (k == NEAR_NONE || number[k] != NEAR_NONE) {
            continue;
        }
        const struct near_component *from = &r->components[k];
        struct class_component *c = &out->components[out->n_components];
        number[k] = (uint32_t)out->n_components++;
        *c = (struct class_component){.n = from->n, .survivor = NEAR_NONE, .rule = from->rule};
        c->members = arena_calloc(w->arena, from->n, sizeof *c->members);
        for (uint32_t m = 0; m < from->n; m++) {
            uint32_t at = r->members[from->first + m];
            const struct node *n = &w->nodes[at];
            c->members[m] = (struct class_relative){n->name, n->image, n->class_id,
                                                    n->kind != NODE_CANDIDATE, r->out[at]};
            c->survivor = at == from->survivor ? m : c->survivor;
        }
    }
}

static void tell_images(const struct work *w, struct class_facts *out)
{
    uint32_t *number = arena_calloc(w->arena, w->duplicates.n_components + 1, sizeof *number);
    tell_components(w, out, number);
    out->images = arena_calloc(w->arena, w->n_own + 1, sizeof *out->images);
    for (size_t i = 0; i < w->n_own; i++) {
        if (w->nodes[i].kind == NODE_OTHER) {
            continue;
        }
        const struct near_image *near = &w->near[i];
        uint32_t k = w->duplicates.component[i];
        out->images[out->n++] = (struct class_fact){
            .image = (uint32_t)w->nodes[i].image,
            .original = near->original,
            .hidden = w->hidden[i],
            .blacklisted = w->entries[i] != NULL,
            .near_duplicate = w->duplicates.out[i],
            .name = w->nodes[i].name,
            .shown = near->shown,
            .selected = near->selected,
            .component = k == NEAR_NONE ? NEAR_NONE : number[k],
            .entry = w->entries[i],
        };
    }
}

static struct class_fact *find(const struct class_facts *f, uint32_t image)
{
    size_t lo = 0, hi = f->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (f->images[mid].image < image) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < f->n && f->images[lo].image == image ? &f->images[lo] : NULL;
}

const struct class_fact *class_facts_find(const struct class_facts *f, uint32_t image)
{
    return find(f, image);
}

/* A metric's distance that is not greater than its target keeps an image out
 * (domain/review/review_gate.h). */
struct gate {
    const struct work *w;
    struct class_facts *facts;
    struct review_gate gate;
    uint8_t *known; /* of each image: bit m, something is known of it by metric m */
    struct near_covered covered[REVIEW_METRICS_MOST]; /* what the project's own searches say */
};

static enum err_code take_distance(void *arg, const struct review_distance_row *r, struct err *err)
{
    const struct gate *g = arg;
    uint32_t at = map_sv_get(&g->w->names, r->name);
    struct class_fact *fact =
        at < g->w->n_own ? find(g->facts, (uint32_t)g->w->nodes[at].image) : NULL;
    (void)err;
    size_t m = review_gate_find(&g->gate, r->metric);
    if (fact && m < g->gate.n && g->gate.metric[m].enabled && !ranges_has(&g->covered[m].queries, fact->image)) {
        g->known[fact - g->facts->images] |= (uint8_t)(1U << m);
        fact->unreviewed |= !review_passes(r->distance, g->gate.metric[m].threshold);
    }
    return OK;
}

static enum err_code take_pair(void *arg, const struct near_open_pair *pair, struct err *err)
{
    const struct gate *g = arg;
    struct class_fact *fact = find(g->facts, (uint32_t)pair->query);
    (void)err;
    if (fact) {
        fact->unreviewed = true;
    }
    return OK;
}

static enum err_code take_searches(struct gate *g)
{
    const struct work *w = g->w;
    enum err_code rc = near_review_covered(w->db, &g->gate, 0, NULL, 0, w->arena, g->covered, w->err);
    for (size_t m = 0; m < g->gate.n && rc == OK; m++) {
        const struct near_covered *c = &g->covered[m];
        if (!g->gate.metric[m].enabled || !c->any) {
            continue;
        }
        for (size_t i = 0; i < g->facts->n; i++) {
            g->known[i] |= (uint8_t)(ranges_has(&c->queries, g->facts->images[i].image) ? 1U << m : 0);
        }
        const struct near_open_ask ask = {.metric = &g->gate.metric[m], .space = c->space, .class_id = w->ask->class_id};
        rc = near_open_each(w->db, &ask, take_pair, g, w->err);
    }
    return rc;
}

static void count(struct class_facts *out)
{
    for (size_t i = 0; i < out->n; i++) {
        const struct class_fact *f = &out->images[i];
        out->originals += f->original;
        out->candidates += !f->original;
        out->blacklisted += !f->original && f->blacklisted;
        out->near_duplicates += !f->original && f->near_duplicate;
        out->unreviewed += !f->original && f->unreviewed;
        out->hidden += !f->original && f->hidden;
    }
}

static enum err_code make(struct work *w, struct tally *t, struct class_facts *out)
{
    enum err_code rc = gather(w);
    rc = rc == OK ? resolve(w, t) : rc;
    if (rc != OK) {
        return rc;
    }
    tell_images(w, out);
    struct gate g = {.w = w, .facts = out};
    g.known = arena_calloc(w->arena, out->n + 1, sizeof *g.known);
    rc = near_metrics_get(w->db, 0, &g.gate, w->err);
    rc = rc == OK ? take_searches(&g) : rc;
    rc = rc == OK ? review_distances_of_class(w->db, w->ask->class_id, take_distance, &g, w->err)
                  : rc;
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        struct class_fact *f = &out->images[i];
        f->unsearched = !f->original && review_unsearched(&g.gate, g.known[i], f->image);
    }
    count(out);
    return rc;
}

enum err_code class_facts_make(struct db *db, struct tally *t, const struct class_facts_ask *ask,
                               struct arena *a, struct class_facts *out, struct err *err)
{
    struct work w = {.db = db, .ask = ask, .arena = a, .err = err};
    *out = (struct class_facts){0};
    enum err_code rc = db_snapshot(db, err);
    if (rc != OK) {
        return rc;
    }
    map_sv_init(&w.names);
    map_sv_init(&w.sources);
    map_u64_init(&w.by_image);
    map_u64_init(&w.contents);
    rc = make(&w, t, out);
    db_snapshot_end(db);
    map_sv_release(&w.names);
    map_sv_release(&w.sources);
    map_u64_release(&w.by_image);
    map_u64_release(&w.contents);
    free(w.nodes);
    free(w.edges);
    free(w.classes);
    return rc;
}

/* ---- bins ---- */

static void count_original(const struct class_fact *f, struct class_bins *out)
{
    if (f->shown >= SAMPLE_ANSWERS_LEAST) {
        out->bin[histogram_bin(f->selected, f->shown)].originals++;
        out->measured++;
        out->mean += (double)f->selected / f->shown;
    }
}

static void count_candidate(const struct class_fact *f, const struct sample_rules *rules,
                            struct class_bins *out)
{
    struct sample_image i = {
        .image = f->image,
        .shown = f->shown,
        .selected = f->selected,
        .blacklisted = f->blacklisted,
        .near_duplicate = f->near_duplicate,
        .unreviewed = f->unreviewed,
        .unsearched = f->unsearched,
        .hidden = f->hidden,
    };
    enum sample_reason why = sample_reason_of(rules, &i, -1);
    struct class_bin *bin =
        f->shown ? &out->bin[histogram_bin(f->selected, f->shown)] : &out->bin[0];
    bin->shown += f->shown > 0;
    if (why == SAMPLE_FINE) {
        bin->valid++;
        out->valid++;
    } else {
        bin->unreviewed += why == SAMPLE_UNREVIEWED;
        out->excluded[why]++;
    }
}

void class_facts_bins(const struct class_facts *f, uint32_t size, struct class_bins *out)
{
    struct sample_rules rules = sample_rules_usual(SAMPLE_MATCHED);
    uint32_t originals[HISTOGRAM_BINS], targets[HISTOGRAM_BINS];
    *out = (struct class_bins){.measured = 0};
    for (size_t i = 0; i < f->n; i++) {
        if (f->images[i].original) {
            count_original(&f->images[i], out);
        } else {
            count_candidate(&f->images[i], &rules, out);
        }
    }
    out->mean = out->measured ? out->mean / out->measured : 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        originals[i] = out->bin[i].originals;
    }
    histogram_targets(originals, size, targets);
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        out->bin[i].target = targets[i];
    }
}
