/* hold.c - the secrets of places. */
#include "study/hold.h"

#include <string.h>

#include "base/clock.h"
#include "store/work/visits.h"
#include "study/flow.h"

enum {
    PLACES_OF_ONE = 32,  /* the newest of a person, that a browser is asked for */
    PLACES_AT_ONCE = 256 /* of an older schema, hashed in one go */
};

void hold_hash(const unsigned char key[CRYPTO_HASH], const unsigned char token[WORK_TOKEN],
               unsigned char out[WORK_HASH])
{
    static const char purpose[] = "place:";
    char text[sizeof purpose - 1 + WORK_TOKEN];
    memcpy(text, purpose, sizeof purpose - 1);
    memcpy(text + sizeof purpose - 1, token, WORK_TOKEN);
    crypto_keyed(key, sv_make(text, sizeof text), out);
}

static void hash_one(void *arg, const unsigned char token[WORK_TOKEN], unsigned char out[WORK_HASH])
{
    hold_hash(arg, token, out);
}

enum err_code hold_hash_old(struct db *db, void *key, struct err *err)
{
    size_t n = 0;
    enum err_code rc = OK;
    do {
        rc = visits_hash_old(db, PLACES_AT_ONCE, hash_one, key, &n, err);
    } while (rc == OK && n == PLACES_AT_ONCE);
    return rc;
}

enum err_code hold_find(const struct study *study, struct sv text, struct place *out)
{
    unsigned char token[WORK_TOKEN], hash[WORK_HASH];
    bool by_grid = sv_starts(text, "~");
    struct sv named = by_grid ? sv_make(text.p + 1, text.n - 1) : text;
    enum err_code rc = flow_token(named, token, study->err);
    if (rc != OK || by_grid) {
        return rc == OK ? work_place_by_grid(study->db, token, study->arena, out, study->err) : rc;
    }
    hold_hash(study->key, token, hash);
    rc = work_place_find(study->db, hash, study->arena, out, study->err);
    memcpy(out->token, token, WORK_TOKEN);
    return rc;
}

const char *hold_text(struct arena *a, const struct place *p)
{
    return arena_printf(a, "%s%s", p->by_grid ? "~" : "", flow_token_text(a, p->token));
}

enum err_code hold_by_kept(const struct study *study, struct place *p, bool *known)
{
    struct place kept;
    struct sv text = study->kept ? study->kept(study->kept_arg, p->id) : SV("");
    if (known) {
        *known = false;
    }
    if (text.n == 0) {
        return OK;
    }
    enum err_code rc = hold_find(study, text, &kept);
    if (rc == ERR_NOT_FOUND) {
        err_clear(study->err);
        return OK;
    }
    bool same = rc == OK && kept.id == p->id;
    if (same && known) {
        *known = true;
    }
    if (same && (kept.own || !p->own)) {
        *p = kept;
    }
    return rc;
}

enum err_code hold_is_person(const struct study *study, int64_t person, bool *is)
{
    struct place places[PLACES_OF_ONE];
    unsigned n = 0;
    *is = false;
    enum err_code rc =
        work_places_of(study->db, person, study->arena, places, PLACES_OF_ONE, &n, study->err);
    for (unsigned i = 0; rc == OK && i < n && !*is; i++) {
        rc = hold_by_kept(study, &places[i], NULL);
        *is = places[i].own; /* the database names the place without a secret: not own */
    }
    return rc;
}

enum err_code hold_new(const struct study *study, struct place *p, bool own)
{
    unsigned char hash[WORK_HASH];
    crypto_random(p->token, WORK_TOKEN);
    p->by_grid = false;
    hold_hash(study->key, p->token, hash);
    p->own = own;
    return visits_create(study->db, p->id, hash, own, clock_wall_ms(), &p->visit, study->err);
}

enum err_code hold_prove(const struct study *study, struct place *p, struct sv code)
{
    bool own_code = false;
    unsigned char a[CRYPTO_HASH], b[CRYPTO_HASH];
    const unsigned char *key = study->key;
    enum err_code rc = visits_code_is_own(study->db, p, &own_code, study->err);
    if (rc != OK) {
        return rc;
    }
    crypto_keyed(key, code, a);
    crypto_keyed(key, p->code, b);
    if (!crypto_equal(a, b, sizeof a) || !own_code) {
        return err_rule(study->err, ERR_DENIED, "place-code",
                        "This is not the completion code of your place. Nothing was changed.");
    }
    return hold_new(study, p, true);
}
