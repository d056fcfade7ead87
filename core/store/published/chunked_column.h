#pragma once

#include "core/base/huge_pages.h"
#include "core/base/units.h"
#include "core/files/column_memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace highwater::store {

/// An append-only column whose cells never move: chunks of one large page, and a directory of fixed size. One writer
/// appends. Readers may read every cell below a count that was published to them after the append. Both sides access
/// cells that change after publication through std::atomic_ref.
template <typename T>
requires(std::is_trivially_copyable_v<T>&& std::has_single_bit(sizeof(T))) class ChunkedColumn {
  public:
    static constexpr std::uint64_t kRowsPerChunk = kHugePageBytes / sizeof(T);
    static constexpr unsigned kShift = std::countr_zero(kRowsPerChunk);

    /// The directory is zeroed system memory that stays untouched until it is used.
    explicit ChunkedColumn(std::uint64_t maxRows)
        : directory_(static_cast<T**>(std::calloc((maxRows + kRowsPerChunk - 1) / kRowsPerChunk, sizeof(T*)))),
          maxRows_(directory_ ? maxRows : 0) {}

    /// Number of appended cells. All of them may be read by a thread that sees this count.
    [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_acquire); }

    /// Returns false and appends nothing if the column is full or the system is out of memory.
    [[nodiscard]] bool append(const T& value) {
        if (!makeRoom()) [[unlikely]]
            return false;
        appendInRoom(value);
        return true;
    }
    /// Makes sure that the next append succeeds, and all others up to the end of the chunk.
    [[nodiscard]] bool makeRoom() {
        const auto row = size_.load(std::memory_order_relaxed);
        return (row & (kRowsPerChunk - 1)) != 0 || addChunk(row);
    }
    /// append() after makeRoom().
    void appendInRoom(const T& value) {
        const auto row = size_.load(std::memory_order_relaxed);
        current_[row & (kRowsPerChunk - 1)] = value;
        size_.store(row + 1, std::memory_order_release);
    }

    [[nodiscard]] const T& operator[](std::uint64_t row) const {
        return directory_[row >> kShift][row & (kRowsPerChunk - 1)];
    }
    [[nodiscard]] T& cell(std::uint64_t row) { return directory_[row >> kShift][row & (kRowsPerChunk - 1)]; }
    /// The cell for an atomic read; atomic_ref requires a non-const object.
    [[nodiscard]] T& sharedCell(std::uint64_t row) const {
        return directory_[row >> kShift][row & (kRowsPerChunk - 1)];
    }

    /// Cells [first, last), limited to the end of first's chunk: contiguous memory for tight loops.
    [[nodiscard]] std::span<T> contiguous(std::uint64_t first, std::uint64_t last) const {
        const auto chunkEnd = ((first >> kShift) + 1) << kShift;
        return {&sharedCell(first), static_cast<std::size_t>(std::min(last, chunkEnd) - first)};
    }

    /// Uses these cells, which must outlive the column. Nothing may be appended or written afterwards. False if there
    /// are more than the column may have.
    [[nodiscard]] bool adopt(std::span<const T> cells) {
        if (cells.size() > maxRows_) return false;
        chunks_.clear();
        current_ = nullptr;
        for (std::size_t first = 0; first < cells.size(); first += kRowsPerChunk)
            directory_[first >> kShift] = const_cast<T*>(cells.data() + first);
        size_.store(cells.size(), std::memory_order_release);
        return true;
    }

    /// Address space used by the cells appended so far.
    [[nodiscard]] std::uint64_t bytesUsed() const { return size() * sizeof(T); }
    [[nodiscard]] std::uint64_t bytesReserved() const {
        return ((size() + kRowsPerChunk - 1) >> kShift) * kHugePageBytes;
    }

  private:
    bool addChunk(std::uint64_t row) {
        const auto index = row >> kShift;
        if (row >= maxRows_) return false;
        if (index < chunks_.size()) return true; // room was made but not used yet
        auto memory = allocateColumnChunk(index);
        if (!memory) return false;
        current_ = reinterpret_cast<T*>(memory.get());
        directory_[index] = current_;
        chunks_.push_back(std::move(memory));
        return true;
    }

    struct Free {
        void operator()(T** directory) const noexcept { std::free(directory); }
    };

    std::unique_ptr<T*[], Free> directory_;
    T* current_ = nullptr; ///< the last chunk
    std::vector<ColumnChunk> chunks_;
    std::uint64_t maxRows_;
    std::atomic<std::uint64_t> size_{0};
};

/// A value that does not fit its narrow column. Stored in separate columns, ordered by row.
struct WideValue {
    std::uint64_t row = 0;
    std::uint64_t value = 0;
};

/// The value of `row`, which must exist.
[[nodiscard]] std::uint64_t wideValue(const ChunkedColumn<WideValue>& values, std::uint64_t row);

/// A column with ascending times; only kBeforeTrace may occur anywhere. Uses four bytes per row plus a few
/// for each group of rows, whose first time is the base of the others. Times more than four seconds after the base are
/// wide values. They occur only where few events happen, so there are few. Writer and readers as in ChunkedColumn.
class RisingTimes {
  public:
    RisingTimes(std::uint64_t maxRows, std::uint64_t maxWide)
        : distances_(maxRows), bases_((maxRows + kGroupRows - 1) / kGroupRows), wide_(maxWide) {}

    [[nodiscard]] std::uint64_t size() const { return distances_.size(); }
    /// As in ChunkedColumn. Each chunk of groups serves many chunks of rows.
    [[nodiscard]] bool makeRoom() { return distances_.makeRoom() && bases_.makeRoom(); }
    /// Call once before appendInRoom() of the same time. False if there is no memory left.
    [[nodiscard]] bool prepare(TraceTime time) {
        if (size() % kGroupRows == 0 || distanceOf(time) != kWide) return true;
        return wide_.append({size(), static_cast<std::uint64_t>(time.ns)});
    }
    void appendInRoom(TraceTime time) {
        if (size() % kGroupRows == 0) {
            base_ = time == kBeforeTrace ? newest_ : time.ns;
            bases_.appendInRoom(base_);
        }
        if (time != kBeforeTrace) newest_ = time.ns;
        distances_.appendInRoom(distanceOf(time));
    }

    [[nodiscard]] TraceTime operator[](std::uint64_t row) const {
        const auto distance = distances_[row];
        if (distance < kWide) [[likely]]
            return TraceTime{bases_[row / kGroupRows] + distance};
        return distance == kOlder ? kBeforeTrace : TraceTime{static_cast<std::int64_t>(wideValue(wide_, row))};
    }
    [[nodiscard]] bool isBeforeTrace(std::uint64_t row) const { return distances_[row] == kOlder; }
    /// The times of the rows from `first` on, in ns. Faster than one by one.
    void read(std::uint64_t first, std::span<std::int64_t> times) const;
    /// Call shortly before reading a row near this one.
    [[gnu::always_inline]] void prefetch(std::uint64_t row) const {
        __builtin_prefetch(&distances_[row]);
        __builtin_prefetch(&bases_[row / kGroupRows]);
    }
    /// Every row has a group.
    [[nodiscard]] bool isWhole() const { return bases_.size() == (size() + kGroupRows - 1) / kGroupRows; }

    [[nodiscard]] std::uint64_t bytesUsed() const {
        return distances_.bytesUsed() + bases_.bytesUsed() + wide_.bytesUsed();
    }
    [[nodiscard]] std::uint64_t bytesReserved() const {
        return distances_.bytesReserved() + bases_.bytesReserved() + wide_.bytesReserved();
    }
    /// As in AllocationTable.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.distances_);
        visit(self.bases_);
        visit(self.wide_);
    }

  private:
    static constexpr std::uint64_t kGroupRows = 64;
    static constexpr std::uint32_t kOlder = 0xFFFFFFFFu, kWide = 0xFFFFFFFEu;

    /// From the base of the current group.
    [[nodiscard]] std::uint32_t distanceOf(TraceTime time) const {
        if (time == kBeforeTrace) return kOlder;
        const auto distance = static_cast<std::uint64_t>(time.ns) - static_cast<std::uint64_t>(base_);
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(distance, kWide));
    }

    ChunkedColumn<std::uint32_t> distances_;
    ChunkedColumn<std::int64_t> bases_; ///< first time of each group
    ChunkedColumn<WideValue> wide_;
    std::int64_t base_ = 0;   ///< base of the last group
    std::int64_t newest_ = 0; ///< newest time of all rows
};

} // namespace highwater::store
