#pragma once

#include "core/analysis/balance/block_extent.h"
#include "core/base/ids.h"
#include "core/store/published/process_table.h"

namespace highwater::analysis {

/// Whether the process has loaded a library that replaces malloc of glibc. Its blocks then have other headers, or none.
[[nodiscard]] bool hasOtherAllocator(const store::ProcessTable& processes, ProcessIndex process);

[[nodiscard]] inline BlockRules rulesOf(const store::ProcessTable& processes, ProcessIndex process) {
    return hasOtherAllocator(processes, process) ? BlockRules::None : BlockRules::Glibc;
}

} // namespace highwater::analysis
