/* paths_test.c - names of image files: other programs and every later version rely on them. */
#include "unit.h"

#include "store/paths.h"

static void test_names(void **state)
{
    (void)state;
    struct arena a;
    unsigned char sha[32];
    arena_init(&a, 4096);
    for (int i = 0; i < 32; i++) {
        sha[i] = (unsigned char)(i * 8 + 7);
    }
#define HEX "070f171f272f373f474f575f676f777f878f979fa7afb7bfc7cfd7dfe7eff7ff"
    assert_string_equal(path_rendition(&a, "p", sha, RENDITION_SOURCE), "p/images/07/" HEX ".source");
    assert_string_equal(path_rendition(&a, "p", sha, RENDITION_VIEW), "p/images/07/" HEX ".view");
    assert_string_equal(path_rendition(&a, "a/b", sha, RENDITION_GRID),
                        "a/b/images/07/" HEX ".grid");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
