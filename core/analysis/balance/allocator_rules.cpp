#include "core/analysis/balance/allocator_rules.h"

#include "core/event/allocator_libraries.h"

#include <algorithm>
#include <string_view>

namespace highwater::analysis {

bool hasOtherAllocator(const store::ProcessTable& processes, ProcessIndex process) {
    return std::ranges::any_of(processes[process].images, [&](const store::LoadedImage& image) {
        const std::string_view name = processes.module(image.module).name;
        return std::ranges::any_of(kAllocatorLibraries, [&](auto start) { return name.starts_with(start); });
    });
}

} // namespace highwater::analysis
