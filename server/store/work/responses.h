/* responses.h - SQL for what people answered in CLASSIFY tasks: the labels they ticked, one for each object, and the
 * main one. Written as any answer (work.h); read here for who makes objects of them. */
#ifndef STORE_WORK_RESPONSES_H
#define STORE_WORK_RESPONSES_H

#include "store/work/grids.h"

struct work_response {
    int64_t id;              /* of the answer: its event */
    int64_t campaign, grid, image, person;
    int64_t class_id;        /* the label that the image's set gives it */
    int64_t at, active_ms;   /* active_ms 0: not known */
    int64_t seed;
    uint64_t mask;           /* bits of the options that were ticked; 0: none of these */
    int64_t main;            /* the main object's label: an option of the mask; OPTION_NONE: none of these */
    int64_t role;            /* enum cell_role: CELL_GOLD of a check */
    bool shuffled;           /* the options were shown in the order of `seed`, else in theirs: order[shown position] =
                                option after grid_order((uint64_t)seed, shuffled, options->n, order) (domain/grids/grid.h) */
    bool none_offered;       /* that none of the options is there could be said */
    bool surplus;            /* came when the task had all its answers: no view counts it */
    bool out;                /* of the analysis, as of the last event asked for */
    bool excluded;           /* its task is, now */
    const struct grid_options *options; /* of its task, borrowed for the walk */
};
struct responses_of {
    int64_t campaign; /* 0: of all */
    int64_t image;    /* 0: about all */
    int64_t after;    /* answers with a larger id: 0 for all. Decisions about earlier ones are in votes_states
                         (store/votes/votes.h) */
    int64_t until;    /* the last event that counts, INT64_MAX for now */
};
/* Ids of the CLASSIFY campaigns that have an answer, rising. */
enum err_code responses_campaigns(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err);

/* Every answer of CLASSIFY campaigns that is asked for, in the order of events, whether it counts or not. Needs one
 * snapshot (a transaction). */
enum err_code responses_each(struct db *db, const struct responses_of *of, struct arena *a,
                             enum err_code (*each)(void *arg, const struct work_response *w, struct err *err), void *arg,
                             struct err *err);

/* Every CLASSIFY campaign with how many images it asks about, checks aside. */
struct response_campaign {
    int64_t id, tasks;
    struct sv name;
};
enum err_code responses_tasks(struct db *db, struct arena *a, struct response_campaign **out, size_t *n, struct err *err);
/* Images whose set's label was the only candidate, in the plans that CLASSIFY campaigns ask about which had an answer by the event (0:
 * now): nobody was asked about them, and there is nothing to choose. By image and campaign. */
struct response_easy {
    int64_t image, class_id, campaign;
};
enum err_code responses_easy(struct db *db, int64_t as_of, struct arena *a, struct response_easy **out, size_t *n, struct err *err);
/* How many images of the plans of candidate labels that they ask about are of each stage; stages that no image has are left out. */
struct response_stage {
    int64_t campaign, version, images;
    struct sv plan, stage; /* name of the plan; "easy", "fu", "mis", "amb" */
};
enum err_code responses_stages(struct db *db, struct arena *a, struct response_stage **out, size_t *n, struct err *err);
#endif
