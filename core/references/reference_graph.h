#pragma once

#include "core/base/huge_pages.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace highwater::references {

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// A reference to a block, or from a stack to a frame: its number (below 2^31), and whether it is certain, that is, to
/// the start of the block.
class Reference {
  public:
    Reference() = default;
    Reference(std::uint32_t block, bool isCertain) : value_(block << 1 | (isCertain ? 0U : 1U)) {}
    [[nodiscard]] std::uint32_t block() const { return value_ >> 1; }
    [[nodiscard]] bool isCertain() const { return (value_ & 1) == 0; }
    friend bool operator==(Reference, Reference) = default;

  private:
    std::uint32_t value_ = 0;
};

/// A reference in the memory of a root.
struct RootLink {
    std::uint32_t root = 0;
    Reference reference;
};

/// The references in the contents of each node, in the order of their addresses. The nodes are the blocks and, with
/// numbers above theirs, roots. Only stacks refer to roots, to those of their frames.
struct ReferenceGraph {
    LargeVector<std::uint32_t> first; ///< for each node the number of its first reference; one more at the end
    LargeVector<Reference> references;

    [[nodiscard]] std::size_t nodes() const { return first.size() - 1; }
    [[nodiscard]] std::span<const Reference> of(std::uint32_t node) const {
        return {references.data() + first[node], references.data() + first[node + 1]};
    }
};

} // namespace highwater::references
