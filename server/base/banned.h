/* banned.h - functions that do not compile here, included before everything by the Makefile.
 * Each has a safer word: snprintf or str_printf, sv_cut, sv_i64, gmtime_r, rng_u64, lgamma_r (lgamma
 * writes a global). */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BANNED_NAMES_IN_HEADERS /* the Makefile says whose */
#undef alloca /* stdlib.h makes it a macro, and poisoning a macro is a warning */
#pragma GCC poison strcpy strncpy strcat strncat sprintf vsprintf gets strtok strtok_r
#pragma GCC poison atoi atol atoll atof gmtime localtime asctime ctime rand srand random srandom
#pragma GCC poison tmpnam tempnam mktemp alloca system popen
#pragma GCC poison lgamma
#endif

#endif
