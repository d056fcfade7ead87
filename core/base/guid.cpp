#include "core/base/guid.h"

#include <fmt/format.h>

namespace highwater {

std::string toString(const Guid& guid) {
    const auto& d = guid.data4;
    return fmt::format("{:08x}-{:04x}-{:04x}-{:02x}{:02x}-{:02x}{:02x}{:02x}{:02x}{:02x}{:02x}", guid.data1, guid.data2,
                       guid.data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

} // namespace highwater
