#pragma once

#include "core/analysis/held/held_tree.h"
#include "core/event/memory_picture.h"

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// The C++ class that most blocks of a step have, of those that have one.
struct StepType {
    std::uint32_t type = 0;  ///< number in MemoryPicture::types + 1; 0: none has a known class
    std::uint32_t count = 0; ///< blocks of this class
};

/// By step of the tree. Of equally many, the first type in the picture counts. O(n log n) for n blocks with a class.
[[nodiscard]] std::vector<StepType> typesOfSteps(const MemoryPicture& picture, const HeldTree& tree);

} // namespace highwater::analysis
