#include "core/base/within_memory.h"

namespace highwater {

/// One sentence for both: what the standard library throws does not tell a limit of threads from one of memory.
Error outOfMemory() {
    return {ErrorKind::Io, "The program ran out of memory or threads. Close other programs, raise the limits (ulimit "
                           "-v and -u), or use a shorter trace."};
}

} // namespace highwater
