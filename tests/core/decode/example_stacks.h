#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <vector>

namespace highwater::tests {

using Frames = std::vector<Address>;

inline const Frames kUser{0x7FF000001000, 0x7FF000002000};
inline const Frames kOtherUser{0x7FF000003000};
inline const Frames kKernel{0xFFFFF80000000001, 0xFFFFF80000000002};
inline const Frames kKernelAndUser{0xFFFFF80000000001, 0xFFFFF80000000002, 0x7FF000001000, 0x7FF000002000};

/// The process of these stacks.
inline constexpr std::uint32_t kPid = 4242;

} // namespace highwater::tests
