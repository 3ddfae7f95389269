/* draw_test.c - the same seed draws the same bytes on any number of threads, another one others; what
 * was drawn is read back as it was. */
#include "unit_crypto.h"

#include "crypto/crypto.h"
#include "demo/draw.h"
#include "demo/glyphs.h"
#include "demo/truth.h"

TESTS_SHARE(unit_crypto, NULL)

enum { EACH = 1 + 6 + 1 + 1 + 1 };
static const struct world_size size = {"test", 1, 6, 1, 1, 1, true};

struct sum {
    const char *folder;
    struct str all; /* names and hashes */
    int jpegs;
};

static enum err_code add_file(void *arg, const char *relative, struct err *err)
{
    struct sum *s = arg;
    struct arena a;
    unsigned char hash[CRYPTO_CONTENT];
    size_t bytes = 0;
    arena_init(&a, 1 << 16);
    enum err_code rc = crypto_blake2b_file(fs_join(&a, s->folder, relative), hash, &bytes, err);
    bool jpeg = sv_ends(sv_of(relative), ".jpg");
    assert_true(!jpeg || bytes > 1000);
    str_addz(&s->all, relative);
    str_add(&s->all, hash, sizeof hash);
    s->jpegs += jpeg;
    arena_release(&a);
    return rc;
}

static void tell(void *arg, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    *(uint64_t *)arg = done;
}

static void check_truth(const char *folder)
{
    struct err err = {0};
    struct truth t;
    struct arena a;
    arena_init(&a, 1 << 16);
    assert_int_equal(truth_load(fs_join(&a, folder, "truth.jsonl"), &t, &err), OK);
    assert_int_equal(t.n, WORLD_SMALL * EACH);
    unsigned shown = 0;
    for (size_t i = 0; i < t.n; i++) {
        for (unsigned k = 0; k < WORLD_CLASSES; k++) {
            assert_true(t.images[i].shown[k] >= 0 && t.images[i].shown[k] <= 1);
            shown += t.images[i].shown[k] > 0;
        }
    }
    assert_true(shown >= t.n * 3 / 4);
    assert_null(truth_of(&t, SV("no such image")));
    truth_release(&t);
    arena_release(&a);
}

static struct sum draw(uint64_t seed, unsigned threads)
{
    struct err err = {0};
    uint64_t told = 0;
    char *folder = unit_folder();
    struct sum s = {.folder = folder};
    struct demo_draw d = {.dir = folder, .font = glyphs_font, .size = &size, .seed = seed,
                          .threads = threads, .progress = tell, .arg = &told};
    str_init(&s.all, 1 << 20);
    assert_int_equal(demo_draw(&d, &err), OK);
    assert_int_equal(fs_walk(folder, add_file, &s, &err), OK);
    assert_int_equal(s.jpegs, WORLD_SMALL * EACH);
    assert_in_range(told, 1, WORLD_SMALL * EACH);
    check_truth(folder);
    unit_remove(folder);
    return s;
}

TEST(seed)
{
    struct sum one = draw(1, 1), same = draw(1, 3), other = draw(2, 2);
    assert_int_equal(one.all.n, same.all.n);
    assert_memory_equal(one.all.p, same.all.p, one.all.n);
    assert_true(one.all.n != other.all.n || memcmp(one.all.p, other.all.p, one.all.n) != 0);
    str_release(&one.all);
    str_release(&same.all);
    str_release(&other.all);
}

TEST(no_folder)
{
    struct err err = {0};
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 4096);
    unit_write(folder, "file", "x", 1);
    struct demo_draw d = {.dir = fs_join(&a, folder, "file"), .font = glyphs_font, .size = &size,
                          .threads = 2};
    assert_int_not_equal(demo_draw(&d, &err), OK);
    assert_true(*err.msg);
    arena_release(&a);
    unit_remove(folder);
}

TEST(bad_truth)
{
    static const char *const bad[] = {"{\"image\": \"a\"}\n", "{\"objects\": []}\n", "nonsense\n",
                                      "{\"image\": 3, \"objects\": []}\n"};
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        struct truth t;
        unit_write(folder, "truth.jsonl", bad[i], strlen(bad[i]));
        assert_int_equal(truth_load(fs_join(&a, folder, "truth.jsonl"), &t, &err), ERR_INPUT);
        assert_non_null(strstr(err.msg, "truth.jsonl:1"));
        truth_release(&t);
    }
    arena_release(&a);
    unit_remove(folder);
}
