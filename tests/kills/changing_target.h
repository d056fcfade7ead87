#pragma once

#include <cstddef>
#include <cstdint>

/// The memory of changing_target, by which its samples are checked.
namespace highwater::tests {

inline constexpr std::uint64_t kPageBytes = 4096;
/// Two groups of small mappings that do not change, at fixed addresses. Each is followed by an inaccessible page.
inline constexpr std::uint64_t kLowMarkers = 0x2000'0000'0000, kHighMarkers = 0x2100'0000'0000;
inline constexpr std::size_t kMarkers = 150;
inline constexpr std::uint64_t kMarkerBytes = 4 * kPageBytes, kMarkerStep = 5 * kPageBytes;
inline constexpr std::size_t kMarkerResidentPages = 2; ///< the first ones
/// Pages between both groups that change.
inline constexpr std::uint64_t kChanging = 0x2080'0000'0000;
inline constexpr std::size_t kChangingPages = 8000;
inline constexpr int kExitCode = 7;

} // namespace highwater::tests
