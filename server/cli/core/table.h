/* table.h - what the export commands share: a buffer before standard output, and which campaign is
 * meant. */
#ifndef CLI_CORE_TABLE_H
#define CLI_CORE_TABLE_H

#include "base/str.h"
#include "cli/core/cli.h"
#include "store/campaigns/campaigns.h"

/* Writes to standard output, for a struct transfer. */
enum err_code export_write(void *arg, const char *p, size_t n, struct err *err);
/* Writes the buffer to standard output once it holds much; `export_end` writes the rest and releases
 * it (unless rc says that something failed before, whose error stays). */
enum err_code export_flush(struct str *out, struct err *err);
enum err_code export_end(struct str *out, enum err_code rc, struct err *err);

/* --campaign, or the only one of that task that the project has. ERR_INPUT (rule "usage") names one when there
 * are several. */
enum err_code export_campaign(struct cli *cli, bool classify, struct campaign *out);

#endif
