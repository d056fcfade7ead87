#pragma once

#include "core/base/guid.h"

#include <cstdint>

/// Providers of events about generated code, and their event numbers (docs/etl-format.md 6.7). The two CLR providers
/// use the same numbers with different meanings.
namespace highwater {

/// Microsoft-Windows-DotNETRuntime: current events.
inline constexpr Guid kClrProvider{0xE13C0D23, 0xCCBC, 0x4E12, {0x93, 0x1B, 0xD9, 0xCC, 0x2E, 0xEE, 0x27, 0xE4}};
/// Microsoft-Windows-DotNETRuntimeRundown: the state when the recording started or ended.
inline constexpr Guid kClrRundownProvider{0xA669021C, 0xC450, 0x4609, {0xA0, 0x35, 0x5A, 0xF5, 0x9A, 0xF4, 0xDF, 0x18}};
/// Microsoft-JScript, also used by V8.
inline constexpr Guid kScriptProvider{0x57277741, 0x3638, 0x4A4B, {0xBD, 0xBA, 0x0A, 0xC6, 0xE4, 0x5D, 0xA5, 0x6C}};

namespace clr_event {
inline constexpr std::uint16_t kCollectionEnd = 2, kHeapStats = 4, kSegmentCreated = 5, kSegmentFreed = 6,
                               kAllocationTick = 10, kAllocationSample = 303, kStackWalk = 82, kOldStartVerbose = 139,
                               kOldEndVerbose = 140, kMethodLoad = 141, kMethodUnload = 142, kMethodLoadVerbose = 143,
                               kMethodUnloadVerbose = 144, kDomainModuleLoad = 151, kModuleLoad = 152,
                               kModuleUnload = 153, kEntryPoint = 159, kRuntime = 187, kIlMap = 190;
}
namespace clr_rundown_event {
inline constexpr std::uint16_t kMethodStart = 141, kMethodEnd = 142, kMethodStartVerbose = 143, kMethodEndVerbose = 144,
                               kComplete = 146, kIlMapStart = 149, kIlMapEnd = 150, kDomainModuleStart = 151,
                               kDomainModuleEnd = 152, kModuleStart = 153, kModuleEnd = 154, kRuntime = 187;
}
namespace script_event {
inline constexpr std::uint16_t kMethodStart = 5, kMethodEnd = 6, kMethodLoad = 9, kMethodUnload = 10, kSourceStart = 39,
                               kSourceEnd = 40, kSourceLoad = 41;
}

} // namespace highwater
