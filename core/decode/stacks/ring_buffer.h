#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace highwater::decode {

/// A queue whose elements are addressed from its front, in one reused block of memory. Grows by doubling; references
/// are valid until the next push or pop. Memory used by a rare long wait is freed.
template <typename T>
class RingBuffer {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t fromFront) { return slots_[(head_ + fromFront) & (slots_.size() - 1)]; }
    [[nodiscard]] const T& operator[](std::size_t fromFront) const {
        return slots_[(head_ + fromFront) & (slots_.size() - 1)];
    }
    [[nodiscard]] T& front() { return slots_[head_]; }
    [[nodiscard]] T& back() { return (*this)[size_ - 1]; }

    /// The new last element. It contains an earlier element, so all of it must be overwritten.
    [[nodiscard]] T& pushSlot() {
        if (size_ == slots_.size()) grow();
        return (*this)[size_++];
    }
    void popFront() {
        head_ = (head_ + 1) & (slots_.size() - 1);
        if (--size_ > 0) return;
        head_ = 0; // a short queue stays in the cache, even if it was long before
        if (slots_.size() > kKeptSlots) slots_ = std::vector<T>(kKeptSlots);
    }

  private:
    static constexpr std::size_t kKeptSlots = 16384; ///< a power of two, like all sizes here

    void grow() {
        std::vector<T> wider(slots_.empty() ? 64 : slots_.size() * 2);
        for (std::size_t i = 0; i < size_; ++i) {
            wider[i] = std::move((*this)[i]);
        }
        slots_ = std::move(wider);
        head_ = 0;
    }

    std::vector<T> slots_;
    std::size_t head_ = 0;
    std::size_t size_ = 0;
};

} // namespace highwater::decode
