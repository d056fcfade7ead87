#pragma once

#include "core/base/huge_pages.h"
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

/// An append-only column whose cells never move: chunks of one large page behind a directory of fixed size.
/// One writer appends; readers may read every cell below a count that was published to them after the append.
/// Cells that change after publication are accessed through std::atomic_ref by both sides.
template <typename T>
requires(std::is_trivially_copyable_v<T>&& std::has_single_bit(sizeof(T))) class ChunkedColumn {
  public:
    static constexpr std::uint64_t kRowsPerChunk = kHugePageBytes / sizeof(T);
    static constexpr unsigned kShift = std::countr_zero(kRowsPerChunk);

    /// The directory is zeroed memory of the system, not touched until it is used.
    explicit ChunkedColumn(std::uint64_t maxRows)
        : directory_(static_cast<T**>(std::calloc((maxRows + kRowsPerChunk - 1) / kRowsPerChunk, sizeof(T*)))),
          maxRows_(directory_ ? maxRows : 0) {}

    /// Cells appended so far; all of them may be read by whoever sees this count.
    [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_acquire); }

    /// False when the column is full or the system has no memory left; nothing is appended then.
    [[nodiscard]] bool append(const T& value) {
        if (!makeRoom()) [[unlikely]]
            return false;
        appendInRoom(value);
        return true;
    }
    /// Makes sure that the next append succeeds; all up to the end of the chunk do then.
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
    /// The cell for an atomic read: atomic_ref wants a non-const object.
    [[nodiscard]] T& sharedCell(std::uint64_t row) const {
        return directory_[row >> kShift][row & (kRowsPerChunk - 1)];
    }

    /// Cells [first, last) up to the end of first's chunk: contiguous memory for tight loops.
    [[nodiscard]] std::span<T> contiguous(std::uint64_t first, std::uint64_t last) const {
        const auto chunkEnd = ((first >> kShift) + 1) << kShift;
        return {&sharedCell(first), static_cast<std::size_t>(std::min(last, chunkEnd) - first)};
    }

    /// The cells are those, which must outlive it; nothing may be appended or written any more. False: they are more
    /// than it may have.
    [[nodiscard]] bool adopt(std::span<const T> cells) {
        if (cells.size() > maxRows_) return false;
        chunks_.clear();
        current_ = nullptr;
        for (std::size_t first = 0; first < cells.size(); first += kRowsPerChunk)
            directory_[first >> kShift] = const_cast<T*>(cells.data() + first);
        size_.store(cells.size(), std::memory_order_release);
        return true;
    }

    /// Address space taken by the cells appended so far.
    [[nodiscard]] std::uint64_t bytesUsed() const { return size() * sizeof(T); }
    [[nodiscard]] std::uint64_t bytesReserved() const {
        return ((size() + kRowsPerChunk - 1) >> kShift) * kHugePageBytes;
    }

  private:
    bool addChunk(std::uint64_t row) {
        const auto index = row >> kShift;
        if (row >= maxRows_) return false;
        if (index < chunks_.size()) return true; // room was made, and not used yet
        // A small trace should not cost a large page per column.
        auto memory = allocateColumnChunk(index == 0 ? PageSize::Normal : PageSize::Huge);
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

} // namespace highwater::store
