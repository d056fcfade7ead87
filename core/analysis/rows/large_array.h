#pragma once

#include "core/base/huge_pages.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace highwater::analysis {

/// LargeAllocator for memory that is allocated for each answer. If it is too small for large pages, memory that the
/// heap has cached is available faster.
template <typename T>
struct AnswerAllocator {
    using value_type = T;
    AnswerAllocator() = default;
    template <typename Other>
    AnswerAllocator(const AnswerAllocator<Other>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return isLarge(count) ? LargeAllocator<T>().allocate(count) : std::allocator<T>().allocate(count);
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        if (isLarge(count)) return LargeAllocator<T>().deallocate(memory, count);
        std::allocator<T>().deallocate(memory, count);
    }
    [[nodiscard]] static bool isZeroed(std::size_t count) {
        return isLarge(count) && LargeAllocator<T>::isZeroed(count);
    }
    friend bool operator==(AnswerAllocator, AnswerAllocator) { return true; }

  private:
    static bool isLarge(std::size_t count) { return count >= 2 * kHugePageBytes / sizeof(T); }
};

/// A vector that may have a million entries. Its memory is returned to the system immediately when it is freed.
template <typename T>
using LargeVector = std::vector<T, AnswerAllocator<T>>;

/// Zeroed memory in large pages, because random access would otherwise wait for page tables. Untouched parts cost
/// nothing. As with LargeVector, the memory is returned to the system immediately.
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
        void operator()(T* cells) const noexcept { AnswerAllocator<T>().deallocate(cells, size); }
    };
    static T* zeroed(std::size_t size) {
        auto* cells = AnswerAllocator<T>().allocate(size);
        if (!AnswerAllocator<T>::isZeroed(size)) std::fill_n(cells, size, T{});
        return cells;
    }
    std::unique_ptr<T[], Free> cells_;
    std::size_t size_ = 0;
};

} // namespace highwater::analysis
