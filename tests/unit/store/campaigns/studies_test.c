/* studies_test.c - rows of studies: settings and codes, consent texts, participants, how places end,
 * which of them count, what became of answers. */
#include "unit.h"

#include "store/campaigns/studies.h"
#include "store/people/people.h"
#include "temp_project.h"
#include "world.h"

#define MINUTE INT64_C(60000)

static int64_t new_campaign(struct temp_project *t)
{
    struct campaign k = world_terms("main");
    return world_campaign(t->db, &k);
}

static struct study_settings get(struct temp_project *t, int64_t campaign)
{
    struct study_settings s;
    assert_int_equal(studies_get(t->db, campaign, &t->arena, &s, &t->err), OK);
    return s;
}

PROJECT_TEST(defaults)
{
    struct temp_project *t = *state;
    struct study_settings s = get(t, new_campaign(t));
    assert_true(sv_is(s.link_key, "") && sv_is(s.source, "panel") && sv_is(s.language, "en"));
    assert_true(sv_is(s.id_parameters, "PROLIFIC_PID|STUDY_ID|SESSION_ID"));
    assert_false(s.known_only);
    assert_int_equal(s.partial_grids, 1);
    assert_int_equal(s.place_minutes, 240);
    assert_int_equal(s.consent, 0);
    assert_true(sv_is(s.consent_version, "0"));
    assert_int_equal(s.code[STUDY_COMPLETE].n, 0);
    for (unsigned i = STUDY_PARTIAL; i < STUDY_RETURNED; i++) {
        assert_int_equal(s.code[i].n, 10);
    }
    assert_int_equal(s.code[STUDY_RETURNED].n, 0);
    /* Making it again changes nothing. */
    assert_int_equal(studies_create(t->db, s.campaign, SV("OTHER"), &t->err), OK);
    struct study_settings again = get(t, s.campaign);
    assert_true(sv_eq(again.code[STUDY_PARTIAL], s.code[STUDY_PARTIAL]));
    assert_int_equal(again.code[STUDY_COMPLETE].n, 0);
}

PROJECT_TEST(imported_has_none)
{
    struct temp_project *t = *state;
    struct campaign k = world_terms("elsewhere");
    struct study_settings s;
    k.imported = true;
    int64_t campaign = world_campaign(t->db, &k);
    struct sv language = SV("x");
    assert_int_equal(studies_get(t->db, campaign, &t->arena, &s, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-study");
    assert_int_equal(studies_language(t->db, campaign, &t->arena, &language, &t->err), OK);
    assert_int_equal(language.n, 0);
    s = (struct study_settings){.campaign = campaign, .source = SV("p"), .id_parameters = SV("a"),
                                   .partial_grids = 1, .place_minutes = 1};
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        s.code[i] = SV("C");
    }
    assert_int_equal(studies_put(t->db, &s, 0, WORLD_NOW, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-study");
}

PROJECT_TEST(put)
{
    struct temp_project *t = *state;
    struct study_settings s = get(t, new_campaign(t));
    int64_t events = temp_int(t, "SELECT count(*) FROM event");
    s.link_key = SV("key-key-key");
    s.source = SV("prolific");
    s.id_parameters = SV("a|b");
    s.return_url = SV("https://panel.example/?cc={code}");
    s.contact = SV("Ann");
    s.protocol = SV("7");
    s.language = SV("de");
    s.signing = SV("hmac");
    s.signing_key = SV("a secret of the panel");
    s.known_only = true;
    s.partial_grids = 4;
    s.place_minutes = 5;
    s.floor_cents = 600;
    s.code[STUDY_COMPLETE] = SV("DONE");
    assert_int_equal(studies_put(t->db, &s, 0, WORLD_NOW, &t->err), OK);
    struct study_settings out = get(t, s.campaign);
    assert_true(sv_eq(out.link_key, s.link_key) && sv_eq(out.source, s.source) &&
                sv_eq(out.id_parameters, s.id_parameters) && sv_eq(out.return_url, s.return_url) &&
                sv_eq(out.contact, s.contact) && sv_eq(out.protocol, s.protocol) &&
                sv_eq(out.language, s.language) && out.known_only);
    assert_true(sv_eq(out.signing, s.signing) && sv_eq(out.signing_key, s.signing_key));
    assert_int_equal(out.partial_grids, 4);
    assert_int_equal(out.place_minutes, 5);
    assert_int_equal(out.floor_cents, 600);
    assert_true(sv_is(out.code[STUDY_COMPLETE], "DONE"));
    assert_int_equal(temp_int(t, "SELECT completion_code = 'DONE' FROM campaign"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events + 1);
    assert_int_equal(temp_int(t, "SELECT kind = 'study.change' FROM event ORDER BY id DESC"), 1);
}

PROJECT_TEST(code_of_a_place)
{
    struct temp_project *t = *state;
    struct study_settings s = get(t, new_campaign(t));
    struct place p = {.code = SV("OWN")};
    assert_true(sv_is(study_code(&s, &p, STUDY_COMPLETE), "OWN"));
    assert_true(sv_eq(study_code(&s, &p, STUDY_PARTIAL), s.code[STUDY_PARTIAL]));
    s.code[STUDY_COMPLETE] = SV("ALL");
    assert_true(sv_is(study_code(&s, &p, STUDY_COMPLETE), "ALL"));
    assert_int_equal(study_code(&s, &p, STUDY_RETURNED).n, 0);
}

PROJECT_TEST(outcome_names)
{
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        enum study_outcome o = STUDY_OUTCOMES;
        assert_true(study_outcome_parse(sv_of(study_outcome_name((enum study_outcome)i)), &o));
        assert_int_equal(o, i);
    }
    enum study_outcome o;
    assert_false(study_outcome_parse(SV("completed"), &o));
    assert_false(study_outcome_parse(SV(""), &o));
}

static enum err_code consent(struct temp_project *t, int64_t campaign, const char *version,
                             const char *text)
{
    return studies_consent(t->db, campaign, sv_of(version), sv_of(text), 0, WORLD_NOW, &t->err);
}

PROJECT_TEST(consent)
{
    struct temp_project *t = *state;
    int64_t campaign = new_campaign(t);
    struct study_consent *list;
    size_t n;
    assert_int_equal(consent(t, campaign, "", "One."), OK);
    assert_true(sv_is(get(t, campaign).consent_version, "1"));
    assert_int_equal(consent(t, campaign, "7", "Seven."), OK);
    assert_int_equal(consent(t, campaign, "", "Eight."), OK);
    struct study_settings s = get(t, campaign);
    assert_true(sv_is(s.consent_version, "8") && sv_is(s.consent_text, "Eight.") && s.consent > 0);
    assert_int_equal(consent(t, campaign, "7", "Other."), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "consent_version");
    assert_int_equal(consent(t, campaign, "0", "Zero."), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "consent_version");
    assert_int_equal(consent(t, campaign, "", " \n"), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "consent_text");
    assert_int_equal(consent(t, campaign, "", "bell \a"), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "consent_text");
    struct place p = {.campaign = campaign, .person = world_person(t->db), .code = SV("C"),
                      .consent_version = SV("7")};
    assert_int_equal(work_place_create(t->db, &p, (const unsigned char[WORK_HASH]){7}, WORLD_NOW, &t->err), OK);
    assert_int_equal(studies_consents(t->db, campaign, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_true(sv_is(list[0].version, "8") && sv_is(list[2].text, "One."));
    assert_int_equal(list[1].places, 1);
    assert_int_equal(list[0].at, WORLD_NOW);
}

PROJECT_TEST(participants)
{
    struct temp_project *t = *state;
    int64_t campaign = new_campaign(t), person;
    bool added, listed;
    assert_int_equal(studies_participant(t->db, campaign, SV("panel"), SV("ann"), 0, WORLD_NOW,
                                         &added, &t->err), OK);
    assert_true(added);
    assert_int_equal(studies_participant(t->db, campaign, SV("panel"), SV("ann"), 0, WORLD_NOW,
                                         &added, &t->err), OK);
    assert_false(added);
    assert_int_equal(people_find_external(t->db, SV("panel"), SV("ann"), &person, &t->err), OK);
    assert_int_equal(studies_expects(t->db, campaign, person, &listed, &t->err), OK);
    assert_true(listed);
    assert_int_equal(studies_expects(t->db, campaign, world_person(t->db), &listed, &t->err), OK);
    assert_false(listed);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM participant"), 1);
}

PROJECT_TEST(arrival_and_outcome)
{
    struct temp_project *t = *state;
    int64_t campaign = new_campaign(t);
    int64_t place = world_place(t->db, campaign, world_person(t->db));
    bool ended;
    enum study_outcome o;
    assert_int_equal(studies_arrival(t->db, place, SV("{\"a\":\"1\"}"), &t->err), OK);
    assert_int_equal(studies_arrival(t->db, place, SV("{\"a\":\"2\"}"), &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT parameters ->> 'a' FROM arrival"), 2);
    assert_int_equal(studies_outcome_of(t->db, place, &ended, &o, &t->err), OK);
    assert_false(ended);
    assert_int_equal(studies_outcome(t->db, place, STUDY_PARTIAL, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(studies_outcome(t->db, place, STUDY_PARTIAL, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM place_outcome"), 1);
    assert_int_equal(studies_outcome(t->db, place, STUDY_RETURNED, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(studies_outcome_of(t->db, place, &ended, &o, &t->err), OK);
    assert_true(ended && o == STUDY_RETURNED);
    int64_t events = temp_int(t, "SELECT count(*) FROM event");
    assert_int_equal(studies_declined(t->db, campaign, WORLD_NOW, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events + 1);
}

/* A campaign with one grid and a way to make places in it. */
struct scene {
    struct temp_project *t;
    int64_t campaign, grids[8];
    unsigned used;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s = {.t = t, .campaign = new_campaign(t)};
    int64_t class_id = world_class(t->db, 1);
    for (unsigned i = 0; i < 8; i++) {
        int64_t image = world_image(t->db, i, class_id, "candidate");
        s.grids[i] = world_grid(t->db, s.campaign, class_id, &image, 1);
    }
    return s;
}

static int64_t join(struct scene *s, int64_t *person)
{
    int64_t p = world_person(s->t->db);
    if (person) {
        *person = p;
    }
    return world_place(s->t->db, s->campaign, p);
}

static int64_t taken(struct scene *s, int64_t now)
{
    int64_t n;
    assert_int_equal(studies_places_taken(s->t->db, s->campaign, now, &n, &s->t->err), OK);
    return n;
}

static bool lapsed(struct scene *s, int64_t place, int64_t now)
{
    bool is = false;
    assert_int_equal(studies_lapsed(s->t->db, place, now, &is, &s->t->err), OK);
    return is;
}

static void end(struct scene *s, int64_t place, enum study_outcome o)
{
    assert_int_equal(studies_outcome(s->t->db, place, o, 0, WORLD_NOW, &s->t->err), OK);
}

PROJECT_TEST(idle_places_lapse)
{
    struct scene s = make_scene(*state);
    int64_t person, place = join(&s, &person);
    int64_t limit = WORLD_NOW + 240 * MINUTE;
    assert_int_equal(taken(&s, limit - 1), 1);
    assert_false(lapsed(&s, place, limit - 1));
    assert_int_equal(taken(&s, limit), 0);
    assert_true(lapsed(&s, place, limit));
    /* A grid begins the time anew, and a live lease holds it beyond that. */
    int64_t lent = limit + MINUTE;
    int64_t as = world_lend(s.t->db, s.grids[0], person, place, lent, lent + 300 * MINUTE);
    assert_int_equal(taken(&s, lent + 300 * MINUTE - 1), 1);
    assert_false(lapsed(&s, place, lent + 300 * MINUTE - 1));
    assert_int_equal(taken(&s, lent + 300 * MINUTE), 0);
    assert_true(lapsed(&s, place, lent + 300 * MINUTE));
    world_answer(s.t->db, as, 0, false, lent);
    assert_int_equal(taken(&s, lent + 9999 * MINUTE), 1);
    assert_false(lapsed(&s, place, lent + 9999 * MINUTE));
}

PROJECT_TEST(which_ends_free_a_place)
{
    static const struct {
        enum study_outcome outcome;
        int64_t idle, answered; /* whether such a place counts, without and with an answer */
    } all[] = {{STUDY_COMPLETE, 1, 1},  {STUDY_PARTIAL, 1, 1},   {STUDY_SCREENED_OUT, 0, 1},
               {STUDY_TECHNICAL, 0, 1}, {STUDY_WITHDRAWN, 0, 1}, {STUDY_RETURNED, 0, 0}};
    struct scene s = make_scene(*state);
    int64_t before = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int64_t person, idle = join(&s, NULL), busy = join(&s, &person);
        int64_t as = world_lend(s.t->db, s.grids[i], person, busy, WORLD_NOW, WORLD_NOW + 1);
        world_answer(s.t->db, as, 0, false, WORLD_NOW);
        assert_int_equal(taken(&s, WORLD_NOW), before + 2);
        end(&s, idle, all[i].outcome);
        end(&s, busy, all[i].outcome);
        before += all[i].idle + all[i].answered;
        assert_int_equal(taken(&s, WORLD_NOW), before);
        assert_false(lapsed(&s, idle, WORLD_NOW + 9999 * MINUTE));
    }
}

PROJECT_TEST(submissions)
{
    struct scene s = make_scene(*state);
    int64_t person, place = join(&s, &person), answers[3];
    struct study_submission *list;
    size_t n;
    for (unsigned i = 0; i < 3; i++) {
        int64_t as = world_lend(s.t->db, s.grids[i], person, place, WORLD_NOW, WORLD_NOW + 1);
        answers[i] = world_answer(s.t->db, as, 1, i == 1, WORLD_NOW + i);
    }
    world_lend(s.t->db, s.grids[3], person, place, WORLD_NOW, WORLD_NOW + 1);
    world_judge(s.t->db, answers[0], true);
    world_judge(s.t->db, answers[2], true);
    world_judge(s.t->db, answers[2], false);
    assert_int_equal(studies_submissions(s.t->db, place, &s.t->arena, &list, &n, &s.t->err), OK);
    assert_int_equal(n, 3);
    assert_int_equal(list[0].state, SUBMISSION_OUT);
    assert_true(list[0].rule.n > 0);
    assert_int_equal(list[1].state, SUBMISSION_SURPLUS);
    assert_int_equal(list[2].state, SUBMISSION_STORED);
    assert_int_equal(list[2].answer, answers[2]);
    assert_int_equal(list[2].at, WORLD_NOW + 2);
    assert_int_equal(studies_submissions(s.t->db, place + 1, &s.t->arena, &list, &n, &s.t->err),
                     OK);
    assert_int_equal(n, 0);
}
