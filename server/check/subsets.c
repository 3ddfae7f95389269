/* subsets.c - named subsets, and superclasses under a name, against their digests. */
#include "check/parts.h"
#include "sets/subsets/named.h"
#include "sets/subsets/superclasses.h"

static enum err_code check_version(struct check *c, const struct subset_row *row)
{
    bool holds = false;
    enum err_code rc = named_digest_holds(c->db, row, &holds, c->err);
    if (rc == ERR_IO || (rc == OK && !holds)) { /* what cannot be read is a finding too */
        check_found(c, "subset: the images of @" SV_FMT "/%lld do not match its digest; restore a backup", SV_ARG(row->name), (long long)row->number);
        err_clear(c->err);
        rc = OK;
    }
    return rc;
}

static enum err_code check_superclasses(struct check *c)
{
    struct superclass_list_row *list;
    size_t n = 0;
    enum err_code rc = superclass_lists_all(c->db, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool holds = false;
        rc = superclasses_digest_holds(c->db, &list[i], c->arena, &holds, c->err);
        if (rc == OK && !holds) {
            check_found(c, "superclasses: what @" SV_FMT "/%lld says does not match its digest; restore a backup", SV_ARG(list[i].name),
                        (long long)list[i].number);
        }
    }
    return rc;
}

enum err_code check_subsets(struct check *c)
{
    struct subset_row *list;
    size_t n = 0;
    enum err_code rc = subsets_all(c->db, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        check_progress(c, "checking subsets", i, n);
        rc = check_version(c, &list[i]);
    }
    return rc == OK ? check_superclasses(c) : rc;
}
