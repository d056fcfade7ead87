#pragma once

#include "core/analysis/rows/large_array.h"
#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/sweeps/groups_of_sites.h"
#include "core/analysis/sweeps/row_sweep.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The group of a row's site and its amount in one word: worth 4 bytes per row if most events are swept, because a row
/// that ends is at a random place in memory. Sizes that do not fit beside the group are odd, and looked up. Immutable;
/// any thread.
class SiteWords {
  public:
    /// Empty: a sweep reads sites and sizes.
    SiteWords() = default;
    /// Nothing: stopped.
    [[nodiscard]] static std::optional<SiteWords> make(const store::TableView& view, RowSweep::Measure measure,
                                                       const GroupsOfSites& groups, const std::stop_token& stop) {
        SiteWords made;
        made.shift_ = static_cast<unsigned>(32 - std::bit_width(groups.count | 1u)); // a shift by 32 is undefined
        made.words_ = LargeArray<std::uint32_t>(view.rows);
        const auto& rows = view.columns->rows;
        const auto odd = made.odd();
        const auto spans = (view.rows + store::AllocationTable::kSpanRows - 1) >> store::AllocationTable::kSpanShift;
        const bool finished = forEachSpan(spans, workersFor(spans), stop, [&](unsigned, std::uint64_t span) {
            const auto first = span << store::AllocationTable::kSpanShift;
            const auto last = std::min(view.rows, first + store::AllocationTable::kSpanRows);
            const auto* sites = &rows.sites()[first];
            const auto* sizes = &rows.narrowSizes()[first];
            const auto* groupOf = groups.ofSite.data();
            auto* words = made.words_.data() + first;
            for (std::uint64_t i = 0; i < last - first; ++i) {
                const auto size = measure == RowSweep::Measure::Rows ? 1 : sizes[i];
                words[i] = (groupOf[sites[i]] << made.shift_) | (size < odd ? size : odd);
            }
        });
        if (!finished) return std::nullopt;
        return made;
    }

    [[nodiscard]] bool isEmpty() const { return words_.size() == 0; }
    [[nodiscard]] const std::uint32_t* data() const { return words_.data(); }
    [[nodiscard]] unsigned shift() const { return shift_; }
    [[nodiscard]] std::uint32_t odd() const { return std::uint32_t{1} << (shift_ - 1); }
    [[nodiscard]] std::uint64_t bytes() const { return words_.size() * sizeof(std::uint32_t); }

  private:
    LargeArray<std::uint32_t> words_;
    unsigned shift_ = 0;
};

/// Visits the ordered events of a view without partial releases and wide sizes, and tracks the level and peak of every
/// line of sites. One thread at a time.
class SiteSweep {
  public:
    /// Lines start here; lower numbers are rows without a line. These are spread over several unused levels because
    /// repeated changes of a single one would make every row wait for the previous one.
    static constexpr std::uint32_t kFirst = 8;
    struct Level {
        SignedByteCount level = 0;
        SignedByteCount peak = 0;
    };

    /// All arguments must outlive it. lineOf: from kFirst, 0: none; by site or, with words, by group including 0.
    SiteSweep(const store::TableView& view, RowSweep::Measure measure, const SiteWords& words,
              const std::vector<std::uint32_t>& lineOf, std::size_t lines)
        : rows_(&view.columns->rows),
          hasOlder_(view.olderRows > 0),
          one_(measure == RowSweep::Measure::Rows ? 1 : 0),
          mask_(measure == RowSweep::Measure::Rows ? 0 : ~std::uint64_t{0}),
          blocks_((view.events + EventOrder::kBlockEvents - 1) >> EventOrder::kBlockShift),
          words_(words.isEmpty() ? nullptr : &words),
          lineOf_(lineOf.data()),
          levels_(lines + kFirst) {}

    /// By line, to be set before start().
    [[nodiscard]] Level& level(std::size_t line) { return levels_[line + kFirst]; }
    /// Sets the next event, the first of a block of the order.
    void start(std::uint64_t event) {
        event_ = event;
        fetchEnds(event_ >> EventOrder::kBlockShift);
    }
    /// Whether any event so far was of a row without a size.
    [[nodiscard]] bool anyEmpty() const { return anyEmpty_; }
    /// Up to this event, exclusive. False: stopped.
    bool advance(std::uint64_t last, const std::stop_token& stop) {
        while (event_ < last) {
            if (event_ % kStopEvery == 0 && stop.stop_requested()) return false;
            if (event_ % EventOrder::kBlockEvents == 0) enterBlock();
            const auto blockEnd = std::min(last, (event_ | (EventOrder::kBlockEvents - 1)) + 1);
            words_ != nullptr ? step<true>(blockEnd) : step<false>(blockEnd);
        }
        return true;
    }

  private:
    using EventOrder = store::EventOrder;

    /// Reads the ends in the block and prefetches the data of their rows, which are in random order; otherwise every
    /// end waits for memory.
    [[gnu::always_inline]] inline void fetchEnds(std::uint64_t block) {
        if (block >= blocks_) return;
        const auto& order = rows_->order();
        auto& ends = ends_[block % 2];
        const std::uint64_t first = order.blocks()[block].firstEnd;
        const auto known = order.ends().size();
        const auto inBlock = static_cast<std::uint64_t>(std::popcount(~order.bits(block)));
        const auto count = first < known ? std::min(inBlock, known - first) : 0;
        for (std::uint64_t i = 0; i < count;) {
            for (const auto entry : order.ends().contiguous(first + i, first + count)) {
                ends[i++] = entry;
                if ((entry & EventOrder::kPartial) != 0) continue; // after the last event of the view
                if (words_ != nullptr) {
                    __builtin_prefetch(words_->data() + entry);
                    continue;
                }
                __builtin_prefetch(&rows_->sites()[entry]);
                if (mask_ != 0) __builtin_prefetch(&rows_->narrowSizes()[entry]);
            }
        }
    }
    void enterBlock() {
        const auto& order = rows_->order();
        const auto block = event_ >> EventOrder::kBlockShift;
        bits_ = order.bits(block);
        row_ = order.blocks()[block].firstRow;
        end_ = 0;
        fetchEnds(block + 1);
    }
    /// Starts and ends alternate randomly, so no branch distinguishes them.
    template <bool kWords>
    void step(std::uint64_t stop) {
        const auto& ends = ends_[(event_ >> EventOrder::kBlockShift) % 2];
        auto* levels = levels_.data();
        const auto* lineOf = lineOf_;
        const auto* words = kWords ? words_->data() : nullptr;
        const auto shift = kWords ? words_->shift() : 0;
        const auto odd = kWords ? words_->odd() : 0;
        bool anyEmpty = false;
        auto bits = bits_;
        auto nextRow = row_;
        auto end = end_;
        auto event = event_;
        for (; event < stop; ++event, bits >>= 1) {
            const std::uint64_t begins = bits & 1;
            if (hasOlder_ && begins != 0) {
                while (rows_->begins().isBeforeTrace(nextRow))
                    ++nextRow;
            }
            // Both are read, to avoid a branch that would be mispredicted.
            const std::uint64_t ended = ends[end % EventOrder::kBlockEvents];
            const auto row = ended ^ ((ended ^ nextRow) & (std::uint64_t{0} - begins));
            nextRow += begins;
            end += 1 - begins;
            std::uint32_t line = 0;
            std::uint64_t amount = 0;
            if constexpr (kWords) {
                const auto word = words[row];
                line = lineOf[word >> shift];
                amount = word & (odd - 1);
                if ((word & odd) != 0) [[unlikely]]
                    amount = rows_->narrowSizes()[row];
            } else {
                line = lineOf[rows_->sites()[row]];
                amount = (rows_->narrowSizes()[row] & mask_) + one_;
            }
            anyEmpty |= amount == 0;
            auto& level = levels[line != 0 ? line : event % kFirst];
            const auto changed = static_cast<std::uint64_t>(level.level) + (amount ^ (begins - 1)) + (1 - begins);
            level.level = static_cast<SignedByteCount>(changed);
            level.peak = std::max(level.peak, level.level);
        }
        bits_ = bits;
        row_ = nextRow;
        end_ = end;
        event_ = event;
        anyEmpty_ = anyEmpty_ || anyEmpty;
    }

    const store::AllocationTable* rows_;
    bool hasOlder_;
    std::uint64_t one_;
    std::uint64_t mask_;
    std::uint64_t blocks_;
    const SiteWords* words_; ///< null: none
    const std::uint32_t* lineOf_;
    std::vector<Level> levels_;
    std::array<std::array<std::uint32_t, EventOrder::kBlockEvents>, 2> ends_{}; ///< for this block and the next
    std::uint64_t event_ = 0;
    std::uint64_t bits_ = 0;
    std::uint64_t row_ = 0;
    bool anyEmpty_ = false;
    std::uint64_t end_ = 0; ///< in ends_ of this block
};

} // namespace highwater::analysis
