/* export.h - what the export commands share: a buffer before standard output, which campaign is
 * meant, what is wrong with a view. Called by cmd_sample.c too. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "base/str.h"
#include "cli/cli.h"
#include "store/campaigns.h"
#include "store/views.h"

/* Writes the buffer to standard output once it holds much; `export_end` writes the rest and releases
 * it (unless rc says that something failed before, whose error stays). */
enum err_code export_flush(struct str *out, struct err *err);
enum err_code export_end(struct str *out, enum err_code rc, struct err *err);

/* --campaign, or the only one that the project has. ERR_INPUT (rule "usage") names them when there
 * are several. */
enum err_code export_campaign(struct cli *cli, struct campaign *out);

/* A warning for every filter of the view that looks at what is measured, and so moves it. */
void export_warn_view(struct cli *cli, const struct vote_view *view);
/* Records that the list `what` of a campaign (0: of all) leaves with panel ids, before any of it is written. */
enum err_code export_records_ids(struct cli *cli, const char *what, int64_t campaign);
/* The same when --panel-ids is given; *asked says whether. */
enum err_code export_panel_ids(struct cli *cli, const char *what, int64_t campaign, bool *asked);

#endif
