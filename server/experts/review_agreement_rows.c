/* review_agreement_rows.c - the records of a label review's agreement, and THE table of its lists. */
#include "experts/review_agreement.h"

#define OF(member) RECORD_OF(struct agreement_figure, member)
static RECORD(figure_record, struct agreement_figure, "agreement_figure", "How far all reviewers agree.",
              {"of", OF(of), .about = "verdicts (of labels), or problematic (whether images are)."},
              {"figure", OF(figure), .about = "krippendorff (alpha, over what at least two judged), or fleiss (kappa, over what as many judged as any)."},
              {"people", OF(people), .about = "The most who judged one label or image."},
              {"items", OF(items), .about = "Labels, or images, that it is about."},
              {"value", OF(value), .maybe = true, .about = "At most 1; 0: as chance has it; null: nothing was judged twice, or all said one and the same."},
              {"lo", OF(lo), .maybe = true, .about = "Lower bound, 95 %, from bootstrap samples of images."},
              {"hi", OF(hi), .maybe = true, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct agreement_pair, member)
static RECORD(pair_record, struct agreement_pair, "agreement_pair", "How far two reviewers agree about labels.",
              {"first", OF(first), .about = "A reviewer: a login, imported, or forgotten with a number."},
              {"second", OF(second), .about = "Another one."},
              {"labels", OF(labels), .about = "Labels that both judged."},
              {"alike", OF(alike), .about = "Those of which they said the same."},
              {"share", OF(share), .maybe = true, .about = "In percent."},
              {"kappa", OF(kappa), .maybe = true, .about = "Cohen's kappa; null: both always said one and the same."},
              {"lo", OF(lo), .maybe = true, .about = "Lower bound of kappa, 95 %, from bootstrap samples of images."},
              {"hi", OF(hi), .maybe = true, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct agreement_class, member)
static RECORD(class_record, struct agreement_class, "agreement_class", "How far reviewers agree about labels of one class.",
              {"wnid", OF(wnid), .about = "The class."}, {"synset", OF(synset), .about = "Its words, joined by |."},
              {"labels", OF(labels), .about = "Labels of the class that at least two judged."},
              {"alike", OF(alike), .about = "Those of which everybody said the same."},
              {"share", OF(share), .maybe = true, .about = "In percent."},
              {"shrunk", OF(shrunk), .maybe = true, .about = "The share, in percent, pulled towards what all classes have in common, the more the fewer labels there are."},
              {"lo", OF(lo), .maybe = true, .about = "Lower bound of the shrunk share, 95 %."}, {"hi", OF(hi), .maybe = true, .about = "Upper bound."},
              {"alpha", OF(alpha), .maybe = true, .about = "Krippendorff's alpha; null: there is none."});
#undef OF

#define OF(member) RECORD_OF(struct agreement_time, member)
static RECORD(time_record, struct agreement_time, "agreement_time", "How far one reviewer agrees with the others, over time.",
              {"person", OF(person), .about = "The reviewer."},
              {"part", OF(part), .about = "Which part of their images, in the order in which they reviewed them; 0: all of them."},
              {"parts", OF(parts), .about = "How many parts there are."}, {"images", OF(images), .about = "Images of the part that somebody else reviewed, too."},
              {"from", OF(from), RECORD_MOMENT, .about = "When the first of them was saved."}, {"to", OF(to), RECORD_MOMENT, .about = "When the last was."},
              {"pairs", OF(pairs), .about = "Their verdicts, each beside that of each other reviewer of the label."},
              {"alike", OF(alike), .about = "Those that are the same."}, {"share", OF(share), .maybe = true, .about = "In percent."},
              {"lo", OF(lo), .maybe = true, .about = "Lower bound, 95 %, with images as clusters."}, {"hi", OF(hi), .maybe = true, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct agreement_repeat, member)
static RECORD(repeat_record, struct agreement_repeat, "agreement_repeat", "Whether a reviewer says the same when an image is shown again.",
              {"person", OF(person), .about = "The reviewer; everybody: all of them."},
              {"images", OF(images), .about = "Images that were shown again."}, {"labels", OF(labels), .about = "Labels with a verdict both times."},
              {"alike", OF(alike), .about = "Those with the same."}, {"share", OF(share), .maybe = true, .about = "In percent."},
              {"lo", OF(lo), .maybe = true, .about = "Lower bound, 95 %, with images as clusters."}, {"hi", OF(hi), .maybe = true, .about = "Upper bound."},
              {"kappa", OF(kappa), .maybe = true, .about = "Cohen's kappa of the two times; null: there is none."});
#undef OF

#define OF(member) RECORD_OF(struct review_agreement, member)
#define LIST(member) RECORD_ROWS(struct review_agreement, member, n_##member)
RECORD(review_agreement_record, struct review_agreement, "label_review_agreement",
       "How far reviewers of a label review agree, by what each said before seeing what others said.",
       {"name", OF(row.name), .about = "The list."}, {"set", OF(row.set), .about = "The revision, SET/NUMBER."},
       {"suggestions", OF(suggestions), .about = "Which images count: hidden (those on which no suggestion is shown) or all."},
       {"left_out", OF(left_out), .about = "First looks at images that do not count."}, {"people", OF(people), .about = "Reviewers."}, {"looks", OF(looks), .about = "First looks: a person at an image."},
       {"images", OF(images), .about = "Images of which at least two judged the same label."},
       {"labels", OF(labels), .about = "Labels that at least two judged."}, {"draws", OF(draws), .about = "Bootstrap samples of each interval."},
       {"seed", OF(seed), .about = "Their seed."}, {"figures", LIST(figures), .of = &figure_record, .about = "Over all reviewers."},
       {"pairs", LIST(pairs), .of = &pair_record, .about = "Two reviewers at a time."},
       {"classes", LIST(classes), .of = &class_record, .about = "Class by class, least agreement first."},
       {"times", LIST(times), .of = &time_record, .about = "Each reviewer against the others, over time."},
       {"repeats", LIST(repeats), .of = &repeat_record, .about = "Each reviewer against what they said before."});
#undef OF

#define ROWS(member) offsetof(struct review_agreement, member), offsetof(struct review_agreement, n_##member)
const struct agreement_list agreement_lists[AGREEMENT_LISTS] = {
    {"figures", "over all reviewers", &figure_record, ROWS(figures)},
    {"pairs", "two reviewers at a time", &pair_record, ROWS(pairs)},
    {"classes", "class by class", &class_record, ROWS(classes)},
    {"times", "each reviewer over time", &time_record, ROWS(times)},
    {"repeats", "images shown again", &repeat_record, ROWS(repeats)},
};

enum err_code agreement_list_find(struct sv word, const struct agreement_list **out, struct err *err)
{
    for (size_t i = 0; i < AGREEMENT_LISTS; i++) {
        if (sv_is(word.n ? word : SV("figures"), agreement_lists[i].word)) {
            *out = &agreement_lists[i];
            return OK;
        }
    }
    return err_rule(err, ERR_INPUT, "agreement-list", "Unknown list " SV_FMT ". Choose one of: figures, pairs, classes, times, repeats.",
                    SV_ARG(word));
}

static const char *const abouts[AGREEMENT_ABOUTS] = {[AGREEMENT_UNPROMPTED] = "hidden", [AGREEMENT_ALL] = "all"};

const char *agreement_about_word(enum agreement_about about)
{
    return abouts[about];
}

enum err_code agreement_about_find(struct sv word, enum agreement_about *out, struct err *err)
{
    *out = AGREEMENT_UNPROMPTED;
    for (int i = 0; i < AGREEMENT_ABOUTS; i++) {
        if (sv_is(word.n ? word : SV("hidden"), abouts[i])) {
            *out = (enum agreement_about)i;
            return OK;
        }
    }
    return err_rule(err, ERR_INPUT, "agreement-suggestions", "suggestions is hidden (images on which none is shown) or all, not " SV_FMT ".",
                    SV_ARG(word));
}

const void *agreement_list_rows(const struct review_agreement *g, const struct agreement_list *list, size_t *n)
{
    const char *base = (const char *)g;
    *n = *(const size_t *)(const void *)(base + list->count);
    return *(const void *const *)(const void *)(base + list->at);
}
