#pragma once

#include <cstdint>

namespace highwater::analysis {

/// Rows between two looks at a stop token: an abandoned question ends within a fraction of a millisecond, and looking
/// costs nothing.
inline constexpr std::uint32_t kStopEvery = 1u << 16;

} // namespace highwater::analysis
