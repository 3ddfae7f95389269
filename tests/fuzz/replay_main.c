/* replay_main.c - feeds every file of the given folders to LLVMFuzzerTestOneInput, so that what fuzzing once found
 * stays fixed in the normal and sanitizer builds. The empty input is always tried too. Knows nothing of the target. */
#include <stdio.h>

#include "base/fs.h"

enum { INPUT_MAX = 64 << 20 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

struct replay {
    const char *folder;
    size_t files;
};

static enum err_code feed(void *arg, const char *relative, struct err *err)
{
    struct replay *r = arg;
    struct arena a;
    struct str s;
    arena_init(&a, 1 << 16);
    str_init(&s, INPUT_MAX);
    const char *path = fs_join(&a, r->folder, relative);
    enum err_code rc = fs_read(path, &s, err);
    if (rc == OK) {
        /* A copy of exactly this size lets the address sanitizer see a read past the end. */
        size_t n;
        char *p = str_take(&s, &n);
        unsigned char *exact = malloc(n ? n : 1);
        BUG_IF(!exact);
        memcpy(exact, p, n);
        free(p);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
        r->files++;
    }
    str_release(&s);
    arena_release(&a);
    return rc;
}

int main(int argc, char **argv)
{
    struct replay r = {0};
    struct err err = {0};
    LLVMFuzzerTestOneInput((const unsigned char *)"", 0);
    for (int i = 1; i < argc; i++) {
        r.folder = argv[i];
        if (fs_is_dir(r.folder) && fs_walk(r.folder, feed, &r, &err) != OK) {
            fprintf(stderr, "%s\n", err.msg);
            return 1;
        }
    }
    printf("replayed %zu inputs\n", r.files + 1);
    return 0;
}
