#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/pipeline/core_files/core_file.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// A trace whose only picture of memory is that of a core file.
struct CorePicture {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::vector<std::string> remarks; ///< sentences: what the picture does not contain, and why
};

/// Examines the memory in a core file, as in a picture of a running process. Its blocks are the rows of the trace that
/// are outstanding at the instant of the core file (blocksAtCore(), at or before `last`), and blocks in heaps of glibc
/// that are no rows. `trace`: of the process, recorded by the agent; null: none, and a trace of one process without
/// rows is made. Errors: Usage (a trace of another process or recorder), those of findReferences(). Blocks; any thread.
[[nodiscard]] Result<CorePicture> pictureOfCore(const CoreFile& core,
                                                std::shared_ptr<const store::PublishedTrace> trace,
                                                std::optional<TraceTime> last, const std::stop_token& stop = {});

} // namespace highwater::pipeline
