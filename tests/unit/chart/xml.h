/* xml.h - is a text well-formed XML, as strictly as charts need it? */
#ifndef UNIT_CHART_XML_H
#define UNIT_CHART_XML_H

#include "unit.h"

struct xml_facts {
    size_t elements, titles;
    char last_title[512]; /* unescaped text is not needed: as it stands */
};

/* Fails the test with the place unless the text is one element whose tags match, whose attributes
 * are quoted, distinct and without "<", whose entities are the five and whose ids are unique; and
 * unless every reference to an id (url(#..), aria-labelledby) has its target. No script, style,
 * handler. */
struct xml_facts xml_check(const char *name, struct sv text);

#endif
