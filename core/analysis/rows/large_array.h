#pragma once

#include "core/base/huge_pages.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace highwater::analysis {

/// Zeroed memory in large pages: what is read and written in no order would otherwise wait for page tables. Parts that
/// nobody touches cost nothing.
template <typename T>
requires(std::is_trivially_copyable_v<T>) class LargeArray {
  public:
    LargeArray() = default;
    explicit LargeArray(std::size_t size)
        : cells_(static_cast<T*>(std::calloc(size == 0 ? 1 : size, sizeof(T)))), size_(size) {
        if (!cells_) throw std::bad_alloc();
        preferHugePages(cells_.get(), size * sizeof(T));
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return cells_.get(); }
    [[nodiscard]] const T* data() const { return cells_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) { return cells_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return cells_[i]; }

  private:
    struct Free {
        void operator()(T* cells) const noexcept { std::free(cells); }
    };
    std::unique_ptr<T[], Free> cells_;
    std::size_t size_ = 0;
};

} // namespace highwater::analysis
