/* names.c - file names for images. An image's name is any text (the manifest's id); a
 * file's must be one that every system takes, and that nothing reads as another folder. */
#include "sets/export/export_private.h"

#include <string.h>

#include "crypto/crypto.h"

enum { NAME_MOST = 180, SUFFIX_LEAST = 8 };

/* What no system has trouble with: letters, digits, "-", "_", "." and whatever is not ASCII. */
static bool is_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c >= 0x80;
}

/* The name without an ending that says what the file is anyway; *ending gets that, "" without one.
 */
static struct sv cut_ending(struct sv name, bool png, struct sv *ending)
{
    static const char *const endings[][3] = {{".jpg", ".jpeg", NULL}, {".png", NULL}};
    *ending = SV("");
    for (const char *const *e = endings[png]; *e; e++) {
        size_t n = strlen(*e);
        struct sv tail = sv_make(name.p + (name.n > n ? name.n - n : 0), n);
        if (name.n > n && sv_eq_nocase(tail, *e)) {
            *ending = tail;
            return sv_make(name.p, name.n - n);
        }
    }
    return name;
}

/* Replaces what is not plain and cuts what is too long, between characters; whether it did
 * anything. */
static bool make_plain(struct sv name, struct str *out)
{
    size_t n = 0;
    bool changed = false;
    for (size_t at = 0; at < name.n; at += n) {
        n = sv_utf8_first(sv_make(name.p + at, name.n - at));
        n = n ? n : 1;
        if (out->n + n > NAME_MOST) {
            return true;
        }
        bool plain = is_plain((unsigned char)name.p[at]) && !(at == 0 && name.p[at] == '.');
        str_add(out, plain ? name.p + at : "_", plain ? n : 1);
        changed = changed || !plain;
    }
    return changed;
}

static void add_lower(struct str *out, struct sv text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        str_addc(out, (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
    }
}

/* Whether nobody has the name yet, by the rules of the strictest system. */
static bool take(struct set_export *e, struct sv file)
{
    struct str lower;
    uint32_t own = (uint32_t)e->files.n;
    str_init(&lower, 4096);
    add_lower(&lower, file);
    bool mine = map_sv_put(&e->files, str_sv(&lower), own) == own;
    str_release(&lower);
    return mine;
}

const char *export_file_name(struct set_export *e, struct sv wnid, struct sv name, bool png)
{
    struct sv ending;
    struct sv stem = cut_ending(name, png, &ending);
    struct str plain;
    unsigned char hash[CRYPTO_HASH];
    char hex[2 * CRYPTO_HASH + 1];
    str_init(&plain, 4096);
    bool changed = make_plain(stem, &plain);
    crypto_sha256(name.p, name.n, hash);
    crypto_hex(hash, sizeof hash, hex);
    const char *file = NULL;
    /* A name that had to be changed, or that another has, gets as much of its hash as tells it
     * apart. */
    for (int digits = changed ? SUFFIX_LEAST : 0; !file && digits <= 2 * CRYPTO_HASH;
         digits += SUFFIX_LEAST) {
        file = arena_printf(&e->arena, "images/" SV_FMT "/" SV_FMT "%s%.*s" SV_FMT, SV_ARG(wnid),
                            SV_ARG(str_sv(&plain)), digits ? "~" : "", digits, hex,
                            SV_ARG(ending.n ? ending
                                   : png    ? SV(".png")
                                            : SV(".jpg")));
        file = take(e, sv_of(file)) ? file : NULL;
    }
    BUG_IF(!file); /* no two images have the same name, nor the same hash of it */
    str_release(&plain);
    return file;
}
