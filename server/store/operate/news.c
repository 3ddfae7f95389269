/* news.c - SQL that finds out cheaply whether something came. */
#include "store/operate/news.h"

#include "store/operate/jobs.h"

enum err_code news_read(struct db *db, struct news *out, struct err *err)
{
    int64_t models = 0;
    enum err_code rc = jobs_stamp(db, &out->jobs, &out->open_jobs, err);
    if (rc == OK) {
        rc = db_one_int(db,
                        "SELECT coalesce((SELECT max(id) FROM model), 0)"
                        " + coalesce((SELECT max(id) FROM model_removal), 0)"
                        " + coalesce((SELECT max(id) FROM prediction_source), 0)"
                        " + coalesce((SELECT max(id) FROM prediction_block), 0)"
                        " + coalesce((SELECT max(id) FROM feature_source), 0)"
                        " + coalesce((SELECT max(id) FROM feature_block), 0)"
                        " + coalesce((SELECT max(id) FROM image_set), 0)"
                        " + coalesce((SELECT max(id) FROM revision), 0)"
                        " + coalesce((SELECT max(id) FROM revision_state), 0)",
                        DB_NONE, &models, err);
    }
    out->models = (uint64_t)models;
    if (rc == OK) {
        rc = db_one_int(db,
                        "SELECT max(coalesce((SELECT max(id) FROM class_decision), 0),"
                        " coalesce((SELECT max(id) FROM review_round), 0),"
                        " coalesce((SELECT max(id) FROM review_turn), 0),"
                        " coalesce((SELECT max(id) FROM label_look), 0),"
                        " coalesce((SELECT max(id) FROM evaluation_answer), 0),"
                        " coalesce((SELECT max(id) FROM training_answer), 0),"
                        " coalesce((SELECT max(event) FROM review_shown), 0),"
                        " coalesce((SELECT max(id) FROM label_look), 0), coalesce((SELECT max(id) FROM label_stand), 0),"
                        " coalesce((SELECT max(id) FROM label_review_state), 0), coalesce((SELECT max(id) FROM label_reviewer), 0),"
                        " coalesce((SELECT max(event) FROM pick), 0))",
                        DB_NONE, &out->review, err);
    }
    return rc;
}
