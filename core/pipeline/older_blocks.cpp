#include "core/pipeline/older_blocks.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

/// Executing a program unloads all images. Otherwise the image of the program, which was loaded first, remains.
bool hasExecuted(const store::ProcessInstance& process, TraceTime time) {
    auto first = kNever; // of the images that are loaded at that time
    for (const auto& image : process.images)
        if (image.loaded <= time && image.unloaded > time) first = std::min(first, image.loaded);
    return first != kNever &&
           std::ranges::any_of(process.images, [&](const auto& image) { return image.loaded < first; });
}

} // namespace

bool mayHaveOlderBlocks(const store::ProcessInstance& process, TraceTime time) {
    return (process.isAttached || process.isFork) && !hasExecuted(process, time);
}

} // namespace highwater::pipeline
