/* arena_test.c - alignment, growth, the cap, copies. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

TEST(pieces_are_aligned_and_apart)
{
    struct arena a;
    arena_init(&a, (size_t)1 << 24);
    unsigned char *piece[200];
    for (size_t i = 0; i < 200; i++) {
        size_t n = i * 37 % 6000; /* below and above one block */
        piece[i] = arena_alloc(&a, n);
        assert_int_equal((uintptr_t)piece[i] % 16, 0);
        memset(piece[i], (int)i, n);
    }
    for (size_t i = 0; i < 200; i++) {
        for (size_t j = 0; j < i * 37 % 6000; j++) {
            assert_int_equal(piece[i][j], i);
        }
    }
    arena_release(&a);
    assert_null(a.last);
    assert_int_equal(a.used, 0);
    assert_non_null(arena_alloc(&a, 10)); /* usable again */
    arena_release(&a);
}

TEST(calloc_clears)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    memset(arena_alloc(&a, 3000), 0xff, 3000);
    arena_release(&a);
    const unsigned char *p = arena_calloc(&a, 300, 10);
    for (size_t i = 0; i < 3000; i++) {
        assert_int_equal(p[i], 0);
    }
    arena_release(&a);
}

TEST(copies_end_with_nul)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    char text[] = "borrowed";
    struct sv s = arena_sv(&a, sv_make(text, 3));
    char *c = arena_cstr(&a, sv_of(text));
    char *d = arena_strdup(&a, NULL);
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(s.n, 3);
    assert_string_equal(s.p, "bor");
    assert_string_equal(c, "borrowed");
    assert_string_equal(d, "");
    assert_string_equal(arena_sv(&a, sv_make(NULL, 0)).p, "");
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "z"), "7-z");
    char *longer = arena_printf(&a, "%09000d", 1);
    assert_int_equal(strlen(longer), 9000);
    arena_release(&a);
}

/* True when `work` dies of abort(). */
static bool aborts(void (*work)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        work();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void too_much(void)
{
    struct arena a;
    arena_init(&a, 1000);
    arena_alloc(&a, 800);
    arena_alloc(&a, 300);
}

static void too_much_at_once(void)
{
    struct arena a;
    arena_init(&a, 1000);
    arena_alloc(&a, SIZE_MAX);
}

/* Cleared it takes as much again, whatever it held before. */
TEST(cleared_is_empty)
{
    struct arena a;
    arena_init(&a, 20000);
    arena_clear(&a);
    for (size_t first = 16; first <= 16384; first *= 4) {
        for (int i = 0; i < 3; i++) {
            memset(arena_alloc(&a, first), 'x', first);
            for (size_t n = a.used; n + 160 <= 20000; n += 160) {
                memset(arena_alloc(&a, 160), 'y', 160);
            }
            arena_clear(&a);
            assert_int_equal(a.used, 0);
        }
    }
    arena_release(&a);
    assert_null(a.last);
}

static void product_overflows(void)
{
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    arena_calloc(&a, SIZE_MAX / 2, 4);
}

static void just_enough(void)
{
    struct arena a;
    arena_init(&a, 1000);
    arena_alloc(&a, 800);
    arena_alloc(&a, 200);
    arena_release(&a);
}

TEST(the_cap_aborts)
{
    assert_true(aborts(too_much));
    assert_true(aborts(too_much_at_once));
    assert_true(aborts(product_overflows));
    assert_false(aborts(just_enough));
}

TEST(a_budget_is_spent_instead)
{
    struct arena a;
    struct arena_budget outer, inner;
    arena_init(&a, 1000);
    assert_false(arena_budget_spent());
    arena_budget_begin(&outer);
    arena_budget_begin(&inner);
    memset(arena_alloc(&a, 900), 'x', 900);
    assert_false(arena_budget_spent());
    memset(arena_alloc(&a, 5000), 'y', 5000); /* served, and every one after it */
    assert_true(arena_budget_spent());
    memset(arena_calloc(&a, 100, 100), 'z', 10000);
    arena_budget_end(&inner);
    assert_true(inner.spent && !arena_budget_spent());
    arena_budget_end(&outer);
    assert_false(outer.spent);
    assert_true(aborts(too_much));
    arena_release(&a);
}
