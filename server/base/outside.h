/* outside.h - texts from outside that other programs act on: spreadsheets run what looks like a
 * formula, browsers follow links. Plain rules; the caller decides what to tell whom. */
#ifndef BASE_OUTSIDE_H
#define BASE_OUTSIDE_H

#include <stdbool.h>

#include "base/sv.h"

/* Begins with = + - @, their wide forms (U+FF1D, FF0B, FF0D, FF20), a tab or a line break: a
 * spreadsheet that opens a CSV would take it for a formula. Blanks before it, seen or not, do not help, as some
 * leave them out; and a semicolon begins a cell where numbers have a decimal comma. */
bool outside_formula(struct sv text);
#define OUTSIDE_FORMULA_TEXT                                                                       \
    "begins with =, +, -, @ or a tab, or has one after a semicolon, which spreadsheets run as a " \
    "formula"

/* The same, but for "-" with nothing but letters, digits, - and _ after it, as numbers of sessions
 * and files may begin: nothing runs then. */
bool outside_runs(struct sv text);

/* Holds a control character (C0, DEL, C1), ends a line (U+2028, 2029) or turns the direction of what follows
 * (U+202A to 202E, 2066 to 2069): shown, it would look like something else. */
bool outside_controls(struct sv text);

/* "http://host..." or "https://host..." in any case, without blanks, control characters, double quotes,
 * angle brackets or backslashes. */
bool outside_web_link(struct sv text);

/* A link that runs something instead of leading somewhere: javascript:, data:, vbscript:, also
 * after blanks or with control characters between, as browsers read them. */
bool outside_script_link(struct sv text);

/* An address of the site that is asked, as browsers read it: a path, not "//host" or "/\host". Printable
 * ASCII without blanks alone: browsers leave tabs and line breaks out, and "/<tab>/host" is "//host" then. */
bool outside_own_path(struct sv text);

#endif
