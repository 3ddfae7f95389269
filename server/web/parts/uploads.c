/* uploads.c - texts of forms as files. */
#include "web/parts/uploads.h"

#include "base/fs.h"
#include "crypto/crypto.h"

enum err_code upload_keep(struct ctx *c, struct sv name, struct sv text, const char *ending, const char **file)
{
    unsigned char hash[CRYPTO_HASH];
    const char *folder = fs_join(c->arena, app_dir(c->app), "uploads");
    if (!sv_utf8(text)) {
        return err_rule(&c->err, ERR_INPUT, "upload-text", "The file is no text in UTF-8. Nothing was started.");
    }
    crypto_sha256(text.p, text.n, hash);
    *file = arena_printf(c->arena, SV_FMT "-%02x%02x%02x%02x.%s", SV_ARG(name), hash[0], hash[1], hash[2], hash[3], ending);
    return fs_mkdirs_private(folder, &c->err) != OK ? c->err.code
                                                    : fs_write_whole(fs_join(c->arena, folder, *file), text.p, text.n, true, &c->err);
}
