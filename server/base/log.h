/* log.h - one JSON object a line on stderr, written by its own thread.
 *
 * log_* formats into a slot of a ring buffer and returns; a full ring drops the line and counts
 * it (log_dropped, shown in /metrics and logged when there is room again), so that a slow
 * terminal never stops a vote. Before log_start and after log_stop lines are written at once.
 * Never pass a token, a password or a worker's id in clear. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

/* One extra member of the line. Text is escaped for JSON; number members are printed bare. */
struct log_field {
    const char *key;
    struct sv text;
    int64_t number;
    bool is_number;
};
#define LOG_TEXT(k, v) ((struct log_field){.key = (k), .text = (v)})
#define LOG_NUM(k, v) ((struct log_field){.key = (k), .number = (int64_t)(v), .is_number = true})

enum err_code log_start(enum log_level least, struct err *err); /* starts the thread */
void log_stop(void);                                          /* writes all and joins the thread */
bool log_level_parse(struct sv word, enum log_level *out); /* debug info warn error */
uint64_t log_dropped(void);

void log_line(enum log_level level, const char *msg, const struct log_field *fields, size_t n);
/* log_msg(LOG_INFO, "listening", LOG_TEXT("address", a), LOG_NUM("port", p)) */
#define log_msg(level, msg, ...)                                                                   \
    log_line((level), (msg), (struct log_field[]){__VA_ARGS__},                                    \
             sizeof((struct log_field[]){__VA_ARGS__}) / sizeof(struct log_field))
/* A message alone, with printf formatting. */
void log_text(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
