/* report.c - the result of a run as JSON. */
#include "load/report.h"

#include <stdio.h>

#include "base/fs.h"

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}

static double per_second(uint64_t n, int64_t ns)
{
    return ns > 0 ? (double)n * 1e9 / (double)ns : 0;
}

static void add_times(struct str *out, const struct hist *h)
{
    str_printf(out, "\"p50_ms\":%.3f,\"p90_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f",
               ms(hist_percentile(h, 0.50)), ms(hist_percentile(h, 0.90)),
               ms(hist_percentile(h, 0.99)), ms(h->max));
}

static void add_kind(struct str *out, const char *name, const struct hist *h)
{
    str_printf(out, ",\"%s\":{\"requests\":%llu,", name, (unsigned long long)h->n);
    add_times(out, h);
    str_addc(out, '}');
}

static void add_count(struct str *out, const char *name, uint64_t n)
{
    str_printf(out, ",\"%s\":%llu", name, (unsigned long long)n);
}

/* A text for JSON: quotes and backslashes escaped, control characters left out. */
static void add_text(struct str *out, const char *name, const char *text)
{
    str_printf(out, ",\"%s\":\"", name);
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            str_addc(out, '\\');
        }
        if ((unsigned char)*p >= 0x20) {
            str_addc(out, *p);
        }
    }
    str_addc(out, '"');
}

/* One "VmRSS:   123 kB" line of /proc/PID/status; 0 when the process is gone. */
static int64_t memory_line(struct sv status, const char *key)
{
    while (status.p) {
        struct sv line = sv_cut(&status, '\n');
        struct sv value = line, name = sv_cut(&value, ':');
        int64_t kib;
        value = sv_trim(value);
        if (sv_is(name, key) && sv_ends(value, " kB") &&
            sv_i64(sv_trim((struct sv){value.p, value.n - 3}), &kib)) {
            return kib;
        }
    }
    return 0;
}

static void add_memory(struct str *out, int64_t pid)
{
    if (pid == 0) {
        return;
    }
    char path[64];
    struct str text;
    str_init(&text, 1 << 16);
    snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
    int64_t now = 0, peak = 0;
    if (fs_read(path, &text, NULL) == OK) {
        now = memory_line(str_sv(&text), "VmRSS");
        peak = memory_line(str_sv(&text), "VmHWM");
    }
    str_printf(out, ",\"rss_kib\":%lld,\"rss_peak_kib\":%lld", (long long)now, (long long)peak);
    str_release(&text);
}

static void add_statuses(struct str *out, const struct work_stats *s)
{
    const char *comma = "";
    str_addz(out, ",\"statuses\":{");
    for (int i = 0; i < WORK_STATUSES; i++) {
        if (s->statuses[i] > 0) {
            str_printf(out, "%s\"%d\":%llu", comma, i, (unsigned long long)s->statuses[i]);
            comma = ",";
        }
    }
    str_addc(out, '}');
}

/* Everything that is not a success, but for the conflicts that were asked for. */
static uint64_t errors(const struct work_stats *s)
{
    uint64_t n = 0;
    for (int i = 0; i < WORK_STATUSES; i++) {
        n += i < 200 || i >= 300 ? s->statuses[i] : 0;
    }
    uint64_t wanted = s->statuses[409] < s->conflicts ? s->statuses[409] : s->conflicts;
    return n - wanted;
}

static void add_work(struct str *out, const struct work_stats *s)
{
    struct hist all;
    int64_t ns = s->stopped_ns - s->started_ns;
    hist_clear(&all);
    hist_merge(&all, &s->join);
    hist_merge(&all, &s->next);
    hist_merge(&all, &s->answer);
    str_printf(out, ",\"seconds\":%.3f,\"requests\":%llu,\"per_second\":%.1f,", (double)ns / 1e9,
               (unsigned long long)s->requests_then, per_second(s->requests_then, ns));
    add_times(out, &all);
    str_printf(out, ",\"answers_per_second\":%.1f", per_second(s->answers_then, ns));
    add_count(out, "errors", errors(s));
    add_statuses(out, s);
    add_count(out, "stored", s->stored);
    add_count(out, "surplus", s->surplus);
    add_count(out, "acknowledged", s->stored + s->surplus);
    add_count(out, "places", s->places);
    add_count(out, "leases", s->leases);
    add_count(out, "abandoned", s->abandoned);
    add_count(out, "duplicates", s->duplicates);
    add_count(out, "conflicts", s->conflicts);
    add_count(out, "held", s->held);
    add_count(out, "held_left", s->held_left);
    add_count(out, "mismatches", s->mismatches);
    add_text(out, "mismatch", s->mismatch);
    str_printf(out, ",\"exhausted\":%s,\"gave_up\":%s", s->exhausted ? "true" : "false",
               s->gave_up ? "true" : "false");
    add_kind(out, "join", &s->join);
    add_kind(out, "next", &s->next);
    add_kind(out, "answer", &s->answer);
}

static void add_watch(struct str *out, const struct watch_stats *s, int64_t elapsed_ns, bool alone)
{
    if (alone) {
        str_printf(out, ",\"seconds\":%.3f,\"requests\":%llu,\"per_second\":%.1f,",
                   (double)elapsed_ns / 1e9, (unsigned long long)s->read.n,
                   per_second(s->read.n, elapsed_ns));
        add_times(out, &s->read);
        add_count(out, "errors", s->read_failed);
    }
    add_kind(out, "read", &s->read);
    add_count(out, "read_failed", s->read_failed);
    str_printf(out, ",\"read_status\":%d", s->read_status);
    add_count(out, "read_bytes", s->bytes);
    str_printf(out,
               ",\"events\":{\"open\":%u,\"messages\":%llu,\"heartbeats\":%llu,\"ended\":%llu,"
               "\"refused\":%llu,\"refused_status\":%d}",
               s->open, (unsigned long long)s->messages, (unsigned long long)s->heartbeats,
               (unsigned long long)s->ended, (unsigned long long)s->refused, s->refused_status);
}

void report_final(struct str *out, const struct report_of *of)
{
    str_printf(out, "{\"mode\":\"%s\",\"clients\":%u", of->mode, of->clients);
    if (of->work) {
        add_work(out, of->work);
    }
    add_watch(out, of->watch, of->elapsed_ns, !of->work);
    add_memory(out, of->pid);
    str_addc(out, '}');
}

void report_progress(struct str *out, const struct work_stats *s, int64_t pid, int64_t elapsed_ns)
{
    str_printf(out, "{\"seconds\":%.1f", (double)elapsed_ns / 1e9);
    if (s) {
        add_count(out, "acknowledged", s->stored + s->surplus);
        add_count(out, "errors", errors(s));
    }
    add_memory(out, pid);
    str_addc(out, '}');
}
