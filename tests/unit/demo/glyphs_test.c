/* glyphs_test.c - emoji as pixels, and what is said when there are none. */
#include "unit.h"

#include "demo/glyphs.h"

TEST(tiger)
{
    struct err err = {0};
    struct glyph *g = malloc(2 * sizeof *g);
    assert_int_equal(glyphs_load(glyphs_font, (const uint32_t[]){0x1F405, 0x1F34B}, 2, g, &err), OK);
    unsigned covered = 0, ink = 0, orange = 0;
    for (size_t i = 0; i < (size_t)GLYPH_SIDE * GLYPH_SIDE; i++) {
        const unsigned char *p = g[0].rgba + i * 4;
        covered += p[3] > 127;
        ink += g[0].ink[i] > 127;
        orange += p[3] == 255 && p[0] > 200 && p[2] < 100;
        assert_true(p[0] <= p[3] && p[1] <= p[3] && p[2] <= p[3]); /* times alpha */
    }
    assert_in_range(covered, GLYPH_SIDE * GLYPH_SIDE / 8, GLYPH_SIDE * GLYPH_SIDE);
    assert_in_range(ink, 100, covered);
    assert_true(orange > covered / 8);
    assert_memory_not_equal(g[0].rgba, g[1].rgba, sizeof g[0].rgba);
    /* The smaller levels cover as much of their square. */
    unsigned small = 0;
    for (size_t i = 0; i < (size_t)glyph_side(2) * glyph_side(2); i++) {
        small += glyph_level(&g[0], 2)[i * 4 + 3] > 127;
    }
    assert_in_range(small * 16, covered * 9 / 10, covered * 11 / 10);
    free(g);
}

TEST(refusals)
{
    struct err none = {0}, text = {0}, letter = {0};
    struct glyph *g = malloc(sizeof *g);
    char *folder = unit_folder();
    struct arena a;
    arena_init(&a, 1 << 16);
    unit_write(folder, "font.ttf", "no font", 7);
    const uint32_t tiger = 0x1F405, plain = 'A';
    assert_int_equal(glyphs_load(fs_join(&a, folder, "none"), &tiger, 1, g, &none), ERR_NOT_FOUND);
    assert_string_equal(none.rule, "no-font");
    assert_non_null(strstr(none.msg, "fonts-noto-color-emoji"));
    assert_int_equal(glyphs_load(fs_join(&a, folder, "font.ttf"), &tiger, 1, g, &text), ERR_INPUT);
    assert_string_equal(text.rule, "no-font");
    assert_int_equal(glyphs_load(glyphs_font, &plain, 1, g, &letter), ERR_INPUT);
    assert_string_equal(letter.rule, "no-glyph");
    assert_non_null(strstr(letter.msg, "U+0041"));
    arena_release(&a);
    unit_remove(folder);
    free(g);
}
