#pragma once

#include "core/analysis/frames/node_labels.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The current name of one frame of a remembered path.
struct RenewedFrame {
    using Rows = std::vector<LabelId>; ///< in path order
    std::size_t steps = 0;             ///< steps of the path that are this frame
    /// Never empty. The path's own rows if a frame still has that name; otherwise the current names of its frames, by
    /// label.
    std::vector<Rows> alternatives;
    bool isRenewed = false; ///< the alternatives do not contain the path's own steps
};

/// All frames that a label has ever represented, so that paths remembered by label find their frames under other names,
/// even if one row became several, or several became one. Frames are identified by place (see CodeLocations). One
/// thread.
class LabelHistory {
  public:
    using Rows = std::span<const LabelId>;
    /// The current rows of a place, the function first; empty: unknown.
    using RowsOfPlace = std::function<Rows(std::uint32_t place)>;
    /// Whether a row at the leaf end is skipped as an allocator frame.
    using IsSkipped = std::function<bool(LabelId label)>;
    enum class Wanted : std::uint8_t { All, First };

    /// Adds a place with one row.
    void remember(LabelId label, std::uint32_t place);
    /// Adds a place with several rows. The rows must not move. Equal chains are the same rows.
    void rememberInlined(Rows chain, std::uint32_t place);
    [[nodiscard]] std::span<const std::uint32_t> placesOf(LabelId label) const;

    /// The steps of a path in one stack column.
    struct Path {
        Rows steps;
        StackOrder order = StackOrder::RootFirst;
        bool isWhole = false; ///< it covers the whole stack
        IsSkipped isSkipped;  ///< for LeafFirst; empty: nothing is skipped
    };
    /// One renewed frame after the other.
    [[nodiscard]] std::vector<RenewedFrame> renewed(const Path& path, Wanted wanted,
                                                    const RowsOfPlace& rowsOfPlace) const;

  private:
    /// Steps of one frame. Its last rows may be missing if the frame is the last in the path, its first rows if they
    /// were skipped as allocator frames.
    struct Part {
        Rows rows;
        StackOrder order = StackOrder::RootFirst;
        bool mayLackLast = false;
        const IsSkipped* mayLackFirst = nullptr;
    };
    [[nodiscard]] std::size_t stepsOfFrame(Rows path, StackOrder order) const;
    [[nodiscard]] bool isInlined(LabelId label) const { return inlined_.contains(label.value); }
    [[nodiscard]] bool everWas(std::uint32_t place, const Part& part) const;
    [[nodiscard]] RenewedFrame renewedFrame(const Part& part, Wanted wanted, const RowsOfPlace& rowsOfPlace) const;
    static bool isPartOf(const Part& part, Rows chain);
    void list(LabelId label, std::uint32_t place);

    std::vector<std::vector<std::uint32_t>> placesOfLabel_;
    tsl::robin_set<std::uint64_t, SeededHash> ofOneRow_;                    ///< label and place
    tsl::robin_map<std::uint32_t, std::vector<Rows>, SeededHash> chainsOf_; ///< by place
    tsl::robin_set<std::uint32_t, SeededHash> inlined_;                     ///< labels of inlined rows
};

} // namespace highwater::analysis
