/* people.c - SQL for the person and identity tables, and for erasing who somebody is. Knows nothing
 * of passwords or sessions. */
#include "store/people/people.h"

#include "base/outside.h"
#include "base/rng.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/accounts.h"
#include "store/people/erasure.h"
#include "store/people/names.h"

enum { PSEUDONYM = 13 };

/* "p" and 60 random bits in Crockford's alphabet, which lacks i, l, o and u. */
static void pseudonym(char out[PSEUDONYM + 1])
{
    static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
    uint64_t bits[2] = {rng_fresh_seed(), rng_fresh_seed()}; /* 53 good bits each, 30 used */
    out[0] = 'p';
    for (int i = 0; i < PSEUDONYM - 1; i++) {
        out[i + 1] = alphabet[bits[i & 1] & 31];
        bits[i & 1] >>= 5;
    }
    out[PSEUDONYM] = '\0';
}

enum err_code people_create(struct db *db, int64_t now, int64_t by, const char *kind,
                            int64_t *person, struct err *err)
{
    char name[PSEUDONYM + 1];
    pseudonym(name);
    enum err_code rc = db_run(
        db, "INSERT INTO person (pseudonym, kind, created_at) VALUES (?1, ?2, ?3)",
        DB_VALS(db_str(name), db_str(kind), db_int(now)), err);
    if (rc != OK) {
        return rc;
    }
    *person = db_last_id(db);
    return events_add(db, now, by, "person.create", *person, NULL, NULL, err);
}

enum err_code people_find_external(struct db *db, struct sv source, struct sv external_id,
                                   int64_t *person, struct err *err)
{
    return db_one_int(db, "SELECT person FROM identity WHERE source = ?1 AND external_id = ?2",
                      DB_VALS(db_text(source), db_text(external_id)), person, err);
}

enum err_code people_find_pseudonym(struct db *db, struct sv pseudonym_text, int64_t *person,
                                    struct err *err)
{
    enum err_code rc = db_one_int(db, "SELECT id FROM person WHERE pseudonym = ?1",
                                  DB_VALS(db_text(pseudonym_text)), person, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, rc, "no-person", "There is no person with that pseudonym.")
               : rc;
}

enum err_code people_of_place(struct db *db, int64_t place, int64_t *person, struct err *err)
{
    enum err_code rc = db_one_int(db, "SELECT person FROM place WHERE id = ?1",
                                  DB_VALS(db_int(place)), person, err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-place", "There is no such place.") : rc;
}

enum err_code people_identify(struct db *db, int64_t now, int64_t by, int64_t person,
                              struct sv source, struct sv external_id, struct sv name,
                              struct err *err)
{
    int64_t taken;
    if (outside_formula(external_id)) {
        return err_rule(err, ERR_INPUT, "id-formula",
                        "The id " OUTSIDE_FORMULA_TEXT ". Nothing was stored.");
    }
    enum err_code rc = db_one_int(
        db,
        "SELECT 1 FROM identity WHERE person = ?1 OR (source = ?2 AND external_id = ?3) LIMIT 1",
        DB_VALS(db_int(person), db_text(source), db_text(external_id)), &taken, err);
    if (rc == OK) {
        return err_rule(err, ERR_CONFLICT, "identity-taken",
                        "That name is taken, or the person already has one.");
    }
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = db_run(db,
                "INSERT INTO identity (person, source, external_id, name) VALUES (?1, ?2, ?3, ?4)",
                DB_VALS(db_int(person), db_text(source), db_text(external_id), db_text_opt(name)),
                err);
    return rc == OK ? events_add(db, now, by, "person.identify", person, NULL, NULL, err) : rc;
}

DB_ROW(person_row, struct person, id, created_at, pseudonym, kind, source, external_id, name);

enum err_code people_get(struct db *db, int64_t person, struct arena *arena, struct person *out,
                         struct err *err)
{
    enum err_code rc = db_find(
        db, person_row, out, arena,
        "SELECT p.id, p.created_at, p.pseudonym, p.kind, i.source, i.external_id, i.name "
        "FROM person p LEFT JOIN identity i ON i.person = p.id WHERE p.id = ?1",
        DB_VALS(db_int(person)), err);
    return rc == ERR_NOT_FOUND ? err_set(err, rc, "There is no such person.") : rc;
}

enum err_code people_known(struct db *db, int64_t person, bool *known, struct err *err)
{
    int64_t n = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT EXISTS (SELECT 1 FROM identity WHERE person = ?1) OR EXISTS (SELECT 1 FROM place p"
        " JOIN arrival a ON a.place = p.id WHERE p.person = ?1)",
        DB_VALS(db_int(person)), &n, err);
    *known = n != 0;
    return rc;
}

/* Without an identity nobody can sign in; disabling also ends what is open now. */
static enum err_code close_account(struct db *db, int64_t now, int64_t by, int64_t person,
                                   struct err *err)
{
    int64_t account;
    enum err_code rc =
        db_one_int(db, "SELECT id FROM account WHERE person = ?1 AND disabled = 0",
                   DB_VALS(db_int(person)), &account, err);
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    return rc == OK ? accounts_set_disabled(db, now, by, account, true, err) : rc;
}

/* *any says whether there was something to erase. */
static enum err_code erase(struct db *db, int64_t person, bool *any, struct err *err)
{
    int64_t rows = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT (SELECT count(*) FROM identity WHERE person = ?1) + (SELECT count(*) FROM arrival"
        "  WHERE place IN (SELECT id FROM place WHERE person = ?1))",
        DB_VALS(db_int(person)), &rows, err);
    *any = rows > 0;
    if (rc != OK || rows == 0) {
        return rc;
    }
    rc = names_keep(db, person, err);
    if (rc == OK) {
        rc = db_run(db,
                    "DELETE FROM arrival WHERE place IN (SELECT id FROM place WHERE person = ?1)",
                    DB_VALS(db_int(person)), err);
    }
    if (rc == OK) {
        rc = db_run(db, "DELETE FROM identity WHERE person = ?1", DB_VALS(db_int(person)), err);
    }
    return rc == OK ? erasure_begin(db, err) : rc;
}

/* The addresses of the person's grids and of their images open nothing any more. */
static enum err_code revoke(struct db *db, int64_t person, bool *any, struct err *err)
{
    enum err_code rc =
        db_run(db, "UPDATE assignment SET token = NULL WHERE person = ?1 AND token IS NOT NULL",
               DB_VALS(db_int(person)), err);
    *any = *any || (rc == OK && db_changes(db) > 0);
    return rc;
}

enum err_code people_forget(struct db *db, int64_t now, int64_t by, int64_t person,
                            struct err *err)
{
    int64_t known;
    bool any = false;
    enum err_code rc = db_one_int(db, "SELECT 1 FROM person WHERE id = ?1",
                                  DB_VALS(db_int(person)), &known, err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, ERR_NOT_FOUND, "no-person", "There is no such person.");
    }
    rc = rc == OK ? close_account(db, now, by, person, err) : rc;
    rc = rc == OK ? erase(db, person, &any, err) : rc;
    rc = rc == OK ? revoke(db, person, &any, err) : rc;
    if (rc == OK && any) {
        rc = db_run(db, "UPDATE person SET forgotten_at = ?2 WHERE id = ?1",
                    DB_VALS(db_int(person), db_int(now)), err);
    }
    return rc == OK && any ? events_add(db, now, by, "person.forget", person, NULL, NULL, err)
                           : rc;
}
