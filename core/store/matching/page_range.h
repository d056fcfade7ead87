#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater::store {

inline constexpr unsigned kPageShift = 12;

/// Page numbers [first, end), pages of 4096 bytes.
struct PageRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    friend bool operator==(PageRange, PageRange) = default;
    [[nodiscard]] bool isEmpty() const { return end <= first; }
    [[nodiscard]] std::uint64_t pages() const { return isEmpty() ? 0 : end - first; }
    [[nodiscard]] ByteCount bytes() const { return pages() << kPageShift; }
};

/// The pages that [address, address + size) touches; empty for size 0. Limited to the topmost page of the address space
/// so that neither ends nor byte counts overflow.
[[nodiscard]] PageRange pagesOf(Address address, ByteCount size);

} // namespace highwater::store
