#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace highwater::source {

/// Windows error codes that event tracing returns (docs/etw.md 1.6).
namespace etw_code {
inline constexpr std::uint32_t kDone = 0, kAccessDenied = 5, kBadLength = 24, kInvalidParameter = 87, kDiskFull = 112,
                               kNotImplemented = 120, kBadPathname = 161, kAlreadyExists = 183, kMoreData = 234,
                               kCancelled = 1223, kPrivilegeNotHeld = 1314, kNoSystemResources = 1450,
                               kSessionNotFound = 4201, kClosePending = 7007;
}

/// The sentence for a code: the failed operation, the reason and the solution. `what` completes "Windows did not ...":
/// "start the heap recording". Always includes the error number of Windows.
[[nodiscard]] Error etwError(std::uint32_t code, std::string_view what);

} // namespace highwater::source
