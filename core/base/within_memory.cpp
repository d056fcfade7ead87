#include "core/base/within_memory.h"

namespace highwater {

/// One sentence for both because exceptions of the standard library do not distinguish a thread limit from a memory
/// limit.
Error outOfMemory() {
    return {ErrorKind::Io, "Highwater ran out of memory or threads. Close other programs, raise the limits (ulimit "
                           "-v and -u), or use a shorter trace."};
}

} // namespace highwater
