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
    std::filesystem::path output; ///< takes the place of what is there when it is whole
    TimeRange interval{kBeforeTrace, kNever};
    std::vector<std::string> processes{}; ///< names or pids (see findProcesses()); empty: all
    etl::Compression compression = etl::Compression::Xpress;
    std::vector<std::uint32_t> pids{}; ///< the same for who knows them already: `processes` are not looked at then
};

struct CropResult {
    std::uint64_t bytes = 0;          ///< of the file
    std::uint64_t records = 0;        ///< that were copied
    std::uint64_t outstanding = 0;    ///< blocks and commits that there were when the interval begins
    std::uint64_t recordsLeftOut = 0; ///< of a form that no file can take
};

/// What was written, a sentence each: the file, called so, and what was left out of it.
[[nodiscard]] std::vector<std::string> sentencesOf(const CropResult& result, std::string_view name);

/// Writes an interval of a trace, of some of its processes if so asked, as a trace of its own: all records of the
/// interval as they are, at their times, and before them what was outstanding when it begins, each block and commit at
/// its own time and with its stack. Tables of the new trace are those of the interval in the whole. What the whole
/// lacks is told in the new trace, too. Reads the trace once (twice where processes are named), holding the rows from
/// before the interval in memory. Errors: those of reading and writing; nothing of the trace lies in the interval, or
/// it begins before what was kept of the trace (see RetainedRange); the output is one of the traces. Nothing is left of
/// the output then. Any thread; blocks.
[[nodiscard]] Result<CropResult> cropTrace(const CropRequest& request, std::stop_token stop, Progress& progress);

} // namespace highwater::pipeline
