/* wordnet_test.c - formats/wordnet.h on small texts and, where Debian's wordnet-base is installed,
 * on the real data.noun. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "formats/wordnet.h"

#define LICENCE "  1 some licence  \n  2 more  \n" /* 30 bytes */

TEST(small)
{
    struct wordnet w;
    struct wordnet_synset s;
    struct err err = {0};
    bool more = false;
    wordnet_open(&w, "t",
                 SV(LICENCE "00000030 03 n 02 dog 0 domestic_dog a 004 @ 00000131 n 0000 "
                            "@i 00000231 n 0000 @ 00000331 v 0101 ~ 00000431 n 0000 | a "
                            "member; \"it | barked\"  \n"));
    assert_int_equal(wordnet_next(&w, &s, &more, &err), OK);
    assert_true(more);
    assert_int_equal(w.line, 3);
    assert_int_equal(s.offset, 30);
    assert_int_equal(s.n_words, 2);
    assert_true(sv_is(s.words[0], "dog") && sv_is(s.words[1], "domestic_dog"));
    assert_int_equal(s.n_parents, 2);
    assert_int_equal(s.parents[0], 131);
    assert_int_equal(s.parents[1], 231);
    assert_true(sv_is(s.gloss, "a member; \"it | barked\""));
    assert_int_equal(wordnet_next(&w, &s, &more, &err), OK);
    assert_false(more);
}

static void expect_error(struct sv text, const char *want)
{
    struct wordnet w;
    static struct wordnet_synset s;
    struct err err = {0};
    bool more;
    wordnet_open(&w, "t", text);
    assert_int_equal(wordnet_next(&w, &s, &more, &err), ERR_INPUT);
    if (!strstr(err.msg, want)) {
        fail_msg("message \"%s\" lacks \"%s\"", err.msg, want);
    }
}

TEST(refused)
{
    expect_error(SV("entity\n"), "t:1: expected a synset offset");
    expect_error(SV(LICENCE "00000031 03 n 01 x 0 000 | g\n"), "t:3: the offset is 00000031 but");
    expect_error(SV("00000000 3 n 01 x 0 000 | g\n"), "t:1: expected a lexicographer file");
    expect_error(SV("00000000 03 v 01 x 0 000 | g\n"), "t:1: expected a noun");
    expect_error(SV("00000000 03 n 00 000 | g\n"), "t:1: expected a number of words");
    expect_error(SV("00000000 03 n 41 x 0 000 | g\n"), "t:1: expected a number of words");
    expect_error(SV("00000000 03 n 02 x 0 000 | g\n"), "t:1: expected as many words");
    expect_error(SV("00000000 03 n 01 x 0 00 | g\n"), "t:1: expected a number of pointers");
    expect_error(SV("00000000 03 n 01 x 0 001 | g\n"), "t:1: expected a pointer symbol");
    expect_error(SV("00000000 03 n 01 x 0 001 @ 00000000 n 00 | g\n"), "t:1: expected a pointer's");
    expect_error(SV("00000000 03 n 01 x 0 000\n"), "t:1: expected | and a gloss");
    expect_error(SV("00000000 03 n 01 x 0 000 | \xff\n"), "t:1: not valid UTF-8");
}

/* 33 hypernyms are one more than the structure holds. */
TEST(too_many_parents)
{
    struct str text;
    str_init(&text, 1 << 16);
    str_addz(&text, "00000000 03 n 01 x 0 033");
    for (int i = 0; i < 33; i++) {
        str_addz(&text, " @ 00001740 n 0000");
    }
    str_addz(&text, " | g\n");
    expect_error(str_sv(&text), "t:1: expected at most 32 hypernyms");
    str_release(&text);
}

TEST(real_file)
{
    struct fs_map map;
    struct err err = {0};
    if (fs_map("/usr/share/wordnet/data.noun", &map, &err) != OK) {
        printf("SKIPPED: wordnet-base is not installed\n");
        skip();
    }
    struct wordnet w;
    struct wordnet_synset s;
    size_t n = 0, most_words = 0, most_parents = 0;
    bool more = true, dog = false;
    wordnet_open(&w, "data.noun", sv_make((const char *)map.data, map.n));
    while (wordnet_next(&w, &s, &more, &err) == OK && more) {
        n++;
        most_words = s.n_words > most_words ? s.n_words : most_words;
        most_parents = s.n_parents > most_parents ? s.n_parents : most_parents;
        if (s.offset == 2084071) {
            dog = s.n_words == 3 && sv_is(s.words[0], "dog") && sv_is(s.words[1], "domestic_dog") &&
                  sv_is(s.words[2], "Canis_familiaris") && s.n_parents == 2 &&
                  s.parents[0] == 2083346 && s.parents[1] == 1317541 &&
                  sv_starts(s.gloss, "a member of the genus Canis") &&
                  sv_ends(s.gloss, "\"the dog barked all night\"");
        }
    }
    if (err.code != OK) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(n, 82115);
    assert_true(dog);
    assert_true(most_words <= WORDNET_WORDS && most_parents <= WORDNET_PARENTS);
    print_message("at most %zu words and %zu parents\n", most_words, most_parents);
    fs_unmap(&map);
}
