#pragma once

#include "core/base/units.h"

#include <QString>

namespace highwater::ui {

/// Formats numbers for people: thousands are separated by commas, negative numbers have a true minus (U+2212). The
/// output is the same in every locale, so that numbers can be compared with those of the command line. Any thread.

/// "1,204"
[[nodiscard]] QString formatCount(std::int64_t count);
/// Adaptive, 1 KB = 1024 B, one decimal above bytes: "40 B", "12.5 KB", "126.0 MB".
[[nodiscard]] QString formatBytes(SignedByteCount bytes);
/// The same with the given number of decimals above bytes.
[[nodiscard]] QString formatBytes(SignedByteCount bytes, int decimals);
/// The amount in units of `unitBytes`, without the unit: (1'536, 1'024, 1) is "1.5".
[[nodiscard]] QString formatInBytesOf(SignedByteCount bytes, std::int64_t unitBytes, int decimals);
/// The same with a plus sign for growth: "+10.0 MB".
[[nodiscard]] QString formatByteDelta(SignedByteCount bytes);
/// "132,120,576 B"
[[nodiscard]] QString formatExactBytes(SignedByteCount bytes);

} // namespace highwater::ui
