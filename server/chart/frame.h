/* frame.h - where things stand in one drawing, and what surrounds the data. Only for chart/. */
#ifndef CHART_FRAME_H
#define CHART_FRAME_H

#include "chart/model.h"
#include "chart/pen.h"
#include "chart/scale.h"

struct frame {
    const struct chart *c;
    const char *id;
    struct str *out;
    struct scale x, y;
    double width, height;
    double left, right, top, bottom; /* edges of the data */
    double legend;                   /* height of the legend's lines */
    bool turned;                     /* names of categories stand aslant */
    size_t bars;                     /* bar series side by side */
    const char *note; /* under the chart; NULL: none */
};

/* Lays everything out. */
struct frame frame_of(const struct chart *c, const char *id, struct str *out);
void frame_axes(const struct frame *f); /* lines, ticks, labels, names */
void frame_legend(const struct frame *f);
void frame_rules(const struct frame *f);

/* The sentence that stands in place of the data; NULL: the data are drawn. */
const char *frame_instead(const struct chart *c);
/* A small frame for that sentence alone, and the sentence. */
struct frame frame_of_message(const struct chart *c, const char *id, struct str *out);
void frame_message(const struct frame *f);

/* marks.c: the data, and one sample of a series for the legend. */
void marks_draw(const struct frame *f);
void marks_sample(const struct frame *f, unsigned colour, double x, double y);
void marks_patterns(const struct frame *f);
/* True when there are so many points that near ones are drawn as one. */
bool marks_thinned(const struct chart *c);

/* Opens a group of one series' class. */
void frame_group(const struct frame *f, unsigned colour, const char *more);

#endif
