#include "core/analysis/held/step_types.h"

#include <algorithm>
#include <cstddef>

namespace highwater::analysis {

std::vector<StepType> typesOfSteps(const MemoryPicture& picture, const HeldTree& tree) {
    std::vector<std::uint64_t> pairs; // step, then type
    for (std::uint32_t block = 0; block < picture.blocks.size(); ++block)
        if (const auto type = picture.blocks[block].type; type != 0)
            pairs.push_back(std::uint64_t{tree.stepOf(block)} << 32 | type);
    std::ranges::sort(pairs);
    std::vector<StepType> types(tree.steps().size());
    for (std::size_t first = 0, end = 0; first < pairs.size(); first = end) {
        while (end < pairs.size() && pairs[end] == pairs[first])
            ++end;
        auto& most = types[pairs[first] >> 32];
        const auto count = static_cast<std::uint32_t>(end - first);
        if (count > most.count) most = {static_cast<std::uint32_t>(pairs[first]), count};
    }
    return types;
}

} // namespace highwater::analysis
