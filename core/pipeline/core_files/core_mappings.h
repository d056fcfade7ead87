#pragma once

#include "core/event/resident_sample.h"
#include "core/pipeline/core_files/core_contents.h"
#include "core/references/process_memory.h"

namespace highwater::pipeline {

struct CoreMappings {
    ResidentSample sample;
    ByteCount missing = 0; ///< private and shared memory that is not in the file; its mappings are not writable
};

/// The mappings of the process, with the names that smaps would give them. A core file names mapped files only:
/// - "[stack]": the stack of the first thread.
/// - "[heap]": the first private memory that begins with a chunk of glibc, within 2 GB above the data of the program,
///   which is the file with the lowest address.
/// - The agent's private pages: those without contents in the core file to which data of the agent refers.
/// A core file does not contain whether a mapping is shared. Shared memory is recognized by its name. A writable part
/// of a file without contents in the core file is either shared, or the program has never written to it, so that it
/// refers to no block: it counts as shared. The pages of large private memory that were ever touched are those that the
/// file contains. `read`: the memory of the process. Any thread.
[[nodiscard]] CoreMappings mappingsOf(const CoreContents& core, const references::ReadMemory& read);

} // namespace highwater::pipeline
