/* options.c - THE option table: one row per field of struct config.
 * Parser, range checks, --help and config.example.ini come from it (config.c). */
#include "config/options.h"

#include "config/config.h"

#define FIELD(sec, name) .section = #sec, .key = #name, .offset = offsetof(struct config, name)
#define INT(sec, name, text, least, most, about)                                                   \
    {FIELD(sec, name), .type = OPTION_INT, .def = (text), .min = (least), .max = (most),           \
     .help = (about)}

/* clang-format off: a table reads better in columns. */
const struct option options[] = {
    {FIELD(server, bind), .type = OPTION_ADDRESS, .def = "127.0.0.1",
     .help = "address to listen on; 0.0.0.0 or :: for all"},
    INT(server, port, "8080", 0, 65535, "port to listen on; 0 takes any free one"),
    INT(server, threads, "0", 0, 256, "threads that answer requests; 0 is one per core"),
    INT(server, connections, "1024", 8, 65536, "maximum number of open connections"),
    INT(server, connections_per_address, "256", 1, 65536,
        "maximum number of open connections from one address"),
    INT(server, head_seconds, "20", 1, 3600,
        "seconds a client may take to send the whole head of a request"),
    INT(server, body_seconds, "20", 1, 3600,
        "seconds that a whole body or reply may take, plus one per body_rate bytes transferred"),
    INT(server, body_rate, "1000", 1, 1048576,
        "bytes per second from which an upload or a reply may take as long as it needs"),
    INT(server, event_streams, "256", 1, 65536,
        "maximum number of dashboards that get live updates at once"),
    INT(server, queue, "4096", 16, 1048576,
        "maximum number of waiting writes; further ones are asked to try again"),
    {FIELD(server, public_url), .type = OPTION_URL, .def = "",
     .help = "address that people use, for links in exports; with https, cookies are Secure"},
    {FIELD(server, trusted_proxies), .type = OPTION_ADDRESSES, .def = "",
     .help = "proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted"},
    {FIELD(server, tls_cert), .type = OPTION_PATH, .def = "",
     .help = "PEM file with the certificate chain; with tls_key the server speaks HTTPS itself"},
    {FIELD(server, tls_key), .type = OPTION_PATH, .secret = true, .def = "",
     .help = "PEM file with the private key"},
    {FIELD(server, access_log), .type = OPTION_BOOL, .def = "true",
     .help = "one log line per request"},
    {FIELD(server, log_level), .type = OPTION_WORD, .def = "info",
     .words = "debug info warn error", .help = "least important level that is logged"},

    INT(limits, body_mb, "64", 1, 4096,
        "MiB of request bodies in memory in total; beyond that, clients are asked to try again"),
    INT(limits, places_per_address_hour, "600", 1, 1000000,
        "new workers accepted from one address in an hour"),
    INT(limits, logins_per_address_hour, "60", 1, 1000000,
        "sign-in attempts accepted from one address in an hour"),
    INT(limits, logins_per_account_hour, "30", 1, 1000000,
        "wrong passwords for one account in an hour, from browsers that never signed in to it"),
    INT(limits, model_gflops, "500", 1, 1000000,
        "billion operations that a model may take per image; a multiply-add counts as two"),
    INT(limits, model_mb, "2048", 16, 32768,
        "MiB of memory that a model may need in one thread, weights included"),

    INT(session, session_hours, "168", 1, 8760,
        "hours without a request after which a session ends"),
    INT(session, session_most_hours, "720", 1, 8760,
        "hours after which a session ends, however busy it is"),
    INT(session, invite_days, "7", 1, 365, "days that an invitation is valid"),
    INT(session, token_days, "365", 1, 3650, "maximum lifetime of an API token in days"),

    INT(work, open_window, "16", 1, 4096, "open grids from which a worker's next one is drawn"),
    INT(work, ahead_seconds, "120", 10, 3600,
        "seconds that a grid fetched in advance is reserved; at most the campaign's lease"),
    INT(work, flags_to_quarantine, "3", 1, 1000,
        "number of people whose flags hide an image until a lead decides"),
    INT(work, flags_per_person, "5", 1, 100000,
        "images that one person's flags can help to hide, not counting those where a lead agreed"),
    INT(work, flags_surge, "30", 2, 100000,
        "number of flags within an hour that leads are shown as a surge"),

    INT(jobs, jobs_at_once, "1", 0, 8,
        "jobs that run at once, each on all cores with low priority; with 0, all of them wait"),

    INT(images, view_side, "500", 64, 4096, "long side of the rendition for most pages, in pixels"),
    INT(images, grid_side, "320", 64, 2048, "long side of the rendition for grids, in pixels"),
    INT(images, quality, "90", 50, 100, "JPEG quality of renditions"),
    INT(images, max_megapixels, "100", 1, 1000, "largest image that import accepts, in megapixels"),
    INT(images, threads_import, "0", 0, 256,
        "threads that decode images at import; 0 is one per core"),
    INT(images, cache_mb, "16", 0, 4096,
        "MiB of memory for images; with 0, each is read from disk every time"),
    {FIELD(images, tiny), .type = OPTION_BOOL, .def = "false",
     .help = "for projects of tiny images (32 x 32): renditions are PNG at the images' own size"},
};
/* clang-format on */
const size_t options_count = sizeof options / sizeof options[0];
