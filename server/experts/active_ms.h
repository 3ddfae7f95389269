/* active_ms.h - how long somebody looked at an image, as their browser or program says. */
#ifndef EXPERTS_ACTIVE_MS_H
#define EXPERTS_ACTIVE_MS_H

#include <stdint.h>

/* The time in ms; 0, not known, unless it is more than nothing and less than a day. */
int64_t active_ms_known(int64_t ms);

#endif
