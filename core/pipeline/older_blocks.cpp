#include "core/pipeline/older_blocks.h"

#include "core/store/published/processes_by_pid.h"

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

bool mayHaveOlderBlocks(const store::PublishedTrace& trace, ProcessIndex index, TraceTime time) {
    const auto& process = (*trace.processes)[index];
    if (mayHaveOlderBlocks(process, time)) return true;
    if (trace.isOfAgent) return false;
    const auto parent = store::ProcessesByPid(*trace.processes).at(process.parentPid, process.start);
    return process.start == kBeforeTrace || (parent && process.parentPid != 0);
}

} // namespace highwater::pipeline
