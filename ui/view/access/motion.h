#pragma once

#include <cstdint>

namespace highwater::ui {

enum class Motion : std::uint8_t { Full, Reduced };

/// For the whole program, at any time: Reduced stops whatever moves, fades or blinks without saying anything by it.
/// What changes with the data (graphs that grow, progress that is counted) stays. GUI thread only.
void setMotion(Motion motion);
[[nodiscard]] Motion motion();

} // namespace highwater::ui
