/* match_pixels.c - finds the file, maps it, decodes it. */
#include "transfer/exports/match_pixels.h"

#include "base/fs.h"
#include "store/images/paths.h"

enum err_code match_pixels(const char *dir, const struct match_image *m, uint64_t max_pixels, struct image *out, struct err *err)
{
    const struct image_limits limits = {.max_side = 65535, .max_pixels = max_pixels};
    struct fs_map map = {0};
    struct arena a;
    arena_init(&a, 1 << 16);
    const char *path = m->reference.n ? arena_cstr(&a, m->reference)
                                      : path_rendition(&a, dir, (const unsigned char *)m->sha256.p, RENDITION_SOURCE);
    enum err_code rc = fs_map(path, &map, err);
    rc = rc == OK ? image_decode(map.data, map.n, IMAGE_FOR_PEOPLE, 0, &limits, out, err) : rc;
    fs_unmap(&map);
    arena_release(&a);
    return rc;
}

struct match_image match_image_copy(struct arena *a, const struct match_image *m)
{
    struct match_image copy = *m;
    copy.name = arena_sv(a, m->name);
    copy.wnid = arena_sv(a, m->wnid);
    copy.keyword = arena_sv(a, m->keyword);
    copy.sha256 = arena_sv(a, m->sha256);
    copy.reference = arena_sv(a, m->reference);
    return copy;
}
