/* plan_terms.c - options into the terms of a campaign. */
#include "cli/study/plan_terms.h"

#include <string.h>
#include <time.h>

#include "base/rng.h"

#define DAY_S (24 * 3600)

enum { PAY_MOST = 1000000 }; /* cents */

static const char *const kinds[] = {"pilot", "main", "top-up", "potential", "re-measurement", NULL};
/* Kinds whose tasks this version cannot plan: grids of each class's own images would be something else. */
static const char *const unbuilt[] = {"training", "evaluation", NULL};
static const char *const layouts[] = {"v2", "overview", "free", NULL};

static enum err_code read_numbers(struct cli *cli, struct campaign *k)
{
    const struct {
        const char *name;
        int64_t least, most;
        int64_t *out;
    } numbers[] = {
        {"answers-per-grid", 1, 1000, &k->answers_per_grid},
        {"grids-per-place", 1, 10000, &k->grids_per_place},
        {"lease", 10, DAY_S, &k->lease_seconds},
        {"places", 1, INT64_C(1) << 40, &k->places},
        {"gold", 0, 6, &k->gold_per_grid},
        {"coverage", 0, 1000, &k->coverage},
        {"min-screen", 0, 100000, &k->min_screen},
        {"seed", 0, INT64_C(1) << 53, &k->seed},
    };
    enum err_code rc = OK;
    k->seed = (int64_t)rng_fresh_seed();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && rc == OK; i++) {
        rc = cli_opt_int(cli, numbers[i].name, numbers[i].least, numbers[i].most, *numbers[i].out,
                         numbers[i].out);
    }
    rc = rc == OK ? cli_opt_cents(cli, "pay", PAY_MOST, k->pay_cents, &k->pay_cents) : rc;
    rc = rc == OK ? cli_opt_real(cli, "max-share", 1e-6, 1, k->max_share, &k->max_share) : rc;
    return rc == OK ? cli_opt_real(cli, "minutes", 0.1, 1000, k->expected_minutes,
                                   &k->expected_minutes)
                    : rc;
}

static void read_texts(const struct cli *cli, struct campaign *k)
{
    const struct {
        const char *name;
        struct sv *out;
    } texts[] = {
        {"campaign", &k->name},
        {"kind", &k->kind},
        {"title", &k->title},
        {"rule", &k->rule_text},
        {"code", &k->completion_code},
        {"currency", &k->currency},
        {"layout", &k->layout},
        {"population", &k->population},
        {"instruction-version", &k->instruction_version},
    };
    k->name = k->classify ? SV("objects") : SV("main");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (cli_has(cli, texts[i].name)) {
            *texts[i].out = sv_of(cli_opt(cli, texts[i].name));
        }
    }
    k->title = k->title.n ? k->title : k->name;
}

/* A date or a moment, always UTC: 2026-11-20, 2026-11-20T10:00Z, 2026-11-20T10:00:00Z. */
static enum err_code read_moment(struct cli *cli, const char *name, int64_t *out)
{
    static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M:%SZ"};
    const char *text = cli_opt(cli, name);
    for (size_t i = 0; text && i < sizeof forms / sizeof *forms; i++) {
        struct tm tm = {0};
        const char *end = strptime(text, forms[i], &tm);
        int day = tm.tm_mday;
        int64_t seconds = timegm(&tm); /* makes 3 March of 31 February */
        if (end && *end == '\0' && tm.tm_mday == day && seconds > 0) {
            *out = seconds * 1000;
            return OK;
        }
    }
    return text ? cli_usage(cli, "--%s must be a time in UTC such as 2026-11-20 or "
                            "2026-11-20T10:00Z", name)
                : OK;
}

static bool one_of(struct sv text, const char *const *list)
{
    while (*list && !sv_is(text, *list)) {
        list++;
    }
    return *list != NULL;
}

static enum err_code check_terms(struct cli *cli, const struct campaign *k)
{
    if (!campaign_name_ok(k->name)) {
        return cli_usage(cli, "--campaign must be " CAMPAIGN_NAME);
    }
    if (one_of(k->kind, unbuilt)) {
        return err_rule(&cli->err, ERR_INPUT, "kind-not-built",
                        "Campaigns of the kind " SV_FMT " cannot be planned yet: the grids would "
                        "show each class its own images, as a main campaign's do. Nothing was "
                        "planned. Choose --kind pilot, main, top-up, potential or re-measurement.",
                        SV_ARG(k->kind));
    }
    if (!one_of(k->kind, kinds)) {
        return cli_usage(cli, "--kind must be pilot, main, top-up, potential or re-measurement");
    }
    if (!one_of(k->layout, layouts)) {
        return cli_usage(cli, "--layout must be v2, overview or free");
    }
    if (k->opens_at && k->closes_at && k->closes_at <= k->opens_at) {
        return cli_usage(cli, "--closes must be later than --opens");
    }
    return OK;
}

enum err_code plan_terms_read(struct cli *cli, bool classify, struct campaign *out)
{
    (classify ? campaign_defaults_classify : campaign_defaults)(out);
    enum err_code rc = read_numbers(cli, out);
    rc = rc == OK ? read_moment(cli, "opens", &out->opens_at) : rc;
    rc = rc == OK ? read_moment(cli, "closes", &out->closes_at) : rc;
    if (rc != OK) {
        return rc;
    }
    read_texts(cli, out);
    out->same_image_again = cli_has(cli, "same-image-again");
    out->bulk_select = !classify && cli_has(cli, "bulk-select");
    out->none_of_these = classify && cli_has(cli, "none-of-these");
    out->shuffle = !cli_has(cli, "keep-order");
    out->state = cli_has(cli, "open") ? SV("open") : SV("draft");
    return check_terms(cli, out);
}

bool plan_terms_change(const struct cli *cli, const struct campaign *asked, struct campaign *draft)
{
    const struct {
        const char *name;
        const int64_t *from;
        int64_t *to;
    } numbers[] = {{"grids-per-place", &asked->grids_per_place, &draft->grids_per_place},
                   {"pay", &asked->pay_cents, &draft->pay_cents}};
    bool any = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (cli_has(cli, numbers[i].name)) {
            any = any || *numbers[i].to != *numbers[i].from;
            *numbers[i].to = *numbers[i].from;
        }
    }
    const struct {
        const char *name;
        const double *from;
        double *to;
    } reals[] = {{"max-share", &asked->max_share, &draft->max_share},
                 {"minutes", &asked->expected_minutes, &draft->expected_minutes}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        if (cli_has(cli, reals[i].name)) {
            any = any || *reals[i].to < *reals[i].from || *reals[i].to > *reals[i].from;
            *reals[i].to = *reals[i].from;
        }
    }
    if (cli_has(cli, "title")) {
        any = any || !sv_eq(draft->title, asked->title);
        draft->title = asked->title;
    }
    return any;
}
