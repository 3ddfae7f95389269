/* form.c - numbers and times as text. Digits, separators and signs are written here, not by the
 * locale, so that a chart's bytes are the same everywhere. */
#include "chart/form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const form_months[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* A real minus sign: a hyphen is hard to see before a digit. */
#define MINUS "\xe2\x88\x92"

enum { DECIMALS_MOST = 12 };
static const double plain_most = 1e12, plain_least = 1e-4;

/* "1234567.5" with a comma after every third digit before the point. */
static void grouped(const char *digits, bool negative, char out[FORM_TEXT])
{
    size_t whole = strcspn(digits, ".");
    size_t at = 0;
    if (negative) {
        memcpy(out, MINUS, sizeof MINUS - 1);
        at = sizeof MINUS - 1;
    }
    for (size_t i = 0; digits[i] && at < FORM_TEXT - 2; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) {
            out[at++] = ',';
        }
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

static void fixed(double v, int decimals, char out[FORM_TEXT])
{
    char digits[FORM_TEXT];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(v));
    bool zero = digits[strspn(digits, "0.")] == '\0';
    grouped(digits, v < 0 && !zero, out);
}

/* Without the zeros that end a fraction. */
static void trim_zeros(char *digits)
{
    size_t n = strlen(digits);
    if (!memchr(digits, '.', n)) {
        return;
    }
    while (digits[n - 1] == '0') {
        n--;
    }
    digits[digits[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* Too large or too small for plain digits: "1.5e20". */
static void scientific(double v, int decimals, char out[FORM_TEXT])
{
    char digits[FORM_TEXT];
    snprintf(digits, sizeof digits, "%.*e", decimals, fabs(v));
    char *e = strchr(digits, 'e');
    long power = strtol(e + 1, NULL, 10);
    *e = '\0';
    trim_zeros(digits);
    snprintf(out, FORM_TEXT, "%s%.20se%ld", v < 0 ? MINUS : "", digits, power);
}

static bool is_plain(double v)
{
    return v == 0 || (fabs(v) < plain_most && fabs(v) >= plain_least);
}

/* Four digits that say something, at least all before the point. */
static void number(double v, char out[FORM_TEXT])
{
    if (!is_plain(v)) {
        scientific(v, 3, out);
        return;
    }
    int whole = v == 0 ? 1 : (int)floor(log10(fabs(v))) + 1;
    char digits[FORM_TEXT];
    snprintf(digits, sizeof digits, "%.*f", whole >= 4 ? 0 : 4 - whole, fabs(v));
    trim_zeros(digits);
    grouped(digits, v < 0 && strcmp(digits, "0") != 0, out);
}

/* ---- the calendar ---- */

static const double ms_a_day = 86400000.0;

/* Days since 1970 of a civil date and back, in eras of 400 years beginning with March. */
double form_date_ms(int64_t year, unsigned month, unsigned day)
{
    int64_t y = year - (month <= 2);
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + (int64_t)day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return (double)days * ms_a_day;
}

struct form_date form_date_of(double ms)
{
    double at = fmin(fmax(ms, -FORM_TIME_MOST), FORM_TIME_MOST);
    int64_t z = (int64_t)floor(at / ms_a_day);
    unsigned second = (unsigned)((at - (double)z * ms_a_day) / 1000);
    z += 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    unsigned month = (unsigned)(mp < 10 ? mp + 3 : mp - 9);
    return (struct form_date){
        .year = yoe + era * 400 + (month <= 2),
        .month = month,
        .day = (unsigned)(doy - (153 * mp + 2) / 5 + 1),
        .hour = second / 3600,
        .minute = second / 60 % 60,
        .second = second % 60,
    };
}

void form_iso(double ms, char out[FORM_TEXT])
{
    struct form_date d = form_date_of(ms);
    snprintf(out, FORM_TEXT, "%04lld-%02u-%02uT%02u:%02u:%02uZ", (long long)d.year, d.month, d.day,
             d.hour, d.minute, d.second);
}

static void time_value(double ms, char out[FORM_TEXT])
{
    struct form_date d = form_date_of(ms);
    int n = snprintf(out, FORM_TEXT, "%04lld-%02u-%02u %02u:%02u", (long long)d.year, d.month,
                     d.day, d.hour, d.minute);
    if (d.second && n > 0) {
        snprintf(out + n, FORM_TEXT - (size_t)n, ":%02u", d.second);
    }
}

/* ---- for people ---- */

static void percent(double v, int decimals, char out[FORM_TEXT])
{
    char digits[FORM_TEXT - 8];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(100 * v));
    bool zero = digits[strspn(digits, "0.")] == '\0';
    snprintf(out, FORM_TEXT, "%s%s %%", v < 0 && !zero ? MINUS : "", digits);
}

void form_value(const struct chart_axis *axis, double v, char out[FORM_TEXT])
{
    if (axis->scale == CHART_TIME) {
        time_value(v, out);
        return;
    }
    switch (is_plain(v) ? axis->form : CHART_NUMBER) {
    case CHART_NUMBER:
        number(v, out);
        break;
    case CHART_COUNT:
        fixed(v, v == floor(v) ? 0 : 1, out);
        break;
    case CHART_SHARE:
        fixed(v, 2, out);
        break;
    case CHART_PERCENT:
        percent(v, 1, out);
        break;
    }
}

/* How many decimals tell multiples of the step apart. */
static int decimals_of(double step)
{
    int n = 0;
    for (double s = step; n < DECIMALS_MOST && fabs(s - nearbyint(s)) > 1e-6 * fabs(s); n++) {
        s *= 10;
    }
    return n;
}

void form_tick(enum chart_form form, double v, double step, char out[FORM_TEXT])
{
    if (fabs(v) < step * 1e-6) {
        v = 0; /* what rounding left of it */
    }
    if (!is_plain(v)) {
        double digits = step > 0 ? floor(log10(fabs(v))) - floor(log10(step)) : 3;
        scientific(v, (int)fmin(fmax(digits, 0), 15), out);
    } else if (form == CHART_PERCENT) {
        percent(v, decimals_of(100 * step), out);
    } else {
        fixed(v, decimals_of(step), out);
    }
}

void form_raw(double v, char out[FORM_TEXT])
{
    if (v == 0) {
        v = 0; /* of a negative zero */
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, FORM_TEXT, "%.*g", digits, v);
        if (strtod(out, NULL) == v) {
            return;
        }
    }
}
