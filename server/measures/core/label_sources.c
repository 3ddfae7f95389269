/* label_sources.c - one record, by which command, page and API say what sources there are. */
#include "measures/core/label_sources.h"

#include "live/labels/review_books.h"
#include "measures/core/label_books.h"

#define OF(member) RECORD_OF(struct label_source_row, member)
#define IF_SET RECORD_IF(struct label_source_row, covered)
RECORD(label_source_record, struct label_source_row, "label_source", "A version of a label source: what images show by others than their sets.",
       {"name", OF(version.name), .about = "The source's name, by which `labels` asks for its newest version."},
       {"version", OF(version.number), .about = "Its number, of answers the last event that changed anything; NAME/NUMBER asks for this one."},
       {"kind", OF(kind), .about = "labels, main, objects or review."},
       {"rules", OF(rules), .about = "The rules by which an answer can be right: NAME:RULE asks for one, the usual one otherwise."},
       {"images", OF(version.images), .about = "Images that it has."},
       {"labels", OF(version.labels), .about = "Labels of all of them."},
       {"format", OF(version.format), .about = "Of the file that it came in: csv, jsonl, objects, real or tfds; answers: it came in none, people's answers to CLASSIFY tasks are counted."},
       {"file", OF(version.file), .about = "The file's name."},
       {"at", OF(version.at), RECORD_MOMENT, .about = "When it was imported, or that event happened."},
       {"by", OF(version.login), .maybe = true, .about = "Whose account imported it; null: the command line."},
       {"reason", OF(version.reason), .maybe = true, .about = "Why it replaced the version before; null: it is the first."},
       {"set_images", OF(set_images), IF_SET, .about = "Images of the set that was asked about; null: none was."},
       {"covered", OF(has), IF_SET, .about = "Those of them that the source has."},
       {"counted", OF(counts), IF_SET, .about = "Those that are neither problematic, partly reviewed nor, unless reviewed, without labels."});
#undef OF
#undef IF_SET

static const char *rules_of(enum label_kind k, struct arena *a)
{
    const char *text = label_rule_word(label_rule_usual(k));
    for (int r = 0; r < LABEL_RULES; r++) {
        if (label_rule_fits(k, (enum label_rule)r) && (enum label_rule)r != label_rule_usual(k)) {
            text = arena_printf(a, "%s,%s", text, label_rule_word((enum label_rule)r));
        }
    }
    return text;
}

enum err_code label_sources_list(struct db *db, struct sv name, const struct revision_row *r, struct arena *a,
                                 struct label_source_row **out, size_t *n, struct err *err)
{
    struct label_version_row one = {.source = 0}, *list;
    enum err_code rc = name.n ? label_source_find(db, name, a, &one, err) : label_source_newest(db, a, &list, n, err);
    rc = rc == OK && name.n ? label_source_versions(db, &one, a, &list, n, err) : rc;
    if (rc != OK) {
        return rc;
    }
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        struct label_source_row *row = &(*out)[i];
        *row = (struct label_source_row){.version = list[i], .kind = label_kind_word(list[i].kind), .rules = rules_of(list[i].kind, a)};
        if (r) {
            row->covered = true;
            row->set_images = r->images;
            rc = label_source_covers(db, &list[i], r->id, &row->has, &row->counts, err);
        }
        if (list[i].list < 0 && rc == OK) {
            rc = review_book_labels(db, -list[i].list, &row->version.labels, err);
        }
    }
    return rc;
}
