/* export_test.c - what the command line cannot time: an export that is stopped, two at once,
 * and what a killed one left. What is in the folder is tests/cli/export_set.test.mjs. */
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sets/export/export.h"
#include "sets/revisions/digest.h"
#include "store/images/paths.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 200 };

struct export_world {
    struct temp_project *t;
    struct revision_row revision;
    struct tally *tally;
    struct set_export_ask ask;
    struct set_export_result result;
    size_t asked, told; /* how often; the last progress */
};

static void put_source(struct temp_project *t, unsigned char content)
{
    unsigned char sha256[32] = {content};
    const char *path = path_rendition(&t->arena, t->dir, sha256, RENDITION_SOURCE);
    char *folder = arena_strdup(&t->arena, path);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(fs_mkdirs(folder, &t->err), OK);
    assert_int_equal(fs_write_new(path, "0123456789", 10, &t->err), OK);
}

/* A set of images whose bytes are there. */
static void make_world(struct export_world *w, struct temp_project *t)
{
    struct revision_image images[IMAGES];
    int64_t k = world_class(t->db, 1);
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = (struct revision_image){
            (uint32_t)world_image_of(t->db, i, k, "candidate", (unsigned char)(i + 1)),
            (uint32_t)k};
        put_source(t, (unsigned char)(i + 1));
    }
    assert_int_equal(temp_int(t, "UPDATE source SET bytes = 10 RETURNING 1"), 1);
    *w = (struct export_world){.t = t, .tally = tally_new()};
    struct revision_new r = world_list(images, IMAGES);
    assert_int_equal(revisions_get(t->db, world_revision(t->db, &r), &t->arena, &w->revision, &t->err), OK);
    assert_int_equal(tally_fold(w->tally, t->db, &t->err), OK);
    w->ask = (struct set_export_ask){.revision = &w->revision,
                                     .project = t->dir,
                                     .target = fs_join(&t->arena, t->dir, "out"),
                                     .flags_to_quarantine = 3,
                                     .now = WORLD_NOW,
                                     .arg = w};
}

static enum err_code export(struct export_world *w) {
    return set_export_write(w->t->db, w->tally, &w->ask, &w->result, &w->t->err);
}

static const char *in(const struct export_world *w, const char *name)
{
    return arena_printf(&w->t->arena, "%s%s", w->ask.target, name);
}

static void told(void *arg, size_t done, size_t of)
{
    struct export_world *w = arg;
    assert_int_equal(of, IMAGES);
    assert_true(done <= of);
    w->told = done;
}

static bool second_time(void *arg)
{
    struct export_world *w = arg;
    return ++w->asked == 2;
}

PROJECT_TEST(stopped_in_the_middle)
{
    struct export_world w;
    make_world(&w, *state);
    w.ask.progress = told;
    w.ask.stop = second_time;
    w.ask.threads = 1;
    assert_int_equal(export(&w), ERR_BUSY);
    temp_clear(w.t, ERR_BUSY, "export-stopped");
    assert_true(w.told > 0 && w.told < IMAGES);
    assert_false(fs_exists(in(&w, "")));
    assert_false(fs_exists(in(&w, ".partial")));
    w.ask.stop = NULL;
    assert_int_equal(export(&w), OK);
    assert_int_equal(w.told, IMAGES);
    assert_int_equal(w.result.files, IMAGES);
    assert_int_equal(w.result.bytes, 10 * IMAGES);
    assert_int_equal(fs_size(in(&w, "/images/n00000001/image-7.jpg")), 10);
    assert_false(fs_exists(in(&w, "/.holdout-export")));
    tally_free(w.tally);
}

/* The other one holds its folder as long as it runs; when it was killed, its folder is in nobody's
 * hands. */
PROJECT_TEST(another_one_writes_there)
{
    struct export_world w;
    make_world(&w, *state);
    const char *partial = in(&w, ".partial");
    assert_int_equal(mkdir(partial, 0755), 0);
    unit_write(partial, ".holdout-export", "", 0);
    unit_write(partial, "half", "x", 1);
    int fd = open(partial, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(export(&w), ERR_BUSY);
    temp_clear(w.t, ERR_BUSY, "export-busy");
    assert_true(fs_exists(in(&w, ".partial/half")));
    close(fd);
    assert_int_equal(export(&w), OK);
    assert_false(fs_exists(partial));
    assert_false(fs_exists(in(&w, "/half")));
    tally_free(w.tally);
}

/* A link in what a killed export left leads out of it: the link goes, what it leads to stays. */
PROJECT_TEST(cleaning_up_follows_no_links)
{
    struct export_world w;
    make_world(&w, *state);
    const char *partial = in(&w, ".partial"), *mine = in(&w, "-mine");
    assert_int_equal(mkdir(partial, 0755), 0);
    assert_int_equal(mkdir(mine, 0755), 0);
    unit_write(mine, "file", "x", 1);
    unit_write(partial, ".holdout-export", "", 0);
    assert_int_equal(symlink(mine, in(&w, ".partial/link")), 0);
    assert_int_equal(export(&w), OK);
    assert_true(fs_exists(in(&w, "-mine/file")));
    tally_free(w.tally);
}

/* An export that is killed while it clears up, too, leaves what the next one knows. */
PROJECT_TEST(the_mark_of_what_is_ours_goes_last)
{
    enum { ROUND = 20 };
    struct export_world w;
    _Alignas(struct inotify_event) char events[64 * (2 * ROUND + 8)];
    const char *last = "";
    size_t n = 0;
    make_world(&w, *state);
    const char *partial = in(&w, ".partial");
    assert_int_equal(mkdir(partial, 0755), 0);
    for (int i = 0; i < 2 * ROUND; i++) {
        unit_write(partial, arena_printf(&w.t->arena, "file-%d", i), "x", 1);
        if (i == ROUND) {
            unit_write(partial, ".holdout-export", "", 0);
        }
    }
    int fd = inotify_init1(IN_NONBLOCK);
    assert_true(fd >= 0 && inotify_add_watch(fd, partial, IN_DELETE) >= 0);
    assert_int_equal(export(&w), OK);
    ssize_t bytes = read(fd, events, sizeof events);
    assert_true(bytes > 0);
    for (ssize_t at = 0; at < bytes;) {
        const struct inotify_event *event = (const struct inotify_event *)(events + at);
        if (event->mask & IN_DELETE) {
            last = event->name;
            n++;
        }
        at += (ssize_t)(sizeof *event + event->len);
    }
    assert_int_equal(n, 2 * ROUND + 1);
    assert_string_equal(last, ".holdout-export");
    close(fd);
    tally_free(w.tally);
}

/* Killed before it made its mark, or after it removed all else. */
PROJECT_TEST(an_empty_folder_is_ours)
{
    struct export_world w;
    make_world(&w, *state);
    const char *partial = in(&w, ".partial");
    assert_int_equal(mkdir(partial, 0755), 0);
    int fd = open(partial, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(export(&w), ERR_BUSY); /* whoever made it is about to go on */
    temp_clear(w.t, ERR_BUSY, "export-busy");
    assert_true(fs_is_dir(partial));
    close(fd);
    assert_int_equal(export(&w), OK);
    assert_false(fs_exists(partial));
    assert_int_equal(w.result.files, IMAGES);
    tally_free(w.tally);
}
