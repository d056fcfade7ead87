#pragma once

#include <cstdint>

namespace highwater::analysis {

/// Rows between two checks of a stop token: an abandoned question ends within a fraction of a millisecond, and the
/// check costs nothing.
inline constexpr std::uint32_t kStopEvery = 1u << 16;

} // namespace highwater::analysis
