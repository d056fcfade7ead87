#include "core/source/records/machine_id.h"

#include "core/base/text.h"

#include <fstream>

namespace highwater::source {

std::string systemIdentity() {
    for (const auto* place : {"/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id"}) {
        std::ifstream file(place);
        std::string line;
        std::getline(file, line);
        constexpr std::size_t kLeastDigits = 32; // a system image contains "uninitialized", or nothing
        if (trimmed(line).size() >= kLeastDigits) return std::string(trimmed(line));
    }
    return {};
}

} // namespace highwater::source
