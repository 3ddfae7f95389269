/* score_world.c - see score_world.h. */
#include "measures/score_world.h"

#include <string.h>

#include "store/sets/score_pins.h"
#include "unit.h"
#include "world.h"

/* Of each model: files for no list, for set 0 (two), for set 1; two ways to run it. */
static const struct {
    const char *kind;
    int set; /* -1: none */
} ways[SOURCES] = {{"import", -1}, {"import", 0}, {"engine", -1}, {"import", 1}, {"import", 0}, {"engine", -1}};

void world_must(struct world *w, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", w->t->err.rule, w->t->err.msg);
    }
}

static void make_set(struct world *w, int at, struct rng *rng)
{
    struct revision_image images[SET_MOST];
    uint32_t order[IMAGES];
    char name[16];
    bool added;
    int64_t id;
    for (uint32_t i = 0; i < IMAGES; i++) {
        order[i] = i;
    }
    rng_shuffle_u32(rng, order, IMAGES);
    w->sets[at].n = SET_MOST - at;
    for (int i = 0; i < w->sets[at].n; i++) {
        int cid = 1 + (int)rng_below(rng, CLASSES);
        w->sets[at].image[i] = (int)order[i];
        w->sets[at].cid[i] = cid;
        images[i] = (struct revision_image){(uint32_t)w->images[order[i]], (uint32_t)w->classes[cid]};
    }
    snprintf(name, sizeof name, "set-%d", at);
    struct revision_new r = {.set = sv_of(name), .role = SV("new"), .strategy = SV("import"),
                             .parameters = SV("{}"), .images = images, .n = (size_t)w->sets[at].n,
                             .state = REVISION_UNSEALED, .state_reason = SV("a look")};
    r.digest[0] = (unsigned char)(at + 1);
    world_must(w, revisions_add(w->t->db, true, &r, WORLD_NOW, &id, &added, &w->t->err));
    world_must(w, revisions_get(w->t->db, id, &w->t->arena, &w->sets[at].r, &w->t->err));
    w->sets[at].frozen = -1;
    for (int m = 0; m < MODELS; m++) {
        w->sets[at].decided[m] = -1;
    }
}

static void make_models(struct world *w)
{
    for (int m = 0; m < MODELS; m++) {
        struct model_row row = {.kind = SV("import")};
        char name[16];
        bool added;
        snprintf(name, sizeof name, "m%d", m);
        row.name = sv_of(name);
        world_must(w, db_tx_begin(w->t->db, &w->t->err));
        world_must(w, models_put(w->t->db, &row, 0, WORLD_NOW, &added, &w->t->err));
        world_must(w, db_tx_commit(w->t->db, &w->t->err));
        w->models[m] = row.id;
        for (int s = 0; s < SOURCES; s++) {
            struct prediction_source *src = &w->sources[m][s];
            *src = (struct prediction_source){.model = row.id, .kind = SV("import"), .bytes = SV("unknown"),
                                              .engine = SV("f"), .recipe = SV("{}"), .k = 5 - s % 4, .scored = s % 2};
            src->kind = sv_of(ways[s].kind);
            src->revision = ways[s].set < 0 ? 0 : w->sets[ways[s].set].r.id;
            src->digest[0] = (unsigned char)s;
            world_must(w, predictions_source(w->t->db, src, 0, WORLD_NOW, &added, &w->t->err));
        }
    }
}

struct world *score_world_make(struct temp_project *t, struct rng *rng)
{
    struct world *w = arena_calloc(&t->arena, 1, sizeof *w);
    w->t = t;
    w->scores = model_scores_new();
    for (unsigned c = 1; c <= CLASSES; c++) {
        w->classes[c] = world_class(t->db, c);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        w->images[i] = world_image(t->db, i, w->classes[1], "candidate");
    }
    for (int i = 0; i < SETS; i++) {
        make_set(w, i, rng);
    }
    make_models(w);
    return w;
}

static bool has(const struct world *w, int m, int s, int image, int until)
{
    for (int i = 0; i < until; i++) {
        if (w->log[i].model == m && w->log[i].source == s && w->log[i].image == image) {
            return true;
        }
    }
    return false;
}

void score_world_predict(struct world *w, struct rng *rng)
{
    struct prediction p[IMAGES];
    int m = (int)rng_below(rng, MODELS), s = (int)rng_below(rng, SOURCES), n = 0;
    int first = rng_below(rng, 3) ? (int)rng_below(rng, IMAGES) : 0;
    int most = rng_below(rng, 3) ? 1 + (int)rng_below(rng, (uint64_t)(IMAGES - first)) : IMAGES;
    for (int i = first; i < IMAGES && n < most; i++) {
        uint32_t order[CLASSES] = {1, 2, 3, 4, 5, 6, 7};
        rng_shuffle_u32(rng, order, CLASSES);
        if (has(w, m, s, i, w->n_log)) {
            continue;
        }
        p[n] = (struct prediction){.image = (uint32_t)w->images[i]};
        for (int k = 0; k < PREDICTION_K; k++) {
            bool there = k < w->sources[m][s].k;
            p[n].labels[k] = there ? (uint16_t)order[k] : PREDICTION_NONE;
            p[n].scores[k] = there && w->sources[m][s].scored ? (float)rng_unit(rng) : 0;
        }
        w->log[w->n_log].model = m;
        w->log[w->n_log].source = s;
        w->log[w->n_log].image = i;
        w->log[w->n_log++].p = p[n++];
    }
    if (n) {
        world_must(w, db_tx_begin(w->t->db, &w->t->err));
        world_must(w, predictions_append(w->t->db, &w->sources[m][s], p, (size_t)n, &w->t->err));
        world_must(w, db_tx_commit(w->t->db, &w->t->err));
    }
}

void score_world_freeze(struct world *w, int set)
{
    world_must(w, db_tx_begin(w->t->db, &w->t->err));
    world_must(w, revision_state_add(w->t->db, w->sets[set].r.id, REVISION_FROZEN, SV("done"), 0, WORLD_NOW, &w->t->err));
    world_must(w, db_tx_commit(w->t->db, &w->t->err));
    w->sets[set].frozen = w->n_log;
}

void score_world_decide(struct world *w, struct rng *rng, int set, int m)
{
    int s = (int)rng_below(rng, SOURCES);
    world_must(w, db_tx_begin(w->t->db, &w->t->err));
    if (w->sets[set].decided[m] < 0) {
        world_must(w, score_decision_add(w->t->db, w->sets[set].r.id, w->models[m], w->sources[m][s].id, SV("why"), 0,
                                   WORLD_NOW, &w->t->err));
        w->sets[set].decided[m] = s;
    } else {
        world_must(w, score_decision_undo(w->t->db, w->sets[set].r.id, w->models[m], SV("why"), 0, WORLD_NOW, &w->t->err));
        w->sets[set].decided[m] = -1;
    }
    world_must(w, db_tx_commit(w->t->db, &w->t->err));
}

/* ---- what must count ---- */

static int group_of(int set, int s) /* sources of one group complete each other */
{
    bool run = ways[s].kind[0] == 'e';
    return run ? 10 + s : ways[s].set < 0 ? 1 : ways[s].set == set ? 2 : 0;
}
static int level_of(int set, int s)
{
    int g = group_of(set, s);
    return g >= 10 ? 1 : g;
}

int score_world_covered(const struct world *w, int set, int m, int s, int until)
{
    int n = 0;
    for (int i = 0; i < w->sets[set].n; i++) {
        n += has(w, m, s, w->sets[set].image[i], until);
    }
    return n;
}

/* The sources that score, in order, when all that came by `until` may; how many. */
static int chosen(const struct world *w, int set, int m, int until, int order[SOURCES])
{
    int list[SOURCES], n = 0, same = 0;
    for (int s = 0; s < SOURCES; s++) {
        if (score_world_covered(w, set, m, s, until)) {
            list[n++] = s;
        }
    }
    for (int i = 0; i < n; i++) { /* selection by the words of the rule */
        for (int j = i + 1; j < n; j++) {
            int a = list[i], b = list[j], all = w->sets[set].n;
            int ca = score_world_covered(w, set, m, a, until), cb = score_world_covered(w, set, m, b, until);
            int key = (cb == all) - (ca == all);
            key = key ? key : level_of(set, b) - level_of(set, a);
            key = key ? key : cb - ca;
            if (key > 0 || (key == 0 && b > a)) {
                list[i] = b;
                list[j] = a;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        if (group_of(set, list[i]) == group_of(set, list[0])) {
            order[same++] = list[i];
        }
    }
    int together = 0;
    for (int i = 0; i < w->sets[set].n; i++) {
        bool any = false;
        for (int k = 0; k < same; k++) {
            any = any || has(w, m, order[k], w->sets[set].image[i], until);
        }
        together += any;
    }
    return same && level_of(set, order[0]) == 0 && together < w->sets[set].n ? 0 : same;
}

static void count(struct world *w, int set, int m, int at, int entry)
{
    if (w->counts[m][at].source < 0) {
        w->counts[m][at].source = w->log[entry].source;
        w->counts[m][at].p = w->log[entry].p;
    }
    assert_true(at < w->sets[set].n);
}

static void count_chosen(struct world *w, int set, int m, int until)
{
    int order[SOURCES], n = chosen(w, set, m, until, order);
    for (int k = 0; k < n; k++) {
        for (int at = 0; at < w->sets[set].n; at++) {
            for (int i = 0; i < until; i++) {
                if (w->log[i].model == m && w->log[i].source == order[k] && w->log[i].image == w->sets[set].image[at]) {
                    count(w, set, m, at, i);
                }
            }
        }
    }
}

/* What came after the freeze, one record after the other. */
static void count_later(struct world *w, int set, int m)
{
    int order[SOURCES], n = chosen(w, set, m, w->sets[set].frozen, order), group = n ? group_of(set, order[0]) : -1;
    bool in[SOURCES] = {false};
    int have = 0; /* a complete file leaves nothing to fill in; those behind it are in no chain */
    for (int k = 0; k < n && have < w->sets[set].n; k++) {
        in[order[k]] = true;
        have = 0;
        for (int at = 0; at < w->sets[set].n; at++) {
            bool any = false;
            for (int j = 0; j <= k; j++) {
                any = any || has(w, m, order[j], w->sets[set].image[at], w->sets[set].frozen);
            }
            have += any;
        }
    }
    for (int i = w->sets[set].frozen; i < w->n_log; i++) {
        int s = w->log[i].source, at = 0;
        while (at < w->sets[set].n && w->sets[set].image[at] != w->log[i].image) {
            at++;
        }
        if (w->log[i].model != m || at == w->sets[set].n) {
            continue;
        }
        if (group < 0 && level_of(set, s) > 0) {
            group = group_of(set, s);
            in[s] = true;
        } else if (group < 0 && chosen(w, set, m, i + 1, order) > 0) {
            group = 0;
            count_chosen(w, set, m, i + 1);
        }
        if (group == 0 && level_of(set, s) == 2 && score_world_covered(w, set, m, s, i + 1) == w->sets[set].n) {
            group = 2; /* the first file for this list with all images */
            for (int k = 0; k < SET_MOST; k++) {
                w->counts[m][k].source = -1;
            }
            for (int k = 0; k < SOURCES; k++) {
                in[k] = k == s;
            }
            for (int k = 0; k <= i; k++) {
                int of = 0;
                while (of < w->sets[set].n && w->sets[set].image[of] != w->log[k].image) {
                    of++;
                }
                if (w->log[k].model == m && w->log[k].source == s && of < w->sets[set].n) {
                    count(w, set, m, of, k);
                }
            }
        }
        bool new = !has(w, m, s, w->log[i].image, i) && score_world_covered(w, set, m, s, i) == 0;
        in[s] = in[s] || (new && group >= 0 && group < 10 && group_of(set, s) == group);
        if (in[s] && group >= 0) {
            count(w, set, m, at, i);
        }
    }
}

void score_world_count(struct world *w, int set)
{
    for (int m = 0; m < MODELS; m++) {
        for (int at = 0; at < SET_MOST; at++) {
            w->counts[m][at].source = -1;
        }
        if (w->sets[set].decided[m] >= 0) {
            for (int i = 0; i < w->n_log; i++) {
                for (int at = 0; at < w->sets[set].n; at++) {
                    if (w->log[i].model == m && w->log[i].source == w->sets[set].decided[m] &&
                        w->log[i].image == w->sets[set].image[at]) {
                        count(w, set, m, at, i);
                    }
                }
            }
        } else if (w->sets[set].frozen < 0) {
            count_chosen(w, set, m, w->n_log);
        } else {
            count_chosen(w, set, m, w->sets[set].frozen);
            count_later(w, set, m);
        }
    }
}
