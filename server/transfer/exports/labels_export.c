/* labels_export.c - `holdout export labels`: a label source as a table or as JSON that `import labels` reads again, or its
 * objects as `objects` writes them, for the commands that read such files. */
#include "base/map.h"
#include "formats/csv.h"
#include "measures/core/label_books.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/sets/sets.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/labels_json.h"

enum { OUT_MOST = 1 << 26, CELL_MOST = 1 << 20 };

struct labels_export {
    struct transfer *tr;
    const struct labels_export_ask *ask;
    struct label_version_row version;
    struct label_book book;
    struct image_row *images; /* of the book, by position */
    struct map_u64 classes;   /* class id -> index */
    struct class_info *class_list;
    struct map_u64 set; /* image -> index of set_images; empty without a set */
    struct revision_image *set_images;
    size_t n_set, written, lost, outside; /* written: images so far; labels and images that the shape has no word for; images that the set has not */
    struct str out, cell;
};

/* ---- what is written ---- */

static void add_class(const struct labels_export *x, int64_t class_id, struct str *out)
{
    uint32_t at = map_u64_get(&x->classes, (uint64_t)class_id);
    if (at == MAP_NONE) {
        return;
    }
    if (x->ask->numbers) {
        str_addi(out, x->class_list[at].cid);
    } else {
        str_addsv(out, x->class_list[at].wnid);
    }
}

static void add_cell(struct labels_export *x)
{
    csv_cell(&x->out, str_sv(&x->cell));
    str_clear(&x->cell);
}

static void add_number(struct str *out, int64_t n) /* below 0: not known */
{
    str_addc(out, ',');
    if (n >= 0) {
        str_addi(out, n);
    }
}

/* The columns that tell the kind are those of the kind alone. */
static void table_head(struct labels_export *x)
{
    str_addz(&x->out, "image,label");
    str_addz(&x->out, x->version.kind == LABEL_KIND_REVIEW    ? ",verdict"
                      : x->version.kind == LABEL_KIND_OBJECTS ? ",object,main,main_object"
                      : x->version.kind == LABEL_KIND_MAIN    ? ",main"
                                                              : "");
    str_addz(&x->out, ",votes,problematic,partial,inferred\n");
}

/* `l` NULL: an image without labels. */
static void table_row(struct labels_export *x, size_t position, const struct label *l)
{
    const struct label_image *image = &x->book.images[position];
    csv_cell(&x->out, x->images[position].name);
    str_addc(&x->out, ',');
    if (l) {
        add_class(x, l->class_id, &x->out);
    }
    switch (x->version.kind) {
    case LABEL_KIND_REVIEW:
        str_printf(&x->out, ",%s", l ? label_verdict_word((enum label_verdict)l->verdict) : "");
        break;
    case LABEL_KIND_OBJECTS:
        add_number(&x->out, l ? l->object : -1);
        str_addz(&x->out, !l ? "," : l->main ? ",1" : ",0");
        add_number(&x->out, image->main_object);
        break;
    case LABEL_KIND_MAIN:
        str_addz(&x->out, !l ? "," : l->main ? ",1" : ",0");
        break;
    case LABEL_KIND_LABELS:
    case LABEL_KINDS:
        break;
    }
    add_number(&x->out, l ? l->votes : -1);
    str_printf(&x->out, ",%d,%d,%d\n", image->problematic, image->partial, image->inferred);
}

static void print_table_image(struct labels_export *x, size_t position)
{
    const struct label_image *image = &x->book.images[position];
    for (uint32_t i = 0; i < image->n; i++) {
        table_row(x, position, &x->book.labels[image->first + i]);
    }
    if (image->n == 0) {
        table_row(x, position, NULL);
    }
}

static void add_object(struct labels_export *x, const struct label_image *image, int object)
{
    bool first = true;
    for (uint32_t i = 0; i < image->n; i++) {
        const struct label *l = &x->book.labels[image->first + i];
        if (l->object == object) {
            str_addz(&x->cell, first ? "" : "+");
            add_class(x, l->class_id, &x->cell);
            str_printf(&x->cell, ":%lld", (long long)(l->votes < 0 ? 0 : l->votes));
            first = false;
        }
    }
}

/* The label of an object, or the main one (object -1). */
static void add_named(struct labels_export *x, const struct label_image *image, const unsigned char *said, int object)
{
    for (uint32_t i = 0; i < image->n; i++) {
        const struct label *l = &x->book.labels[image->first + i];
        if (object < 0 ? l->main : l->object == object && said[i] & SAID_NAMES) {
            add_class(x, l->class_id, &x->cell);
            return;
        }
    }
}

static void add_unassigned(struct labels_export *x, const struct label_image *image)
{
    for (uint32_t i = 0; i < image->n; i++) {
        const struct label *l = &x->book.labels[image->first + i];
        if (l->object < 0) {
            str_addz(&x->cell, x->cell.n ? "+" : "");
            add_class(x, l->class_id, &x->cell);
        }
    }
}

/* image,label,num_objects,main_label,dropped,objects,object_labels,main_object,label_object */
static void print_objects_image(struct labels_export *x, size_t position)
{
    unsigned char said[LABELS_OF_IMAGE];
    const struct label_image *image = &x->book.images[position];
    uint32_t of_set = map_u64_get(&x->set, image->image);
    if ((x->ask->set && of_set == MAP_NONE) || image->n == 0) {
        return;
    }
    int64_t label = of_set == MAP_NONE ? 0 : x->set_images[of_set].class_id;
    struct label_objects o = labels_objects(image, &x->book.labels[0], UINT16_MAX);
    labels_said(&x->book.labels[image->first], image->n, said);
    csv_cell(&x->out, x->images[position].name);
    str_addc(&x->out, ',');
    add_class(x, label, &x->out);
    str_printf(&x->out, ",%d,", o.objects);
    add_named(x, image, said, -1);
    add_cell(x);
    str_addc(&x->out, ',');
    add_unassigned(x, image);
    add_cell(x);
    str_addc(&x->out, ',');
    for (int i = 0; i < o.objects; i++) {
        str_addz(&x->cell, i ? "|" : "");
        add_object(x, image, i);
    }
    add_cell(x);
    str_addc(&x->out, ',');
    for (int i = 0; i < o.objects; i++) {
        str_addz(&x->cell, i ? "|" : "");
        add_named(x, image, said, i);
    }
    add_cell(x);
    add_number(&x->out, o.main_object < 0 ? 0 : o.main_object);
    int of_label = -1;
    for (uint32_t i = 0; i < image->n && label; i++) {
        const struct label *l = &x->book.labels[image->first + i];
        of_label = l->class_id == label ? l->object : of_label;
    }
    str_printf(&x->out, label ? ",%d\n" : ",\n", of_label);
}

/* ---- what is read ---- */

static enum err_code read_names(struct labels_export *x)
{
    struct transfer *tr = x->tr;
    int64_t *ids = arena_calloc(tr->arena, x->book.n + 1, sizeof *ids);
    size_t n = 0;
    x->images = arena_calloc(tr->arena, x->book.n + 1, sizeof *x->images);
    for (size_t i = 0; i < x->book.n; i++) {
        ids[i] = x->book.images[i].image;
    }
    enum err_code rc = images_names(tr->db, ids, x->book.n, tr->arena, x->images, tr->err);
    rc = rc == OK ? classes_list(tr->db, tr->arena, &x->class_list, &n, tr->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&x->classes, (uint64_t)x->class_list[i].id, (uint32_t)i);
    }
    return rc;
}

static enum err_code read_set(struct labels_export *x)
{
    struct transfer *tr = x->tr;
    struct revision_row r;
    enum err_code rc = revisions_find(tr->db, sv_of(x->ask->set), tr->arena, &r, tr->err);
    rc = rc == OK ? revisions_images(tr->db, r.id, tr->arena, &x->set_images, &x->n_set, tr->err) : rc;
    for (size_t i = 0; i < x->n_set && rc == OK; i++) {
        map_u64_put(&x->set, (uint64_t)x->set_images[i].image, (uint32_t)i);
    }
    return rc;
}

/* ---- JSON ---- */

static int cid_of(const struct labels_export *x, int64_t class_id)
{
    uint32_t at = map_u64_get(&x->classes, (uint64_t)class_id);
    return at == MAP_NONE ? -1 : (int)x->class_list[at].cid;
}

/* `wnids` has room for the labels of an image; NULL: class numbers are written. */
static struct labels_json_image json_image(const struct labels_export *x, size_t position, struct sv *wnids)
{
    const struct label_image *image = &x->book.images[position];
    const struct label *labels = x->book.labels ? x->book.labels + image->first : NULL;
    uint32_t of_set = map_u64_get(&x->set, image->image);
    for (uint32_t i = 0; i < image->n && wnids; i++) {
        uint32_t at = map_u64_get(&x->classes, labels[i].class_id);
        wnids[i] = at == MAP_NONE ? SV("") : x->class_list[at].wnid;
    }
    return (struct labels_json_image){.name = x->images[position].name, .image = image, .labels = labels, .wnids = wnids,
                                      .kind = x->version.kind,
                                      .original = of_set == MAP_NONE ? -1 : cid_of(x, x->set_images[of_set].class_id)};
}

/* An image that a set has not is in none of its shapes. */
static bool outside(struct labels_export *x, const struct labels_json_image *one)
{
    bool out = x->ask->set && map_u64_get(&x->set, one->image->image) == MAP_NONE;
    x->outside += out;
    return out;
}

/* Of reviews: what is not correct. */
static void count_lost(struct labels_export *x, const struct labels_json_image *one)
{
    const bool review = one->image && x->version.kind == LABEL_KIND_REVIEW;
    for (uint32_t i = 0; review && i < one->image->n; i++) {
        x->lost += one->image->problematic || one->labels[i].verdict != VERDICT_CORRECT;
    }
}

static void print_lines_image(struct labels_export *x, size_t position)
{
    struct sv wnids[LABELS_OF_IMAGE];
    const struct labels_json_image one = json_image(x, position, x->ask->numbers ? NULL : wnids);
    labels_json_lines(&one, &x->out);
}

static void print_tfds_image(struct labels_export *x, size_t position)
{
    const struct labels_json_image one = json_image(x, position, NULL);
    if (outside(x, &one)) {
        return;
    }
    x->lost += one.image->partial;
    for (uint32_t i = 0; i < one.image->n; i++) {
        x->lost += one.labels[i].verdict == VERDICT_DONTKNOW;
    }
    labels_json_tfds(&one, &x->out);
}

/* A list for each image of the set, in its order. */
static enum err_code print_real_set(struct labels_export *x)
{
    static const struct labels_json_image nothing;
    struct map_u64 at;
    enum err_code rc = OK;
    map_u64_init(&at);
    for (size_t i = 0; i < x->book.n; i++) {
        map_u64_put(&at, x->book.images[i].image, (uint32_t)i);
        x->outside += map_u64_get(&x->set, x->book.images[i].image) == MAP_NONE;
    }
    for (size_t i = 0; i < x->n_set && rc == OK; i++) {
        uint32_t position = map_u64_get(&at, x->set_images[i].image);
        const struct labels_json_image one = position == MAP_NONE ? nothing : json_image(x, position, NULL);
        count_lost(x, &one);
        str_addz(&x->out, i ? ", " : "");
        labels_json_real(&one, &x->out);
        rc = transfer_flush(x->tr, &x->out, x->tr->err);
    }
    map_u64_release(&at);
    return rc;
}

static void print_annotations_image(struct labels_export *x, size_t position)
{
    struct sv wnids[LABELS_OF_IMAGE];
    const struct labels_json_image one = json_image(x, position, wnids);
    if (outside(x, &one)) {
        return;
    }
    x->lost += (size_t)one.image->partial + one.image->problematic;
    str_addz(&x->out, x->written++ ? ", " : "");
    labels_json_key(&one, &x->out);
    labels_json_annotations(&one, &x->out);
}

static void print_real_image(struct labels_export *x, size_t position)
{
    const struct labels_json_image one = json_image(x, position, NULL);
    count_lost(x, &one);
    str_addz(&x->out, position ? ", " : "");
    labels_json_key(&one, &x->out);
    labels_json_real(&one, &x->out);
}

/* ---- all ---- */

static const struct shape {
    const char *begin, *end;
    void (*image)(struct labels_export *x, size_t position);
    unsigned kinds;   /* bits: 1 << kind */
    const char *no;   /* what a source of another kind has or has not */
    const char *lost; /* what it has no word for */
} shapes[LABELS_SHAPES] = {
    [LABELS_TABLE] = {"", "", print_table_image, ~0u, "", ""},
    [LABELS_JSONL] = {"", "", print_lines_image, ~0u, "", ""},
    [LABELS_OBJECTS] = {"image,label,num_objects,main_label,dropped,objects,object_labels,main_object,label_object\n", "",
                        print_objects_image, 1u << LABEL_KIND_OBJECTS, "has no objects", ""},
    [LABELS_REAL] = {"{", "}", print_real_image, 1u << LABEL_KIND_LABELS | 1u << LABEL_KIND_MAIN | 1u << LABEL_KIND_REVIEW,
                     "says more than ReaL has words for: use table or jsonl", "labels that are not correct, or of problematic images"},
    [LABELS_TFDS] = {"", "", print_tfds_image, 1u << LABEL_KIND_REVIEW, "has no verdicts",
                     "the verdict dontknow and for partly reviewed images"},
    [LABELS_ANNOTATIONS] = {"{", "}\n", print_annotations_image, 1u << LABEL_KIND_REVIEW, "has no verdicts",
                            "problematic and partly reviewed images"},
};

static enum err_code print_all(struct labels_export *x)
{
    const struct shape *shape = &shapes[x->ask->shape];
    enum err_code rc = OK;
    if (x->ask->shape == LABELS_REAL && x->ask->set) {
        str_addc(&x->out, '[');
        rc = print_real_set(x);
        str_addc(&x->out, ']');
        return rc;
    }
    if (x->ask->shape == LABELS_TABLE) {
        table_head(x);
    }
    str_addz(&x->out, shape->begin);
    for (size_t i = 0; i < x->book.n && rc == OK; i++) {
        shape->image(x, i);
        rc = transfer_flush(x->tr, &x->out, x->tr->err);
    }
    str_addz(&x->out, shape->end);
    return rc;
}

static void tell(const struct labels_export *x)
{
    if (x->outside) {
        transfer_note(x->tr, "%zu image%s of the source %s left out: they are not in the set.", x->outside, x->outside == 1 ? "" : "s",
                      x->outside == 1 ? "is" : "are");
    }
    if (x->lost) {
        transfer_warn(x->tr, "This shape has no word for %s: %zu of these are lost.", shapes[x->ask->shape].lost, x->lost);
    }
}

const char *const labels_shape_words[LABELS_SHAPES] = {
    [LABELS_TABLE] = "table", [LABELS_JSONL] = "jsonl", [LABELS_OBJECTS] = "objects",
    [LABELS_REAL] = "real",   [LABELS_TFDS] = "tfds",   [LABELS_ANNOTATIONS] = "annotations",
};

bool labels_shape_fits(enum labels_shape shape, enum label_kind kind)
{
    return shapes[shape].kinds >> kind & 1;
}

bool labels_shape_of(struct sv word, enum labels_shape *out)
{
    for (int i = 0; i < LABELS_SHAPES; i++) {
        if (sv_is(word, labels_shape_words[i])) {
            *out = (enum labels_shape)i;
            return true;
        }
    }
    return false;
}

enum err_code labels_export(struct transfer *tr, const struct labels_export_ask *ask)
{
    struct labels_export x = {.tr = tr, .ask = ask};
    map_u64_init(&x.classes);
    map_u64_init(&x.set);
    str_init(&x.out, OUT_MOST);
    str_init(&x.cell, CELL_MOST);
    enum err_code rc = label_source_find(tr->db, sv_of(ask->source), tr->arena, &x.version, tr->err);
    if (rc == OK && !labels_shape_fits(ask->shape, x.version.kind)) {
        rc = err_rule(tr->err, ERR_INPUT, "label-kind", "%s is a source of kind %s and %s.", ask->source,
                      label_kind_word(x.version.kind), shapes[ask->shape].no);
    }
    rc = rc == OK ? label_source_read(tr->db, &x.version, &x.book, tr->err) : rc;
    rc = rc == OK ? read_names(&x) : rc;
    rc = rc == OK && ask->set ? read_set(&x) : rc;
    rc = rc == OK ? print_all(&x) : rc;
    rc = transfer_end(tr, &x.out, rc);
    if (rc == OK) {
        tell(&x);
    }
    str_release(&x.cell);
    label_book_release(&x.book);
    map_u64_release(&x.set);
    map_u64_release(&x.classes);
    return rc;
}
