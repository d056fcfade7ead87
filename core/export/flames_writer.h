#pragma once

#include "core/analysis/flames/flames.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace highwater::exports {

/// Writes a line "outer;inner 123" for each path with rows of its own, as flame graph tools read it: bytes, or
/// rows for Count. For a comparison "outer;inner BEFORE NOW". Line breaks and semicolons in names are replaced. Errors
/// are those of the stream.
void writeFlamesFolded(const analysis::FlameTree& tree, std::ostream& out);

/// A self-contained drawing: frames with full names and amounts as tooltips.
struct FlameDrawing {
    enum class Root : std::uint8_t { Bottom, Top }; ///< a flame graph, or an icicle graph
    std::vector<std::string> titles;                ///< lines above the graph
    analysis::Column measure = analysis::Column::Size;
    Root root = Root::Bottom;
    std::uint32_t zoom = analysis::FlameTree::kRoot;
    double width = 1200; ///< pixels; frames narrower than one pixel are merged
};
void writeFlamesSvg(const analysis::FlameTree& tree, const FlameDrawing& drawing, std::ostream& out);

/// "Impacting Size 12.0 MB in 1,234 frames." and remarks for reading the graph: amounts that are not drawn, the time of
/// a peak, frames that are merged.
[[nodiscard]] std::vector<std::string> flameSentences(const analysis::FlameTree& tree, analysis::Column measure);
/// "12.0 MB", "-3 B", or "1,234" for Count.
[[nodiscard]] std::string flameAmountText(SignedByteCount amount, analysis::Column measure);
/// The description of a frame in lines: name, amounts, shares, rows. For merged frames their number.
[[nodiscard]] std::vector<std::string> flameFacts(const analysis::FlameTree& tree, std::uint32_t node,
                                                  analysis::Column measure);

} // namespace highwater::exports
