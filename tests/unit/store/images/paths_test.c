/* paths_test.c - names of image files: other programs and every later version rely on them. */
#include "unit.h"

#include <fcntl.h>

#include "store/images/paths.h"

TEST(names)
{
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

/* Zeros behind an image are no part of it; an image without them, or a short one, is whole. */
TEST(length)
{
    char *folder = unit_folder(), *path = NULL;
    unsigned char bytes[GRID_TAIL + 10] = {0};
    memset(bytes, 1, 10);
    unit_write(folder, "file", bytes, sizeof bytes);
    assert_true(asprintf(&path, "%s/file", folder) > 0);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(rendition_length(fd, sizeof bytes), 10);
    assert_int_equal(rendition_length(fd, 10), 10);
    assert_int_equal(rendition_length(fd, GRID_TAIL), GRID_TAIL);
    assert_int_equal(pwrite(fd, "x", 1, GRID_TAIL + 9), 1);
    assert_int_equal(rendition_length(fd, sizeof bytes), sizeof bytes);
    close(fd);
    free(path);
    unit_remove(folder);
}
