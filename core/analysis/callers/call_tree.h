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

/// Sums over the rows of a node. Sums wrap instead of overflowing because sizes come from files.
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

/// One function on a call path, with the rows of all paths through it.
struct CallNode {
    std::uint32_t parent = 0;
    std::uint32_t label = 0; ///< LabelId; unused for the root
    std::string function;    ///< set by CallTree::finish
    CallSums sums;
    std::vector<std::uint32_t> children; ///< largest first after finish()
};

/// Call paths that start with the same function. Equal beginnings are merged. nodes()[0] is that function, with all
/// rows. One thread; immutable after finish().
class CallTree {
  public:
    CallTree() : nodes_(1) {}

    /// Adds a call path, starting at the function, and the sums of its rows.
    void add(std::span<const std::uint32_t> way, const CallSums& sums);
    /// Names all nodes and sorts the children: by Size, then Count, descending, then by name.
    void finish(const std::function<std::string(std::uint32_t label)>& nameOf);

    [[nodiscard]] const std::vector<CallNode>& nodes() const { return nodes_; }

  private:
    std::uint32_t childOf(std::uint32_t node, std::uint32_t label);

    std::vector<CallNode> nodes_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> children_; ///< by node and label
};

} // namespace highwater::analysis
