#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater::analysis {

struct BlockSum {
    std::uint64_t count = 0;
    ByteCount bytes = 0;

    BlockSum& operator+=(const BlockSum& more) {
        count += more.count;
        bytes += more.bytes;
        return *this;
    }
    friend bool operator==(const BlockSum&, const BlockSum&) = default;
};

} // namespace highwater::analysis
