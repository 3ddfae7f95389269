/* temp_project.c - see temp_project.h. */
#include "unit.h"

#include "base/xalloc.h"
#include "db/migrate.h"
#include "temp_project.h"

int temp_project_open(void **state)
{
    struct temp_project *t = xcalloc(1, sizeof *t);
    arena_init(&t->arena, 16 << 20);
    t->dir = unit_folder();
    const char *path = fs_join(&t->arena, t->dir, "holdout.db");
    assert_int_equal(db_open(path, DB_WRITE, &t->db, &t->err), OK);
    struct migrate_state migrated;
    assert_int_equal(migrate_apply(t->db, &migrated, &t->err), OK);
    *state = t;
    return 0;
}

int temp_project_close(void **state)
{
    struct temp_project *t = *state;
    db_assert_idle(t->db);
    db_close(t->db);
    unit_remove(t->dir);
    arena_release(&t->arena);
    free(t);
    return 0;
}

void temp_clear(struct temp_project *t, enum err_code code, const char *rule)
{
    assert_int_equal(t->err.code, code);
    assert_string_equal(t->err.rule, rule);
    err_clear(&t->err);
}

int64_t temp_int(struct temp_project *t, const char *sql)
{
    int64_t value = 0;
    assert_int_equal(db_one_int(t->db, sql, DB_NONE, &value, &t->err), OK);
    return value;
}
