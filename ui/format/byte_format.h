#pragma once

#include "core/base/units.h"

#include <QString>

namespace highwater::ui {

/// Numbers as people read them: thousands grouped by commas, negative with a true minus (U+2212). The same in every
/// locale, so that a number can be compared with the command line's. Any thread.

/// "1,204"
[[nodiscard]] QString formatCount(std::int64_t count);
/// Adaptive, 1 KB = 1024 B, one decimal above bytes: "40 B", "12.5 KB", "126.0 MB".
[[nodiscard]] QString formatBytes(SignedByteCount bytes);
/// The same with that many decimals above bytes.
[[nodiscard]] QString formatBytes(SignedByteCount bytes, int decimals);
/// A number of units of `unitBytes`, without the unit: (1'536, 1'024, 1) is "1.5".
[[nodiscard]] QString formatInBytesOf(SignedByteCount bytes, std::int64_t unitBytes, int decimals);
/// The same with a plus in front of what grew: "+10.0 MB".
[[nodiscard]] QString formatByteDelta(SignedByteCount bytes);
/// "132,120,576 B"
[[nodiscard]] QString formatExactBytes(SignedByteCount bytes);

} // namespace highwater::ui
