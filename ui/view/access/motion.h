#pragma once

#include <cstdint>

namespace highwater::ui {

enum class Motion : std::uint8_t { Full, Reduced };

/// Applies to the whole program, at any time. Reduced stops animations that carry no information. Changes that follow
/// the data (growing graphs, progress) remain. GUI thread only.
void setMotion(Motion motion);
[[nodiscard]] Motion motion();

} // namespace highwater::ui
