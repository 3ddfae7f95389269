/* thin.h - fewer marks for many points, without hiding what they show. Only for chart/. */
#ifndef CHART_THIN_H
#define CHART_THIN_H

#include "chart/frame.h"

enum {
    THIN_MARKS = 1500, /* points of a chart that are drawn one by one */
    THIN_DOTS = 200,   /* points of a line that can be hovered */
    THIN_TURNS = 6000, /* corners of a line */
};

/* A place in the picture. */
struct spot {
    double x, y;
    size_t i, n; /* the first point there, and how many */
};

/* The points of a series that have a place on the axes, in their order. The caller frees them:
 * there may be more than a request's arena should hold. */
struct spot *thin_spots(const struct frame *f, const struct series *s, size_t *n);
/* Puts points in cells of `side` units together, at their middle; returns how many are left. With
 * `keep` false it only counts. */
size_t thin_merge(const struct frame *f, struct spot *spots, size_t n, double side, bool keep);
/* A line's corners: of each unit of width the first, least, largest and last one; of what then is
 * still too much every second, fourth ... Returns how many are left. */
size_t thin_line(struct spot *spots, size_t n);

#endif
