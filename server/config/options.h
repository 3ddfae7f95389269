/* options.h - the shape of a row of THE option table (options.c).
 * Read by config.c, which sets the field of struct config that a row names, and by nothing else
 * but tests. Adding an option is: a field in config.h, a row here. */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_INT,       /* int64_t from min to max */
    OPTION_BOOL,      /* true/false, yes/no, on/off, 1/0 */
    OPTION_WORD,      /* one of `words` */
    OPTION_ADDRESS,   /* an IPv4 or IPv6 address */
    OPTION_ADDRESSES, /* none or several, separated by commas */
    OPTION_PATH,      /* empty, or a path; a relative one starts at the project's folder */
    OPTION_URL        /* empty, or http(s)://host[:port][/path]; kept without a final "/" */
};

struct option {
    const char *section, *key; /* the key is the field's own name */
    enum option_type type;
    bool secret;               /* its value is never repeated in a message */
    size_t offset;             /* of the field in struct config */
    const char *def;
    int64_t min, max;          /* OPTION_INT */
    const char *words;         /* OPTION_WORD: separated by single spaces */
    const char *help;          /* what it is, without range and default */
};

/* Rows of one section stand together, in the order of config.example.ini. */
extern const struct option options[];
extern const size_t options_count;

#endif
