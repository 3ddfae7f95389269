/* texts.c - `holdout map-texts`: predictions from what a model said, and `holdout export text-shares|unmapped-texts`: how many
 * images of a set got an answer that is no class, and which texts those were. */
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "cli/models/text_notes.h"
#include "measures/texts/text_shares.h"
#include "transfer/imports/imports.h"

#define OUT_MOST ((size_t)1 << 28)

/* ---- notes ---- */

enum err_code text_notes(struct cli *cli, struct model_scores *scores, const struct revision_row *r, int64_t model)
{
    struct text_share *list;
    size_t n = 0;
    enum err_code rc = text_shares_on(scores, cli->db, r, model, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        cli_note(cli, SV_FMT " on %s: %s; they count as wrong.", SV_ARG(list[i].name), list[i].set, text_share_words(&list[i], &cli->arena));
    }
    return rc;
}

enum err_code text_notes_json(struct cli *cli, struct model_scores *scores, const struct revision_row *r, json_t *out)
{
    struct text_share *list;
    size_t n = 0;
    enum err_code rc = text_shares_on(scores, cli->db, r, 0, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        json_array_append_new(out, record_json(&text_share_record, &list[i]));
    }
    return rc;
}

/* A mapping's new version does not score a frozen set by itself: that is said, or numbers would look as if it did. */
static enum err_code note_waiting(struct cli *cli, struct model_scores *scores, const struct revision_row *r, const struct model_row *m)
{
    struct source_score *list;
    size_t n = 0;
    enum err_code rc = model_scores_sources(scores, cli->db, r, m->id, &cli->arena, &list, &n, &cli->err);
    const struct source_score *newest = rc == OK && n ? &list[n - 1] : NULL;
    if (newest && newest->counted == 0) {
        cli_warn(cli,
                 "Other predictions of " SV_FMT " score " SV_FMT "/%lld, and still do: only a decision replaces them. The newest, " SV_FMT
                 ", are source %lld. `holdout set sources` compares them, and `holdout set choose` makes them count.",
                 SV_ARG(m->name), SV_ARG(r->set), (long long)r->number, SV_ARG(newest->made_by), (long long)newest->source);
    }
    return rc;
}

/* On the sets that the texts were imported for. */
static enum err_code note_sets(struct cli *cli, const struct texts_map_ask *ask)
{
    const char *name = arena_printf(&cli->arena, "%s@%s", ask->model, ask->mapping);
    struct model_row m, base;
    struct text_source *texts;
    size_t n = 0;
    enum err_code rc = models_find(cli->db, sv_of(name), &cli->arena, &m, &cli->err);
    rc = rc == OK ? models_find(cli->db, sv_of(ask->model), &cli->arena, &base, &cli->err) : rc;
    rc = rc == OK ? texts_sources(cli->db, base.id, &cli->arena, &texts, &n, &cli->err) : rc;
    struct model_scores *scores = model_scores_new();
    int64_t last = 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct revision_row r;
        if (texts[i].revision == 0 || texts[i].revision == last) {
            continue;
        }
        last = texts[i].revision;
        rc = revisions_find(cli->db, texts[i].set, &cli->arena, &r, &cli->err);
        if (rc == OK && revision_may_be_scored(&r, NULL) == OK) {
            rc = text_notes(cli, scores, &r, m.id);
            rc = rc == OK ? note_waiting(cli, scores, &r, &m) : rc;
        }
    }
    model_scores_free(scores);
    return rc;
}

enum err_code cmd_map_texts(struct cli *cli)
{
    const struct texts_map_ask ask = {.model = cli_opt(cli, "model"),
                                      .mapping = cli_opt(cli, "mapping"),
                                      .csv = cli_opt(cli, "csv"),
                                      .first = cli_opt(cli, "first"),
                                      .add = cli_has(cli, "add")};
    if (!ask.model || !ask.mapping) {
        return cli_usage(cli, "--model NAME and --mapping NAME are needed: whose texts, and the name of the mapping");
    }
    enum err_code rc = texts_map(cli_transfer(cli), &ask);
    return rc == OK && !cli->dry_run ? note_sets(cli, &ask) : rc;
}

/* ---- exports ---- */

/* The set that --set names, and the model (id 0: none was named). */
static enum err_code read_options(struct cli *cli, struct revision_row *r, struct model_row *m)
{
    const char *set = cli_opt(cli, "set"), *model = cli_opt(cli, "model");
    m->id = 0;
    if (!set) {
        return cli_usage(cli, "--set is missing: name the set");
    }
    enum err_code rc = revisions_find(cli->db, sv_of(set), &cli->arena, r, &cli->err);
    rc = rc == OK && model ? models_find(cli->db, sv_of(model), &cli->arena, m, &cli->err) : rc;
    if (rc == OK) {
        set_note_unsealed(cli, r);
    }
    return rc;
}

static enum err_code print_rows(struct cli *cli, const struct record *record, const void *rows, size_t n)
{
    struct str out;
    str_init(&out, OUT_MOST);
    record_table(record, RECORD_TABLE_CSV, rows, n, &out);
    return export_end(&out, str_check(&out, "the table", &cli->err), &cli->err);
}

enum err_code cmd_export_text_shares(struct cli *cli)
{
    struct revision_row r;
    struct model_row m;
    struct text_share *list = NULL;
    size_t n = 0;
    enum err_code rc = read_options(cli, &r, &m);
    if (rc == OK) {
        struct model_scores *scores = model_scores_new();
        rc = text_shares_on(scores, cli->db, &r, m.id, &cli->arena, &list, &n, &cli->err);
        model_scores_free(scores);
    }
    return rc == OK ? print_rows(cli, &text_share_record, list, n) : rc;
}

enum err_code cmd_export_unmapped_texts(struct cli *cli)
{
    struct revision_row r;
    struct model_row m;
    struct text_unmapped_row *list = NULL;
    size_t n = 0;
    if (!cli_opt(cli, "model")) {
        return cli_usage(cli, "--model is missing: name the model that a mapping made, MODEL@MAPPING");
    }
    enum err_code rc = read_options(cli, &r, &m);
    if (rc == OK) {
        struct model_scores *scores = model_scores_new();
        rc = text_unmapped_on(scores, cli->db, &r, m.id, &cli->arena, &list, &n, &cli->err);
        model_scores_free(scores);
    }
    return rc == OK ? print_rows(cli, &text_unmapped_record, list, n) : rc;
}
