/* matrices.c - `holdout superclass-matrix`: which superclasses people and models take for one another, which come
 * together, and how alike these are. Reads files and no project. */
#include <math.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/objects/object_files.h"
#include "cli/objects/print_records.h"
#include "formats/csv.h"
#include "measures/objects/image_label_rows.h"

#define OUT_MOST ((size_t)1 << 26)

struct named_matrix {
    struct sv name;
    struct superclass_matrix m;
    bool confusion;
};
struct matrices_run {
    struct cli *cli;
    struct object_files o;
    struct superclasses s;
    struct printing out;
    struct named_matrix *list; /* human, any, other, then models */
    size_t n;
};

static void make_matrices(struct matrices_run *run)
{
    struct arena *a = &run->cli->arena;
    const struct image_list *images = &run->o.list;
    run->s = object_files_superclass_ids(&run->o);
    run->list = arena_calloc(a, run->o.f.models.n + 3, sizeof *run->list);
    run->list[0] = (struct named_matrix){SV("human"), superclass_confusion(&run->s, images, NULL, a), true};
    run->list[1] = (struct named_matrix){SV("any"), superclass_together(&run->s, images, false, a), false};
    run->list[2] = (struct named_matrix){SV("other"), superclass_together(&run->s, images, true, a), false};
    run->n = 3;
    for (size_t m = 0; m < run->o.f.models.n; m++) {
        run->list[run->n++] = (struct named_matrix){run->o.f.models.at[m],
                                                    superclass_confusion(&run->s, images, run->o.answers[m], a), true};
    }
}

/* superclass,NAME,NAME,...: counts, or shares of the row's images. */
static void add_matrix(const struct superclass_matrix *m, const struct sv *names, bool shares, struct str *out)
{
    str_addz(out, "superclass");
    for (uint32_t i = 0; i < m->n; i++) {
        str_addc(out, ',');
        csv_cell(out, names[i]);
    }
    str_addc(out, '\n');
    for (uint32_t row = 0; row < m->n; row++) {
        csv_cell(out, names[row]);
        for (uint32_t column = 0; column < m->n; column++) {
            uint32_t k = m->cells[(size_t)row * m->n + column];
            str_addc(out, ',');
            if (!shares) {
                str_addi(out, k);
            } else if (m->images[row]) {
                csv_number(out, (double)k / m->images[row]);
            }
        }
        str_addc(out, '\n');
    }
}

static enum err_code print_one(const struct matrices_run *run, const char *name)
{
    struct str out;
    str_init(&out, OUT_MOST);
    for (size_t i = 0; i < run->n; i++) {
        const struct named_matrix *m = &run->list[i];
        if (sv_is(m->name, name)) {
            if (m->m.left_out) {
                cli_warn(run->cli, "%u images are left out: no answer, or a class without a superclass.",
                         m->m.left_out);
            }
            add_matrix(&m->m, run->o.superclasses.at, cli_has(run->cli, "shares"), &out);
            return export_end(&out, OK, &run->cli->err);
        }
    }
    return err_rule(&run->cli->err, ERR_INPUT, "matrix",
                    "There is no matrix %s. Choose human, any, other or a model of --predictions.", name);
}

static enum err_code print_correlations(struct matrices_run *run)
{
    enum err_code rc = OK;
    printing_begin(&run->out, run->cli, &correlation_record);
    for (size_t i = 0; i < run->n; i++) {
        for (size_t k = 0; k < i && k < 3 && rc == OK; k++) { /* models with people and objects, not with each other */
            struct correlation_row row =
                correlation_row(run->list[k].name, run->list[i].name, &run->list[k].m, &run->list[i].m);
            rc = printing_row(&run->out, &row);
        }
    }
    return printing_end(&run->out, rc);
}

static enum err_code print_within(struct matrices_run *run)
{
    enum err_code rc = OK;
    printing_begin(&run->out, run->cli, &within_record);
    for (size_t i = 0; i < run->n && rc == OK; i++) {
        const struct named_matrix *m = &run->list[i];
        for (uint32_t s = 0; s < m->m.n && m->confusion && rc == OK; s++) {
            uint32_t images = m->m.images[s];
            struct within_row row = {m->name, run->o.superclasses.at[s], images, m->m.within[s],
                                     images ? (double)m->m.within[s] / images : (double)NAN};
            rc = printing_row(&run->out, &row);
        }
    }
    return printing_end(&run->out, rc);
}

enum err_code cmd_superclass_matrix(struct cli *cli)
{
    struct matrices_run run = {.cli = cli};
    const char *matrix = cli_opt(cli, "matrix");
    if (!cli_opt(cli, "classes")) {
        return cli_usage(cli, "give --classes, a CSV with the columns class and superclass");
    }
    object_files_init(&run.o, cli);
    enum err_code rc = object_files_read(&run.o, cli);
    if (rc == OK) {
        make_matrices(&run);
        rc = cli_has(cli, "correlations") ? print_correlations(&run)
             : cli_has(cli, "within")     ? print_within(&run)
                                          : print_one(&run, matrix ? matrix : "human");
    }
    object_files_release(&run.o);
    return rc;
}
