#include "core/base/within_memory.h"

namespace highwater {

Error outOfMemory() {
    return {ErrorKind::Io, "There is not enough memory for this. Close other programs, or ask about a shorter trace."};
}

} // namespace highwater
