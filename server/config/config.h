/* config.h - the typed configuration, constant after start.
 * config.ini in the project < environment HOLDOUT_SECTION_KEY (and ..._FILE for secrets) <
 * command-line flags. Every option is a row of config/options.c, from which the reader, the
 * checks, --help and config.example.ini come. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct config {
    struct arena arena; /* owns all texts below */
    /* [server] */
    const char *bind;
    int64_t port;
    int64_t threads;         /* 0: one per core */
    int64_t connections;     /* most at once */
    int64_t connections_per_address;
    int64_t head_seconds, body_seconds; /* for a whole head, a whole body */
    int64_t body_rate;       /* bytes that win a body a second more */
    int64_t event_streams;   /* most dashboards listening at once */
    int64_t queue;           /* most waiting writes */
    const char *public_url;  /* "" = relative; an https one makes cookies Secure */
    const char *trusted_proxies;
    const char *tls_cert, *tls_key;
    bool access_log;
    const char *log_level;
    /* [limits] */
    int64_t body_mb;         /* request bodies in memory, together */
    int64_t places_per_address_hour; /* new workers from one address */
    int64_t logins_per_address_hour;
    int64_t logins_per_account_hour; /* wrong passwords */
    int64_t model_gflops;    /* operations of a model for an image */
    int64_t model_mb;        /* memory of a model and one thread */
    /* [session] */
    int64_t session_hours;      /* without a request */
    int64_t session_most_hours; /* from signing in */
    int64_t invite_days;
    int64_t token_days;      /* longest life of an API token */
    /* [work] */
    int64_t open_window;     /* grids among which the next is drawn at random */
    int64_t ahead_seconds;   /* lease of a grid that is fetched ahead */
    int64_t flags_to_quarantine; /* people whose flags hide an image */
    int64_t flags_per_person;    /* images that one person's flags can help to hide */
    int64_t flags_surge;         /* flags within an hour that are a surge */
    /* [jobs] */
    int64_t jobs_at_once;    /* 0: none is started */
    /* [images] */
    int64_t view_side;       /* long side of the common rendition, pixels */
    int64_t grid_side;       /* long side of the grid rendition */
    int64_t quality;
    int64_t max_megapixels;
    int64_t threads_import;  /* 0: one per core */
    int64_t cache_mb;        /* grid images kept in memory; 0: none */
    bool tiny;               /* all images have one small size; renditions keep it, as PNG */
};

/* Reads DIR/config.ini (absent is fine), the environment, then `flags` ("section.key=value").
 * The first mistake: ERR_INPUT with "FILE:LINE: ..." or the variable's or flag's name. */
enum err_code config_load(struct config *c, const char *dir, const char *const *flags,
                          size_t n_flags, struct err *err);
void config_release(struct config *c);
/* Calls each() for every mistake that config_load would find one by one; *n is how many. Fails only
 * when the file is there and cannot be read. */
enum err_code config_check(const char *dir, const char *const *flags, size_t n_flags,
                           void (*each)(void *arg, const char *text), void *arg, size_t *n,
                           struct err *err);
/* The text of config.example.ini: every option with its help, range and default. */
void config_example(struct str *out);

#endif
