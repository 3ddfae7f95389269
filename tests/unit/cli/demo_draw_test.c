/* demo_draw_test.c - the demo's images: the same seed draws the same bytes, another one others. */
#include "unit.h"

#include "cli/demo_draw.h"
#include "crypto/crypto.h"

struct sum {
    const char *folder;
    struct str all; /* names and hashes */
    int jpegs;
};

static enum err_code add_file(void *arg, const char *relative, struct err *err)
{
    struct sum *s = arg;
    struct arena a;
    unsigned char sha[CRYPTO_HASH];
    size_t bytes = 0;
    arena_init(&a, 1 << 16);
    enum err_code rc = crypto_sha256_file(fs_join(&a, s->folder, relative), sha, &bytes, err);
    str_addz(&s->all, relative);
    str_add(&s->all, sha, sizeof sha);
    bool jpeg = sv_ends(sv_of(relative), ".jpg");
    assert_true(!jpeg || bytes > 1000);
    s->jpegs += jpeg;
    arena_release(&a);
    return rc;
}

static struct sum draw(uint64_t seed)
{
    struct err err = {0};
    char *folder = unit_folder();
    struct sum s = {.folder = folder};
    str_init(&s.all, 1 << 20);
    assert_int_equal(demo_draw(folder, seed, 1, 2, &err), OK);
    assert_int_equal(fs_walk(folder, add_file, &s, &err), OK);
    unit_remove(folder);
    return s;
}

static void test_seed(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(crypto_init(&err), OK);
    struct sum one = draw(1), same = draw(1), other = draw(2);
    assert_int_equal(one.jpegs, 6 * 3);
    assert_int_equal(other.jpegs, 6 * 3);
    assert_int_equal(one.all.n, same.all.n);
    assert_memory_equal(one.all.p, same.all.p, one.all.n);
    assert_int_equal(one.all.n, other.all.n); /* the same names, */
    assert_memory_not_equal(one.all.p, other.all.p, one.all.n); /* other pixels */
    str_release(&one.all);
    str_release(&same.all);
    str_release(&other.all);
}

static void test_no_folder(void **state)
{
    (void)state;
    struct err err = {0};
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 4096);
    unit_write(folder, "file", "x", 1);
    assert_int_not_equal(demo_draw(fs_join(&a, folder, "file"), 1, 1, 1, &err), OK);
    assert_true(*err.msg);
    arena_release(&a);
    unit_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
