/* participants_export.c - `holdout export participants` and `export pay`: who took part, and the lists that a panel is
 * given, which hold its ids. */
#include "store/campaigns/studies.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/panel_ids.h"

enum { OUT_MOST = 1 << 26 };

static enum err_code hand_on(void *arg, struct str *out, struct err *err)
{
    return transfer_flush(arg, out, err);
}

enum err_code participants_export(struct transfer *tr, const struct campaign *campaign, bool panel_ids)
{
    struct study_settings s = {0};
    struct str out;
    enum err_code rc =
        campaign->imported ? OK : studies_get(tr->db, campaign->id, tr->arena, &s, tr->err);
    if (rc == OK && panel_ids) {
        rc = panel_ids_record_now(tr, "participants", campaign->id);
    }
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    rc = participants_csv(tr->db, campaign->id, panel_ids, s.id_parameters, &out, hand_on, tr, tr->err);
    return transfer_end(tr, &out, rc);
}

enum err_code pay_list_export(struct transfer *tr, const struct campaign *campaign, enum pay_list list,
                              int64_t after, struct pay_list_told *told)
{
    struct str out;
    enum err_code rc = panel_ids_record_now(tr, pay_list_name(list), campaign->id);
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    rc = participants_pay_list(tr->db, campaign->id, list, after, &out, hand_on, tr, told, tr->err);
    return transfer_end(tr, &out, rc);
}
