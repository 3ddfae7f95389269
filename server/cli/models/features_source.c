/* features_source.c - from the model's value to the digest that names its features. */
#include "cli/models/features_source.h"

#include <string.h>

#include "cli/models/origin.h"

enum err_code features_source_model(struct cli *cli, struct model_use *m, struct feature_source *out)
{
    const char *value = cli_opt(cli, "value");
    enum err_code rc = model_use_stored(cli, cli_opt(cli, "model"), value ? value : "", m);
    if (rc != OK) {
        return rc;
    }
    const char *output = engine_facts(m->engine)->outputs[0].name;
    if (m->scores == 0 || m->scores > FEATURE_DIM) {
        return err_rule(&cli->err, ERR_INPUT, "model-features",
                        "\"%.60s\" has %zu numbers per image; 1 to %d are possible", output, m->scores,
                        FEATURE_DIM);
    }
    *out = (struct feature_source){.model = m->row.id,
                                   .dim = (int64_t)m->scores,
                                   .output = sv_of(output),
                                   .recipe = sv_of(m->recipe.canonical)};
    return OK;
}

enum err_code features_source_here(struct cli *cli, const struct model_use *m, struct feature_source *out)
{
    struct model_origin origin;
    enum err_code rc =
        model_origin(cli, m, arena_printf(&cli->arena, "features " SV_FMT, SV_ARG(out->output)), &origin);
    if (rc == OK) {
        out->engine = sv_of(origin.engine);
        memcpy(out->digest, origin.digest, sizeof origin.digest);
    }
    return rc;
}
