/* probe.h - can models run here? oneDNN makes machine code for each layer while it runs, which a process
 * may be forbidden to do. */
#ifndef INFER_ENGINE_PROBE_H
#define INFER_ENGINE_PROBE_H

#include "base/err.h"

/* Makes and runs one small convolution, and looks at its result. ERR_IO, with rule "code-generation" when new code
 * may not be made executable: MemoryDenyWriteExecute= of a systemd unit, or a security module. */
enum err_code probe_convolution(struct err *err);
/* oneDNN's version; the text is static. */
const char *probe_library(void);

#endif
