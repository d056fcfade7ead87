#include "app/settings/own_memory.h"

#include <fstream>
#include <unistd.h>

namespace highwater::app {

std::optional<ByteCount> ownMemoryBytes() {
    std::ifstream statm("/proc/self/statm");
    ByteCount allPages = 0;
    ByteCount residentPages = 0;
    if (!(statm >> allPages >> residentPages)) return std::nullopt;
    return residentPages * static_cast<ByteCount>(sysconf(_SC_PAGESIZE));
}

} // namespace highwater::app
