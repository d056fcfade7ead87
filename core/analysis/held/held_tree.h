#pragma once

#include "core/event/memory_picture.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace highwater::analysis {

/// Folds the shortest paths to the blocks of a picture into steps: see HeldNode. Linear, however long the paths are.
class HeldTree {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint32_t kMostDepth = 64; ///< deeper blocks belong to the last step

    struct Step {
        std::uint32_t parent = kNone;
        std::uint32_t owner = 0; ///< of a root: its number
        std::uint32_t depth = 0;
    };

    /// `ownerOf`: for each block.
    HeldTree(const MemoryPicture& picture, std::span<const std::uint32_t> ownerOf);

    /// Parents before children. The first are the roots, in the order of the picture, and one for unreachable blocks.
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] std::uint32_t stepOf(std::uint32_t block) const { return stepOf_[block]; }

  private:
    [[nodiscard]] std::uint32_t below(std::uint32_t parent, std::uint32_t owner);

    std::vector<Step> steps_;
    std::vector<std::uint32_t> stepOf_;
    std::unordered_map<std::uint64_t, std::uint32_t> known_; ///< by parent and owner
    std::uint32_t roots_ = 0;
};

} // namespace highwater::analysis
