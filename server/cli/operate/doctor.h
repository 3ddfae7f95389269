/* doctor.h - the parts of `holdout doctor`: each looks at something and says how it found it.
 * doctor.c calls them and prints; none changes anything. */
#ifndef CLI_OPERATE_DOCTOR_H
#define CLI_OPERATE_DOCTOR_H

#include "cli/core/cli.h"

enum doctor_state { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

struct doctor {
    struct cli *cli;
    const char *database;   /* path, NULL without a project */
    bool configured;        /* cli->config was read */
    bool served;            /* a server runs on the project */
    const char *address;    /* of that server, "" when it does not say */
};

/* One line of the report. What is not ok ends with what to do. */
void doctor_say(struct doctor *d, enum doctor_state state, const char *what, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* doctor_host.c: the machine */
void doctor_libraries(struct doctor *d);
void doctor_models(struct doctor *d);
void doctor_clock(struct doctor *d);
void doctor_fonts(struct doctor *d);
void doctor_descriptors(struct doctor *d);  /* needs the configuration */
void doctor_disk(struct doctor *d);         /* needs the project's folder, as the next */
void doctor_permissions(struct doctor *d);

/* doctor_jobs.c: the queue; needs the database and the configuration */
void doctor_jobs(struct doctor *d);

/* doctor_server.c: how it is reached; all need the configuration */
void doctor_address(struct doctor *d);      /* public_url, TLS, proxies */
void doctor_tls(struct doctor *d);
void doctor_server(struct doctor *d);       /* port free, or server ready */

#endif
