/* config_test.c - the option table, its four sources and what each mistake says.
 * `config_test --example` prints config.example.ini (make example). */
#include "unit.h"

#include "config/config.h"
#include "config/options.h"

struct fixture {
    char *dir;
    struct config c;
    struct err err;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->dir = unit_folder();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    config_release(&f->c);
    unit_remove(f->dir);
    free(f);
    return 0;
}

static enum err_code load(struct fixture *f, const char *file)
{
    config_release(&f->c);
    err_clear(&f->err);
    if (file) {
        unit_write(f->dir, "config.ini", file, strlen(file));
    }
    return config_load(&f->c, f->dir, NULL, 0, &f->err);
}

static void expect_mistake(struct fixture *f, const char *file, const char *says)
{
    assert_int_equal(load(f, file), ERR_INPUT);
    assert_int_equal(f->err.code, ERR_INPUT);
    if (!strstr(f->err.msg, says)) {
        fail_msg("\"%s\" does not say \"%s\"", f->err.msg, says);
    }
}

TEST_WITH(defaults_without_a_file, set_up, tear_down)
{
    struct fixture *f = *state;
    assert_int_equal(load(f, NULL), OK);
    assert_string_equal(f->c.bind, "127.0.0.1");
    assert_int_equal(f->c.port, 8080);
    assert_int_equal(f->c.threads, 0);
    assert_int_equal(f->c.connections, 1024);
    assert_true(f->c.access_log);
    assert_string_equal(f->c.log_level, "info");
    assert_string_equal(f->c.public_url, "");
    assert_string_equal(f->c.tls_key, "");
    assert_int_equal(f->c.quality, 90);
    assert_int_equal(f->c.threads_import, 0);
}

/* A field without a row would stay zero for ever. */
TEST_WITH(every_field_has_a_row, set_up, tear_down)
{
    unsigned char seen[sizeof(struct config)] = {0};
    for (size_t i = 0; i < options_count; i++) {
        const struct option *o = &options[i];
        size_t n = o->type == OPTION_BOOL  ? sizeof(bool)
                   : o->type == OPTION_INT ? sizeof(int64_t)
                                           : sizeof(char *);
        for (size_t j = 0; j < n; j++) {
            assert_int_equal(seen[o->offset + j], 0);
            seen[o->offset + j] = 1;
        }
        assert_true(*o->help && o->def);
        assert_true((o->type == OPTION_WORD) == (o->words != NULL));
    }
    size_t gap = 0;
    for (size_t i = offsetof(struct config, arena) + sizeof(struct arena); i < sizeof seen; i++) {
        gap = seen[i] ? 0 : gap + 1;
        assert_true(gap < 8); /* padding behind a bool is shorter than any field but a bool */
    }
}

TEST_WITH(the_file_sets_every_type, set_up, tear_down)
{
    struct fixture *f = *state;
    assert_int_equal(load(f, "# a comment\n[server]\nport = 0 ; any\r\n  bind=::1\n"
                             "access_log: No\nlog_level = debug\n"
                             "public_url = https://study.example/x/\n"
                             "trusted_proxies = 10.0.0.1, ::1\n"
                             "tls_cert = tls/cert.pem\ntls_key = /etc/key.pem\n"
                             "[images]\nmax_megapixels = 1000"),
                     OK);
    assert_int_equal(f->c.port, 0);
    assert_string_equal(f->c.bind, "::1");
    assert_false(f->c.access_log);
    assert_string_equal(f->c.log_level, "debug");
    assert_string_equal(f->c.public_url, "https://study.example/x");
    assert_string_equal(f->c.trusted_proxies, "10.0.0.1, ::1");
    assert_true(sv_starts(sv_of(f->c.tls_cert), f->dir));
    assert_true(sv_ends(sv_of(f->c.tls_cert), "/tls/cert.pem"));
    assert_string_equal(f->c.tls_key, "/etc/key.pem");
    assert_int_equal(f->c.max_megapixels, 1000);
}

TEST_WITH(mistakes_name_their_line, set_up, tear_down)
{
    struct fixture *f = *state;
    expect_mistake(f, "[server]\nport = 65536\n",
                   "/config.ini:2: server.port = 65536: expected a whole number from 0 to 65535");
    expect_mistake(f, "[server]\n\nport = 80x\n", "config.ini:3: server.port = 80x");
    expect_mistake(f, "[server]\nport = -1\n", "config.ini:2: ");
    expect_mistake(f, "[server]\nport =\n", "config.ini:2: ");
    expect_mistake(f, "[server]\nprot = 1\n", "config.ini:2: there is no option prot in [server]");
    expect_mistake(f, "[sever]\nport = 1\n", "config.ini:2: port: there is no section [sever]");
    expect_mistake(f, "port = 1\n", "config.ini:1: port: there is no section []");
    expect_mistake(f, "[server]\nport = 1\n# x\nport = 1\n",
                   "config.ini:4: server.port is given twice, first in line 2");
    expect_mistake(f, "[server]\naccess_log = maybe\n", "expected true or false");
    expect_mistake(f, "[server]\nlog_level = info warn\n", "one of: debug info warn error");
    expect_mistake(f, "[server]\nlog_level =\n", "one of: debug info warn error");
    expect_mistake(f, "[server]\nbind = localhost\n", "an IPv4 or IPv6 address");
    expect_mistake(f, "[server]\ntrusted_proxies = 10.0.0.1,,10.0.0.2\n", "separated by commas");
    expect_mistake(f, "[server]\nport 8080\n", "config.ini:2: expected [section] or key = value");
    expect_mistake(f, "[server\nport = 99999999\n", "config.ini:1: expected [section]");
    expect_mistake(f, "[server]\ntls_cert = a\n", "server.tls_key");
    expect_mistake(f, "[server]\nbind = \xff\xfe\n", "config.ini:2: server.bind = : expected");
}

static void collect(void *arg, const char *text)
{
    str_printf(arg, "%s\n", strrchr(text, '/') ? strrchr(text, '/') + 1 : text);
}

/* All of them, in the order of their places; what load would tell first is the first. */
TEST_WITH(every_mistake_is_told, set_up, tear_down)
{
    struct fixture *f = *state;
    static const char text[] = "[server]\nport = x\nnonsense\nqueue = 1\n[nowhere]\na = 1\n";
    static const char *const flags[] = {"server.port", "x=1"};
    struct str all;
    struct err err = {0};
    size_t n = 0;
    str_init(&all, 4096);
    unit_write(f->dir, "config.ini", text, sizeof text - 1);
    setenv("HOLDOUT_SERVER_PORT", "y", 1);
    assert_int_equal(config_check(f->dir, flags, 2, collect, &all, &n, &err), OK);
    unsetenv("HOLDOUT_SERVER_PORT");
    assert_int_equal(n, 7);
    assert_string_equal(all.p, "config.ini:2: server.port = x: expected a whole number from 0 to 65535\n"
                               "config.ini:3: expected [section] or key = value\n"
                               "config.ini:4: server.queue = 1: expected a whole number from 16 to"
                               " 1048576\n"
                               "config.ini:6: a: there is no section [nowhere]\n"
                               "HOLDOUT_SERVER_PORT: server.port = y: expected a whole number from 0 to"
                               " 65535\n"
                               "server.port: expected section.key=value\n"
                               "x: there is no such option\n");
    unit_write(f->dir, "config.ini", "[server]\nport = 1\n", 18);
    assert_int_equal(config_check(f->dir, NULL, 0, collect, &all, &n, &err), OK);
    assert_int_equal(n, 0);
    str_release(&all);
}

TEST_WITH(only_web_addresses_are_urls, set_up, tear_down)
{
    struct fixture *f = *state;
    static const char *const wrong[] = {"study.example", "ftp://a", "http://", "http:///x",
                                        "https://a b", "https://a\"b", "https://u@a", "https://a#b"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "[server]\npublic_url = %s\n", wrong[i]);
        expect_mistake(f, text, "http://HOST or https://HOST");
    }
}

TEST_WITH(sizes_are_capped, set_up, tear_down)
{
    struct fixture *f = *state;
    char line[1200];
    snprintf(line, sizeof line, "[server]\n%01000d = 1\n", 0);
    expect_mistake(f, line, "config.ini:2: a line may have at most ");
    unit_write(f->dir, "config.ini", "[server]\nport\0 = 1\n", 19);
    assert_int_equal(load(f, NULL), ERR_INPUT);
    assert_non_null(strstr(f->err.msg, "NUL"));
    size_t n = (size_t)1 << 20;
    char *big = malloc(n);
    assert_non_null(big);
    memset(big, '\n', n);
    unit_write(f->dir, "config.ini", big, n);
    free(big);
    assert_int_equal(load(f, NULL), ERR_LIMIT);
}

TEST_WITH(environment_wins_over_the_file, set_up, tear_down)
{
    struct fixture *f = *state;
    setenv("HOLDOUT_SERVER_PORT", "1234", 1);
    assert_int_equal(load(f, "[server]\nport = 1\nqueue = 17\n"), OK);
    assert_int_equal(f->c.port, 1234);
    assert_int_equal(f->c.queue, 17);
    setenv("HOLDOUT_SERVER_PORT", "x", 1);
    expect_mistake(f, "", "HOLDOUT_SERVER_PORT: server.port = x: expected a whole number");
    unsetenv("HOLDOUT_SERVER_PORT");
    setenv("HOLDOUT_SERVER_PROT", "1", 1);
    expect_mistake(f, "", "HOLDOUT_SERVER_PROT: there is no such option");
    unsetenv("HOLDOUT_SERVER_PROT");
    setenv("HOLDOUT_SERVER_PORT_FILE", "x", 1); /* only for paths and secrets */
    expect_mistake(f, "", "HOLDOUT_SERVER_PORT_FILE: there is no such option");
    unsetenv("HOLDOUT_SERVER_PORT_FILE");
    setenv("HOLDOUT_GOLDEN_TEST", "not an option's name", 1);
    assert_int_equal(load(f, ""), OK);
    unsetenv("HOLDOUT_GOLDEN_TEST");
}

TEST_WITH(a_value_may_come_from_a_file, set_up, tear_down)
{
    struct fixture *f = *state;
    struct arena a;
    arena_init(&a, 1 << 16);
    unit_write(f->dir, "secret", "/run/key.pem\n", 13);
    setenv("HOLDOUT_SERVER_TLS_KEY_FILE", fs_join(&a, f->dir, "secret"), 1);
    setenv("HOLDOUT_SERVER_TLS_CERT", "/run/cert.pem", 1);
    assert_int_equal(load(f, NULL), OK);
    assert_string_equal(f->c.tls_key, "/run/key.pem");
    setenv("HOLDOUT_SERVER_TLS_KEY", "/other", 1);
    expect_mistake(f, NULL, "HOLDOUT_SERVER_TLS_KEY and HOLDOUT_SERVER_TLS_KEY_FILE are both set");
    unsetenv("HOLDOUT_SERVER_TLS_KEY");
    setenv("HOLDOUT_SERVER_TLS_KEY_FILE", fs_join(&a, f->dir, "absent"), 1);
    expect_mistake(f, NULL, "HOLDOUT_SERVER_TLS_KEY_FILE: ");
    setenv("HOLDOUT_SERVER_TLS_KEY_FILE", fs_join(&a, f->dir, "secret"), 1);
    unit_write(f->dir, "secret", "hidden-\xff", 8);
    expect_mistake(f, NULL, "HOLDOUT_SERVER_TLS_KEY_FILE: server.tls_key = : expected a path");
    assert_null(strstr(f->err.msg, "hidden"));
    unsetenv("HOLDOUT_SERVER_TLS_KEY_FILE");
    unsetenv("HOLDOUT_SERVER_TLS_CERT");
    arena_release(&a);
}

TEST_WITH(flags_win_over_all, set_up, tear_down)
{
    struct fixture *f = *state;
    setenv("HOLDOUT_SERVER_PORT", "1234", 1);
    static const char *const flags[] = {"server.port=1", "work.open_window=3", "server.port=2"};
    assert_int_equal(config_load(&f->c, f->dir, flags, 3, &f->err), OK);
    unsetenv("HOLDOUT_SERVER_PORT");
    assert_int_equal(f->c.port, 2);
    assert_int_equal(f->c.open_window, 3);
    static const struct {
        const char *flag, *says;
    } wrong[] = {
        {"server.port=70000", "command line: server.port = 70000: expected"},
        {"server.port", "server.port: expected section.key=value"},
        {"port=1", "port: there is no such option"},
        {"", "there is no such option"},
        {"server.=1", "server.: there is no such option"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        config_release(&f->c);
        err_clear(&f->err);
        assert_int_equal(config_load(&f->c, f->dir, &wrong[i].flag, 1, &f->err), ERR_INPUT);
        assert_non_null(strstr(f->err.msg, wrong[i].says));
    }
}

/* With every line of the example turned on, the configuration is the same as without a file. */
TEST_WITH(the_example_is_the_defaults, set_up, tear_down)
{
    struct fixture *f = *state;
    struct str s;
    str_init(&s, 1 << 16);
    config_example(&s);
    assert_int_equal(str_check(&s, "example", &f->err), OK);
    size_t n;
    char *text = str_take(&s, &n);
    size_t turned_on = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (text[i] == '\n' && text[i + 1] == ';') {
            text[i + 1] = ' ';
            turned_on++;
        }
    }
    assert_int_equal(turned_on, options_count);
    struct config bare;
    assert_int_equal(config_load(&bare, f->dir, NULL, 0, &f->err), OK);
    assert_int_equal(load(f, text), OK);
    for (size_t i = 0; i < options_count; i++) {
        const char *x = (const char *)&bare + options[i].offset;
        const char *y = (const char *)&f->c + options[i].offset;
        if (options[i].type == OPTION_INT) {
            assert_memory_equal(x, y, sizeof(int64_t));
        } else if (options[i].type == OPTION_BOOL) {
            assert_memory_equal(x, y, sizeof(bool));
        } else {
            const char *a, *b;
            memcpy(&a, x, sizeof a);
            memcpy(&b, y, sizeof b);
            assert_string_equal(a, b);
        }
    }
    config_release(&bare);
    free(text);
}

TEST_WITH(the_committed_example_is_current, set_up, tear_down)
{
    struct fixture *f = *state;
    struct str s, file;
    str_init(&s, 1 << 16);
    str_init(&file, 1 << 16);
    config_example(&s);
    assert_int_equal(fs_read("config.example.ini", &file, &f->err), OK);
    if (!sv_eq(str_sv(&s), str_sv(&file))) {
        fail_msg("config.example.ini is out of date: make example");
    }
    str_release(&s);
    str_release(&file);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--example") == 0) {
        struct str s;
        str_init(&s, 1 << 16);
        config_example(&s);
        fputs(s.p, stdout);
        str_release(&s);
        return 0;
    }
    return unit_run();
}
