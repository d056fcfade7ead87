#pragma once

#include "core/analysis/flames/flame_paths.h"
#include "core/analysis/flames/flame_tree.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// Creates nodes from paths, level by level. One thread.
class FlameTreeBuilder {
  public:
    using TextOf = std::function<std::string(const KeyStep&)>;
    /// `paths` must be finished and outlive it. mostFrames: 0 means all.
    FlameTreeBuilder(const FlamePaths& paths, TextOf textOf, std::uint64_t mostFrames)
        : paths_(paths), textOf_(std::move(textOf)), most_(mostFrames) {}

    /// Creates nodes and labels, and sums the paths that are not drawn. Call it once. False: stopped.
    bool build(FlameTree& tree, const std::stop_token& stop);

  private:
    struct Child {
        FlamePaths::Range range;
        FlameNode node;
    };
    bool findNarrowest(const FlamePaths::Range& all, const std::stop_token& stop);
    [[nodiscard]] FlameNode nodeOf(const FlamePaths::Range& range) const;
    void addChildren(FlameTree& tree, std::uint32_t parent);
    void place(FlameTree& tree, std::uint32_t parent, const std::vector<Child>& children);
    std::uint32_t labelOf(FlameTree& tree, const FlamePaths::Range& range);

    const FlamePaths& paths_;
    TextOf textOf_;
    std::uint64_t most_;
    std::uint64_t narrowest_ = 1;
    std::vector<FlamePaths::Range> ranges_; ///< by node
    std::map<Column, tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash>> labels_;
};

} // namespace highwater::analysis
