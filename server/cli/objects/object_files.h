/* object_files.h - objects of images as `objects` writes them, with what other files say of the same images. */
#ifndef CLI_OBJECTS_OBJECT_FILES_H
#define CLI_OBJECTS_OBJECT_FILES_H

#include "cli/objects/label_files.h"
#include "domain/labels/image_labels.h"

struct object_row;
struct object_files {
    struct label_files f;
    struct names superclasses;
    struct list superclass_of;   /* uint32_t of each label that a file of classes has, by number, then by id */
    struct list rows;            /* as read; object_files.c */
    struct list names, members;
    /* Filled by object_files_end. */
    struct image_list list;      /* images that count */
    uint32_t *image;             /* their numbers */
    const struct object_row **row_of; /* their rows; NULL: inferred */
    uint32_t **answers;          /* [model][index in list]: its first answer, or LABEL_NONE */
    uint64_t stages[CANDIDATE_STAGES]; /* images, if the file of images has stages */
    uint64_t inferred;           /* of those that count: easy, the set's label is the only object */
    uint64_t left_out;           /* images of the file of images that do not count */
};
void object_files_init(struct object_files *o, struct cli *cli);
void object_files_release(struct object_files *o);

/* Reads the positional OBJECTS and what the options --images, --classes and --predictions name. Without --images the column
 * label says the set's labels. With stages, images of the stage easy have the set's label as their only object, those of mis
 * and amb do not count. ERR_INPUT "FILE:LINE: ..."; ERR_LIMIT. */
enum err_code object_files_read(struct object_files *o, struct cli *cli);
/* The superclass of each id, from the columns class (or wnid) and superclass of --classes. */
struct superclasses object_files_superclass_ids(const struct object_files *o);
/* What the votes about a counted image were like; 0 where the file has no column for it. */
struct object_votes {
    bool inferred;      /* nobody was asked; nothing else is known */
    uint32_t responses, n_optimal;
    uint32_t selected, unassigned; /* labels that anybody selected; those of no object */
    bool main_tied, number_tied;
};
struct object_votes object_files_votes(const struct object_files *o, size_t at);

#endif
