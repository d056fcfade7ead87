#pragma once

#include "core/analysis/flames/flames.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace highwater::exports {

/// A line "outer;inner 123" for each path that has rows of its own, as tools for flame graphs read it: bytes, or rows
/// of Count. Of a comparison "outer;inner BEFORE NOW". What would break a line, and semicolons, become other
/// characters. Errors are those of the stream.
void writeFlamesFolded(const analysis::FlameTree& tree, std::ostream& out);

/// A drawing that needs nothing else: frames with their full names and amounts as tooltips.
struct FlameDrawing {
    enum class Root : std::uint8_t { Bottom, Top }; ///< of a flame graph; of an icicle
    std::vector<std::string> titles;                ///< lines above it
    analysis::Column measure = analysis::Column::Size;
    Root root = Root::Bottom;
    std::uint32_t zoom = analysis::FlameTree::kRoot;
    double width = 1200; ///< pixels; narrower frames than one are drawn as one
};
void writeFlamesSvg(const analysis::FlameTree& tree, const FlameDrawing& drawing, std::ostream& out);

/// "Impacting Size 12.0 MB in 1,234 frames." and what is to be known to read the graph: what is not drawn, the instant
/// of a peak, frames for which there is no room.
[[nodiscard]] std::vector<std::string> flameSentences(const analysis::FlameTree& tree, analysis::Column measure);
/// "12.0 MB", "-3 B", "1,234" of Count.
[[nodiscard]] std::string flameAmountText(SignedByteCount amount, analysis::Column measure);
/// What a frame holds, in lines: its name, amounts, shares, rows. Of several that are drawn as one: how many.
[[nodiscard]] std::vector<std::string> flameFacts(const analysis::FlameTree& tree, std::uint32_t node,
                                                  analysis::Column measure);

} // namespace highwater::exports
