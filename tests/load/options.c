/* options.c - THE option table of build/load: one row per option. */
#include "load/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

enum { CLIENTS_MAX = 20000, DAY_MS = 86400000 };

static const char *const mode_names[] = {"submit", "cycle", "soak", "events", "read", "mixed"};

enum kind { KIND_INT, KIND_REAL, KIND_TEXT, KIND_URL, KIND_PATH };

struct row {
    const char *name;
    enum kind kind;
    size_t offset;
    int64_t least, most;
    const char *help;
};

#define AT(field) offsetof(struct options, field)

/* clang-format off: a table reads better in columns. */
static const struct row rows[] = {
    {"url", KIND_URL, 0, 0, 0, "the server: http://HOST:PORT"},
    {"port", KIND_INT, AT(port), 1, 65535, "the server: this port of this machine"},
    {"campaign", KIND_TEXT, AT(work.campaign), 0, 0, "name of the campaign to work on"},
    {"clients", KIND_INT, AT(clients), 1, CLIENTS_MAX, "people at once (64)"},
    {"seconds", KIND_REAL, AT(work.seconds), 0, 1000000, "end after so long"},
    {"count", KIND_INT, AT(count), 1, INT64_MAX, "submit: assignments; cycle: answers stored"},
    {"journal", KIND_TEXT, AT(journal), 0, 0, "file for what was acknowledged"},
    {"abandon", KIND_REAL, AT(work.abandon), 0, 1, "share of leases never answered"},
    {"duplicate", KIND_REAL, AT(work.duplicate), 0, 1, "share of answers sent twice"},
    {"late", KIND_REAL, AT(work.late), 0, 1, "share of answers held back"},
    {"late-ms", KIND_INT, AT(work.late_ms), 0, DAY_MS, "for so long (until the lease is over)"},
    {"conflict", KIND_REAL, AT(work.conflict), 0, 1, "share followed by a different answer"},
    {"think", KIND_INT, AT(work.think_ms), 0, DAY_MS, "milliseconds between answer and next"},
    {"retry-ms", KIND_INT, AT(work.retry_ms), 0, 60000, "wait after 5xx (as Retry-After says)"},
    {"give-up", KIND_REAL, AT(work.give_up), 0, 1000000, "end after so long without success (5)"},
    {"streams", KIND_INT, AT(streams), 0, CLIENTS_MAX, "open event streams (50)"},
    {"topics", KIND_TEXT, AT(topics), 0, 0, "their topics (votes,plan)"},
    {"readers", KIND_INT, AT(readers), 0, CLIENTS_MAX, "connections that get paths (1)"},
    {"path", KIND_PATH, 0, 0, 0, "path that readers get; may be repeated"},
    {"token", KIND_TEXT, AT(token), 0, 0, "API token sent with every request"},
    {"seed", KIND_INT, AT(seed), 0, INT64_MAX, "of all choices, and part of people's names"},
    {"pid", KIND_INT, AT(pid), 1, INT32_MAX, "the server's process, to report its memory"},
    {"every", KIND_INT, AT(every), 1, 86400, "soak: seconds between lines on stderr (10)"},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

const char *mode_name(enum mode m)
{
    return mode_names[m];
}

bool mode_works(enum mode m)
{
    return m == MODE_SUBMIT || m == MODE_CYCLE || m == MODE_SOAK || m == MODE_MIXED;
}

static void usage(void)
{
    fputs("load MODE --port N|--url http://HOST:PORT [options]\n"
          "  submit   leases --count assignments, then measures their submission\n"
          "  cycle    people join, take grids and answer, for --seconds or --count answers\n"
          "  soak     as cycle, with a line on stderr now and then\n"
          "  events   open event streams for --seconds\n"
          "  read     readers get paths for --seconds\n"
          "  mixed    cycle, events and read together\n",
          stderr);
    for (unsigned i = 0; i < ROWS; i++) {
        fprintf(stderr, "  --%-10s %s\n", rows[i].name, rows[i].help);
    }
}

/* "http://HOST:PORT", a slash at the end allowed. */
static bool read_url(struct options *o, const char *text)
{
    struct sv rest = sv_of(text);
    if (!sv_starts(rest, "http://")) {
        return false;
    }
    rest = (struct sv){rest.p + 7, rest.n - 7};
    if (sv_ends(rest, "/")) {
        rest.n--;
    }
    struct sv host = sv_cut(&rest, ':');
    if (host.n == 0 || host.n >= sizeof o->host || !sv_i64(rest, &o->port) || o->port < 1 ||
        o->port > 65535) {
        return false;
    }
    memcpy(o->host, host.p, host.n);
    o->host[host.n] = '\0';
    return true;
}

static bool add_path(struct watch_options *w, const char *path)
{
    if (w->n_paths == WATCH_PATHS || path[0] != '/') {
        return false;
    }
    w->paths[w->n_paths++] = path;
    return true;
}

static bool set(struct options *o, const struct row *row, const char *value)
{
    void *field = (char *)o + row->offset;
    int64_t number;
    double real;
    switch (row->kind) {
    case KIND_INT:
        if (!sv_i64(sv_of(value), &number) || number < row->least || number > row->most) {
            return false;
        }
        memcpy(field, &number, sizeof number);
        return true;
    case KIND_REAL:
        if (!sv_f64(sv_of(value), &real) || real < (double)row->least || real > (double)row->most) {
            return false;
        }
        memcpy(field, &real, sizeof real);
        return true;
    case KIND_TEXT:
        memcpy(field, &value, sizeof value);
        return true;
    case KIND_URL:
        return read_url(o, value);
    case KIND_PATH:
        return add_path(&o->watch, value);
    }
    return false;
}

static const struct row *find_row(const char *argument)
{
    for (unsigned i = 0; i < ROWS; i++) {
        if (strncmp(argument, "--", 2) == 0 && strcmp(argument + 2, rows[i].name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* What the mode needs; NULL when all is there. Fills what follows from the options. */
static const char *settle(struct options *o)
{
    if (o->port == 0) {
        return "--port or --url is missing";
    }
    if (mode_works(o->mode) && !o->work.campaign) {
        return "--campaign is missing";
    }
    if (o->mode == MODE_SUBMIT && o->count == 0) {
        return "submit needs --count";
    }
    if (o->mode != MODE_SUBMIT && o->work.seconds <= 0 && (o->count == 0 || !mode_works(o->mode))) {
        return "--seconds is missing";
    }
    bool reads = o->mode == MODE_READ || o->mode == MODE_MIXED;
    bool listens = o->mode == MODE_EVENTS || o->mode == MODE_MIXED;
    o->watch.readers = reads ? (unsigned)o->readers : 0;
    o->watch.listeners = listens ? (unsigned)o->streams : 0;
    if (o->watch.readers > 0 && o->watch.n_paths == 0) {
        return "readers need --path";
    }
    o->work.clients = (unsigned)o->clients;
    o->work.count = (uint64_t)o->count;
    o->work.seed = o->seed < 0 ? rng_fresh_seed() : (uint64_t)o->seed;
    return NULL;
}

static bool parse_mode(struct options *o, const char *word)
{
    for (unsigned i = 0; i < sizeof mode_names / sizeof mode_names[0]; i++) {
        if (strcmp(word, mode_names[i]) == 0) {
            o->mode = (enum mode)i;
            return true;
        }
    }
    return false;
}

bool options_parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.host = "127.0.0.1",
                          .clients = 64,
                          .streams = 50,
                          .readers = 1,
                          .every = 10,
                          .seed = -1,
                          .topics = "votes,plan"};
    o->work = (struct work_options){.late_ms = -1, .retry_ms = -1, .give_up = 5};
    if (argc < 2 || !parse_mode(o, argv[1])) {
        usage();
        return false;
    }
    for (int i = 2; i < argc; i += 2) {
        const struct row *row = find_row(argv[i]);
        if (!row || i + 1 == argc || !set(o, row, argv[i + 1])) {
            fprintf(stderr, "load: %s: %s\n", argv[i], row ? row->help : "no such option");
            return false;
        }
    }
    const char *missing = settle(o);
    if (missing) {
        fprintf(stderr, "load: %s\n", missing);
    }
    return !missing;
}
