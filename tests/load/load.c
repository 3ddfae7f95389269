/* load.c - the program build/load: puts a running server under load and prints one JSON object.
 *
 * Used by tests/http/{durability,failures,overload,exactly_n}.test.mjs and tests/bench/run. Exit
 * status: 0 when the run came to its end, 1 when a reply broke the contract or the journal failed,
 * 2 usage. */
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/str.h"
#include "load/journal.h"
#include "load/options.h"
#include "load/report.h"

enum { HEADERS_MAX = 1024, REPORT_MAX = 1 << 16, REQUEST_TIMEOUT_MS = 30000 };

struct run {
    struct options o;
    struct client *client;
    struct work *work; /* NULL: nobody works */
    struct watch *watch;
    int64_t started_ns, deadline_ns, next_report_ns;
};

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    (void)number;
    asked_to_stop = 1;
}

static void print_line(FILE *to, const struct str *text)
{
    fwrite(text->p, 1, text->n, to);
    putc('\n', to);
}

static void report_now(struct run *r)
{
    struct str out;
    str_init(&out, REPORT_MAX);
    report_progress(&out, r->work ? work_stats(r->work) : NULL, r->o.pid,
                    client_now_ns(r->client) - r->started_ns);
    print_line(stderr, &out);
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
    o->watch.first = mode_works(o->mode) ? 2 * o->work.clients : 0;
    const struct client_options co = {.host = o->host,
                                      .port = (uint16_t)o->port,
                                      .connections =
                                          o->watch.first + o->watch.readers + o->watch.listeners,
                                      .timeout_ms = REQUEST_TIMEOUT_MS,
                                      .headers = headers};
    enum err_code rc = client_new(&co, &r->client, err);
    if (rc == OK && o->journal) {
        rc = journal_open(o->journal, &o->work.journal, err);
    }
    if (rc == OK) {
        r->work = mode_works(o->mode) ? work_new(r->client, &o->work) : NULL;
        r->watch = watch_new(r->client, &o->watch);
    }
    return rc;
}

static void print_report(struct run *r)
{
    const struct report_of of = {.mode = mode_name(r->o.mode),
                                 .clients = r->o.work.clients,
                                 .work = r->work ? work_stats(r->work) : NULL,
                                 .watch = watch_stats(r->watch),
                                 .pid = r->o.pid,
                                 .elapsed_ns = client_now_ns(r->client) - r->started_ns};
    struct str out;
    str_init(&out, REPORT_MAX);
    report_final(&out, &of);
    print_line(stdout, &out);
    str_release(&out);
}

int main(int argc, char **argv)
{
    static struct run r;
    struct err err = {0};
    char headers[HEADERS_MAX], events[256];
    if (!options_parse(&r.o, argc, argv)) {
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
