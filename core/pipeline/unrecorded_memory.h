#pragma once

#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace highwater::pipeline {

/// Memory of a process that no event tells of: what the C library and the system keep for themselves. At the instant
/// where the process had the most private bytes.
struct UnrecordedMemory {
    std::string process; ///< "name (pid)"
    TraceTime time;
    ByteCount privateBytes = 0;
    ByteCount unrecorded = 0; ///< of these; at least, as recorded memory need not be in use
};

/// One for every process whose private bytes were sampled, the largest first. For recordings of the Linux agent only:
/// there, heap blocks and pages do not overlap. Goes through all rows; any thread.
[[nodiscard]] std::vector<UnrecordedMemory> unrecordedMemory(const store::PublishedTrace& trace,
                                                             const TraceNotes& notes);

/// Whether it is enough to matter for who reads totals: 1 MB, and a tenth of what the process had.
[[nodiscard]] bool isWorthSaying(const UnrecordedMemory& memory);

/// The sentence for the user.
[[nodiscard]] std::string describe(const UnrecordedMemory& memory);

/// Whether a trace was recorded by the Linux agent.
[[nodiscard]] bool isOfAgent(std::string_view sessionName);

} // namespace highwater::pipeline
