/* page_overview.c - the first page of experts and leads: how much is there, how it goes. */
#include "store/images.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"

/* GET / */
enum err_code page_overview(struct ctx *c)
{
    struct campaign *list;
    size_t n;
    int64_t images;
    struct tally_totals v;
    struct tally *t = app_tally(c->app);
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK ||
        images_count(c->db, &images, &c->err) != OK) {
        return c->err.code;
    }
    tally_read_lock(t);
    tally_totals(t, &v);
    tally_read_unlock(t);
    json_t *tiles = json_array();
    data_tile(tiles, "Images", data_count(c->arena, images), NULL);
    data_tile(tiles, "Grids", data_count(c->arena, (int64_t)v.grids), NULL);
    data_tile(tiles, "Answers", data_count(c->arena, (int64_t)v.answers),
              v.surplus ? arena_printf(c->arena, "and %s surplus",
                                       data_count(c->arena, (int64_t)v.surplus))
                        : NULL);
    data_tile(tiles, "Votes", data_count(c->arena, (int64_t)v.votes), "in the default view");
    json_t *campaigns = json_array();
    for (int open = 1; open >= 0; open--) { /* open ones first */
        for (size_t i = 0; i < n; i++) {
            if (sv_is(list[i].state, "open") == (open == 1)) {
                json_array_append_new(campaigns, data_campaign(c, &list[i]));
            }
        }
    }
    return reply_page(c, 200, "overview/index", "Overview",
                      json_pack("{s:o, s:o, s:o}", "live", data_live("votes,plan", "/"), "tiles", tiles,
                                "campaigns", campaigns));
}
