#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/etl/etl_writer.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::pipeline {

struct CropRequest {
    std::vector<std::filesystem::path> traces;
    std::filesystem::path output; ///< replaces an existing file when it is complete
    TimeRange interval{kBeforeTrace, kNever};
    std::vector<std::string> processes{}; ///< names or pids (see findProcesses()); empty: all
    etl::Compression compression = etl::Compression::Xpress;
    std::vector<std::uint32_t> pids{}; ///< the same for callers that already have pids; `processes` is ignored then
};

struct CropResult {
    std::uint64_t bytes = 0;          ///< file size
    std::uint64_t records = 0;        ///< copied records
    std::uint64_t outstanding = 0;    ///< blocks and commits outstanding at the start of the interval
    std::uint64_t recordsLeftOut = 0; ///< in a form that cannot be written
};

/// One sentence about the written file, with this name, and one about records that were left out.
[[nodiscard]] std::vector<std::string> sentencesOf(const CropResult& result, std::string_view name);

/// Writes an interval of a trace, optionally of some of its processes, as a separate trace: all records of the interval
/// with their times, and before them the allocations outstanding at its start, each block and commit with its own time
/// and stack. Tables of the new trace are those of the interval in the original trace. Losses of the original trace are
/// recorded in the new one. Reads the trace once (twice if processes are named) and holds the rows from before the
/// interval in memory. Errors: those of reading and writing; the trace has nothing in the interval, or the interval
/// begins before the kept part of the trace (see RetainedRange); the output is one of the traces. On error, no output
/// is left. Any thread; blocks.
[[nodiscard]] Result<CropResult> cropTrace(const CropRequest& request, std::stop_token stop, Progress& progress);

} // namespace highwater::pipeline
