/* view_choice_test.c - the kept results of counting: the right one or made anew. */
#include "unit.h"

#include <string.h>

#include "base/clock.h"
#include "web/site.h"
#include "store/core/events.h"
#include "web/core/view_choice.h"

static struct ctx ctx_of(struct site *s, struct arena *a)
{
    return (struct ctx){.app = s->app, .config = &s->config, .arena = a, .db = s->db};
}

static const struct counted_view *get(struct ctx *c, const char *name)
{
    const struct counted_view *v;
    assert_int_equal(view_choice_get(c, sv_of(name), &v), OK);
    return v;
}

static enum err_code add_event(struct db *db, void *arg, struct err *err)
{
    (void)arg;
    return events_add(db, clock_wall_ms(), 0, "study.change", 0, NULL, NULL, err);
}

static enum err_code add_view(struct db *db, void *arg, struct err *err)
{
    int64_t id;
    const struct vote_view *v = arg;
    return views_create(db, v, 0, clock_wall_ms(), &id, err);
}

static void save(struct site *s, struct vote_view v)
{
    struct err err = {0};
    assert_int_equal(writer_call(app_writer(s->app), add_view, &v, &err), OK);
}

SITE_TEST(a_result_is_kept_while_nothing_happens)
{
    struct site *s = *state;
    struct arena a;
    struct err err = {0};
    arena_init(&a, 1 << 20);
    struct ctx c = ctx_of(s, &a);
    const struct counted_view *first = get(&c, "default"), *again = get(&c, "default");
    assert_ptr_equal(first, again);
    view_choice_put(again);
    assert_int_equal(writer_call(app_writer(s->app), add_event, NULL, &err), OK);
    again = get(&c, "default");
    assert_ptr_not_equal(first, again);
    assert_true(again->counts.cursor > first->counts.cursor);
    assert_true(sv_is(first->view.name, "default")); /* whoever has it may go on reading */
    view_choice_put(first);
    view_choice_put(again);
    /* What nobody asked for lately is let go of. */
    views_kept_rest(app_views_kept(s->app), clock_wall_ms() + 3600 * 1000);
    again = get(&c, "default");
    view_choice_put(again);
    arena_release(&a);
}

SITE_TEST(a_new_version_is_another_view)
{
    struct site *s = *state;
    struct arena a;
    arena_init(&a, 1 << 20);
    struct ctx c = ctx_of(s, &a);
    struct vote_view v = {.name = SV("fixed"), .description = SV("one"), .kinds = SV("main"),
                          .campaigns = SV(""), .as_of = 1};
    save(s, v);
    const struct counted_view *one = get(&c, "fixed");
    v.description = SV("two");
    save(s, v);
    const struct counted_view *two = get(&c, "fixed");
    assert_ptr_not_equal(one, two);
    assert_true(sv_is(two->view.description, "two"));
    /* What ended does not change with what comes later. */
    save(s, (struct vote_view){.name = SV("other"), .description = SV(""), .kinds = SV("main"),
                               .campaigns = SV("")});
    const struct counted_view *again = get(&c, "fixed");
    assert_ptr_equal(two, again);
    view_choice_put(one);
    view_choice_put(two);
    view_choice_put(again);
    view_choice_put(NULL);
    arena_release(&a);
}

SITE_TEST(more_views_than_are_kept)
{
    struct site *s = *state;
    struct arena a;
    arena_init(&a, 1 << 20);
    struct ctx c = ctx_of(s, &a);
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (size_t i = 0; i < 5; i++) {
        save(s, (struct vote_view){.name = sv_of(names[i]), .description = SV(""),
                                   .kinds = SV("pilot"), .campaigns = SV("")});
    }
    const struct counted_view *held = get(&c, "a");
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 5; i++) {
            const struct counted_view *v = get(&c, names[i]);
            assert_true(sv_is(v->view.name, names[i]));
            view_choice_put(v);
        }
    }
    assert_true(sv_is(held->view.name, "a"));
    view_choice_put(held);
    const struct counted_view *none = NULL;
    assert_int_equal(view_choice_get(&c, SV("nothing"), &none), ERR_NOT_FOUND);
    assert_null(none);
    arena_release(&a);
}

SITE_TEST(two_moments_of_a_view_are_kept_together)
{
    struct site *s = *state;
    struct arena a;
    arena_init(&a, 1 << 20);
    struct ctx c = ctx_of(s, &a);
    save(s, (struct vote_view){.name = SV("moments"), .description = SV(""), .kinds = SV("main"),
                               .campaigns = SV("")});
    const struct counted_view *now = get(&c, "moments"), *then = NULL, *again = NULL;
    assert_int_equal(view_choice_as_of(&c, SV("moments"), 1, &then), OK);
    assert_ptr_not_equal(now, then);
    for (int i = 0; i < 3; i++) { /* back and forth: neither is counted a second time */
        const struct counted_view *same = get(&c, "moments");
        assert_ptr_equal(same, now);
        view_choice_put(same);
        assert_int_equal(view_choice_as_of(&c, SV("moments"), 1, &again), OK);
        assert_ptr_equal(again, then);
        view_choice_put(again);
    }
    view_choice_put(now);
    view_choice_put(then);
    arena_release(&a);
}

SITE_TEST(the_choice_names_every_view)
{
    struct site *s = *state;
    struct arena a;
    arena_init(&a, 1 << 20);
    struct ctx c = ctx_of(s, &a);
    json_t *j = view_choice_json(&c, SV("default"), "/classes", NULL);
    assert_true(json_is_false(json_object_get(j, "any")));
    assert_true(json_is_null(json_object_get(j, "chosen")));
    json_decref(j);
    save(s, (struct vote_view){.name = SV("strict"), .description = SV("why"), .kinds = SV("main"),
                               .campaigns = SV("")});
    j = view_choice_json(&c, SV("strict"), "/classes",
                         json_pack("[{s:s, s:s}]", "name", "q", "value", "shark"));
    assert_true(json_is_true(json_object_get(j, "any")));
    const json_t *chosen = json_object_get(j, "chosen");
    assert_string_equal(json_string_value(json_object_get(chosen, "url")), "/views/strict");
    json_decref(j);
    assert_null(view_choice_json(&c, SV("none"), "/classes", json_array()));
    assert_string_equal(c.err.rule, "no-view");
    assert_string_equal(view_choice_query(&a, SV("strict"), true), "?view=strict");
    assert_string_equal(view_choice_query(&a, SV("strict"), false), "&view=strict");
    assert_string_equal(view_choice_query(&a, SV("default"), true), "");
    arena_release(&a);
}
