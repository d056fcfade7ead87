#pragma once

#include "core/base/huge_pages.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace highwater::analysis {

/// A vector that may have a million entries: the system has its memory back as soon as the vector lets go of it.
template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// Zeroed memory in large pages: what is read and written in no order would otherwise wait for page tables. Parts that
/// nobody touches cost nothing. As LargeVector, the system has it back at once.
template <typename T>
requires(std::is_trivially_copyable_v<T>) class LargeArray {
  public:
    LargeArray() = default;
    explicit LargeArray(std::size_t size) : cells_(zeroed(size), Free{size}), size_(size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return cells_.get(); }
    [[nodiscard]] const T* data() const { return cells_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) { return cells_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return cells_[i]; }

  private:
    struct Free {
        std::size_t size = 0;
        void operator()(T* cells) const noexcept { LargeAllocator<T>().deallocate(cells, size); }
    };
    static T* zeroed(std::size_t size) {
        auto* cells = LargeAllocator<T>().allocate(size);
        if (!LargeAllocator<T>::isZeroed(size)) std::fill_n(cells, size, T{});
        return cells;
    }
    std::unique_ptr<T[], Free> cells_;
    std::size_t size_ = 0;
};

} // namespace highwater::analysis
