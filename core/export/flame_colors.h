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

/// What a frame is filled with: warm, one colour for all frames of a module; grey where it is no frame of a stack. Of a
/// comparison red for what grew, blue for what shrank, the stronger the more of its width changed. Texts on it are
/// black on Light and white on Dark.
[[nodiscard]] FlameColor flameColorOf(const analysis::FlameTree& tree, std::uint32_t node, FlameGround ground);
/// Of frames that are too narrow to be drawn alone.
[[nodiscard]] FlameColor mergedFlameColor(FlameGround ground);

} // namespace highwater::exports
