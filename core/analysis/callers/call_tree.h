#pragma once

#include "core/base/seeded_hash.h"
#include "core/base/units.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace highwater::analysis {

/// What the rows of a node have together. Sums wrap instead of overflowing: sizes come from files.
struct CallSums {
    std::uint64_t count = 0;
    std::uint64_t size = 0;
    std::uint64_t impacting = 0; ///< signed, as two's complement

    CallSums& operator+=(const CallSums& other) {
        count += other.count;
        size += other.size;
        impacting += other.impacting;
        return *this;
    }
    friend bool operator==(const CallSums&, const CallSums&) = default;
};

/// One function on a way of calls, with the rows of all ways that pass it.
struct CallNode {
    std::uint32_t parent = 0;
    std::uint32_t label = 0; ///< LabelId; of the root nothing
    std::string function;    ///< set by CallTree::finish
    CallSums sums;
    std::vector<std::uint32_t> children; ///< the largest first, once finished
};

/// Ways of calls that begin with the same function, merged as far as they are the same. nodes()[0] is that function,
/// with all rows. One thread; immutable once finished.
class CallTree {
  public:
    CallTree() : nodes_(1) {}

    /// A way of calls from the function on, and the rows that took it.
    void add(std::span<const std::uint32_t> way, const CallSums& sums);
    /// Names all nodes and puts the children in order: by Size, then Count, falling, then by name.
    void finish(const std::function<std::string(std::uint32_t label)>& nameOf);

    [[nodiscard]] const std::vector<CallNode>& nodes() const { return nodes_; }

  private:
    std::uint32_t childOf(std::uint32_t node, std::uint32_t label);

    std::vector<CallNode> nodes_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> children_; ///< by node and label
};

} // namespace highwater::analysis
