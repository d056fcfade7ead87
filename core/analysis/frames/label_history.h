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

/// What one frame of a remembered path is called now.
struct RenewedFrame {
    using Rows = std::vector<LabelId>; ///< in the order of the path
    std::size_t steps = 0;             ///< of the path that are this frame
    /// Never empty. As the path has it, if a frame is still called so; else what its frames are called now, by label.
    std::vector<Rows> alternatives;
    bool isRenewed = false; ///< the path's own steps are not among the alternatives
};

/// Which frames a label has ever stood for, so that paths remembered by labels find their frames under other names,
/// also where one row became several, or several one. Frames are known as places (see CodeLocations). One thread.
class LabelHistory {
  public:
    using Rows = std::span<const LabelId>;
    /// The rows that a place has now, the function first; empty: not known.
    using RowsOfPlace = std::function<Rows(std::uint32_t place)>;
    /// Whether a row at the leaf's end is left out as an allocator frame.
    using IsSkipped = std::function<bool(LabelId label)>;
    enum class Wanted : std::uint8_t { All, First };

    /// A place with one row.
    void remember(LabelId label, std::uint32_t place);
    /// A place with several; the rows must stay where they are. Equal chains are the same rows.
    void rememberInlined(Rows chain, std::uint32_t place);
    [[nodiscard]] std::span<const std::uint32_t> placesOf(LabelId label) const;

    /// A path's steps of one stack column.
    struct Path {
        Rows steps;
        StackOrder order = StackOrder::RootFirst;
        bool isWhole = false; ///< it ends with the whole stack
        IsSkipped isSkipped;  ///< of LeafFirst; empty: nothing is left out
    };
    /// One renewed frame after the other.
    [[nodiscard]] std::vector<RenewedFrame> renewed(const Path& path, Wanted wanted,
                                                    const RowsOfPlace& rowsOfPlace) const;

  private:
    /// Steps of one frame. Its last rows may be missing if the frame is the path's last, its first ones if they were
    /// left out as allocator frames.
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
