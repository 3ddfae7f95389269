/* backup_test.c - making a backup and restoring one as functions: what they hand back, with nobody who listens. */
#include "unit.h"

#include <sys/stat.h>

#include "store/images/paths.h"
#include "store/operate/settings.h"
#include "temp_project.h"
#include "transfer/backup/backup_make.h"
#include "transfer/backup/backup_restore.h"
#include "world.h"

struct places {
    struct temp_project *t;
    char *beside; /* a folder for the backups and for what is restored */
    const char *target, *restored;
    struct transfer tr;
    struct backup_ask ask;
    struct backup_made made;
};

static int open_all(void **state)
{
    static const unsigned char key[32] = "the key of a project in a test.";
    struct places *p = calloc(1, sizeof *p);
    temp_project_open((void **)&p->t);
    p->beside = unit_folder();
    p->target = fs_join(&p->t->arena, p->beside, "backups");
    p->restored = fs_join(&p->t->arena, p->beside, "restored");
    p->tr = (struct transfer){.db = p->t->db, .arena = &p->t->arena, .err = &p->t->err, .dir = p->t->dir, .alone = true};
    p->ask = (struct backup_ask){.target = p->target, .keep = 2};
    assert_int_equal(settings_put_secret(p->t->db, "person_key", key, sizeof key, &p->t->err), OK);
    assert_int_equal(settings_put(p->t->db, "name", SV("birds"), &p->t->err), OK);
    *state = p;
    return 0;
}

static int close_all(void **state)
{
    struct places *p = *state;
    unit_remove(p->beside);
    temp_project_close((void **)&p->t);
    free(p);
    return 0;
}

/* An image with its three files. */
static void add_image(struct places *p)
{
    static const unsigned char sha[32] = {7};
    struct temp_project *t = p->t;
    world_image_of(t->db, 0, world_class(t->db, 1), "candidate", sha[0]);
    assert_int_equal(fs_mkdirs(fs_join(&t->arena, t->dir, "images/07"), &t->err), OK);
    for (unsigned kind = RENDITION_SOURCE; kind <= RENDITION_GRID; kind++) {
        const char *path = path_rendition(&t->arena, t->dir, sha, (enum rendition_kind)kind);
        assert_int_equal(fs_write_whole(path, "x", 1, false, &t->err), OK);
    }
}

static void count_damaged(void *arg, const char *path, const char *why)
{
    (void)path;
    (void)why;
    ++*(int *)arg;
}

static enum err_code restore(struct places *p, struct backup_restored *out)
{
    int damaged = 0;
    struct transfer tr = p->tr;
    tr.db = NULL;
    tr.dir = p->restored;
    enum err_code rc = backup_restore(&tr, p->target, count_damaged, &damaged, out);
    assert_int_equal(damaged, 0);
    return rc;
}

TEST_WITH(there_and_back, open_all, close_all)
{
    struct places *p = *state;
    struct backup_restored r;
    struct db *db;
    int again;
    add_image(p);
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    assert_string_equal(p->made.m.project, "birds");
    assert_true(p->made.m.checked);
    assert_int_equal(p->made.generations, 1);
    assert_int_equal(temp_int(p->t, "SELECT count(*) FROM setting WHERE key = 'backup.last'"), 1);
    assert_int_equal(restore(p, &r), OK);
    assert_string_equal(r.folder, p->made.folder);
    assert_string_equal(r.m.project, "birds");
    assert_int_equal(r.counts.files, 3);
    const char *lock = fs_join(&p->t->arena, p->restored, "lock");
    assert_int_equal(fs_lock(lock, false, &again, NULL), ERR_BUSY); /* held for whoever restored */
    fs_unlock(r.lock);
    struct stat st;
    assert_int_equal(stat(p->restored, &st), 0);
    assert_int_equal(st.st_mode & 077, 0); /* its owner's alone, as `init` makes it */
    assert_int_equal(db_open(fs_join(&p->t->arena, p->restored, "holdout.db"), DB_READ, &db, &p->t->err), OK);
    db_close(db);
    assert_int_equal(restore(p, &r), ERR_CONFLICT);
    assert_null(r.folder);
    assert_int_equal(r.lock, -1);
    temp_clear(p->t, ERR_CONFLICT, "not-empty");
    rmdir(fs_join(&p->t->arena, p->restored, "models")); /* unit_remove finds folders by their files */
    rmdir(fs_join(&p->t->arena, p->restored, "exports"));
}

TEST_WITH(generations, open_all, close_all)
{
    struct places *p = *state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    }
    assert_int_equal(p->made.generations, 2);
    assert_int_equal(p->made.removed, 1);
}

/* The oldest cannot go, because its new name is taken by somebody's folder: the new one is there and counts. */
TEST_WITH(what_cannot_go, open_all, close_all)
{
    struct places *p = *state;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    const char *taken = arena_printf(&p->t->arena, "%s.removed", p->made.folder);
    assert_int_equal(fs_mkdirs(taken, &p->t->err), OK);
    unit_write(taken, "mine", "x", 1);
    p->ask.keep = 1;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), ERR_IO);
    assert_non_null(p->made.folder);
    assert_int_equal(p->made.generations, 2);
    assert_int_equal(p->made.removed, 0);
    assert_int_equal(temp_int(p->t, "SELECT value FROM setting WHERE key = 'backup.last'"), p->made.m.made_ms);
    temp_clear(p->t, ERR_IO, "io");
}

static bool at_once(void *arg)
{
    ++*(int *)arg;
    return true;
}

TEST_WITH(stopped, open_all, close_all)
{
    struct places *p = *state;
    struct backup_restored r;
    int asked = 0;
    add_image(p);
    p->ask.stop = at_once;
    p->ask.arg = &asked;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), ERR_BUSY);
    assert_true(asked > 0);
    assert_null(p->made.folder);
    temp_clear(p->t, ERR_BUSY, "stopped");
    assert_int_not_equal(restore(p, &r), OK);
    err_clear(&p->t->err);
    p->ask.stop = NULL;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    assert_int_equal(p->made.generations, 1);
}

TEST_WITH(a_damaged_database_is_no_backup, open_all, close_all)
{
    struct places *p = *state;
    world_image(p->t->db, 0, world_class(p->t->db, 1), "candidate");
    assert_int_equal(db_script(p->t->db, "UPDATE image_count SET n = n + 1", &p->t->err), OK);
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), ERR_CONFLICT);
    assert_null(p->made.folder);
    assert_non_null(strstr(p->t->err.msg, "counter: 1 image counts"));
    temp_clear(p->t, ERR_CONFLICT, "database-damaged");
}

TEST_WITH(missing_files, open_all, close_all)
{
    struct places *p = *state;
    world_image_of(p->t->db, 0, world_class(p->t->db, 1), "candidate", 7);
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), ERR_CONFLICT);
    assert_non_null(p->made.folder); /* the backup is there all the same */
    assert_int_equal(p->made.counts.missing, 3);
    temp_clear(p->t, ERR_CONFLICT, "files-missing");
}

TEST_WITH(dry_runs_write_nothing, open_all, close_all)
{
    struct places *p = *state;
    struct backup_restored r;
    p->tr.dry_run = true;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    assert_null(p->made.folder);
    assert_false(fs_exists(p->target));
    p->tr.dry_run = false;
    assert_int_equal(backup_make(&p->tr, &p->ask, &p->made), OK);
    p->tr.dry_run = true;
    assert_int_equal(restore(p, &r), OK);
    assert_null(r.folder);
    assert_false(fs_exists(p->restored));
}
