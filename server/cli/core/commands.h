/* commands.h - every command that commands.c names, by file. */
#ifndef CLI_CORE_COMMANDS_H
#define CLI_CORE_COMMANDS_H

#include "cli/core/cli.h"

enum err_code cmd_audit(struct cli *cli);
enum err_code cmd_backup(struct cli *cli);
enum err_code cmd_candidate_labels(struct cli *cli);
enum err_code cmd_candidates_freeze(struct cli *cli);
enum err_code cmd_candidates_list(struct cli *cli);
enum err_code cmd_candidates_show(struct cli *cli);
enum err_code cmd_bias(struct cli *cli);
enum err_code cmd_gap_adjusted(struct cli *cli);
enum err_code cmd_difficulty(struct cli *cli);
enum err_code cmd_bins(struct cli *cli);
enum err_code cmd_changes(struct cli *cli);
enum err_code cmd_check(struct cli *cli);
enum err_code cmd_classify(struct cli *cli);
enum err_code cmd_decide(struct cli *cli);
enum err_code cmd_demo(struct cli *cli);
enum err_code cmd_diff(struct cli *cli);
enum err_code cmd_discriminate(struct cli *cli);
enum err_code cmd_distance(struct cli *cli);
enum err_code cmd_doctor(struct cli *cli);
enum err_code cmd_evaluation_change(struct cli *cli);
enum err_code cmd_evaluation_close(struct cli *cli);
enum err_code cmd_evaluation_create(struct cli *cli);
enum err_code cmd_evaluation_export(struct cli *cli);
enum err_code cmd_evaluation_list(struct cli *cli);
enum err_code cmd_evaluation_show(struct cli *cli);
enum err_code cmd_exact_matches(struct cli *cli);
enum err_code cmd_export_blacklist(struct cli *cli);
enum err_code cmd_export_candidates(struct cli *cli);
enum err_code cmd_export_classes(struct cli *cli);
enum err_code cmd_export_frequencies(struct cli *cli);
enum err_code cmd_export_histograms(struct cli *cli);
enum err_code cmd_export_hits(struct cli *cli);
enum err_code cmd_export_near_duplicates(struct cli *cli);
enum err_code cmd_export_neighbors(struct cli *cli);
enum err_code cmd_export_pool(struct cli *cli);
enum err_code cmd_export_potential(struct cli *cli);
enum err_code cmd_export_labels(struct cli *cli);
enum err_code cmd_export_predictions(struct cli *cli);
enum err_code cmd_export_scores(struct cli *cli);
enum err_code cmd_export_set(struct cli *cli);
enum err_code cmd_export_text_shares(struct cli *cli);
enum err_code cmd_export_unmapped_texts(struct cli *cli);
enum err_code cmd_export_responses(struct cli *cli);
enum err_code cmd_export_views(struct cli *cli);
enum err_code cmd_export_votes(struct cli *cli);
enum err_code cmd_export_workers(struct cli *cli);
enum err_code cmd_features(struct cli *cli);
enum err_code cmd_fit(struct cli *cli);
enum err_code cmd_fit_points(struct cli *cli);
enum err_code cmd_generate(struct cli *cli);
enum err_code cmd_grids(struct cli *cli);
enum err_code cmd_import_blacklist(struct cli *cli);
enum err_code cmd_import_classes(struct cli *cli);
enum err_code cmd_import_features(struct cli *cli);
enum err_code cmd_import_hits(struct cli *cli);
enum err_code cmd_import_image_list(struct cli *cli);
enum err_code cmd_import_images(struct cli *cli);
enum err_code cmd_import_labels(struct cli *cli);
enum err_code cmd_import_near_duplicates(struct cli *cli);
enum err_code cmd_import_nn_reviews(struct cli *cli);
enum err_code cmd_import_override(struct cli *cli);
enum err_code cmd_import_participants(struct cli *cli);
enum err_code cmd_import_model_facts(struct cli *cli);
enum err_code cmd_import_picks(struct cli *cli);
enum err_code cmd_import_predictions(struct cli *cli);
enum err_code cmd_import_responses(struct cli *cli);
enum err_code cmd_import_review_thresholds(struct cli *cli);
enum err_code cmd_import_reviews(struct cli *cli);
enum err_code cmd_import_set(struct cli *cli);
enum err_code cmd_import_sets(struct cli *cli);
enum err_code cmd_import_texts(struct cli *cli);
enum err_code cmd_import_votes(struct cli *cli);
enum err_code cmd_import_wordnet(struct cli *cli);
enum err_code cmd_infer(struct cli *cli);
enum err_code cmd_init(struct cli *cli);
enum err_code cmd_label_errors(struct cli *cli);
enum err_code cmd_label_review_agreement(struct cli *cli);
enum err_code cmd_label_review_anchoring(struct cli *cli);
enum err_code cmd_label_review_change(struct cli *cli);
enum err_code cmd_label_review_create(struct cli *cli);
enum err_code cmd_import_guide(struct cli *cli);
enum err_code cmd_export_guide(struct cli *cli);
enum err_code cmd_import_relations(struct cli *cli);
enum err_code cmd_export_relations(struct cli *cli);
enum err_code cmd_label_review_eligible(struct cli *cli);
enum err_code cmd_label_review_images(struct cli *cli);
enum err_code cmd_label_review_import(struct cli *cli);
enum err_code cmd_label_review_list(struct cli *cli);
enum err_code cmd_label_review_queue(struct cli *cli);
enum err_code cmd_labels(struct cli *cli);
enum err_code cmd_map_texts(struct cli *cli);
enum err_code cmd_migrate(struct cli *cli);
enum err_code cmd_model_add(struct cli *cli);
enum err_code cmd_model_list(struct cli *cli);
enum err_code cmd_model_remove(struct cli *cli);
enum err_code cmd_multilabel(struct cli *cli);
enum err_code cmd_near_metrics(struct cli *cli);
enum err_code cmd_neighbors(struct cli *cli);
enum err_code cmd_object_summary(struct cli *cli);
enum err_code cmd_objects(struct cli *cli);
enum err_code cmd_superclass_matrix(struct cli *cli);
enum err_code cmd_pair_accuracy(struct cli *cli);
enum err_code cmd_cooccurring_pairs(struct cli *cli);
enum err_code cmd_confused_pairs(struct cli *cli);
enum err_code cmd_potential_labels(struct cli *cli);
enum err_code cmd_potential_freeze(struct cli *cli);
enum err_code cmd_potential_list(struct cli *cli);
enum err_code cmd_potential_show(struct cli *cli);
enum err_code cmd_plan(struct cli *cli);
enum err_code cmd_report(struct cli *cli);
enum err_code cmd_verify(struct cli *cli);
enum err_code cmd_predict(struct cli *cli);
enum err_code cmd_preprocess(struct cli *cli);
enum err_code cmd_queries(struct cli *cli);
enum err_code cmd_restore(struct cli *cli);
enum err_code cmd_review_status(struct cli *cli);
enum err_code cmd_said(struct cli *cli);
enum err_code cmd_sample(struct cli *cli);
enum err_code cmd_score(struct cli *cli);
enum err_code cmd_serve(struct cli *cli);
enum err_code cmd_set_choose(struct cli *cli);
enum err_code cmd_set_freeze(struct cli *cli);
enum err_code cmd_set_list(struct cli *cli);
enum err_code cmd_set_release(struct cli *cli);
enum err_code cmd_set_sources(struct cli *cli);
enum err_code cmd_set_unseal(struct cli *cli);
enum err_code cmd_stall(struct cli *cli); /* builds with FAULT_HOOKS */
enum err_code cmd_study(struct cli *cli);
enum err_code cmd_subset(struct cli *cli);
enum err_code cmd_superclasses(struct cli *cli);
enum err_code cmd_train(struct cli *cli);
enum err_code cmd_training_change(struct cli *cli);
enum err_code cmd_training_create(struct cli *cli);
enum err_code cmd_training_list(struct cli *cli);
enum err_code cmd_training_need(struct cli *cli);
enum err_code cmd_training_show(struct cli *cli);
enum err_code cmd_valid_labels(struct cli *cli);
enum err_code cmd_version(struct cli *cli);

/* What `check` does with an open project, for restore too. */
enum err_code check_open_project(struct cli *cli);
/* Parts of commands that the demo uses too. */
enum err_code init_project(struct cli *cli, const char *dir, struct sv login, struct sv password);
/* What runs beside a served project: started when the server listens, stopped before it closes. */
struct serve_company {
    enum err_code (*start)(void *arg, uint16_t port, struct err *err);
    void (*stop)(void *arg);
    void *arg;
};
enum err_code serve_project(struct cli *cli, const struct serve_company *company); /* NULL: none */
/* Prints the routes that the server has, one a line. */
void serve_routes(void);

#endif
