/* serve.c - `holdout serve`: starts the server, waits for a signal, stops it in order. The routes of
 * `holdout version --routes` too: no other command knows the server. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/log.h"
#include "cli/core/commands.h"
#include "web/core/app.h"

static enum err_code wait_for_stop(struct cli *cli, const sigset_t *stop)
{
    int signal_number;
    if (sigwait(stop, &signal_number) != 0) {
        return err_set(&cli->err, ERR_BUG, "waiting for a signal failed");
    }
    log_msg(LOG_INFO, "stopping", LOG_TEXT("signal", sv_of(strsignal(signal_number))));
    return OK;
}

/* On standard output, and in the lock file for `holdout doctor`. */
static void announce(struct cli *cli, struct app *app, int lock)
{
    const char *scheme = *cli->config.tls_cert ? "https" : "http";
    const char *host = cli->config.bind;
    bool six = strchr(host, ':') != NULL;
    struct str line;
    str_init(&line, 256);
    str_printf(&line, "listening on %s://%s%s%s:%u\n", scheme, six ? "[" : "", host,
               six ? "]" : "", http_port(app_http(app)));
    fputs(line.p, stdout);
    fflush(stdout);
    const char *address = strstr(line.p, "http");
    if (ftruncate(lock, 0) != 0 || pwrite(lock, address, strlen(address), 0) < 0) {
        log_text(LOG_WARN, "the address cannot be written to serve.lock");
    }
    str_release(&line);
}

enum err_code serve_project(struct cli *cli, const struct serve_company *company)
{
    struct app *app = NULL;
    int lock = -1;
    sigset_t stop;
    enum log_level level = LOG_INFO;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, NULL); /* before any thread: all of them inherit it */
    enum err_code rc = project_serve_lock(cli->dir, &lock, &cli->err);
    if (rc != OK) {
        return rc;
    }
    /* The command's own connection would only hold memory beside the server's. */
    db_close(cli->db);
    cli->db = NULL;
    log_level_parse(sv_of(cli->config.log_level), &level);
    rc = log_start(level, &cli->err);
    rc = rc == OK ? app_open(&cli->config, cli->dir, &app, &cli->err) : rc;
    if (rc == OK) {
        announce(cli, app, lock);
        rc = company ? company->start(company->arg, (uint16_t)http_port(app_http(app)), &cli->err) : OK;
        rc = rc == OK ? wait_for_stop(cli, &stop) : rc;
        if (company) {
            company->stop(company->arg);
        }
        app_close(app);
        log_text(LOG_INFO, "stopped");
    }
    log_stop();
    fs_unlock(lock);
    return rc;
}

enum err_code cmd_serve(struct cli *cli)
{
    int64_t port;
    enum err_code rc = cli_opt_int(cli, "port", 0, 65535, cli->config.port, &port);
    if (rc != OK) {
        return rc;
    }
    cli->config.port = port;
    if (cli_has(cli, "bind")) {
        cli->config.bind = cli_opt(cli, "bind");
    }
    return serve_project(cli, NULL);
}

/* ---- routes ---- */

static const char *proof_name(enum route_proof proof)
{
    static const char *const names[] = {"-", "csrf", "capability", "public"};
    return names[proof];
}

/* tests/http/routes.golden holds a copy. */
void serve_routes(void)
{
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes[i];
        printf("%-6s %-46s %-6s %-10s %5zu %s%s%s%s\n", http_method_name(r->method), r->pattern,
               role_name(r->role), proof_name(r->proof), r->body_max, r->read ? "read " : "",
               r->slow ? "slow " : "", r->write ? (r->desk ? "write " : "write") : "", r->desk ? "desk" : "");
    }
}
