/* static_files.c - the built-in static/ folder.
 *
 * A name with a hash is only answered while the content has that hash: an old page that asks a
 * newer server gets 404 and not a file that does not fit it, kept for ever. */
#include "http/static_files.h"

#include <pthread.h>
#include <string.h>

#include "base/assets.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "http/etag.h"

enum { STATIC_NAME = 256, STATIC_HASH = 8 };

#define STATIC_PREFIX "static/"

/* The contents' hashes, one per asset, made at first use and constant after. They are the only
 * state here, and unavoidable: hashing for every link of every page would cost more than the page.
 */
static uint64_t *hashes;
static pthread_once_t hashes_once = PTHREAD_ONCE_INIT;

static void make_hashes(void)
{
    hashes = xcalloc(assets_count + 1, sizeof *hashes);
    for (size_t i = 0; i < assets_count; i++) {
        hashes[i] = hash_stable(assets[i].data, assets[i].n);
    }
}

static uint64_t hash_of(const struct asset *asset)
{
    pthread_once(&hashes_once, make_hashes);
    return hashes[asset - assets];
}

static unsigned short_hash(const struct asset *asset)
{
    return (unsigned)(hash_of(asset) >> 32);
}

/* The asset called static/ + name; NULL when there is none. */
static const struct asset *find(struct sv name)
{
    char path[STATIC_NAME] = STATIC_PREFIX;
    if (name.n == 0 || name.n >= sizeof path - strlen(path) || memchr(name.p, '\0', name.n)) {
        return NULL;
    }
    size_t n = strlen(path);
    memcpy(path + n, name.p, name.n);
    path[n + name.n] = '\0';
    return asset_find(path);
}

/* Where a name's extension begins, or its end. */
static size_t extension_at(struct sv name)
{
    const char *dot = name.n ? memrchr(name.p, '.', name.n) : NULL;
    return dot ? (size_t)(dot - name.p) : name.n;
}

/* The asset of "css/tokens.3f2a91c0.css" if its content has that hash. */
static const struct asset *find_hashed(struct sv name)
{
    size_t dot = extension_at(name);
    char plain[STATIC_NAME];
    uint64_t hash;
    if (name.n >= sizeof plain || dot < STATIC_HASH + 1 || name.p[dot - STATIC_HASH - 1] != '.' ||
        !sv_hex64(sv_make(name.p + dot - STATIC_HASH, STATIC_HASH), &hash)) {
        return NULL;
    }
    size_t stem = dot - STATIC_HASH - 1;
    memcpy(plain, name.p, stem);
    memcpy(plain + stem, name.p + dot, name.n - dot);
    const struct asset *asset = find(sv_make(plain, stem + name.n - dot));
    return asset && short_hash(asset) == hash ? asset : NULL;
}

static const char *content_type(const char *name)
{
    static const struct {
        const char *extension, *type;
    } types[] = {
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (sv_ends(sv_of(name), types[i].extension)) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

void static_files_serve(struct request *req, struct response *res, struct sv below)
{
    const struct asset *asset = find(below), *hashed = asset ? NULL : find_hashed(below);
    const struct asset *found = asset ? asset : hashed;
    if (!found) {
        res->status = 404;
        return;
    }
    const char *etag = arena_printf(&req->arena, "\"%016llx\"", (unsigned long long)hash_of(found));
    response_header(res, "ETag", etag);
    response_header(res, "Cache-Control",
                    hashed ? "public, max-age=31536000, immutable" : "no-cache");
    if (etag_known(request_header(req, "If-None-Match"), etag)) {
        res->status = 304;
        return;
    }
    res->status = 200;
    res->content_type = content_type(found->name);
    str_add(&res->body, found->data, found->n);
}
