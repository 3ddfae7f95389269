/* lists.c - the lists of an export, a line an image: for people and scripts
 * (manifest.csv, frequencies.csv), for `holdout import` (images.csv, classes.csv), for Hugging Face
 * (metadata.jsonl), and of what was taken down (tombstones.csv). */
#include "json/object.h"
#include "sets/export/export_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "crypto/crypto.h"
#include "formats/csv.h"

/* Writes the line of a row; nothing for one that has no place in the list. */
typedef void (*add_line_fn)(struct set_export *e, size_t row, struct str *out);

static void add_cells(struct str *out, const struct sv *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        str_addz(out, i ? "," : "");
        csv_cell(out, cells[i]);
    }
}

static const char *hex_of(const struct export_row *r, char out[2 * IMAGE_SHA + 1])
{
    if (r->pixels == EXPORT_FILE) {
        crypto_hex(r->sha256, IMAGE_SHA, out);
    } else {
        *out = '\0';
    }
    return out;
}

/* ---- the lines ---- */

#define MANIFEST_HEADER                                                                            \
    "row,image,wnid,label,pixels,path,sha256,bytes,width,height,role,taken_at,source_id,link,"     \
    "author,licence,keyword\n"

/* Every image of the revision, in its order. */
static void add_manifest(struct set_export *e, size_t row, struct str *out)
{
    const struct export_row *r = &e->rows[row];
    char hex[2 * IMAGE_SHA + 1];
    const struct sv origin[] = {r->role,   r->taken_at, r->source_id, r->link,
                                r->author, r->licence,  r->keyword};
    str_printf(out, "%zu,", row);
    add_cells(out, (const struct sv[]){r->name, r->wnid}, 2);
    str_printf(out, ",%" PRId64 ",%s,", e->classes[r->class_at].cid,
               export_pixels_words[r->pixels]);
    csv_cell(out, sv_of(r->file));
    str_printf(out, ",%s,", hex_of(r, hex));
    if (r->pixels == EXPORT_FILE) {
        str_printf(out, "%" PRId64 ",%" PRIu32 ",%" PRIu32 ",", r->bytes, r->width, r->height);
    } else {
        str_addz(out, ",,,");
    }
    add_cells(out, origin, sizeof origin / sizeof *origin);
    str_addc(out, '\n');
}

#define IMAGES_HEADER "id,path,class,role,taken_at,source_id,link,author,licence,keyword\n"

/* What `holdout import images` takes (formats/manifest.h). */
static void add_import(struct set_export *e, size_t row, struct str *out)
{
    const struct export_row *r = &e->rows[row];
    const struct sv cells[] = {r->name,      sv_of(r->file), r->wnid,   r->role,    r->taken_at,
                               r->source_id, r->link,        r->author, r->licence, r->keyword};
    if (r->pixels == EXPORT_FILE) {
        add_cells(out, cells, sizeof cells / sizeof *cells);
        str_addc(out, '\n');
    }
}

#define FREQUENCIES_HEADER "image,wnid,n_assignments,n_selected,frequency,lo,hi\n"

static void add_frequency(struct set_export *e, size_t row, struct str *out)
{
    const struct export_row *r = &e->rows[row];
    add_cells(out, (const struct sv[]){r->name, r->wnid}, 2);
    export_add_votes(e, out, r->shown, r->selected);
    str_addc(out, '\n');
}

static json_t *json_sv(struct sv text)
{
    return json_stringn(text.n ? text.p : "", text.n);
}

static struct sv first_word(struct sv synset)
{
    return sv_cut(&synset, '|');
}

/* `file_name` is the reader's word for the file; its own column for the picture is called "image".
 */
static void add_metadata(struct set_export *e, size_t row, struct str *out)
{
    const struct export_row *r = &e->rows[row];
    const struct class_info *k = &e->classes[r->class_at];
    char hex[2 * IMAGE_SHA + 1];
    if (r->pixels != EXPORT_FILE) {
        return;
    }
    json_t *line = object(
        field_text("file_name", r->file), field_json("image_id", json_sv(r->name)),
        field_json("wnid", json_sv(r->wnid)), field_int("label", k->cid),
        field_json("class_name", json_sv(first_word(k->synset))),
        field_int("n_assignments", r->shown), field_int("n_selected", r->selected),
        field_json("frequency", r->shown ? json_real((double)r->selected / r->shown) : json_null()),
        field_json("taken_at", json_sv(r->taken_at)),
        field_json("source_id", json_sv(r->source_id)), field_json("link", json_sv(r->link)),
        field_json("author", json_sv(r->author)), field_json("licence", json_sv(r->licence)),
        field_json("keyword", json_sv(r->keyword)), field_text("sha256", hex_of(r, hex)));
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    BUG_IF(!text);
    str_addz(out, text);
    str_addc(out, '\n');
    free(text);
    json_decref(line);
}

/* ---- the files ---- */

static enum err_code write_list(struct set_export *e, const char *name, const char *header,
                                add_line_fn add, struct err *err)
{
    struct export_text t;
    enum err_code rc = export_text_open(&t, e, name, err);
    str_addz(&t.buf, header);
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        add(e, i, &t.buf);
        rc = export_text_flush(&t, err);
    }
    return export_text_close(&t, rc, err);
}

/* All of the project: the numbers of the others decide what a prediction's number means. */
static enum err_code write_classes(struct set_export *e, struct err *err)
{
    struct export_text t;
    enum err_code rc = export_text_open(&t, e, "classes.csv", err);
    str_addz(&t.buf, "cid,wnid,synset,gloss,wikipedia\n");
    for (size_t i = 0; i < e->n_classes && rc == OK; i++) {
        const struct class_info *k = &e->classes[i];
        str_printf(&t.buf, "%" PRId64 ",", k->cid);
        add_cells(&t.buf, (const struct sv[]){k->wnid, k->synset, k->gloss, k->wikipedia}, 4);
        str_addc(&t.buf, '\n');
        rc = export_text_flush(&t, err);
    }
    return export_text_close(&t, rc, err);
}

static enum err_code write_tombstones(struct set_export *e, struct err *err)
{
    struct export_text t;
    enum err_code rc = export_text_open(&t, e, EXPORT_TOMBSTONES, err);
    str_addz(&t.buf, "row,image,wnid,state,decided_at,reason\n");
    for (size_t i = 0; i < e->n_tombstones && rc == OK; i++) {
        const struct export_tombstone *s = &e->tombstones[i];
        const struct export_row *r = &e->rows[s->row];
        char at[CLOCK_ISO_SIZE] = "";
        str_printf(&t.buf, "%" PRIu32 ",", s->row);
        add_cells(&t.buf,
                  (const struct sv[]){r->name, r->wnid, s->state,
                                      sv_of(s->at ? clock_iso(s->at, at) : ""), s->reason},
                  5);
        str_addc(&t.buf, '\n');
        rc = export_text_flush(&t, err);
    }
    return export_text_close(&t, rc, err);
}

enum err_code export_lists(struct set_export *e, struct err *err)
{
    static const struct {
        const char *name, *header;
        add_line_fn add;
    } lists[] = {{EXPORT_LIST, MANIFEST_HEADER, add_manifest},
                 {"images.csv", IMAGES_HEADER, add_import},
                 {"frequencies.csv", FREQUENCIES_HEADER, add_frequency},
                 {"metadata.jsonl", "", add_metadata}};
    enum err_code rc = write_classes(e, err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && rc == OK; i++) {
        rc = write_list(e, lists[i].name, lists[i].header, lists[i].add, err);
    }
    return rc == OK ? write_tombstones(e, err) : rc;
}
