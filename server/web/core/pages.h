/* pages.h - every handler that routes.c names, by file. What each does is said at its route. */
#ifndef WEB_CORE_PAGES_H
#define WEB_CORE_PAGES_H

#include "store/images/images.h"
#include "store/images/paths.h"
#include "web/core/app.h"

/* operate/overview.c */
enum err_code page_overview(struct ctx *c);

/* campaigns/list.c */
enum err_code page_campaigns(struct ctx *c);
enum err_code page_campaign_state(struct ctx *c);

/* campaigns/new.c */
enum err_code page_campaign_new(struct ctx *c);
enum err_code page_campaign_make(struct ctx *c);

/* campaigns/campaign.c */
enum err_code page_campaign(struct ctx *c);
enum err_code page_campaign_plan(struct ctx *c);

/* campaigns/terms.c */
enum err_code page_campaign_terms(struct ctx *c);

/* work/preview.c */
enum err_code page_preview_grid(struct ctx *c);
enum err_code page_preview_start(struct ctx *c); /* in work/entry_form.c */

/* charts.c */
enum err_code page_chart(struct ctx *c);

/* views/views.c, views/form.c */
enum err_code page_views(struct ctx *c);
enum err_code page_view(struct ctx *c);
enum err_code page_view_csv(struct ctx *c);
enum err_code page_view_new(struct ctx *c);
enum err_code page_view_edit(struct ctx *c);
enum err_code page_view_check(struct ctx *c);
enum err_code page_view_save(struct ctx *c);
enum err_code api_views(struct ctx *c);

/* operate/history.c */
enum err_code page_history(struct ctx *c);
enum err_code api_history(struct ctx *c);

/* classes/list_page.c, classes/class.c, classes/api.c */
enum err_code page_classes(struct ctx *c);
enum err_code page_class(struct ctx *c);

/* campaigns/grids.c, api_grids.c */
enum err_code page_grid(struct ctx *c);
enum err_code page_assignment(struct ctx *c);
enum err_code api_campaign_grids(struct ctx *c);
enum err_code api_grid(struct ctx *c);

/* operate/help.c */
enum err_code page_help(struct ctx *c);
enum err_code page_help_topic(struct ctx *c);
enum err_code page_work_help(struct ctx *c);

/* sets/bias.c */
enum err_code page_bias(struct ctx *c);
enum err_code api_bias(struct ctx *c);

/* sets/differences.c */
enum err_code page_differences(struct ctx *c);
enum err_code api_differences(struct ctx *c);

/* review/which.c */
enum err_code page_which(struct ctx *c);
enum err_code page_which_shown(struct ctx *c);

/* sets/discriminator.c */
enum err_code page_discriminator(struct ctx *c);
enum err_code page_discriminator_start(struct ctx *c);
enum err_code api_discriminator(struct ctx *c);

/* sets/picks.c */
enum err_code page_picks(struct ctx *c);
enum err_code page_pick_target(struct ctx *c);
enum err_code page_pick_class(struct ctx *c);
enum err_code page_pick(struct ctx *c);
enum err_code api_picks(struct ctx *c);
enum err_code api_duplicates(struct ctx *c);

/* duplicates/duplicates.c, duplicates/candidate.c */
enum err_code page_duplicates(struct ctx *c);
enum err_code page_duplicates_beyond(struct ctx *c);
enum err_code page_duplicates_next(struct ctx *c);
enum err_code page_duplicates_originals(struct ctx *c);
enum err_code page_duplicates_quality(struct ctx *c);
enum err_code page_duplicates_search(struct ctx *c);
enum err_code page_duplicate(struct ctx *c);
enum err_code page_duplicate_shown(struct ctx *c);
enum err_code page_duplicate_check(struct ctx *c);
enum err_code page_duplicate_save(struct ctx *c);
enum err_code page_duplicate_undo(struct ctx *c);

/* flags/flags.c */
enum err_code page_flags(struct ctx *c);
enum err_code page_flag_decide(struct ctx *c);
enum err_code page_flags_dismiss(struct ctx *c);
enum err_code page_flags_restore(struct ctx *c);

/* work/flags.c */
enum err_code page_work_flag_form(struct ctx *c);
enum err_code page_work_flag(struct ctx *c);
enum err_code api_flag_create(struct ctx *c);

/* decisions/decisions.c, decisions/api.c */
enum err_code page_decisions(struct ctx *c);
enum err_code page_decision(struct ctx *c);
enum err_code page_decision_new(struct ctx *c);
enum err_code page_decision_create(struct ctx *c);
enum err_code page_decision_undo(struct ctx *c);
enum err_code page_decision_continue(struct ctx *c);
enum err_code api_decisions(struct ctx *c);
enum err_code api_decision(struct ctx *c);
enum err_code api_decision_create(struct ctx *c);
enum err_code api_decision_undo(struct ctx *c);
enum err_code api_decision_continue(struct ctx *c);

/* people/workers.c, people/worker.c */
enum err_code page_workers(struct ctx *c);
enum err_code page_worker(struct ctx *c);
enum err_code page_worker_note(struct ctx *c);
enum err_code page_worker_forget_form(struct ctx *c);
enum err_code page_worker_forget(struct ctx *c);

/* people/participants.c */
enum err_code page_participants(struct ctx *c);
enum err_code page_participant_pay(struct ctx *c);
enum err_code page_participants_csv(struct ctx *c);
enum err_code page_pay_list(struct ctx *c);
enum err_code api_participants(struct ctx *c);

/* labels/labels.c */
enum err_code page_labels(struct ctx *c);
enum err_code page_label_source_check(struct ctx *c);
enum err_code page_label_source_import(struct ctx *c);
enum err_code api_label_upload_check(struct ctx *c);
enum err_code api_label_upload(struct ctx *c);
enum err_code page_label_source(struct ctx *c);
enum err_code api_labels(struct ctx *c);
enum err_code api_label_source(struct ctx *c);
enum err_code api_label_scores_csv(struct ctx *c);
enum err_code api_label_file(struct ctx *c);

/* labels/plans.c, potential.c, candidates.c */
enum err_code page_label_plans(struct ctx *c);
enum err_code page_label_plan_check(struct ctx *c);
enum err_code page_label_plan_make(struct ctx *c);
enum err_code api_label_plans(struct ctx *c);
enum err_code page_potential_plan(struct ctx *c);
enum err_code page_potential_freeze(struct ctx *c);
enum err_code api_potential_plan(struct ctx *c);
enum err_code api_potential_labels_csv(struct ctx *c);
enum err_code api_potential_coverage_csv(struct ctx *c);
enum err_code page_candidate_plan(struct ctx *c);
enum err_code api_candidate_plan(struct ctx *c);
enum err_code api_candidate_csv(struct ctx *c);
enum err_code api_candidate_frequencies_csv(struct ctx *c);

/* measures/measures.c, measures/api.c, measures/classes.c, measures/images.c,
 * measures/cells.c, measures/panel.c, measures/people.c, measures/said.c, measures/valid.c, measures/statistics.c */
enum err_code page_measures(struct ctx *c);
enum err_code api_measures(struct ctx *c);
enum err_code page_measures_classes(struct ctx *c);
enum err_code api_measures_classes(struct ctx *c);
enum err_code api_measures_classes_csv(struct ctx *c);
enum err_code page_measures_people(struct ctx *c);
enum err_code api_measures_people(struct ctx *c);
enum err_code api_measures_people_csv(struct ctx *c);
enum err_code page_measures_statistics(struct ctx *c);
enum err_code api_measures_statistics(struct ctx *c);
enum err_code page_measures_images(struct ctx *c);
enum err_code page_measures_label_errors(struct ctx *c);
enum err_code api_measures_images(struct ctx *c);
enum err_code api_measures_label_errors(struct ctx *c);
enum err_code api_measures_label_errors_csv(struct ctx *c);
enum err_code api_measures_images_csv(struct ctx *c);
enum err_code page_measures_confusions(struct ctx *c);
enum err_code api_measures_confusions(struct ctx *c);
enum err_code api_measures_confusions_csv(struct ctx *c);
enum err_code page_measures_said(struct ctx *c);
enum err_code api_measures_said(struct ctx *c);
enum err_code api_measures_said_csv(struct ctx *c);
enum err_code page_measures_class(struct ctx *c);
enum err_code api_measures_class(struct ctx *c);
enum err_code page_measures_valid(struct ctx *c);
enum err_code api_measures_valid(struct ctx *c);
enum err_code api_measures_valid_csv(struct ctx *c);
enum err_code page_measures_cooccurrence(struct ctx *c);
enum err_code api_measures_cooccurrence(struct ctx *c);
enum err_code api_measures_cooccurrence_csv(struct ctx *c);

/* measures/adjusted.c, measures/bins.c */
enum err_code page_measures_adjusted(struct ctx *c);
enum err_code api_measures_adjusted(struct ctx *c);
enum err_code api_measures_bins_csv(struct ctx *c);
enum err_code api_measures_bins_markdown(struct ctx *c);
enum err_code api_measures_bins_latex(struct ctx *c);

/* measures/subsets.c */
enum err_code page_subsets(struct ctx *c);
enum err_code page_subset(struct ctx *c);
enum err_code page_subset_check(struct ctx *c);
enum err_code page_subset_store(struct ctx *c);
enum err_code page_measures_pairs(struct ctx *c);
enum err_code api_measures_pairs(struct ctx *c);
enum err_code api_measures_pairs_csv(struct ctx *c);
enum err_code page_superclasses(struct ctx *c);
enum err_code page_superclasses_check(struct ctx *c);
enum err_code page_superclasses_store(struct ctx *c);
enum err_code api_superclasses(struct ctx *c);
enum err_code api_superclasses_file(struct ctx *c);
enum err_code api_subsets(struct ctx *c);
enum err_code api_subset(struct ctx *c);
enum err_code api_subset_images(struct ctx *c);
/* measures/plans.c */
enum err_code page_plans(struct ctx *c);
enum err_code api_plans(struct ctx *c);

/* measures/difficulty.c, measures/fit.c */
enum err_code page_measures_difficulty(struct ctx *c);
enum err_code api_measures_difficulty(struct ctx *c);
enum err_code api_measures_difficulty_csv(struct ctx *c);
enum err_code page_measures_fit(struct ctx *c);
enum err_code api_measures_fit(struct ctx *c);

/* models/list.c, models/model.c, models/api.c */
enum err_code page_models(struct ctx *c);
enum err_code page_model_add_check(struct ctx *c);
enum err_code page_model_add(struct ctx *c);
enum err_code page_model_predict(struct ctx *c);
enum err_code page_model(struct ctx *c);
enum err_code page_model_facts(struct ctx *c);
enum err_code page_model_note(struct ctx *c);
enum err_code page_model_remove(struct ctx *c);
enum err_code api_models(struct ctx *c);
enum err_code api_model(struct ctx *c);
enum err_code api_model_predictions(struct ctx *c);
enum err_code api_model_sources(struct ctx *c);
enum err_code api_model_texts(struct ctx *c);
enum err_code api_model_texts_csv(struct ctx *c);
enum err_code api_texts_csv(struct ctx *c);
enum err_code page_model_texts(struct ctx *c);
enum err_code page_model_sources(struct ctx *c);
enum err_code page_model_sources_check(struct ctx *c);
enum err_code page_model_sources_choose(struct ctx *c);
enum err_code api_scores(struct ctx *c);
enum err_code api_changes(struct ctx *c);
enum err_code api_changes_csv(struct ctx *c);
enum err_code api_changes_markdown(struct ctx *c);
enum err_code api_changes_latex(struct ctx *c);
enum err_code api_scores_csv(struct ctx *c);
enum err_code api_scores_markdown(struct ctx *c);
enum err_code api_scores_latex(struct ctx *c);
enum err_code api_scores_long(struct ctx *c);
enum err_code api_scores_testbed(struct ctx *c);

/* sets/: list.c, revision.c, audit.c, diff.c, state.c, sample.c, api.c */
enum err_code page_sets(struct ctx *c);
enum err_code page_set(struct ctx *c);
enum err_code page_revision(struct ctx *c);
enum err_code page_revision_state(struct ctx *c);
enum err_code page_revision_export(struct ctx *c);
enum err_code page_revision_audit(struct ctx *c);
enum err_code page_revision_diff(struct ctx *c);
enum err_code page_sample(struct ctx *c);
enum err_code page_sample_check(struct ctx *c);
enum err_code page_sample_start(struct ctx *c);
enum err_code api_revision_state(struct ctx *c);
enum err_code api_revision_audit(struct ctx *c);
enum err_code api_revision_diff(struct ctx *c);
enum err_code api_sample_plan(struct ctx *c);
enum err_code api_sets(struct ctx *c);
enum err_code api_revision(struct ctx *c);
enum err_code api_revision_average(struct ctx *c);

/* objects/objects.c */
enum err_code page_objects(struct ctx *c);
enum err_code api_objects(struct ctx *c);
enum err_code api_objects_csv(struct ctx *c);
enum err_code api_objects_together_csv(struct ctx *c);
enum err_code api_objects_confused_csv(struct ctx *c);

/* images/list.c, images/image.c, images/image_objects.c, images/rendition.c */
enum err_code api_image_objects(struct ctx *c);
enum err_code page_images(struct ctx *c);
enum err_code page_image(struct ctx *c);
enum err_code page_rendition(struct ctx *c);
/* What stands for an image in quarantine or taken down. */
enum err_code page_send_veil(struct ctx *c);

/* operate/jobs.c */
enum err_code page_jobs(struct ctx *c);
enum err_code page_job(struct ctx *c);
enum err_code page_job_cancel(struct ctx *c);
enum err_code page_job_again(struct ctx *c);

/* campaigns/study.c */
enum err_code page_study(struct ctx *c);
enum err_code page_study_change(struct ctx *c);
enum err_code page_study_consent(struct ctx *c);
enum err_code page_study_key(struct ctx *c);

/* work/entry_form.c */
enum err_code page_work_start(struct ctx *c);
enum err_code page_work_join_check(struct ctx *c);
enum err_code page_work_join(struct ctx *c);
enum err_code page_work_decline(struct ctx *c);
enum err_code page_work_declined(struct ctx *c);

/* work/place.c */
enum err_code page_work_place(struct ctx *c);
enum err_code page_work_leave_form(struct ctx *c);
enum err_code page_work_leave(struct ctx *c);
enum err_code page_work_proof_check(struct ctx *c);
enum err_code page_work_proof(struct ctx *c);

/* work/grid.c */
enum err_code page_work_next(struct ctx *c);
enum err_code page_work_grid(struct ctx *c);
enum err_code page_work_submit(struct ctx *c);
enum err_code page_work_image(struct ctx *c);
enum err_code page_work_example(struct ctx *c);
enum err_code page_work_large(struct ctx *c);

/* api_places.c */
enum err_code api_place_check(struct ctx *c);
enum err_code api_place_create(struct ctx *c);
enum err_code api_place(struct ctx *c);
enum err_code api_place_proof(struct ctx *c);

/* work/api.c */
enum err_code api_place_next(struct ctx *c);
enum err_code api_answer_create(struct ctx *c);
enum err_code api_assignment(struct ctx *c);
enum err_code api_assignment_extend(struct ctx *c);

/* operate/api_overview.c */
enum err_code api_campaigns(struct ctx *c);
enum err_code api_campaign(struct ctx *c);
enum err_code api_overview(struct ctx *c);
enum err_code api_classes(struct ctx *c);
enum err_code api_class_frequencies(struct ctx *c);
enum err_code api_images(struct ctx *c);

/* review/class_decisions.c, review/api.c */
enum err_code page_class_decision_check(struct ctx *c);
enum err_code page_class_decision(struct ctx *c);
enum err_code api_class_decisions(struct ctx *c);
enum err_code api_class_decision_check(struct ctx *c);
enum err_code api_class_decision_create(struct ctx *c);

/* review/review.c, review/class.c, review/turn.c */
enum err_code page_review(struct ctx *c);
enum err_code page_review_class(struct ctx *c);
enum err_code page_review_frequencies(struct ctx *c);
enum err_code page_review_round(struct ctx *c);
enum err_code page_review_shown(struct ctx *c);
enum err_code page_review_turn_check(struct ctx *c);
enum err_code page_review_turn(struct ctx *c);
enum err_code api_review(struct ctx *c);

/* guide/: classes and what is written about them */
enum err_code page_guide(struct ctx *c);
enum err_code page_guide_class(struct ctx *c);
enum err_code page_guide_edit(struct ctx *c);
enum err_code page_guide_history(struct ctx *c);
enum err_code page_guide_pair(struct ctx *c);
enum err_code page_guide_picture(struct ctx *c);
enum err_code page_guide_print(struct ctx *c);
enum err_code page_guide_write(struct ctx *c);
enum err_code page_guide_write_check(struct ctx *c);
enum err_code page_guide_relations(struct ctx *c);
enum err_code page_guide_relate_check(struct ctx *c);
enum err_code page_guide_relate(struct ctx *c);
enum err_code api_guide(struct ctx *c);
enum err_code api_guide_check(struct ctx *c);
enum err_code api_guide_classes(struct ctx *c);
enum err_code api_guide_page(struct ctx *c);
enum err_code api_guide_relate(struct ctx *c);
enum err_code api_guide_relations(struct ctx *c);
enum err_code api_guide_titles(struct ctx *c);
enum err_code api_guide_titles_csv(struct ctx *c);
enum err_code api_guide_write(struct ctx *c);

/* evaluations/ */
enum err_code page_evaluations(struct ctx *c);
enum err_code page_evaluation_make(struct ctx *c);
enum err_code page_evaluation(struct ctx *c);
enum err_code page_evaluation_change(struct ctx *c);
enum err_code page_evaluation_next(struct ctx *c);
enum err_code page_evaluation_item(struct ctx *c);
enum err_code page_evaluation_image(struct ctx *c);
enum err_code page_evaluation_check(struct ctx *c);
enum err_code page_evaluation_save(struct ctx *c);
enum err_code api_evaluations(struct ctx *c);
enum err_code api_evaluation(struct ctx *c);
enum err_code api_evaluation_change(struct ctx *c);
enum err_code api_evaluation_answers_csv(struct ctx *c);
enum err_code api_evaluation_next(struct ctx *c);
enum err_code api_evaluation_check(struct ctx *c);
enum err_code api_evaluation_save(struct ctx *c);

/* experts/: label reviews */
enum err_code page_training(struct ctx *c);
enum err_code page_training_plan(struct ctx *c);
enum err_code page_training_make(struct ctx *c);
enum err_code page_training_list(struct ctx *c);
enum err_code page_training_change(struct ctx *c);
enum err_code page_training_next(struct ctx *c);
enum err_code page_training_item(struct ctx *c);
enum err_code page_training_image(struct ctx *c);
enum err_code page_training_read(struct ctx *c);
enum err_code page_training_check(struct ctx *c);
enum err_code page_training_suggest(struct ctx *c);
enum err_code api_training(struct ctx *c);
enum err_code api_training_plan(struct ctx *c);
enum err_code api_training_make(struct ctx *c);
enum err_code api_training_list(struct ctx *c);
enum err_code api_training_next(struct ctx *c);
enum err_code api_training_item(struct ctx *c);
enum err_code api_training_read(struct ctx *c);
enum err_code api_training_check(struct ctx *c);
enum err_code api_training_suggest(struct ctx *c);
enum err_code page_label_reviews(struct ctx *c);
enum err_code page_label_review(struct ctx *c);
enum err_code page_label_new(struct ctx *c);
enum err_code page_label_new_check(struct ctx *c);
enum err_code page_label_new_make(struct ctx *c);
enum err_code api_label_review_plan(struct ctx *c);
enum err_code api_label_review_change(struct ctx *c);
enum err_code page_label_agreement(struct ctx *c);
enum err_code page_label_images(struct ctx *c);
enum err_code page_label_change(struct ctx *c);
enum err_code page_label_item(struct ctx *c);
enum err_code page_label_image(struct ctx *c);
enum err_code page_label_next(struct ctx *c);
enum err_code page_label_check(struct ctx *c);
enum err_code page_label_save(struct ctx *c);
enum err_code page_label_stand(struct ctx *c);
enum err_code page_label_undo(struct ctx *c);
enum err_code page_label_adjudicate(struct ctx *c);
enum err_code page_label_adjudicate_check(struct ctx *c);
enum err_code page_label_adjudicated(struct ctx *c);
enum err_code api_label_reviews(struct ctx *c);
enum err_code api_label_review(struct ctx *c);
enum err_code api_label_agreement(struct ctx *c);
enum err_code api_label_agreement_csv(struct ctx *c);
enum err_code api_label_images(struct ctx *c);
enum err_code api_label_images_csv(struct ctx *c);
enum err_code api_label_review_item(struct ctx *c);
enum err_code api_label_review_next(struct ctx *c);
enum err_code api_label_review_check(struct ctx *c);
enum err_code api_label_review_save(struct ctx *c);
enum err_code api_label_review_stand(struct ctx *c);
enum err_code api_label_review_undo(struct ctx *c);

/* api_jobs.c */
enum err_code api_jobs(struct ctx *c);
enum err_code api_job_create(struct ctx *c);
enum err_code api_job(struct ctx *c);
enum err_code api_job_cancel(struct ctx *c);

/* operate/operations.c */
enum err_code api_events(struct ctx *c);
enum err_code api_healthz(struct ctx *c);
enum err_code api_readyz(struct ctx *c);
enum err_code api_metrics(struct ctx *c);
enum err_code api_openapi(struct ctx *c);
enum err_code page_static(struct ctx *c);

/* admin/account.c, admin/invite.c, admin/admin.c, admin/api_tokens.c: see there */
#include "web/core/pages_account.h"

#endif
