/* records.h - records (record/record.h) of the API alone, each defined beside the handler that replies it. What
 * exports say as well is in measures/ and transfer/. Knows nothing of what they are about. */
#ifndef WEB_CORE_RECORDS_H
#define WEB_CORE_RECORDS_H

#include "record/record.h"

extern const struct record cursor_record; /* reply_items of web/core/reply.h */
extern const struct record problem_record;
/* page_data.c, parts/ */
extern const struct record campaign_record, class_record, job_record, line_record, progress_record, term_record;
extern const struct record accuracy_record, averages_record, decided_record, images_record, revision_record;
extern const struct record coverage_record, coverage_class_record, live_campaign_record, overview_record, pace_record;
extern const struct record features_record, made_by_record, model_on_record, prediction_source_record;
/* classes/, labels/, measures/, models/, objects/ */
extern const struct record objects_record;
extern const struct record label_sources_record, label_details_record, label_upload_record;
extern const struct record label_plans_record, potential_plan_record, candidate_plan_record;
extern const struct record classes_record;
extern const struct record measures_record;
extern const struct record measures_classes_record, measures_confusions_record, measures_cooccurrence_record, measures_images_record, measures_label_errors_record;
extern const struct record measures_people_record;
extern const struct record measures_class_record, measures_said_record, measures_valid_record;
extern const struct record measures_statistics_record;
extern const struct record measures_difficulty_record, measures_fit_record, named_subsets_record, plans_record, superclasses_list_record;
extern const struct record measures_pairs_record;
extern const struct record changes_record, model_details_record, models_record, predictions_record, scores_record, sources_record, model_texts_record;
/* review/, sets/ */
extern const struct record class_changed_record, class_decision_made_record, class_decisions_record, review_record;
extern const struct record review_class_record, review_frequencies_record, review_person_record, review_round_record;
extern const struct record audit_record, average_record, diff_record, difference_record, differences_record;
extern const struct record discriminator_reply_record;
extern const struct record picks_record, plan_record, plan_part_record, revision_images_record, sets_record;
/* experts/ */
extern const struct record training_record, training_made_record, training_next_record, training_item_record;
extern const struct record evaluations_record, evaluation_next_record, evaluation_saved_record;
extern const struct record label_reviews_record, label_review_images_record, label_review_item_record, label_review_next_record, label_review_saved_record;
/* guide/ */
extern const struct record class_relation_record, class_relations_record, guide_classes_record, guide_page_record, guide_pages_record,
    guide_titles_record;
/* duplicates/ */
extern const struct record duplicates_record;
/* admin/, campaigns/, decisions/, operate/, views/ */
extern const struct record decision_made_record, grid_item_record, grid_record, history_record;
extern const struct record token_made_record, token_record, view_record;
/* work/ */
extern const struct record answered_record, assignment_record, extended_record, flagged_record;
extern const struct record grids_done_record, next_record, option_record, place_joined_record, place_proved_record, place_record;

#endif
