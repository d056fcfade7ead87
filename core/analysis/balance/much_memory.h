#pragma once

#include "core/base/units.h"

namespace highwater::analysis {

/// A part of the resident memory that is worth a sentence.
[[nodiscard]] constexpr bool isMuch(ByteCount bytes, ByteCount of) {
    return bytes >= (ByteCount{1} << 20) && bytes >= of / 20;
}

} // namespace highwater::analysis
