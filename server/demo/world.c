/* world.c - the classes of the demo's world and what lies about in it. */
#include "demo/world.h"

#include "base/fs.h"

/* Words and glosses as WordNet 3.0 has them. The breeds of the dogs are ours: emoji know a dog, a
 * guide dog and a poodle. */
const struct world_class world_classes[WORLD_CLASSES] = {
    {"n01847000", "drake",
     "adult male of a wild or domestic duck",
     "Duck", 4, HABITAT_WATER, false, {0x1F986}},
    {"n01855672", "goose",
     "web-footed long-necked typically gregarious migratory aquatic birds usually "
     "larger and less aquatic than ducks",
     "Goose", 4, HABITAT_WATER, false, {0x1FABF}},
    {"n01858441", "swan",
     "stately heavy-bodied aquatic bird with very long neck and usually white "
     "plumage as adult",
     "Swan", 4, HABITAT_WATER, false, {0x1F9A2}},
    {"n02007558", "flamingo",
     "large pink to scarlet web-footed wading bird with down-bent bill; inhabits "
     "brackish lakes",
     "Flamingo", 4, HABITAT_WATER, false, {0x1F9A9}},
    {"n02088364", "beagle",
     "a small short-legged smooth-coated breed of hound",
     "Beagle", 0, HABITAT_MEADOW, false, {0x1F415, 0x1F436}},
    {"n02099712", "Labrador retriever",
     "breed originally from Labrador having a short black or golden-brown coat",
     "Labrador_Retriever", 0, HABITAT_MEADOW, false, {0x1F9AE}},
    {"n02113335", "poodle|poodle dog",
     "an intelligent dog with a heavy curly solid-colored coat that is usually "
     "clipped; an old breed sometimes trained as sporting dogs or as performing dogs",
     "Poodle", 0, HABITAT_MEADOW, false, {0x1F429}},
    {"n02114367", "timber wolf|grey wolf|gray wolf|Canis lupus",
     "a wolf with a brindled grey coat living in forested northern regions of North "
     "America",
     "Wolf", 0, HABITAT_WILD, false, {0x1F43A}},
    {"n02123045", "tabby|tabby cat",
     "a cat with a grey or tawny coat mottled with black",
     "Tabby_cat", 1, HABITAT_MEADOW, false, {0x1F408, 0x1F431}},
    {"n02128385", "leopard|Panthera pardus",
     "large feline of African and Asian forests usually having a tawny coat with "
     "black spots",
     "Leopard", 1, HABITAT_WILD, true, {0x1F406}},
    {"n02129165", "lion|king of beasts|Panthera leo",
     "large gregarious predatory feline of Africa and India having a tawny coat with "
     "a shaggy mane in the male",
     "Lion", 1, HABITAT_WILD, false, {0x1F981}},
    {"n02129604", "tiger|Panthera tigris",
     "large feline of forests in most of Asia having a tawny coat with black "
     "stripes; endangered",
     "Tiger", 1, HABITAT_WILD, true, {0x1F405, 0x1F42F}},
    {"n02403003", "ox",
     "an adult castrated bull of the genus Bos; especially Bos taurus",
     "Ox", 5, HABITAT_MEADOW, false, {0x1F402}},
    {"n02408429", "water buffalo|water ox|Asiatic buffalo|Bubalus bubalis",
     "an Asian buffalo that is often domesticated for use as a draft animal",
     "Water_buffalo", 5, HABITAT_WILD, false, {0x1F403}},
    {"n02412080", "ram|tup",
     "uncastrated adult male sheep; \"a British term is `tup'\"",
     "Sheep", 5, HABITAT_MEADOW, false, {0x1F40F}},
    {"n02701002", "ambulance",
     "a vehicle that takes people to and from hospitals",
     "Ambulance", 2, HABITAT_STREET, true, {0x1F691}},
    {"n02930766", "cab|hack|taxi|taxicab",
     "a car driven by a person whose job is to take passengers where they want to go "
     "in exchange for money",
     "Taxi", 2, HABITAT_STREET, true, {0x1F695, 0x1F696}},
    {"n03141065", "cruiser|police cruiser|patrol car|police car|prowl car|squad car",
     "a car in which policemen cruise the streets; equipped with radiotelephonic "
     "communications to headquarters",
     "Police_car", 2, HABITAT_STREET, false, {0x1F693, 0x1F694}},
    {"n03345487", "fire engine|fire truck",
     "any of various large trucks that carry firemen and equipment to the site of a "
     "fire",
     "Fire_engine", 2, HABITAT_STREET, false, {0x1F692}},
    {"n03769881", "minibus",
     "a light bus (4 to 10 passengers)",
     "Minibus", 2, HABITAT_STREET, false, {0x1F690}},
    {"n07739125", "apple",
     "fruit with red or yellow or green skin and sweet to tart crisp whitish flesh",
     "Apple", 3, HABITAT_TABLE, false, {0x1F34E, 0x1F34F}},
    {"n07747607", "orange",
     "round yellow to orange fruit of any of several citrus trees",
     "Orange_(fruit)", 3, HABITAT_TABLE, true, {0x1F34A}},
    {"n07749582", "lemon",
     "yellow oval fruit with juicy acidic flesh",
     "Lemon", 3, HABITAT_TABLE, true, {0x1F34B}},
    {"n07751004", "peach",
     "downy juicy fruit with sweet yellowish or whitish flesh",
     "Peach", 3, HABITAT_TABLE, false, {0x1F351}},
};

const struct world_thing world_clutter[WORLD_CLUTTER] = {
    {0x1F333, HABITAT_MEADOW}, /* deciduous tree */
    {0x1F337, HABITAT_MEADOW}, /* tulip */
    {0x1F33B, HABITAT_MEADOW}, /* sunflower */
    {0x26BD, HABITAT_MEADOW},  /* football */
    {0x1F332, HABITAT_WILD},   /* evergreen tree */
    {0x1FAA8, HABITAT_WILD},   /* rock */
    {0x1F344, HABITAT_WILD},   /* mushroom */
    {0x1F335, HABITAT_WILD},   /* cactus */
    {0x1FAB5, HABITAT_WATER},  /* wood */
    {0x1F6F6, HABITAT_WATER},  /* canoe */
    {0x1F33F, HABITAT_WATER},  /* herb */
    {0x1F41A, HABITAT_WATER},  /* shell */
    {0x1F6B2, HABITAT_STREET}, /* bicycle */
    {0x1F6F4, HABITAT_STREET}, /* scooter */
    {0x1F4E6, HABITAT_STREET}, /* package */
    {0x1F6A6, HABITAT_STREET}, /* traffic light */
    {0x2615, HABITAT_TABLE},   /* coffee */
    {0x1FAD6, HABITAT_TABLE},  /* teapot */
    {0x1F9C0, HABITAT_TABLE},  /* cheese */
    {0x1F950, HABITAT_TABLE},  /* croissant */
};

static const struct world_size sizes[] = {
    {"full", 40, 80, 6, 6, 50, false},
    {"small", 24, 84, 2, 2, 40, true},
    {"tiny", 6, 42, 1, 2, 12, true}, /* for tests */
};

const struct world_size *world_size(const char *name)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sv_is(sv_of(name), sizes[i].name)) {
            return &sizes[i];
        }
    }
    return NULL;
}

int world_find(struct sv wnid)
{
    for (int i = 0; i < WORLD_CLASSES; i++) {
        if (sv_is(wnid, world_classes[i].wnid)) {
            return i;
        }
    }
    return -1;
}

unsigned world_next(unsigned class_index, bool small)
{
    unsigned i = class_index;
    do {
        i = (i + 1) % WORLD_CLASSES;
    } while (i != class_index && (world_classes[i].group != world_classes[class_index].group ||
                                  (small && !world_classes[i].small)));
    return i;
}

/* Rank 0 is the class itself, then the others of its group. */
static void add_similar(struct str *s, unsigned own, bool small)
{
    str_printf(s, "\"similar\": [\"%s\"", world_classes[own].wnid);
    for (unsigned i = world_next(own, small); i != own; i = world_next(i, small)) {
        str_printf(s, ", \"%s\"", world_classes[i].wnid);
    }
    str_addz(s, "]");
}

/* The words are letters, spaces and bars; in glosses a quotation mark may stand. */
static void add_quoted(struct str *s, const char *text)
{
    str_addc(s, '"');
    for (; *text; text++) {
        str_addz(s, *text == '"' ? "\\" : "");
        str_addc(s, *text);
    }
    str_addc(s, '"');
}

enum err_code world_write_classes(const char *path, bool small, struct err *err)
{
    struct str lines;
    unsigned cid = 0;
    str_init(&lines, 1 << 20);
    for (unsigned i = 0; i < WORLD_CLASSES; i++) {
        const struct world_class *k = &world_classes[i];
        if (small && !k->small) {
            continue;
        }
        str_printf(&lines, "{\"cid\": %u, \"wnid\": \"%s\", \"synset\": ", cid++, k->wnid);
        add_quoted(&lines, k->words);
        str_addz(&lines, ", \"gloss\": ");
        add_quoted(&lines, k->gloss);
        str_printf(&lines, ", \"wikipedia\": [\"https://en.wikipedia.org/wiki/%s\"], ", k->page);
        add_similar(&lines, i, small);
        str_addz(&lines, "}\n");
    }
    enum err_code rc = fs_write_whole(path, lines.p, lines.n, false, err);
    str_release(&lines);
    return rc;
}
