#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/held/block_sum.h"
#include "core/analysis/held/picture_blocks.h"
#include "core/analysis/rows/row_selection.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// How the unreachable memory of a picture may differ from that of the process: docs/numbers.md 12.3.
struct PictureLimits {
    bool isUpperBound = false; ///< events, threads or memory are missing: a block may have a holder that was not read
    std::string_view mayBeHigher; ///< the reason why leaks may appear reachable, a clause; empty: none
};

/// Blocks of one stack, in the newest picture of their process, that were not freed by the end of the interval:
/// docs/numbers.md 12.3. A plain value.
struct PicturedStack {
    TraceTime time;       ///< of the picture
    BlockSum blocks;      ///< at least one
    BlockSum unreachable; ///< of these, those that no root leads to
    /// When the first of these became unreachable; nothing: one picture, or none of them.
    std::optional<TimeRange> since;
    /// The root of most bytes of the others, then the owners between it and the blocks.
    std::vector<std::string> heldBy;
    BlockSum held; ///< those of the others that this root holds
    PictureLimits limits;
};

/// What the newest pictures of the interval show about groups of rows of the Heap table, each a part of one process.
/// Linear in the blocks of all pictures, however many groups there are. One thread; the trace and the labels must
/// outlive it.
class PicturedStacks {
  public:
    static constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

    /// Null: the interval contains no picture. Errors: Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<PicturedStacks>> make(const store::PublishedTrace& trace,
                                                                      FrameLabels& labels, const PictureQuery& query,
                                                                      const std::stop_token& stop);
    ~PicturedStacks();
    PicturedStacks(const PicturedStacks&) = delete;
    PicturedStacks& operator=(const PicturedStacks&) = delete;

    /// By cell of the selection, which has the columns Process and FreeType: kNoGroup for freed rows. Replaces the
    /// groups of an earlier call. False: stopped.
    [[nodiscard]] bool assign(const RowSelection& selection, std::span<const std::uint32_t> groupOfCell,
                              const std::stop_token& stop);
    /// PicturedStack::unreachable.
    [[nodiscard]] BlockSum unreachableOf(std::uint32_t group) const;
    /// Nothing: no block of the group is in a picture.
    [[nodiscard]] std::optional<PicturedStack> of(std::uint32_t group) const;
    /// The newest pictures, by process.
    [[nodiscard]] const PictureRows& pictures() const { return pictures_; }
    /// By index in pictures().all(), as in the next one.
    [[nodiscard]] PictureLimits limitsOf(std::size_t pictured) const;
    /// Unreachable blocks without a row in the interval, such as those from before the recording.
    [[nodiscard]] BlockSum untracedUnreachableOf(std::size_t pictured) const;

  private:
    class OfProcess;
    /// The blocks of a group at one step of a picture.
    struct Part {
        std::uint32_t group = 0;
        std::uint32_t pictured = 0;
        std::uint32_t step = 0;
        std::uint32_t owner = 0;
        BlockSum blocks;
    };

    PicturedStacks(const store::PublishedTrace& trace, const FrameLabels& labels, PictureRows pictures);
    void addParts(std::uint32_t pictured, std::span<const std::uint32_t> groupOf);
    [[nodiscard]] std::span<const Part> partsOf(std::uint32_t group) const;
    [[nodiscard]] bool isUnreachable(const Part& part) const;
    void addHolder(std::span<const Part> parts, PicturedStack& answer) const;

    const store::PublishedTrace& trace_;
    const FrameLabels& labels_;
    PictureRows pictures_;
    std::vector<OfProcess> all_;                  ///< as pictures_.all()
    std::vector<Part> parts_;                     ///< by group
    std::vector<std::optional<TimeRange>> since_; ///< by group
    bool isDataMissing_ = false;                  ///< in the rows
};

/// Whether rows of the cell were freed by the program in the interval.
[[nodiscard]] bool isFreedInside(const CellKey& key);

/// "312 blocks (4.2 MB) are unreachable because nothing refers to them (picture at 5.00 s). ..."; empty: none is.
[[nodiscard]] std::string unreachableText(const PicturedStack& stack);
/// "Held by libapp.so!g_sessions through Session::open (picture at 5.00 s)."; empty: nothing holds them.
[[nodiscard]] std::string heldByText(const PicturedStack& stack);
/// "libapp.so!g_sessions > Session::open"; empty: nothing holds them.
[[nodiscard]] std::string heldByPath(const PicturedStack& stack);

} // namespace highwater::analysis
