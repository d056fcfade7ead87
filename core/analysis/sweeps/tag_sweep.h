#pragma once

#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/sweeps/row_tags.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// Visits the ordered events and tracks the level and peak of every series of groups. One thread at a time.
template <typename Tags>
class TagSweep {
  public:
    /// Series start here; lower numbers are rows without a series. These are spread over several unused levels because
    /// repeated changes of a single one would make every row wait for the previous one.
    static constexpr std::uint32_t kFirst = 8;

    /// All arguments must outlive it. series: by group of the tags, 0: none.
    TagSweep(const store::TableView& view, const Tags& tags, const std::vector<std::uint32_t>& series,
             std::uint32_t count, RowSweep::Measure measure)
        : rows_(&view.columns->rows),
          blocks_((view.events + EventOrder::kBlockEvents - 1) >> EventOrder::kBlockShift),
          tags_(&tags),
          measure_(measure),
          series_(series.data()),
          levels_(count + kFirst) {}

    /// Sets the next event; all levels are 0.
    void start(std::uint64_t event) {
        event_ = event & ~(EventOrder::kBlockEvents - 1);
        fetchEnds(event_ >> EventOrder::kBlockShift);
        while (event_ < event)
            advanceInBlock(event);
        std::fill(levels_.begin(), levels_.end(), Level{});
    }
    /// Up to this event, exclusive. False: stopped.
    bool advance(std::uint64_t last, const std::stop_token& stop) {
        while (event_ < last) {
            if (event_ % kStopEvery == 0 && stop.stop_requested()) return false;
            advanceInBlock(last);
        }
        return true;
    }
    /// The peaks since the last call, by series from 0; restarts with the current level.
    void takePeaks(std::span<std::int64_t> peaks) {
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            auto& level = levels_[i + kFirst];
            peaks[i] = std::exchange(level.peak, static_cast<std::int64_t>(level.level));
        }
    }
    /// By series from 0.
    [[nodiscard]] std::vector<std::uint64_t> levels() const {
        std::vector<std::uint64_t> levels;
        for (std::size_t i = kFirst; i < levels_.size(); ++i) {
            levels.push_back(levels_[i].level);
        }
        return levels;
    }

  private:
    using EventOrder = store::EventOrder;
    struct Level {
        std::uint64_t level = 0; ///< may wrap
        std::int64_t peak = 0;
    };
    /// The ends in one block.
    struct Ends {
        std::array<std::uint32_t, EventOrder::kBlockEvents> entries;
        bool anyPartial = false;
    };

    /// Reads the ends in the block and prefetches the words of their rows, which are in random order; otherwise every
    /// end waits for memory.
    [[gnu::always_inline]] inline void fetchEnds(std::uint64_t block) {
        if (block >= blocks_) return;
        const auto& order = rows_->order();
        auto& ends = ends_[block % 2];
        const std::uint64_t first = order.blocks()[block].firstEnd;
        const auto known = order.ends().size();
        const auto inBlock = static_cast<std::uint64_t>(std::popcount(~order.bits(block)));
        const auto count = first < known ? std::min(inBlock, known - first) : 0;
        std::uint32_t all = 0;
        for (std::uint64_t i = 0; i < count;) {
            const auto part = order.ends().contiguous(first + i, first + count);
            for (const auto entry : part) {
                ends.entries[i++] = entry;
                all |= entry;
                __builtin_prefetch(tags_->data() + (entry & ~EventOrder::kPartial));
            }
        }
        ends.anyPartial = (all & EventOrder::kPartial) != 0;
    }
    void enterBlock() {
        const auto& order = rows_->order();
        const auto block = event_ >> EventOrder::kBlockShift;
        bits_ = order.bits(block);
        row_ = order.blocks()[block].firstRow;
        end_ = 0;
        fetchEnds(block + 1);
    }
    void advanceInBlock(std::uint64_t last) {
        if (event_ % EventOrder::kBlockEvents == 0) enterBlock();
        const auto& ends = ends_[(event_ >> EventOrder::kBlockShift) % 2];
        const auto stop = std::min(last, (event_ | (EventOrder::kBlockEvents - 1)) + 1);
        ends.anyPartial ? stepSlowly(ends, stop) : step(ends, stop);
    }
    /// Starts and ends alternate randomly, so no branch distinguishes them.
    void step(const Ends& ends, std::uint64_t stop) {
        const auto* tags = tags_->data();
        const auto* series = series_;
        auto* levels = levels_.data();
        auto bits = bits_;
        auto row = row_;
        std::uint64_t end = end_;
        for (; event_ < stop; ++event_, bits >>= 1) {
            const std::uint64_t begins = bits & 1;
            auto of = begins != 0 ? row : ends.entries[end];
            auto tag = tags[of];
            std::uint64_t amount = Tags::amountOf(tag);
            if ((tag & Tags::kOdd) != 0) [[unlikely]] {
                if (begins != 0) of = row = skipOlder(row);
                tag = tags[of];
                amount = amountOf(of);
            }
            row += begins;
            end += 1 - begins;
            const auto place = series[Tags::groupOf(tag)];
            auto& level = levels[place != 0 ? place : event_ % kFirst];
            level.level += (amount ^ (begins - 1)) + (1 - begins); // negative for ends
            level.peak = std::max(level.peak, static_cast<std::int64_t>(level.level));
        }
        bits_ = bits;
        row_ = row;
        end_ = end;
    }
    void stepSlowly(const Ends& ends, std::uint64_t stop) {
        for (; event_ < stop; ++event_, bits_ >>= 1) {
            std::uint64_t of = 0, delta = 0;
            if ((bits_ & 1) != 0) {
                of = skipOlder(row_);
                row_ = of + 1;
                delta = amountOf(of);
            } else if (const auto entry = ends.entries[end_++]; (entry & EventOrder::kPartial) == 0) {
                of = entry;
                delta = std::uint64_t{0} - amountOf(of);
            } else {
                const auto& partial = rows_->partials()[entry & ~EventOrder::kPartial];
                of = partial.row;
                delta = std::uint64_t{0} - (measure_ == RowSweep::Measure::Bytes ? partial.bytes : partial.isFinal);
            }
            auto& level = levels_[series_[Tags::groupOf(tags_->data()[of])]];
            level.level += delta;
            level.peak = std::max(level.peak, static_cast<std::int64_t>(level.level));
        }
    }
    [[nodiscard]] std::uint64_t skipOlder(std::uint64_t row) const {
        while (rows_->begins().isBeforeTrace(row))
            ++row;
        return row;
    }
    [[nodiscard]] std::uint64_t amountOf(std::uint64_t row) const {
        return measure_ == RowSweep::Measure::Bytes ? rows_->size(static_cast<RowId>(row)) : 1;
    }

    const store::AllocationTable* rows_;
    std::uint64_t blocks_;
    const Tags* tags_;
    RowSweep::Measure measure_;
    const std::uint32_t* series_;
    std::vector<Level> levels_; ///< by series
    std::array<Ends, 2> ends_;  ///< for this block and the next
    std::uint64_t event_ = 0;
    std::uint64_t bits_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t end_ = 0; ///< in ends_ of this block
};

} // namespace highwater::analysis
