/* transfer_test.c - imports as functions: what is told to whoever listens, in its order, and that nobody needs to. */
#include "unit.h"

#include "base/fs.h"
#include "temp_project.h"
#include "transfer/exports/exports.h"
#include "transfer/imports/imports.h"

static const char classes[] = "cid,wnid,synset\n0,n01,cat\n1,n02,dog\n";
static const char images[] = "image,wnid,kind\na.jpg,n01,cand\nb.jpg,n02,val\n";
static const char wrong[] = "image,wnid,kind\na.jpg,n03,cand\nb.jpg,n02,odd\n";

static const char *file(struct temp_project *t, const char *name, const char *text)
{
    unit_write(t->dir, name, text, strlen(text));
    return fs_join(&t->arena, t->dir, name);
}

static struct transfer quiet(struct temp_project *t)
{
    return (struct transfer){.db = t->db, .arena = &t->arena, .err = &t->err, .dir = t->dir, .alone = true};
}

static void listen(void *arg, enum transfer_say how, const char *text)
{
    static const char *const words[] = {"note", "warning", "skipped"};
    str_printf(arg, "%s %s\n", words[how], text);
}

/* Only that the work began and ended; how often it was told between is nobody's concern. */
static void watch(void *arg, const char *what, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    if (!what) {
        str_addz(arg, "over\n");
    }
}

PROJECT_TEST(nobody_listens)
{
    struct temp_project *t = *state;
    struct transfer tr = quiet(t);
    struct classes_files files = {.classes = file(t, "classes.csv", classes)};
    assert_int_equal(classes_import(&tr, &files), OK);
    assert_int_equal(image_list_import(&tr, file(t, "images.csv", images)), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM image"), 2);
    assert_int_equal(image_list_import(&tr, file(t, "wrong.csv", wrong)), ERR_INPUT);
    assert_non_null(strstr(t->err.msg, "2 rows of "));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM image"), 2);
}

PROJECT_TEST(what_is_said)
{
    struct temp_project *t = *state;
    struct transfer tr = quiet(t);
    struct classes_files files = {.classes = file(t, "classes.csv", classes)};
    struct str said;
    str_init(&said, 1 << 16);
    assert_int_equal(classes_import(&tr, &files), OK);
    tr.say = listen;
    tr.progress = watch;
    tr.arg = &said;
    assert_int_equal(image_list_import(&tr, file(t, "images.csv", images)), OK);
    assert_string_equal(said.p, "over\nnote 2 images read, 2 new.\n");
    str_clear(&said);
    const char *path = file(t, "wrong.csv", wrong);
    assert_int_equal(image_list_import(&tr, path), ERR_INPUT);
    assert_string_equal(said.p, arena_printf(&t->arena,
                                             "over\nskipped %s:2: class n03 is not in the project; import classes first\n"
                                             "over\nskipped %s:3: kind must be cand, val, original, candidate, "
                                             "reference, gold or training\n",
                                             path, path));
    str_release(&said);
}

PROJECT_TEST(dry_run_writes_nothing)
{
    struct temp_project *t = *state;
    struct transfer tr = quiet(t);
    struct classes_files files = {.classes = file(t, "classes.csv", classes)};
    tr.dry_run = true;
    assert_int_equal(classes_import(&tr, &files), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM class"), 0);
}

static enum err_code take(void *arg, const char *p, size_t n, struct err *err)
{
    (void)err;
    str_add(arg, p, n);
    str_addz(arg, n ? "" : "that was all\n");
    return OK;
}

static enum err_code refuse(void *arg, const char *p, size_t n, struct err *err)
{
    (void)arg;
    (void)p;
    (void)n;
    return err_set(err, ERR_IO, "the disk is full");
}

PROJECT_TEST(export_goes_to_whoever_takes_it)
{
    struct temp_project *t = *state;
    struct transfer tr = quiet(t);
    struct str taken;
    str_init(&taken, 1 << 16);
    assert_int_equal(blacklist_import(&tr, file(t, "b.csv", "image,reason,note\na.jpg,other,\"x, y\"\n"), NULL), OK);
    tr.write = take;
    tr.arg = &taken;
    assert_int_equal(blacklist_export(&tr), OK);
    assert_string_equal(taken.p, "image,reason,note\na.jpg,other,\"x, y\"\nthat was all\n");
    tr.write = refuse;
    assert_int_equal(blacklist_export(&tr), ERR_IO);
    assert_string_equal(t->err.msg, "the disk is full");
    str_release(&taken);
}
