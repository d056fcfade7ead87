#pragma once

#include "core/analysis/flames/flame_tree.h"

#include <cstdint>

namespace highwater::exports {

/// Red, green and blue.
struct FlameColor {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    friend bool operator==(const FlameColor&, const FlameColor&) = default;
};
enum class FlameGround : std::uint8_t { Light, Dark };

/// The fill colour of a frame: warm, and the same for all frames of a module; grey for groups that are not stack
/// frames. In a comparison red for growth and blue for shrinkage, stronger the larger the changed share of the width.
/// Text is black on Light and white on Dark.
[[nodiscard]] FlameColor flameColorOf(const analysis::FlameTree& tree, std::uint32_t node, FlameGround ground);
/// For several frames that are too narrow to be drawn separately.
[[nodiscard]] FlameColor mergedFlameColor(FlameGround ground);

} // namespace highwater::exports
