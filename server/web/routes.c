/* routes.c - THE route table: every address, who may use it, how a write is proved to be wanted,
 * how large a body may be and which thread each step runs on. Ordered by address. A test holds the
 * listing of this table (holdout version --routes) against tests/http/routes.golden, so that no
 * route can lose its role unseen. */
#include "web/pages.h"

#define KB(n) ((size_t)(n) * 1024)

/* Columns: method, pattern, role, proof, body limit, then the steps and the summary. */
#define ROUTE_READ(pattern, role, step, text)                                                      \
    {HTTP_GET, pattern, role, PROOF_NONE, 0, step, NULL, NULL, text}
#define ROUTE_WRITE(pattern, role, proof, limit, first, step, text)                                \
    {HTTP_POST, pattern, role, proof, limit, first, NULL, step, text}
#define ROUTE_SLOW(pattern, role, proof, limit, first, step, text)                                 \
    {HTTP_POST, pattern, role, proof, limit, NULL, first, step, text}
/* A page that takes longer than an HTTP thread may. */
#define ROUTE_LOOK(pattern, role, step, text)                                                      \
    {HTTP_GET, pattern, role, PROOF_NONE, 0, NULL, step, NULL, text}
/* A page whose address is the capability. */
#define ROUTE_HELD(pattern, step, text)                                                            \
    {HTTP_GET, pattern, ROLE_NONE, PROOF_CAPABILITY, 0, step, NULL, NULL, text}

/* clang-format off */
const struct route routes[] = {
    ROUTE_LOOK("/", ROLE_EXPERT, page_overview, "How everything stands."),

    ROUTE_READ("/account", ROLE_WORKER, page_account, "The signed-in account."),
    ROUTE_SLOW("/account/password", ROLE_WORKER, PROOF_CSRF, KB(8), page_password_check, page_password, "Change one's password."),

    ROUTE_WRITE("/account/sessions/end", ROLE_WORKER, PROOF_CSRF, KB(4), NULL, page_sessions_end, "Sign out everywhere else."),
    ROUTE_WRITE("/account/tokens/:token/revoke", ROLE_WORKER, PROOF_CSRF, KB(4), NULL, page_token_revoke, "Revoke one of one's API tokens."),

    ROUTE_READ("/admin", ROLE_ADMIN, page_admin, "Accounts, invites and API tokens."),
    ROUTE_SLOW("/admin/accounts/:account/disable", ROLE_ADMIN, PROOF_CSRF, KB(8), page_admin_check, page_admin_disable, "Disable an account."),
    ROUTE_SLOW("/admin/accounts/:account/enable", ROLE_ADMIN, PROOF_CSRF, KB(8), page_admin_check, page_admin_enable, "Enable an account."),
    ROUTE_SLOW("/admin/accounts/:account/role", ROLE_ADMIN, PROOF_CSRF, KB(8), page_admin_check, page_admin_role, "Change an account's role."),
    ROUTE_WRITE("/admin/invites", ROLE_ADMIN, PROOF_CSRF, KB(8), NULL, page_admin_invite, "Make an invite link."),
    ROUTE_WRITE("/admin/invites/:invite/revoke", ROLE_ADMIN, PROOF_CSRF, KB(8), NULL, page_admin_invite_revoke, "Revoke an invite link."),
    ROUTE_WRITE("/admin/tokens", ROLE_ADMIN, PROOF_CSRF, KB(8), NULL, page_admin_token, "Make an API token."),
    ROUTE_WRITE("/admin/tokens/:token/revoke", ROLE_ADMIN, PROOF_CSRF, KB(8), NULL, page_admin_token_revoke, "Revoke an API token."),

    ROUTE_READ("/api/openapi.json", ROLE_NONE, api_openapi, "This description."),
    ROUTE_HELD("/api/v1/assignments/:assignment", api_assignment, "What became of an assignment: answered, state, lease_until, cells."),
    ROUTE_WRITE("/api/v1/assignments/:assignment/answer", ROLE_NONE, PROOF_CAPABILITY, KB(8), NULL, api_answer_create, "Submit the answer of an assignment: client_id, selected (shown positions), active_ms, device."),
    ROUTE_WRITE("/api/v1/assignments/:assignment/extend", ROLE_NONE, PROOF_CAPABILITY, KB(4), NULL, api_assignment_extend, "Keep a grid reserved for its full time from now, or reserve it again."),
    ROUTE_WRITE("/api/v1/assignments/:assignment/flags", ROLE_NONE, PROOF_CAPABILITY, KB(8), NULL, api_flag_create, "Say that something is wrong with a photo: position (shown), kind, note."),
    ROUTE_READ("/api/v1/campaigns", ROLE_EXPERT, api_campaigns, "All campaigns with their progress."),
    ROUTE_LOOK("/api/v1/campaigns/:campaign", ROLE_EXPERT, api_campaign, "How one campaign stands: pace, coverage, scores, the place in the grid, people."),
    ROUTE_READ("/api/v1/campaigns/:campaign/grids", ROLE_LEAD, api_campaign_grids, "A campaign's grids with how many answers they have."),
    ROUTE_LOOK("/api/v1/campaigns/:campaign/participants", ROLE_LEAD, api_participants, "Who takes part: outcome, code, time, pay; with panel_ids=yes, which is recorded, what the panel calls them."),
    ROUTE_WRITE("/api/v1/campaigns/:campaign/places", ROLE_NONE, PROOF_PUBLIC, KB(4), api_place_check, api_place_create, "Join a campaign: key (of its link), external_id, parameters (what the panel sent along), consent (version that was read)."),
    ROUTE_LOOK("/api/v1/classes", ROLE_EXPERT, api_classes, "All classes with their frequencies: q, sort, order, only, view, as_of, after, limit."),
    ROUTE_READ("/api/v1/classes/:wnid/decisions", ROLE_EXPERT, api_class_decisions, "What was decided about a class's images, newest first; its ETag is for If-Match: after, limit."),
    ROUTE_SLOW("/api/v1/classes/:wnid/decisions", ROLE_EXPERT, PROOF_CSRF, KB(512), api_class_decision_check, api_class_decision_create, "Decide about a class's images, with If-Match: revision, images [{image, banned, reason, note}], near_duplicates [[name]], apart, reviewed, problematic; or undo."),
    ROUTE_LOOK("/api/v1/classes/:wnid/frequencies", ROLE_EXPERT, api_class_frequencies, "A class's images: sort, order, role, bin (1 to 5, none, targets, with commas), least, most, blacklist, near_duplicates, answers, from, to, state, gray, view, as_of, images, after, limit."),
    ROUTE_READ("/api/v1/decisions", ROLE_LEAD, api_decisions, "Decisions, newest first: before, limit."),
    ROUTE_SLOW("/api/v1/decisions", ROLE_LEAD, PROOF_CSRF, KB(512), api_decision_create, NULL, "Decide, or preview: true. Members: field, value, people, places, answer, view, fit, campaign, before, reason, reopen, bonus, digest."),
    ROUTE_READ("/api/v1/decisions/:decision", ROLE_LEAD, api_decision, "One decision."),
    ROUTE_SLOW("/api/v1/decisions/:decision/continue", ROLE_LEAD, PROOF_CSRF, KB(4), api_decision_continue, NULL, "Write what is missing of a decision that was cut off."),
    ROUTE_SLOW("/api/v1/decisions/:decision/undo", ROLE_LEAD, PROOF_CSRF, KB(8), api_decision_undo, NULL, "Undo a decision, or preview: true. Members: reason, digest."),
    ROUTE_READ("/api/v1/grids/:grid", ROLE_LEAD, api_grid, "One grid: its cells with frequencies, its assignments with scores."),
    ROUTE_LOOK("/api/v1/history", ROLE_LEAD, api_history, "What happened, newest first: area, account, campaign or person, from, until, singles."),
    ROUTE_LOOK("/api/v1/images", ROLE_EXPERT, api_images, "All images: as a class's, by id unless sort says otherwise."),
    ROUTE_READ("/api/v1/jobs", ROLE_LEAD, api_jobs, "Jobs: those that wait or run, then ended ones, newest first: before, limit."),
    ROUTE_WRITE("/api/v1/jobs", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, api_job_create, "Start a job: kind (features, model add, predict, train), arguments (its options as members)."),
    ROUTE_READ("/api/v1/jobs/:job", ROLE_LEAD, api_job, "One job: state, progress, note."),
    ROUTE_WRITE("/api/v1/jobs/:job/cancel", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, api_job_cancel, "Ask a job to stop; what it did is kept."),
    ROUTE_LOOK("/api/v1/models", ROLE_EXPERT, api_models, "All models with their scores on every set on which models may be scored."),
    ROUTE_LOOK("/api/v1/models/:model", ROLE_EXPERT, api_model, "One model: file, recipe, scores, where its predictions come from."),
    ROUTE_LOOK("/api/v1/models/:model/predictions", ROLE_EXPERT, api_model_predictions, "What a model says about a set's images, in the set's order: set, after, limit."),
    ROUTE_LOOK("/api/v1/overview", ROLE_EXPERT, api_overview, "How everything stands: counts, frequencies, pace, coverage, what needs a look."),
    ROUTE_LOOK("/api/v1/picks", ROLE_EXPERT, api_picks, "Sets without votes: what is picked and what is missing, by class and keyword."),
    ROUTE_HELD("/api/v1/places/:place", api_place, "How a place stands: state, outcome, code when one is due, every submission with what became of it."),
    ROUTE_WRITE("/api/v1/places/:place/next", ROLE_NONE, PROOF_CAPABILITY, KB(4), NULL, api_place_next, "The place's next grid, or the one that it holds; with ahead: true one more beside it."),
    ROUTE_LOOK("/api/v1/scores", ROLE_EXPERT, api_scores, "Accuracy on the originals beside accuracy on a new set, gaps and ranks with intervals: original, new, top."),
    ROUTE_LOOK("/api/v1/scores.csv", ROLE_EXPERT, api_scores_csv, "The same as CSV, as holdout score writes it; common=1: with the columns of --common."),
    ROUTE_READ("/api/v1/sets", ROLE_EXPERT, api_sets, "All sets with their revisions."),
    ROUTE_READ("/api/v1/sets/:set/:revision", ROLE_EXPERT, api_revision, "One revision and its images in order: after, limit."),
    ROUTE_LOOK("/api/v1/sets/:set/:revision/average", ROLE_EXPERT, api_revision_average, "The average frequency of a revision at the draw and now, with intervals, and its matching bias."),
    ROUTE_LOOK("/api/v1/sets/:set/:revision/audit", ROLE_EXPERT, api_revision_audit, "What is wrong with a revision by what is known today: answers."),
    ROUTE_LOOK("/api/v1/sets/:set/:revision/bias", ROLE_EXPERT, api_bias, "How much harder a revision is than its originals because frequencies are noisy."),
    ROUTE_LOOK("/api/v1/sets/:set/:revision/differences", ROLE_EXPERT, api_differences, "What differs from the originals without models, in standard deviations: original."),
    ROUTE_LOOK("/api/v1/sets/:set/:revision/review", ROLE_EXPERT, api_review, "How far the final review of a revision is: classes, people, the blind round."),
    ROUTE_WRITE("/api/v1/sets/:set/:revision/state", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, api_revision_state, "Unseal, freeze or release a revision: state, reason."),
    ROUTE_LOOK("/api/v1/sets/:set/diff", ROLE_EXPERT, api_revision_diff, "What differs between two revisions, by class: a, b, from."),
    ROUTE_LOOK("/api/v1/sets/new", ROLE_EXPERT, api_sample_plan, "The plan for a revision: fields as of the form /sets/new. POST /api/v1/jobs with the kind sample does it."),
    ROUTE_READ("/api/v1/tokens", ROLE_WORKER, api_tokens, "One's API tokens."),
    ROUTE_WRITE("/api/v1/tokens", ROLE_WORKER, PROOF_CSRF, KB(4), NULL, api_token_create, "Make an API token: name, role, days."),
    {HTTP_DELETE, "/api/v1/tokens/:token", ROLE_WORKER, PROOF_CSRF, KB(4), NULL, NULL, api_token_revoke, "Revoke one of one's API tokens."},
    ROUTE_READ("/api/v1/views", ROLE_EXPERT, api_views, "All vote views, newest version of each."),

    ROUTE_READ("/campaigns", ROLE_EXPERT, page_campaigns, "All campaigns."),
    ROUTE_LOOK("/campaigns/:campaign", ROLE_EXPERT, page_campaign, "One campaign."),
    ROUTE_READ("/campaigns/:campaign/assignments/:assignment", ROLE_LEAD, page_assignment, "One assignment as its worker saw it."),
    ROUTE_READ("/campaigns/:campaign/grids/:grid", ROLE_LEAD, page_grid, "One grid: its cells, who answered it and how."),
    ROUTE_READ("/campaigns/:campaign/participants", ROLE_LEAD, page_participants, "Who takes part in a campaign."),
    ROUTE_WRITE("/campaigns/:campaign/participants/:place/pay", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_participant_pay, "Decide about pay: decision (approve, reject, pending, keep), bonus, reason."),
    ROUTE_LOOK("/campaigns/:campaign/participants.csv", ROLE_LEAD, page_participants_csv, "Who takes part, as CSV; with panel_ids=yes, which is recorded, what the panel calls them too."),
    ROUTE_LOOK("/campaigns/:campaign/pay/:list", ROLE_LEAD, page_pay_list, "Decisions for the panel: approve.csv, reject.csv, bonus.csv."),
    ROUTE_SLOW("/campaigns/:campaign/pay/complete", ROLE_LEAD, PROOF_CSRF, KB(4), page_pay_complete, NULL, "Approve everybody who is complete and pending."),
    ROUTE_LOOK("/campaigns/:campaign/plan", ROLE_EXPERT, page_campaign_plan, "What a draft costs and covers, before it is opened."),
    ROUTE_READ("/campaigns/:campaign/preview", ROLE_LEAD, page_preview_grid, "A grid as workers see it; nothing is stored."),
    ROUTE_READ("/campaigns/:campaign/preview/start", ROLE_LEAD, page_preview_start, "The start page as workers see it; nothing is stored."),
    ROUTE_WRITE("/campaigns/:campaign/state/:state", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_campaign_state, "Open, pause or close a campaign."),
    ROUTE_READ("/campaigns/:campaign/study", ROLE_LEAD, page_study, "Link, consent and codes of a study."),
    ROUTE_WRITE("/campaigns/:campaign/study", ROLE_LEAD, PROOF_CSRF, KB(32), NULL, page_study_change, "Change the settings of a study."),
    ROUTE_WRITE("/campaigns/:campaign/study/consent", ROLE_LEAD, PROOF_CSRF, KB(96), NULL, page_study_consent, "Write a further version of the consent text."),
    ROUTE_WRITE("/campaigns/:campaign/study/key", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_study_key, "Make a new key of the workers' link."),

    ROUTE_LOOK("/charts/:chart/:format", ROLE_WORKER, page_chart, "A chart as a file: svg, csv or json; campaign, wnid, view, person say of what."),
    ROUTE_LOOK("/classes", ROLE_EXPERT, page_classes, "All classes: q, sort, order, only, view, page, as_of."),
    ROUTE_LOOK("/classes/:wnid", ROLE_EXPERT, page_class, "One class, its images, what sampling may take of them: sort, order, role, bin, least, most, blacklist, near_duplicates, answers, from, to, state, gray, show, view, page, as_of, images, originals, others, seen."),
    ROUTE_SLOW("/classes/:wnid/decisions", ROLE_EXPERT, PROOF_CSRF, KB(2048), page_class_decision_check, page_class_decision, "Decide about a class's images: seen, was-ID, reason-ID, note-ID, set-ID, near, flags, reviewed, problematic, revision, back, here; or undo."),

    ROUTE_READ("/decisions", ROLE_LEAD, page_decisions, "Decisions about many answers or places, newest first."),
    ROUTE_SLOW("/decisions", ROLE_LEAD, PROOF_CSRF, KB(64), page_decision_create, NULL, "Decide: field, value, who (person, place, answer, view, fit), campaign, before, reason, reopen, bonus, digest of the preview."),
    ROUTE_LOOK("/decisions/:decision", ROLE_LEAD, page_decision, "One decision with what it changed."),
    ROUTE_SLOW("/decisions/:decision/continue", ROLE_LEAD, PROOF_CSRF, KB(4), page_decision_continue, NULL, "Write what is missing of a decision that was cut off."),
    ROUTE_SLOW("/decisions/:decision/undo", ROLE_LEAD, PROOF_CSRF, KB(8), page_decision_undo, NULL, "Undo a decision: reason, which may be empty."),
    ROUTE_LOOK("/decisions/new", ROLE_LEAD, page_decision_new, "What a decision would change, before it is made."),

    ROUTE_READ("/events", ROLE_EXPERT, api_events, "Server-sent events: topic and sequence number."),
    ROUTE_READ("/flags", ROLE_LEAD, page_flags, "Images that workers flagged."),
    ROUTE_WRITE("/flags/:image", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_flag_decide, "Decide about an image: decision (clear, quarantine, takedown), reason."),
    ROUTE_HELD("/healthz", api_healthz, "The process answers."),
    ROUTE_READ("/help", ROLE_WORKER, page_help, "Help pages by role."),
    ROUTE_READ("/help/:topic", ROLE_WORKER, page_help_topic, "One help page: lead, expert, admin, numbers."),
    ROUTE_LOOK("/history", ROLE_LEAD, page_history, "Everything that happened, newest first."),
    ROUTE_LOOK("/images", ROLE_EXPERT, page_images, "All images: as a class's."),
    ROUTE_LOOK("/images/:image", ROLE_EXPERT, page_image, "One image: origin, statistics, what is decided about it for sets, frequencies, grids, flags."),
    ROUTE_READ("/images/:image/:rendition", ROLE_EXPERT, page_rendition, "An image's rendition: grid or view."),

    ROUTE_HELD("/invite/:invite", page_invite_form, "Use an invite link."),
    ROUTE_SLOW("/invite/:invite", ROLE_NONE, PROOF_PUBLIC, KB(8), page_invite_check, page_invite, "Make the account of an invite."),
    ROUTE_READ("/jobs", ROLE_LEAD, page_jobs, "Jobs: what waits, runs and has ended."),
    ROUTE_READ("/jobs/:job", ROLE_LEAD, page_job, "One job: progress, time left, its log."),
    ROUTE_WRITE("/jobs/:job/again", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_job_again, "Start the same job again."),
    ROUTE_WRITE("/jobs/:job/cancel", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_job_cancel, "Ask a job to stop."),
    ROUTE_READ("/login", ROLE_NONE, page_login_form, "Sign in."),
    ROUTE_SLOW("/login", ROLE_NONE, PROOF_PUBLIC, KB(8), page_login_check, page_login, "Sign in."),
    ROUTE_WRITE("/logout", ROLE_WORKER, PROOF_CSRF, KB(4), NULL, page_logout, "Sign out."),

    ROUTE_READ("/metrics", ROLE_LEAD, api_metrics, "Counters as Prometheus text."),
    ROUTE_LOOK("/models", ROLE_EXPERT, page_models, "All models on a pair of sets: original, new, top, sort, order."),
    ROUTE_WRITE("/models", ROLE_LEAD, PROOF_CSRF, KB(8), page_model_add_check, page_model_add, "Add a model by a job: file (below models/), name, note."),
    ROUTE_LOOK("/models/:model", ROLE_EXPERT, page_model, "One model: scores, classes, mistakes, sources: set, top, sort, from, class."),
    ROUTE_WRITE("/models/:model/note", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_model_note, "Change what is said of a model: note."),
    ROUTE_WRITE("/models/:model/predict", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_model_predict, "Start a job that predicts: what (all, original, candidate, class, set:NAME/NUMBER), wnid."),
    ROUTE_WRITE("/models/:model/remove", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_model_remove, "Take a model out of the tables: reason. Its predictions are kept."),

    ROUTE_LOOK("/picks", ROLE_EXPERT, page_picks, "Sets without votes: what is picked and what is missing, class by class: from."),
    ROUTE_WRITE("/picks", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_pick_target, "Set the target of picks: size, keywords_most, together."),
    ROUTE_LOOK("/picks/:wnid", ROLE_EXPERT, page_pick_class, "Pick and prune candidates of a class beside its originals: keyword, none, show, after, originals."),
    ROUTE_WRITE("/picks/:wnid", ROLE_EXPERT, PROOF_CSRF, KB(64), NULL, page_pick, "Pick, prune or put back: do, image (ID:STAGE that was seen), note, keyword, show."),
    ROUTE_HELD("/readyz", api_readyz, "The server takes requests."),
    ROUTE_HELD("/static/*file", page_static, "Style sheets, scripts, icons."),

    ROUTE_LOOK("/sets", ROLE_EXPERT, page_sets, "All sets with the trees of their revisions."),
    ROUTE_LOOK("/sets/:set", ROLE_EXPERT, page_set, "One set: the tree of its revisions."),
    ROUTE_LOOK("/sets/:set/:revision", ROLE_EXPERT, page_revision, "One revision: its images and how models do on it: class, from."),
    ROUTE_LOOK("/sets/:set/:revision/:wnid", ROLE_EXPERT, page_review_class, "The final review of a class: again, others, seen."),
    ROUTE_WRITE("/sets/:set/:revision/:wnid/frequencies", ROLE_EXPERT, PROOF_CSRF, KB(4), NULL, page_review_frequencies, "Show the frequencies of a class in its final review; who asked is recorded."),
    ROUTE_READ("/sets/:set/:revision/:wnid/shown/:place", ROLE_EXPERT, page_review_shown, "A picture of a blind turn by its place: size, again."),
    ROUTE_SLOW("/sets/:set/:revision/:wnid/turns", ROLE_EXPERT, PROOF_CSRF, KB(2048), page_review_turn_check, page_review_turn, "Say what one thinks of a class in a blind round: reason-PLACE, note-PLACE, set-PLACE, problematic, again, round, mixed_from."),
    ROUTE_LOOK("/sets/:set/:revision/audit", ROLE_EXPERT, page_revision_audit, "What is wrong with a revision by what is known today: answers."),
    ROUTE_LOOK("/sets/:set/:revision/bias", ROLE_EXPERT, page_bias, "How much harder a revision is than its originals because frequencies are noisy."),
    ROUTE_LOOK("/sets/:set/:revision/differences", ROLE_EXPERT, page_differences, "What differs between a set and the originals, without models: original, stat, from."),
    ROUTE_WRITE("/sets/:set/:revision/export", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_revision_export, "Export a revision as a folder, by a job: link, pool."),
    ROUTE_LOOK("/sets/:set/:revision/review", ROLE_EXPERT, page_review, "How far the final review of a revision is: only, page."),
    ROUTE_WRITE("/sets/:set/:revision/rounds", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_review_round, "Begin a blind round of the review: originals, repeats (percent)."),
    ROUTE_WRITE("/sets/:set/:revision/state/:state", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_revision_state, "Unseal, freeze or release a revision: reason."),
    ROUTE_LOOK("/sets/:set/diff", ROLE_EXPERT, page_revision_diff, "What differs between two revisions: a, b, from."),
    ROUTE_LOOK("/sets/new", ROLE_EXPERT, page_sample, "Plan a revision: set, strategy, parent, size, ...; do=plan shows what would come of it."),
    ROUTE_SLOW("/sets/new", ROLE_LEAD, PROOF_CSRF, KB(16), page_sample_check, page_sample_start, "Make the revision that was planned, by a job."),

    ROUTE_READ("/views", ROLE_LEAD, page_views, "All vote views."),
    ROUTE_SLOW("/views", ROLE_LEAD, PROOF_CSRF, KB(32), page_view_check, page_view_save, "Preview or save a vote view: name, description, kind, campaign, rule, value-RULE, as_of, version."),
    ROUTE_LOOK("/views/:view", ROLE_LEAD, page_view, "One vote view: what its filters do."),
    ROUTE_READ("/views/:view/edit", ROLE_LEAD, page_view_edit, "Change a vote view."),
    ROUTE_LOOK("/views/:view/frequencies.csv", ROLE_LEAD, page_view_csv, "A vote view's frequencies, as CSV."),
    ROUTE_READ("/views/new", ROLE_LEAD, page_view_new, "Make a vote view."),

    ROUTE_HELD("/work/assignment/:assignment", page_work_grid, "A grid to answer."),
    ROUTE_WRITE("/work/assignment/:assignment", ROLE_NONE, PROOF_CAPABILITY, KB(8), NULL, page_work_submit, "Submit the grid and get the next."),
    ROUTE_HELD("/work/assignment/:assignment/example/:example", page_work_example, "An example image of the grid's class."),
    ROUTE_HELD("/work/assignment/:assignment/:position", page_work_image, "The image in a cell."),
    ROUTE_HELD("/work/assignment/:assignment/flag", page_work_flag_form, "Say that something is wrong with photos."),
    ROUTE_WRITE("/work/assignment/:assignment/flag", ROLE_NONE, PROOF_CAPABILITY, KB(8), NULL, page_work_flag, "Flag photos: cell (shown positions), kind, note."),
    ROUTE_HELD("/work/assignment/:assignment/large/:position", page_work_large, "The image in a cell, larger."),
    ROUTE_HELD("/work/campaign/:campaign", page_work_start, "What a study asks; consent."),
    ROUTE_WRITE("/work/campaign/:campaign", ROLE_NONE, PROOF_PUBLIC, KB(8), page_work_join_check, page_work_join, "Join a study."),
    ROUTE_WRITE("/work/campaign/:campaign/decline", ROLE_NONE, PROOF_PUBLIC, KB(8), page_work_join_check, page_work_decline, "Do not agree to a study."),
    ROUTE_HELD("/work/campaign/:campaign/declined", page_work_declined, "The code of those who did not agree."),
    ROUTE_HELD("/work/help", page_work_help, "Help for people who answer grids."),
    ROUTE_HELD("/work/place/:place", page_work_place, "A worker's part in a study."),
    ROUTE_HELD("/work/place/:place/leave", page_work_leave_form, "How to leave a study."),
    ROUTE_WRITE("/work/place/:place/leave", ROLE_NONE, PROOF_CAPABILITY, KB(4), NULL, page_work_leave, "Leave: how (stop, technical, forget)."),
    ROUTE_WRITE("/work/place/:place/next", ROLE_NONE, PROOF_CAPABILITY, KB(4), NULL, page_work_next, "The next grid."),

    ROUTE_LOOK("/workers", ROLE_LEAD, page_workers, "The people who work, sorted and filtered."),
    ROUTE_LOOK("/workers/:person", ROLE_LEAD, page_worker, "One person: scores, time, pay, answers, notes, decisions."),
    ROUTE_READ("/workers/:person/forget", ROLE_LEAD, page_worker_forget_form, "What forgetting a person means."),
    ROUTE_WRITE("/workers/:person/forget", ROLE_LEAD, PROOF_CSRF, KB(4), NULL, page_worker_forget, "Erase who a person is."),
    ROUTE_WRITE("/workers/:person/notes", ROLE_LEAD, PROOF_CSRF, KB(8), NULL, page_worker_note, "Write about a person: kind (note, block, unblock), text."),
};
/* clang-format on */
const size_t routes_count = sizeof routes / sizeof *routes;
