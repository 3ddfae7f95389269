/* study_check_test.c - what the settings of a study may be, and which field a refusal names. */
#include "unit.h"

#include "store/campaigns/studies.h"

static struct study_settings good(void)
{
    struct study_settings s = {
        .campaign = 1,
        .source = SV("panel"),
        .id_parameters = SV("PROLIFIC_PID|STUDY_ID"),
        .language = SV("en"),
        .partial_grids = 1,
        .place_minutes = 240,
    };
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        s.code[i] = study_has_code((enum study_outcome)i) ? SV("CODE") : SV("");
    }
    return s;
}

/* NULL: it is accepted; else the field that is named. */
static void expect(const struct study_settings *s, const char *field)
{
    struct err err = {OK, "", ""};
    enum err_code rc = study_check(s, &err);
    assert_int_equal(rc, field ? ERR_INPUT : OK);
    if (field) {
        assert_string_equal(err.rule, field);
    }
}

static void expect_text(size_t offset, const char *value, const char *field)
{
    struct study_settings s = good();
    *(struct sv *)(void *)((char *)&s + offset) = sv_of(value);
    expect(&s, field);
}

#define TEXT(member, value, field) expect_text(offsetof(struct study_settings, member), value, field)

static char *repeated(char ch, size_t n)
{
    char *text = malloc(n + 1);
    assert_non_null(text);
    memset(text, ch, n);
    text[n] = '\0';
    return text;
}

TEST(texts)
{
    char *line = repeated('x', 501);
    struct study_settings s = good();
    expect(&s, NULL);
    TEXT(link_key, "", NULL);
    TEXT(link_key, "12345678", NULL);
    TEXT(link_key, "1234567", "link_key");
    TEXT(link_key, "with a space", "link_key");
    TEXT(link_key, "and&more", "link_key");
    TEXT(source, "", "source");
    TEXT(source, "local", "source");
    TEXT(source, "Prolific-2.eu", NULL);
    TEXT(contact, "Ann \"A\" <ann@example.org>, Zo\xc3\xab", NULL);
    TEXT(contact, "two\nlines", "contact");
    TEXT(contact, "\xff", "contact");
    TEXT(contact, line, "contact");
    TEXT(protocol, line, "protocol");
    TEXT(language, "", NULL);
    TEXT(language, "de", NULL);
    TEXT(language, "DE", "language");
    TEXT(language, "d", "language");
    TEXT(signing, "", NULL);
    TEXT(signing, "hmac", NULL);
    TEXT(signing, "EdDSA", NULL);
    TEXT(signing, "none", "signing");
    TEXT(signing, "rs256", "signing");
    free(line);
}

TEST(parameters)
{
    TEXT(id_parameters, "a", NULL);
    TEXT(id_parameters, "a|b|c|d|e|f|g|h", NULL);
    TEXT(id_parameters, "a|b|c|d|e|f|g|h|i", "id_parameters");
    TEXT(id_parameters, "", "id_parameters");
    TEXT(id_parameters, "a||b", "id_parameters");
    TEXT(id_parameters, "a|b|a", "id_parameters");
    TEXT(id_parameters, "a|key", "id_parameters");
    TEXT(id_parameters, "consent", "id_parameters");
    TEXT(id_parameters, "a|token", "id_parameters");
    TEXT(id_parameters, "sig", "id_parameters");
    TEXT(id_parameters, "a=b", "id_parameters");
}

TEST(return_url)
{
    static const char *const fine[] = {
        "", "https://a", "http://a.example:8080/x?y={code}#z", "https://a/{code}", "https://a?{code}"};
    static const char *const wrong[] = {
        "a.example", "//a.example", "/path", "ftp://a", "javascript:alert(1)", "https://",
        "https:///x", "https://?x", "https://a b", "https://a/\"", "https://a/<x>", "https://a\\b",
        "https://{code}/", "https://a{code}", "https://a/\xc3\xab", "HTTPS://a", "https://a/\n"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        TEXT(return_url, fine[i], NULL);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TEXT(return_url, wrong[i], "return_url");
    }
}

TEST(numbers_and_codes)
{
    struct study_settings s = good();
    s.partial_grids = 0;
    expect(&s, "partial_grids");
    s = good();
    s.place_minutes = 43201;
    expect(&s, "place_minutes");
    s = good();
    s.floor_cents = -1;
    expect(&s, "floor_cents");
    s = good();
    s.code[STUDY_COMPLETE] = SV("");
    expect(&s, NULL);
    s.code[STUDY_NO_CONSENT] = SV("");
    expect(&s, "code_no-consent");
    s = good();
    s.code[STUDY_FULL] = SV("two words");
    expect(&s, "code_full");
}
