/* history_words_test.c - the table of event kinds and the sentences that it makes. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "web/operate/history_words.h"

TESTS_SHARE(unit_arena_open, unit_arena_close)

static struct history_event event(const char *kind, const char *detail)
{
    return (struct history_event){.id = 7, .kind = sv_of(kind), .detail = sv_of(detail),
                                  .login = SV(""), .run = 1};
}

/* The sentence as text; links as [text](url). */
static const char *said(struct history_event e, struct history_facts f)
{
    struct str s;
    size_t i;
    json_t *part, *parts = history_sentence(&e, &f, &unit_arena);
    str_init(&s, 4096);
    json_array_foreach(parts, i, part) {
        const char *url = json_string_value(json_object_get(part, "url"));
        const char *text = json_string_value(json_object_get(part, "text"));
        str_printf(&s, url ? "[%s](%s)" : "%s", text, url);
    }
    json_decref(parts);
    const char *text = arena_cstr(&unit_arena, str_sv(&s));
    str_release(&s);
    return text;
}

TEST(sentences_name_and_link)
{
    assert_string_equal(said(event("campaign.open", ""), (struct history_facts){.campaign = SV("main")}),
                        "opened the campaign [main](/campaigns/main)");
    struct history_facts part = {.campaign = SV("main"), .person = SV("p1"), .text = SV("partial")};
    struct history_event ended = event("place.outcome", "");
    assert_string_equal(said(ended, part),
                        "ended their part in [main](/campaigns/main): partial");
    ended.account = 3;
    assert_string_equal(said(ended, part),
                        "ended the part of [p1](/workers/p1) in [main](/campaigns/main): partial");
    assert_string_equal(said(event("views.create", ""),
                             (struct history_facts){.name = SV("strict"), .other = 3}),
                        "saved version 3 of the view [strict](/views/strict)");
    assert_string_equal(said(event("account.role", "{\"role\":\"expert\"}"),
                             (struct history_facts){.name = SV("ada")}),
                        "gave the account ada the role expert");
    assert_string_equal(said(event("flag", ""),
                             (struct history_facts){.name = SV("a.jpg"), .number = 12,
                                                    .text = SV("broken")}),
                        "flagged the image [a.jpg](/images/12) as broken");
}

TEST(what_is_in_brackets_needs_its_value)
{
    struct history_facts f = {.campaign = SV("main"), .person = SV("p1"), .name = SV("USD")};
    assert_string_equal(said(event("pay.approved", ""), f),
                        "approved the pay of [p1](/workers/p1) in [main](/campaigns/main)");
    f.number = 150;
    f.text = SV("kind");
    assert_string_equal(said(event("pay.approved", ""), f),
                        "approved the pay of [p1](/workers/p1) in [main](/campaigns/main), bonus "
                        "1.50 USD: kind");
}

TEST(what_is_missing_is_said_to_be)
{
    static const struct history_facts nothing;
    assert_string_equal(said(event("campaign.open", ""), nothing), "opened the campaign (unknown)");
    assert_string_equal(said(event("account.role", "no json {"), nothing),
                        "gave the account (unknown) the role (unknown)");
    assert_string_equal(said(event("something.new", ""), nothing),
                        "stored something that this version cannot describe");
    /* A name that looks like words of ours is only a name. */
    assert_string_equal(said(event("account.enable", ""), (struct history_facts){.name = SV("{n}[x]")}),
                        "enabled the account {n}[x]");
}

TEST(runs_count)
{
    struct history_event e = event("images.import", "{\"images\":5}");
    e.count = 1234567;
    e.run = 300;
    assert_string_equal(said(e, (struct history_facts){0}), "imported 1,234,567 images");
    e.count = 1;
    assert_string_equal(said(e, (struct history_facts){0}), "imported 1 image");
    assert_string_equal(said(event("decision.out", ""),
                             (struct history_facts){.number = 1, .other = 2, .text = SV("why")}),
                        "excluded 1 answer of 2 people from the analysis by a "
                        "[decision](/decisions/7): why");
    e = event("participant.add", "");
    assert_string_equal(said(e, (struct history_facts){.person = SV("p1")}),
                        "listed [p1](/workers/p1) among the expected participants");
    e.run = 12;
    assert_string_equal(said(e, (struct history_facts){.person = SV("p1")}),
                        "listed 12 people among the expected participants");
    e = event("grid.exclude", "");
    e.run = 1;
    assert_string_equal(said(e, (struct history_facts){0}), "excluded 1 grid from every view");
    e.run = 6330;
    assert_string_equal(said(e, (struct history_facts){0}), "excluded 6,330 grids from every view");
}

static const char *who(struct history_event e, struct history_facts f)
{
    json_t *w = history_who(&e, &f, &unit_arena);
    const char *url = json_string_value(json_object_get(w, "url"));
    const char *text = arena_printf(&unit_arena, "%s%s%s", json_string_value(json_object_get(w, "text")),
                                    url ? " " : "", url ? url : "");
    json_decref(w);
    return text;
}

TEST(who_did_it)
{
    static const struct history_facts nothing;
    struct history_event e = event("campaign.open", "");
    assert_string_equal(who(e, nothing), "command line");
    e.account = 3;
    assert_string_equal(who(e, nothing), "a former account");
    e.login = SV("maria");
    assert_string_equal(who(e, nothing), "maria");
    e = event("place.join", "");
    assert_string_equal(who(e, (struct history_facts){.person = SV("p1")}), "p1 /workers/p1");
    assert_string_equal(who(event("study.decline", ""), nothing), "somebody");
    assert_string_equal(who(event("view.create", ""), nothing), "the program");
}

TEST(every_kind_is_there_once_and_in_its_area)
{
    for (size_t i = 0; i < history_words_count; i++) {
        const struct history_word *w = &history_words[i];
        assert_ptr_equal(history_word(sv_of(w->kind)), w);
        struct sv kinds = history_kinds(w->area, &unit_arena);
        char one[64];
        snprintf(one, sizeof one, "|%s|", w->kind);
        assert_non_null(strstr(kinds.p, one));
        assert_true(kinds.p[0] == '|' && kinds.p[kinds.n - 1] == '|');
    }
    assert_non_null(history_word(SV("never.heard")));
}
