#include "core/base/within_memory.h"

namespace highwater {

/// One sentence for both: what the standard library throws does not tell a limit of threads from one of memory.
Error outOfMemory() {
    return {ErrorKind::Io, "The system gave this program no more memory, or let it start no more threads. Close other "
                           "programs, raise their limits (ulimit -v and -u), or ask about a shorter trace."};
}

} // namespace highwater
