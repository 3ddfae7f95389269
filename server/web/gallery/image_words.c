/* image_words.c - the words of lists of images. */
#include "web/gallery/image_words.h"

#include "web/gallery/image_list.h"

const struct list_word words_sort[] = {
    {"frequency", "Selection frequency", LISTING_FREQUENCY},
    {"answers", "Answers", LISTING_ANSWERS},
    {"name", "Name", LISTING_NAME},
    {"date", "Date taken", LISTING_DATE},
    {"sharpness", "Sharpness", LISTING_SHARPNESS},
    {"brightness", "Brightness", LISTING_BRIGHTNESS},
    {"saturation", "Saturation", LISTING_SATURATION},
    {"id", "As imported", LISTING_ID},
    {0},
};
const struct list_word words_role[] = {
    {"all", "All", LISTING_ALL},
    {"candidates", "Candidates", IMAGE_CANDIDATE},
    {"originals", "Originals", IMAGE_ORIGINAL},
    {"references", "References", IMAGE_REFERENCE},
    {"gold", "Gold", IMAGE_GOLD},
    {"training", "Training images", IMAGE_TRAINING},
    {"negatives", "Of other classes", LISTING_OTHER_CLASS},
    {0},
};
const struct list_word words_bin[] = {
    {"1", "0 to under 0.2", 0},   {"2", "0.2 to under 0.4", 1},
    {"3", "0.4 to under 0.6", 2}, {"4", "0.6 to under 0.8", 3},
    {"5", "0.8 to 1", 4},         {"none", "No answers", LISTING_UNANSWERED},
    {"targets", "Bins with a target", BIN_TARGETS},
    {0},
};
const struct list_word words_gray[] = {
    {"all", "Colour and gray", LISTING_ALL}, {"0", "Colour", 0}, {"1", "Gray", 1}, {0}};
const struct list_word words_state[] = {{"all", "All", STATE_ANY},
                                   {"flagged", "Flagged or decided", STATE_FLAGGED},
                                   {"hidden", "Hidden", STATE_HIDDEN},
                                   {0}};
const struct list_word words_show[] = {{"table", "Table", 0}, {"cards", "Cards", 1}, {0}};
const struct list_word words_blacklist[] = {{"without", "Not blacklisted", MARK_WITHOUT},
                                       {"only", "Blacklisted alone", MARK_ONLY},
                                       {"all", "All", MARK_ANY},
                                       {0}};
const struct list_word words_near[] = {{"without", "Without near-duplicates", MARK_WITHOUT},
                                  {"only", "Near-duplicates alone", MARK_ONLY},
                                  {"all", "All", MARK_ANY},
                                  {0}};

bool words_falls(int sort)
{
    return sort == LISTING_FREQUENCY || sort == LISTING_ANSWERS || sort == LISTING_DATE ||
           sort == LISTING_SHARPNESS;
}
