/* draw.c - draws an album on several threads and writes the lists beside it. */
#include "demo/draw.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "demo/album.h"

enum { QUALITY = 88, QUALITY_AGAIN = 66, THREADS_MOST = 16, ALBUM_MOST = 64 << 20 };

/* One drawing of an album; the threads take picture after picture. */
struct easel {
    const struct demo_draw *d;
    const struct scene_kit *kit;
    struct album album;
    atomic_size_t next, done;
    atomic_bool failed;
    pthread_mutex_t lock;
    struct err err; /* the first one; under the lock */
};

static enum err_code draw_picture(const struct easel *e, struct picture *p, struct err *err)
{
    struct arena a;
    struct image im = {0};
    struct str jpeg;
    bool again = p->of && p->change == SCENE_SAVED_AGAIN;
    arena_init(&a, 1 << 16);
    str_init(&jpeg, 8 << 20);
    scene_draw(e->kit, &p->wish, p->seed, &p->truth, &im);
    enum err_code rc = p->of ? scene_change(p->change, &p->truth, &im, err) : OK;
    rc = rc == OK ? image_encode_jpeg(&im, again ? QUALITY_AGAIN : QUALITY, &jpeg, err) : rc;
    if (rc == OK) {
        rc = fs_write_whole(fs_join(&a, e->d->dir, p->path), jpeg.p, jpeg.n, false, err);
    }
    image_release(&im);
    str_release(&jpeg);
    arena_release(&a);
    return rc;
}

static void work(struct easel *e, bool tells)
{
    for (size_t i; !atomic_load(&e->failed) && (i = atomic_fetch_add(&e->next, 1)) < e->album.n;) {
        struct err err = {OK, "", ""};
        if (draw_picture(e, &e->album.pictures[i], &err) != OK) {
            pthread_mutex_lock(&e->lock);
            if (!atomic_exchange(&e->failed, true)) {
                e->err = err;
            }
            pthread_mutex_unlock(&e->lock);
        }
        size_t done = atomic_fetch_add(&e->done, 1) + 1;
        if (tells && e->d->progress) {
            e->d->progress(e->d->arg, done, e->album.n);
        }
    }
}

static void *run_thread(void *arg)
{
    work(arg, false);
    return NULL;
}

static enum err_code draw_all(struct easel *e, struct err *err)
{
    pthread_t threads[THREADS_MOST];
    unsigned n = 0, most = e->d->threads > THREADS_MOST ? THREADS_MOST : e->d->threads;
    pthread_mutex_init(&e->lock, NULL);
    while (n + 1 < most && thread_start(&threads[n], "draw", run_thread, e, NULL) == OK) {
        n++;
    }
    work(e, true);
    for (unsigned i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&e->lock);
    if (atomic_load(&e->failed)) {
        *err = e->err;
        return err->code;
    }
    return OK;
}

/* ------------------------------------------------------------------ lists */

static void add_object(struct str *s, const struct scene_object *o)
{
    str_printf(s, "{\"class\": \"%s\", \"box\": [%d, %d, %d, %d], \"visibility\": %.3f, "
               "\"tinted\": %s}", world_classes[o->class_index].wnid, o->left, o->top,
               o->right - o->left, o->bottom - o->top, (double)o->visibility,
               o->tinted ? "true" : "false");
}

static void add_truth(struct str *s, const struct picture *p)
{
    bool any = false;
    str_printf(s, "{\"image\": \"%s\", \"class\": \"%s\", \"set\": \"%s\", \"drawing\": %s, "
               "\"gray\": %s, \"objects\": [", p->name, world_classes[p->wish.class_index].wnid,
               album_set_words[p->set], p->truth.drawing ? "true" : "false",
               p->truth.gray ? "true" : "false");
    for (unsigned i = 0; i < p->truth.n; i++) {
        if (p->truth.object[i].class_index >= 0) {
            str_addz(s, any ? ", " : "");
            add_object(s, &p->truth.object[i]);
            any = true;
        }
    }
    str_addc(s, ']');
    if (p->of) {
        str_printf(s, ", \"near_duplicate_of\": \"%s\", \"change\": \"%s\"", p->of->name,
                   scene_change_words[p->change]);
    }
    str_addz(s, "}\n");
}

static void add_row(struct str *s, const struct picture *p)
{
    const struct world_class *k = &world_classes[p->wish.class_index];
    str_printf(s, "%s,%s,%s,%s,%s,%s,https://photos.example/%s,%s,%s,%s\n", p->name, p->path,
               k->wnid, album_set_words[p->set], p->taken_at, p->source_id, p->source_id, p->author,
               p->licence, p->keyword);
}

static enum err_code write_lists(const struct easel *e, struct err *err)
{
    struct arena a;
    struct str rows, truth, twins;
    arena_init(&a, 1 << 20);
    str_init(&rows, 64 << 20);
    str_init(&truth, 64 << 20);
    str_init(&twins, 16 << 20);
    str_addz(&rows, "id,path,class,role,taken_at,source_id,link,author,licence,keyword\n");
    str_addz(&twins, "image,of,change\n");
    for (size_t i = 0; i < e->album.n; i++) {
        const struct picture *p = &e->album.pictures[i];
        add_truth(&truth, p);
        if (p->set != SET_TRAIN) {
            add_row(&rows, p);
        }
        if (p->of) {
            str_printf(&twins, "%s,%s,%s\n", p->name, p->of->name, scene_change_words[p->change]);
        }
    }
    const struct {
        const char *name;
        const struct str *text;
    } files[] = {{"images.csv", &rows}, {"truth.jsonl", &truth}, {"near-duplicates.csv", &twins}};
    enum err_code rc = OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && rc == OK; i++) {
        rc = fs_write_whole(fs_join(&a, e->d->dir, files[i].name), files[i].text->p,
                            files[i].text->n, false, err);
    }
    str_release(&rows);
    str_release(&truth);
    str_release(&twins);
    arena_release(&a);
    return rc;
}

static enum err_code make_folders(const struct demo_draw *d, struct arena *a, struct err *err)
{
    enum err_code rc = OK;
    for (unsigned i = 0; i < WORLD_CLASSES * SETS && rc == OK; i++) {
        const struct world_class *k = &world_classes[i / SETS];
        if (!d->size->small || k->small) {
            rc = fs_mkdirs(arena_printf(a, "%s/%s/%s", d->dir, album_set_words[i % SETS], k->wnid),
                           err);
        }
    }
    return rc == OK ? world_write_classes(fs_join(a, d->dir, "classes.jsonl"), d->size->small, err)
                    : rc;
}

enum err_code demo_draw(const struct demo_draw *d, struct err *err)
{
    struct arena a;
    struct scene_kit *kit = xmalloc(sizeof *kit);
    struct easel e = {.d = d, .kit = kit};
    arena_init(&a, ALBUM_MOST);
    enum err_code rc = scene_kit_load(d->font, kit, err);
    rc = rc == OK ? make_folders(d, &a, err) : rc;
    if (rc == OK) {
        e.album = album_plan(d->size, d->seed, &a);
        rc = draw_all(&e, err);
    }
    rc = rc == OK ? write_lists(&e, err) : rc;
    arena_release(&a);
    free(kit);
    return rc;
}
