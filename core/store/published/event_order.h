#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"

#include <cstdint>

namespace highwater::store {

/// The order in which rows begin and end, and the outstanding amount over time. Peaks are computed from it.
///
/// An event is one bit: 1 = the next row in row order begins (rows older than the trace are skipped), 0 = the next
/// entry of ends(): a row id, or kPartial | index into the partial releases. 64 events form a block. A block has its
/// first time, the start of its rows and ends, the level before it, and (once full) its peak. Peaks are also stored for
/// groups of 64 and 4096 blocks, so the peak of any range takes at most a few hundred steps.
///
/// Levels exclude rows older than the trace. Readers add the bytes of those that they may see.
class EventOrder {
  public:
    static constexpr std::uint32_t kPartial = 0x80000000u;
    static constexpr unsigned kBlockShift = 6;
    static constexpr std::uint64_t kBlockEvents = std::uint64_t{1} << kBlockShift;

    struct Block {
        std::uint64_t bits = 0; ///< bit i: event i begins a row. Read with atomic_ref: the last block grows.
        TraceTime firstTime;
        SignedByteCount levelBefore = 0;
        std::uint32_t firstRow = 0; ///< search start for the first row that begins in this block
        std::uint32_t firstEnd = 0; ///< index into ends()
    };
    static_assert(sizeof(Block) == 32);

    EventOrder();

    // --- writer ---
    /// Row `row` begins. Rows between the last one and this one are older than the trace.
    [[nodiscard]] bool appendBegin(RowId row, TraceTime time, ByteCount size);
    /// `entry`: a row id, or kPartial | partial index. bytes: the released amount.
    [[nodiscard]] bool appendEnd(std::uint32_t entry, TraceTime time, ByteCount bytes);

    [[nodiscard]] std::uint64_t eventCount() const { return events_; } ///< writer only
    [[nodiscard]] SignedByteCount levelNow() const { return level_; }  ///< writer only

    // --- readers, below the published event count ---
    [[nodiscard]] const ChunkedColumn<Block>& blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t bits(std::uint64_t block) const;
    [[nodiscard]] const ChunkedColumn<std::uint32_t>& ends() const { return ends_; }
    /// Highest level after any event of full block b (level 0), of the full groups of 64 and 4096 blocks (levels 1, 2).
    [[nodiscard]] const ChunkedColumn<SignedByteCount>& peaks(unsigned level) const { return peaks_[level]; }
    [[nodiscard]] std::uint64_t bytesReserved() const;
    [[nodiscard]] std::uint64_t bytesUsed() const; ///< only the appended cells: for the budget of 45 bytes per row

    /// Visits all columns, for code that writes them to or reads them from a file (core/pipeline/index): visit(column).
    /// `self` may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.blocks_);
        visit(self.ends_);
        for (auto& peaks : self.peaks_)
            visit(peaks);
    }

  private:
    /// delta: two's complement. Sizes come from files, so sums wrap around instead of overflowing.
    bool append(bool begins, TraceTime time, RowId nextRow, std::uint64_t delta);
    void closeBlock();

    static constexpr std::uint64_t kMaxEvents = std::uint64_t{1} << 32;
    ChunkedColumn<Block> blocks_{kMaxEvents / kBlockEvents};
    ChunkedColumn<std::uint32_t> ends_{kMaxEvents};
    ChunkedColumn<SignedByteCount> peaks_[3];
    std::uint64_t events_ = 0;
    SignedByteCount level_ = 0;
    SignedByteCount blockPeak_ = 0;
    SignedByteCount groupPeak_[2] = {};
    RowId nextRow_ = 0;
};

} // namespace highwater::store
