#pragma once

#include "core/base/units.h"

#include <string>

namespace highwater {

/// The memory that glibc's malloc_trim(0) would return to the system, as measured in a copy of a process.
struct TrimTrial {
    std::string process;    ///< "name (pid)"
    ByteCount resident = 0; ///< Rss of the process before
    ByteCount tried = 0;    ///< by which the resident memory of the copy fell
};

} // namespace highwater
