/* unit.c - the tests of a program in the order of its file, running them, and the scratch arena. See unit.h. */
#include "unit.h"

static struct unit_test *tests;
static CMFixtureFunction before_all, after_all;

void unit_add(struct unit_test *test)
{
    struct unit_test **at = &tests;
    while (*at && (*at)->line < test->line) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
}

void unit_share(CMFixtureFunction before, CMFixtureFunction after)
{
    before_all = before;
    after_all = after;
}

int unit_run(void)
{
    enum { MOST = 256 };
    static struct CMUnitTest group[MOST];
    size_t n = 0;
    for (const struct unit_test *t = tests; t; t = t->next) {
        if (n == MOST) {
            print_error("more than %d tests\n", MOST);
            return 1;
        }
        group[n++] = t->test;
    }
    /* What the macro cmocka_run_group_tests calls for an array of a length known to the compiler. */
    return _cmocka_run_group_tests("tests", group, n, before_all, after_all);
}

struct arena unit_arena;
struct err unit_err;

int unit_arena_open(void **state)
{
    (void)state;
    arena_init(&unit_arena, 64 << 20);
    err_clear(&unit_err);
    return 0;
}

int unit_arena_close(void **state)
{
    (void)state;
    arena_release(&unit_arena);
    return 0;
}
