/* label_files.h - the files that commands about labels of images read: which label the set gives each image, how many
 * people found a label in an image, what models say. Labels and images have the same numbers in all of them. */
#ifndef CLI_OBJECTS_LABEL_FILES_H
#define CLI_OBJECTS_LABEL_FILES_H

#include "base/list.h"
#include "cli/objects/table_file.h"
#include "domain/labels/candidates.h"

enum { LABEL_IMAGES_MOST = 1000000, LABEL_ROWS_MOST = 20000000, LABEL_MODELS_MOST = 4096, LABEL_TOP_MOST = 100 };

struct about_image {
    bool told;                   /* a file says the set's label */
    uint32_t label;              /* its number; once everything is read, its id, as below */
    bool staged;
    enum candidate_stage stage;  /* if a file says that */
};
struct contains_row { /* of one image and label */
    uint32_t image, label, selected, shown;
    uint64_t line;
};
struct said_row { /* a model's answer about an image */
    uint32_t image, model, rank, label; /* rank 0: its first */
};
struct label_files {
    struct cli *cli;
    struct labels_known labels;
    struct names images, models;
    struct about_image *about;   /* of each image that has a number */
    size_t n_about, about_cap;
    struct contains_row *contains;
    struct said_row *said;
    size_t n_contains, n_said, contains_cap, said_cap;
    struct map_u64 pairs;        /* image and label, or image and model, of the file that is read */
};
void label_files_init(struct label_files *f, struct cli *cli);
void label_files_release(struct label_files *f);

/* CSV image,label or image,wnid, with stage (easy, fu, mis, amb) if it has it; other columns are not looked at. ERR_INPUT
 * "FILE:LINE: ...": what is no such row, an image twice. */
enum err_code label_files_images(struct label_files *f, const char *path);
/* CSV image,class,selected,shown, with label (the set's) unless a file of images says it; or image,wnid,n_selected,
 * n_assignments, as `export frequencies` writes. The same errors. */
enum err_code label_files_contains(struct label_files *f, const char *path);
/* CSV image,model,p1,p2,... (or label1, ...), the best first, of which the first `top` are kept; or image and a column for
 * each model with its first answer. Cells without anything are passed over. */
enum err_code label_files_predictions(struct label_files *f, const char *path, uint32_t top);
/* Everything is read: labels get their ids (labels_known_end), which stand in all rows from then on; `contains` is sorted by
 * image and label, `said` by image, model and rank. */
void label_files_end(struct label_files *f);
/* What is known of an image; zeroes if nothing is. */
struct about_image label_files_about(const struct label_files *f, uint32_t image);

#endif
