/* load.c - the program build/load: puts a running server under load and prints one JSON object.
 *
 * Used by tests/http/{durability,failures,overload,exactly_n}.test.mjs and tests/bench/run. Exit
 * status: 0 when the run came to its end, 1 when a reply broke the contract or the journal failed,
 * 2 usage. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/rng.h"
#include "base/str.h"
#include "load/journal.h"
#include "load/report.h"
#include "load/watch.h"
#include "load/work.h"

enum { CLIENTS_MAX = 20000, HEADERS_MAX = 1024, REQUEST_TIMEOUT_MS = 30000 };

enum mode { MODE_SUBMIT, MODE_CYCLE, MODE_SOAK, MODE_EVENTS, MODE_READ, MODE_MIXED };
static const char *const mode_names[] = {"submit", "cycle", "soak", "events", "read", "mixed"};

struct options {
    enum mode mode;
    char host[256];
    int64_t port, streams, readers, pid, every, clients, count, seed;
    const char *journal, *token, *topics;
    struct work_options work;
    struct watch_options watch;
};

struct run {
    struct options o;
    struct client *client;
    struct work *work;   /* NULL: nobody works */
    struct watch *watch;
    int64_t started_ns, deadline_ns, next_report_ns;
};

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    (void)number;
    asked_to_stop = 1;
}

static const char usage_text[] =
    "load MODE --port N|--url http://HOST:PORT [options]\n"
    "  submit    leases --count assignments, then measures their submission\n"
    "  cycle     join, next and answer by --clients people for --seconds or --count answers\n"
    "  soak      as cycle, with a line on stderr every --every seconds\n"
    "  events    --streams open event streams for --seconds\n"
    "  read      --readers that get --path (may be repeated) for --seconds\n"
    "  mixed     cycle, events and read together\n"
    "options: --clients N  --seconds S  --count N  --campaign NAME  --journal FILE  --seed N\n"
    "  --abandon P  --duplicate P  --late P  --late-ms N  --conflict P  --retry-ms N\n"
    "  --give-up S  --streams N  --topics LIST  --readers N  --path P  --token T  --pid N\n"
    "  --every S  --think MS\n";

/* ------------------------------------------------------------ options */

enum {
    OPT_URL = 256, OPT_PORT, OPT_CLIENTS, OPT_SECONDS, OPT_COUNT, OPT_CAMPAIGN, OPT_JOURNAL,
    OPT_ABANDON, OPT_DUPLICATE, OPT_LATE, OPT_LATE_MS, OPT_CONFLICT, OPT_RETRY_MS, OPT_GIVE_UP,
    OPT_STREAMS, OPT_TOPICS, OPT_READERS, OPT_PATH, OPT_TOKEN, OPT_SEED, OPT_PID, OPT_EVERY,
    OPT_THINK
};

static const struct option long_options[] = {
    {"url", 1, NULL, OPT_URL},             {"port", 1, NULL, OPT_PORT},
    {"clients", 1, NULL, OPT_CLIENTS},     {"seconds", 1, NULL, OPT_SECONDS},
    {"count", 1, NULL, OPT_COUNT},         {"campaign", 1, NULL, OPT_CAMPAIGN},
    {"journal", 1, NULL, OPT_JOURNAL},     {"abandon", 1, NULL, OPT_ABANDON},
    {"duplicate", 1, NULL, OPT_DUPLICATE}, {"late", 1, NULL, OPT_LATE},
    {"late-ms", 1, NULL, OPT_LATE_MS},     {"conflict", 1, NULL, OPT_CONFLICT},
    {"retry-ms", 1, NULL, OPT_RETRY_MS},   {"give-up", 1, NULL, OPT_GIVE_UP},
    {"streams", 1, NULL, OPT_STREAMS},     {"topics", 1, NULL, OPT_TOPICS},
    {"readers", 1, NULL, OPT_READERS},     {"path", 1, NULL, OPT_PATH},
    {"token", 1, NULL, OPT_TOKEN},         {"seed", 1, NULL, OPT_SEED},
    {"pid", 1, NULL, OPT_PID},             {"every", 1, NULL, OPT_EVERY},
    {"think", 1, NULL, OPT_THINK},
    {NULL, 0, NULL, 0}};

static bool read_int(const char *text, int64_t least, int64_t most, int64_t *out)
{
    return sv_i64(sv_of(text), out) && *out >= least && *out <= most;
}

static bool read_real(const char *text, double most, double *out)
{
    return sv_f64(sv_of(text), out) && *out >= 0 && *out <= most;
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

static bool set_text(const char **field, const char *value)
{
    *field = value;
    return true;
}

static bool set_option(struct options *o, int option, const char *v)
{
    struct work_options *w = &o->work;
    switch (option) {
    case OPT_URL: return read_url(o, v);
    case OPT_PORT: return read_int(v, 1, 65535, &o->port);
    case OPT_CLIENTS: return read_int(v, 1, CLIENTS_MAX, &o->clients);
    case OPT_SECONDS: return read_real(v, 1e6, &w->seconds);
    case OPT_COUNT: return read_int(v, 1, INT64_MAX, &o->count);
    case OPT_CAMPAIGN: return set_text(&w->campaign, v);
    case OPT_JOURNAL: return set_text(&o->journal, v);
    case OPT_ABANDON: return read_real(v, 1, &w->abandon);
    case OPT_DUPLICATE: return read_real(v, 1, &w->duplicate);
    case OPT_LATE: return read_real(v, 1, &w->late);
    case OPT_LATE_MS: return read_int(v, 0, 86400000, &w->late_ms);
    case OPT_CONFLICT: return read_real(v, 1, &w->conflict);
    case OPT_RETRY_MS: return read_int(v, 0, 60000, &w->retry_ms);
    case OPT_GIVE_UP: return read_real(v, 1e6, &w->give_up);
    case OPT_STREAMS: return read_int(v, 0, CLIENTS_MAX, &o->streams);
    case OPT_TOPICS: return set_text(&o->topics, v);
    case OPT_READERS: return read_int(v, 0, CLIENTS_MAX, &o->readers);
    case OPT_PATH: return add_path(&o->watch, v);
    case OPT_TOKEN: return set_text(&o->token, v);
    case OPT_SEED: return read_int(v, 0, INT64_MAX, &o->seed);
    case OPT_PID: return read_int(v, 1, INT32_MAX, &o->pid);
    case OPT_THINK: return read_int(v, 0, 60000, &w->think_ms);
    case OPT_EVERY: return read_int(v, 1, 86400, &o->every);
    default: return false;
    }
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

static bool works(enum mode m)
{
    return m == MODE_SUBMIT || m == MODE_CYCLE || m == MODE_SOAK || m == MODE_MIXED;
}

/* What the mode needs and what it leaves out. */
static const char *settle(struct options *o)
{
    if (o->port == 0) {
        return "--port or --url is missing";
    }
    if (works(o->mode) && !o->work.campaign) {
        return "--campaign is missing";
    }
    if (o->mode == MODE_SUBMIT && o->count == 0) {
        return "submit needs --count";
    }
    if (o->mode != MODE_SUBMIT && o->work.seconds <= 0 && o->count == 0) {
        return "--seconds or --count is missing";
    }
    if (!works(o->mode) && o->work.seconds <= 0) {
        return "--seconds is missing";
    }
    o->watch.readers = o->mode == MODE_READ || o->mode == MODE_MIXED ? (unsigned)o->readers : 0;
    o->watch.listeners = o->mode == MODE_EVENTS || o->mode == MODE_MIXED ? (unsigned)o->streams : 0;
    if (o->watch.readers > 0 && o->watch.n_paths == 0) {
        return "readers need --path";
    }
    o->work.clients = (unsigned)o->clients;
    o->work.count = (uint64_t)o->count;
    o->work.seed = o->seed < 0 ? rng_fresh_seed() : (uint64_t)o->seed;
    return NULL;
}

static bool parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.host = "127.0.0.1", .clients = 64, .streams = 50, .readers = 1,
                          .every = 10, .seed = -1, .topics = "campaign"};
    o->work = (struct work_options){.late_ms = -1, .retry_ms = -1, .give_up = 5};
    if (argc < 2 || !parse_mode(o, argv[1])) {
        fputs(usage_text, stderr);
        return false;
    }
    int option;
    optind = 2;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == '?') {
            return false;
        }
        if (!set_option(o, option, optarg)) {
            fprintf(stderr, "load: bad value \"%s\"\n", optarg);
            return false;
        }
    }
    const char *missing = optind < argc ? "too many arguments" : settle(o);
    if (missing) {
        fprintf(stderr, "load: %s\n", missing);
    }
    return !missing;
}

/* ------------------------------------------------------------ the run */

static void report_now(struct run *r)
{
    struct str out;
    str_init(&out, 1 << 16);
    report_progress(&out, r->work ? work_stats(r->work) : NULL, r->o.pid,
                    client_now_ns(r->client) - r->started_ns);
    fprintf(stderr, SV_FMT "\n", SV_ARG(str_sv(&out)));
    str_release(&out);
}

static void on_turn(void *arg)
{
    struct run *r = arg;
    int64_t now = client_now_ns(r->client);
    if (r->work) {
        work_turn(r->work);
        if (asked_to_stop) {
            work_stop(r->work);
        }
    }
    bool over = r->work ? !work_active(r->work) : asked_to_stop || now >= r->deadline_ns;
    if (over) {
        watch_stop(r->watch);
    }
    if (over && !watch_reading(r->watch)) {
        client_stop(r->client);
    }
    if (r->o.mode == MODE_SOAK && now >= r->next_report_ns) {
        r->next_report_ns = now + r->o.every * 1000000000;
        report_now(r);
    }
}

static enum err_code lease_first(struct run *r, struct err *err)
{
    work_limit(r->work, r->o.work.count, 0);
    work_start(r->work, WORK_LEASE);
    enum err_code rc = client_run(r->client, on_turn, r, err);
    const struct work_stats *s = work_stats(r->work);
    fprintf(stderr, "load: %llu assignments leased in %.1f s\n", (unsigned long long)s->leases,
            (double)(clock_mono_ns() - s->started_ns) / 1e9);
    work_limit(r->work, 0, r->o.work.seconds);
    return rc;
}

static enum err_code run_phases(struct run *r, struct err *err)
{
    enum err_code rc = OK;
    bool submit = r->o.mode == MODE_SUBMIT;
    if (submit) {
        rc = lease_first(r, err);
    }
    r->started_ns = clock_mono_ns();
    r->deadline_ns = r->started_ns + (int64_t)(r->o.work.seconds * 1e9);
    r->next_report_ns = r->started_ns + r->o.every * 1000000000;
    if (rc == OK) {
        if (r->work) {
            work_start(r->work, submit ? WORK_SUBMIT : WORK_CYCLE);
        }
        watch_start(r->watch);
        rc = client_run(r->client, on_turn, r, err);
    }
    if (rc == OK && r->work) {
        rc = work_failed(r->work, err);
    }
    return rc;
}

static enum err_code set_up(struct run *r, char *headers, size_t size, char *events, size_t room,
                            struct err *err)
{
    struct options *o = &r->o;
    headers[0] = '\0';
    if (o->token) {
        snprintf(headers, size, "Authorization: Bearer %.900s\r\n", o->token);
    }
    snprintf(events, room, "/events?topics=%.200s", o->topics);
    o->watch.events_path = events;
    o->watch.first = works(o->mode) ? 2 * o->work.clients : 0;
    const struct client_options co = {
        .host = o->host,
        .port = (uint16_t)o->port,
        .connections = o->watch.first + o->watch.readers + o->watch.listeners,
        .timeout_ms = REQUEST_TIMEOUT_MS,
        .headers = headers};
    enum err_code rc = client_new(&co, &r->client, err);
    if (rc == OK && o->journal) {
        rc = journal_open(o->journal, &o->work.journal, err);
    }
    if (rc == OK) {
        r->work = works(o->mode) ? work_new(r->client, &o->work) : NULL;
        r->watch = watch_new(r->client, &o->watch);
    }
    return rc;
}

static void print_report(struct run *r)
{
    const struct report_of of = {.mode = mode_names[r->o.mode],
                                 .clients = r->o.work.clients,
                                 .work = r->work ? work_stats(r->work) : NULL,
                                 .watch = watch_stats(r->watch),
                                 .pid = r->o.pid,
                                 .elapsed_ns = client_now_ns(r->client) - r->started_ns};
    struct str out;
    str_init(&out, 1 << 16);
    report_final(&out, &of);
    printf(SV_FMT "\n", SV_ARG(str_sv(&out)));
    str_release(&out);
}

int main(int argc, char **argv)
{
    static struct run r;
    struct err err = {0};
    char headers[HEADERS_MAX], events[256];
    if (!parse(&r.o, argc, argv)) {
        return 2;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    enum err_code rc = set_up(&r, headers, sizeof headers, events, sizeof events, &err);
    if (rc == OK) {
        rc = run_phases(&r, &err);
    }
    bool broken = false;
    if (rc == OK) {
        print_report(&r);
        broken = r.work && work_stats(r.work)->mismatches > 0;
    }
    if (journal_close(r.o.work.journal, &err) != OK || rc != OK) {
        fprintf(stderr, "load: %s\n", err.msg);
        rc = err.code;
    }
    work_free(r.work);
    watch_free(r.watch);
    client_free(r.client);
    return rc != OK || broken;
}
