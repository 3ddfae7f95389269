/* config.c - fills struct config from the option table, config.ini, environment and flags. The only
 * file that includes ini.h. Knows nothing of what an option is used for. */
#include "config/config.h"

#include <arpa/inet.h>
#include <ini.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/sv.h"
#include "config/options.h"

enum {
    FILE_MAX = 256 * 1024,
    VALUE_MAX = 4096,
    NAME_MAX_BYTES = 128,
    OPTIONS_MAX = 128,
    ARENA_MAX = 64 << 20
};
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* What is wrong, as it is found: the first becomes config_load's error, config_check tells all. */
struct mistakes {
    void (*each)(void *arg, const char *text);
    void *arg;
    size_t n;
    struct err first;
};

__attribute__((format(printf, 2, 3))) static void mistake(struct mistakes *m, const char *fmt, ...)
{
    char text[sizeof m->first.msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_set(&m->first, ERR_INPUT, "%s", text);
    m->n++;
    if (m->each) {
        m->each(m->arg, text);
    }
}

static void *field(struct config *c, const struct option *o)
{
    return (char *)c + o->offset;
}

static const struct option *find(struct sv section, struct sv key)
{
    for (size_t i = 0; i < options_count; i++) {
        if (sv_is(section, options[i].section) && sv_is(key, options[i].key)) {
            return &options[i];
        }
    }
    return NULL;
}

static bool is_section(struct sv section)
{
    for (size_t i = 0; i < options_count; i++) {
        if (sv_is(section, options[i].section)) {
            return true;
        }
    }
    return false;
}

/* ---- what a row accepts, for people ---- */

static void add_range(struct str *out, const struct option *o)
{
    switch (o->type) {
    case OPTION_INT:
        str_printf(out, "a whole number from %lld to %lld", (long long)o->min, (long long)o->max);
        break;
    case OPTION_BOOL:
        str_addz(out, "true or false");
        break;
    case OPTION_WORD:
        str_printf(out, "one of: %s", o->words);
        break;
    case OPTION_ADDRESS:
        str_addz(out, "an IPv4 or IPv6 address");
        break;
    case OPTION_ADDRESSES:
        str_addz(out, "IPv4 or IPv6 addresses separated by commas, or nothing");
        break;
    case OPTION_PATH:
        str_addz(out, "a path (a relative one starts at the project's folder), or nothing");
        break;
    case OPTION_URL:
        str_addz(out, "http://HOST or https://HOST with an optional port and path, or nothing");
        break;
    }
}

/* ---- values ---- */

static bool parse_bool(struct sv v, bool *out)
{
    static const char *const yes[] = {"true", "yes", "on", "1"};
    static const char *const no[] = {"false", "no", "off", "0"};
    for (size_t i = 0; i < 4; i++) {
        if (sv_eq_nocase(v, yes[i]) || sv_eq_nocase(v, no[i])) {
            *out = sv_eq_nocase(v, yes[i]);
            return true;
        }
    }
    return false;
}

static bool is_word(struct sv v, const char *words)
{
    struct sv rest = sv_of(words);
    while (rest.p) {
        if (sv_eq(v, sv_cut(&rest, ' '))) {
            return true;
        }
    }
    return false;
}

static bool is_address(struct sv v)
{
    char buf[INET6_ADDRSTRLEN];
    unsigned char address[sizeof(struct in6_addr)];
    if (v.n >= sizeof buf) {
        return false;
    }
    snprintf(buf, sizeof buf, SV_FMT, SV_ARG(v));
    return inet_pton(AF_INET, buf, address) == 1 || inet_pton(AF_INET6, buf, address) == 1;
}

static bool are_addresses(struct sv v)
{
    for (struct sv rest = v; v.n && rest.p;) {
        if (!is_address(sv_trim(sv_cut(&rest, ',')))) {
            return false;
        }
    }
    return true;
}

/* No control characters, and none that would end an attribute, a header or the address itself. */
static bool is_url(struct sv v)
{
    size_t scheme = sv_starts(v, "https://") ? 8 : sv_starts(v, "http://") ? 7 : 0;
    if (scheme == 0 || v.n == scheme || v.p[scheme] == '/') {
        return false;
    }
    for (size_t i = scheme; i < v.n; i++) {
        unsigned char ch = (unsigned char)v.p[i];
        if (ch <= ' ' || ch >= 0x7f || strchr("\"'<>\\^`{|}?#@", ch)) {
            return false;
        }
    }
    return true;
}

static bool set_int(int64_t *to, const struct option *o, struct sv v)
{
    int64_t n;
    if (!sv_i64(v, &n) || n < o->min || n > o->max) {
        return false;
    }
    *to = n;
    return true;
}

static bool set_text(struct config *c, const struct option *o, const char *dir, struct sv v)
{
    const char **to = field(c, o);
    bool right = o->type == OPTION_WORD        ? is_word(v, o->words)
                 : o->type == OPTION_ADDRESS   ? is_address(v)
                 : o->type == OPTION_ADDRESSES ? are_addresses(v)
                 : o->type == OPTION_URL       ? v.n == 0 || is_url(v)
                                               : true;
    if (!right) {
        return false;
    }
    while (o->type == OPTION_URL && sv_ends(v, "/")) {
        v.n--;
    }
    *to = arena_cstr(&c->arena, v);
    if (o->type == OPTION_PATH && v.n && v.p[0] != '/') {
        *to = fs_join(&c->arena, dir, *to);
    }
    return true;
}

/* Sets a field. `where` is the file and line, the variable or the flag. */
static void set(struct config *c, const struct option *o, const char *dir, const char *where,
                struct sv value, struct mistakes *m)
{
    value = sv_trim(value);
    bool right = value.n <= VALUE_MAX && sv_utf8(value);
    if (right && o->type == OPTION_INT) {
        right = set_int(field(c, o), o, value);
    } else if (right && o->type == OPTION_BOOL) {
        right = parse_bool(value, field(c, o));
    } else if (right) {
        right = set_text(c, o, dir, value);
    }
    if (right) {
        return;
    }
    struct str range;
    str_init(&range, 256);
    add_range(&range, o);
    int shown = o->secret ? 0 : (int)(value.n < 80 && sv_utf8(value) ? value.n : 0);
    mistake(m, "%s: %s.%s = %.*s: expected %s", where, o->section, o->key, shown, value.p,
            range.p);
    str_release(&range);
}

/* ---- the file ---- */

struct reading {
    struct config *c;
    const char *dir, *path;
    struct sv rest;         /* what inih has not been given yet */
    int line;
    bool awaited;           /* the line is neither blank, a comment nor a section: a pair must come */
    int seen[OPTIONS_MAX];  /* the line that set option i, 0: none did */
    struct mistakes *m;
};

/* inih tells the first line that it cannot read and no other, so that each is judged here: when
 * the next one is asked for, a pair must have come of it. */
static void judge_line(struct reading *r)
{
    if (r->awaited) {
        mistake(r->m, "%s:%d: expected [section] or key = value", r->path, r->line);
    }
    r->awaited = false;
}

static bool must_be_pair(struct sv line)
{
    return line.n && line.p[0] != ';' && line.p[0] != '#' &&
           !(line.p[0] == '[' && memchr(line.p, ']', line.n));
}

/* Gives inih the next line. Leading blanks go, so that no line continues the one before. */
static char *next_line(char *buf, int size, void *arg)
{
    struct reading *r = arg;
    judge_line(r);
    if (r->rest.p == NULL || r->rest.n == 0) {
        return NULL;
    }
    r->line++;
    struct sv line = sv_trim(sv_cut(&r->rest, '\n'));
    if (r->line == 1 && sv_starts(line, BYTE_ORDER_MARK)) {
        line = sv_make(line.p + 3, line.n - 3);
    }
    if (line.n + 2 > (size_t)size) {
        mistake(r->m, "%s:%d: a line may have at most %d bytes", r->path, r->line, size - 2);
        line.n = 0;
    }
    r->awaited = must_be_pair(line);
    snprintf(buf, (size_t)size, SV_FMT "\n", SV_ARG(line));
    return buf;
}

static int take_pair(void *arg, const char *section, const char *key, const char *value)
{
    struct reading *r = arg;
    char where[512];
    r->awaited = false;
    snprintf(where, sizeof where, "%s:%d", r->path, r->line);
    const struct option *o = find(sv_of(section), sv_of(key));
    if (!o) {
        bool known = is_section(sv_of(section));
        mistake(r->m,
                known ? "%s: there is no option %s in [%s]" : "%s: %s: there is no section [%s]",
                where, key, section);
        return 1;
    }
    int *seen = &r->seen[o - options];
    if (*seen) {
        mistake(r->m, "%s: %s.%s is given twice, first in line %d", where, section, key, *seen);
        return 1;
    }
    *seen = r->line;
    set(r->c, o, r->dir, where, sv_of(value), r->m);
    return 1;
}

static enum err_code load_file(struct config *c, const char *dir, struct mistakes *m,
                               struct err *err)
{
    BUG_IF(options_count > OPTIONS_MAX);
    struct str text;
    str_init(&text, FILE_MAX);
    struct reading r = {
        .c = c, .dir = dir, .path = fs_join(&c->arena, dir, "config.ini"), .m = m};
    struct err none = {0};
    enum err_code rc = fs_read(r.path, &text, &none);
    if (rc == ERR_NOT_FOUND) {
        rc = OK;
    } else if (rc != OK) {
        err_rule(err, rc, none.rule, "%s", none.msg);
    } else if (text.n && memchr(text.p, '\0', text.n)) {
        mistake(m, "%s is not a text file: it contains NUL bytes", r.path);
    } else {
        r.rest = str_sv(&text);
        ini_parse_stream(next_line, &r, take_pair, &r);
        judge_line(&r);
    }
    str_release(&text);
    return rc;
}

/* ---- the environment ---- */

/* "HOLDOUT_SERVER_PORT" and the like; ASCII only, so that the locale does not matter. */
static void variable_name(char *buf, size_t n, const struct option *o, const char *suffix)
{
    snprintf(buf, n, "HOLDOUT_%s_%s%s", o->section, o->key, suffix);
    for (char *p = buf; *p; p++) {
        if (*p >= 'a' && *p <= 'z') {
            *p = (char)(*p - 'a' + 'A');
        }
    }
}

static bool from_file(const struct option *o)
{
    return o->secret || o->type == OPTION_PATH;
}

static void load_variable(struct config *c, const char *dir, const struct option *o,
                          struct mistakes *m)
{
    char name[NAME_MAX_BYTES], name_file[NAME_MAX_BYTES];
    variable_name(name, sizeof name, o, "");
    variable_name(name_file, sizeof name_file, o, "_FILE");
    const char *value = getenv(name);
    const char *path = from_file(o) ? getenv(name_file) : NULL;
    if (value && path) {
        mistake(m, "%s and %s are both set", name, name_file);
        return;
    }
    if (value) {
        set(c, o, dir, name, sv_of(value), m);
        return;
    }
    if (!path) {
        return;
    }
    struct str text;
    str_init(&text, VALUE_MAX);
    struct err why = {0};
    if (fs_read(path, &text, &why) == OK) {
        set(c, o, dir, name_file, str_sv(&text), m);
    } else {
        mistake(m, "%s: %s", name_file, why.msg);
    }
    str_release(&text);
}

/* A variable that looks like an option but is none: a spelling mistake must not pass unseen. */
static void refuse_unknown(const char *entry, struct mistakes *m)
{
    struct sv rest = sv_of(entry);
    struct sv name = sv_cut(&rest, '=');
    bool ours = false;
    for (size_t i = 0; i < options_count; i++) {
        char known[NAME_MAX_BYTES], prefix[NAME_MAX_BYTES];
        struct option section = {.section = options[i].section, .key = ""};
        variable_name(known, sizeof known, &options[i], "");
        variable_name(prefix, sizeof prefix, &section, "");
        ours = ours || sv_starts(name, prefix);
        if (sv_is(name, known)) {
            return;
        }
        variable_name(known, sizeof known, &options[i], "_FILE");
        if (from_file(&options[i]) && sv_is(name, known)) {
            return;
        }
    }
    if (ours) {
        mistake(m, SV_FMT ": there is no such option", SV_ARG(name));
    }
}

static void load_environment(struct config *c, const char *dir, struct mistakes *m)
{
    for (size_t i = 0; i < options_count; i++) {
        load_variable(c, dir, &options[i], m);
    }
    for (char **e = environ; *e; e++) {
        if (strncmp(*e, "HOLDOUT_", 8) == 0) {
            refuse_unknown(*e, m);
        }
    }
}

/* ---- flags and the whole ---- */

static void load_flag(struct config *c, const char *dir, const char *flag, struct mistakes *m)
{
    struct sv value = sv_of(flag);
    struct sv name = sv_cut(&value, '=');
    struct sv key = name;
    struct sv section = sv_cut(&key, '.');
    const struct option *o = find(section, key);
    if (!o) {
        mistake(m, SV_FMT ": there is no such option", SV_ARG(name));
    } else if (!value.p) {
        mistake(m, SV_FMT ": expected section.key=value", SV_ARG(name));
    } else {
        set(c, o, dir, "command line", value, m);
    }
}

/* What no single row can say. */
static void check_together(const struct config *c, struct mistakes *m)
{
    if ((*c->tls_cert == '\0') != (*c->tls_key == '\0')) {
        mistake(m, "server.tls_cert and server.tls_key go together: %s is missing",
                *c->tls_cert ? "tls_key" : "tls_cert");
    }
}

static enum err_code load(struct config *c, const char *dir, const char *const *flags,
                          size_t n_flags, struct mistakes *m, struct err *err)
{
    *c = (struct config){0};
    arena_init(&c->arena, ARENA_MAX);
    for (size_t i = 0; i < options_count; i++) {
        set(c, &options[i], dir, "default", sv_of(options[i].def), m);
    }
    BUG_IF(m->n);
    enum err_code rc = load_file(c, dir, m, err);
    if (rc == OK) {
        load_environment(c, dir, m);
        for (size_t i = 0; i < n_flags; i++) {
            load_flag(c, dir, flags[i], m);
        }
        check_together(c, m);
    }
    return rc;
}

enum err_code config_load(struct config *c, const char *dir, const char *const *flags,
                          size_t n_flags, struct err *err)
{
    struct mistakes m = {0};
    enum err_code rc = load(c, dir, flags, n_flags, &m, err);
    if (rc == OK && m.n) {
        rc = err_rule(err, m.first.code, m.first.rule, "%s", m.first.msg);
    }
    if (rc != OK) {
        config_release(c);
    }
    return rc;
}

enum err_code config_check(const char *dir, const char *const *flags, size_t n_flags,
                           void (*each)(void *arg, const char *text), void *arg, size_t *n,
                           struct err *err)
{
    struct config c;
    struct mistakes m = {.each = each, .arg = arg};
    enum err_code rc = load(&c, dir, flags, n_flags, &m, err);
    config_release(&c);
    *n = m.n;
    return rc;
}

void config_release(struct config *c)
{
    arena_release(&c->arena);
    *c = (struct config){0};
}

/* ---- for people ---- */

void config_example(struct str *out)
{
    str_addz(out, "# The options of holdout, each with its default. Copy those that you change to\n"
                  "# config.ini in the project. The environment (HOLDOUT_SECTION_KEY; for paths\n"
                  "# also HOLDOUT_SECTION_KEY_FILE, a file with the value) overrides this file, and\n"
                  "# flags override both.\n");
    const char *section = "";
    for (size_t i = 0; i < options_count; i++) {
        const struct option *o = &options[i];
        if (strcmp(section, o->section) != 0) {
            section = o->section;
            str_printf(out, "\n[%s]\n", section);
        }
        str_printf(out, "# %s\n# (", o->help);
        add_range(out, o);
        str_printf(out, ")\n;%s =%s%s\n", o->key, *o->def ? " " : "", o->def);
    }
}
