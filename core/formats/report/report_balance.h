#pragma once

#include "core/analysis/balance/balance.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/held/holders.h"
#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <ostream>
#include <stop_token>
#include <vector>

namespace highwater::formats {

/// Processes at their highest Rss in the interval of a report, the highest first.
struct ReportBalances {
    static constexpr std::size_t kMostProcesses = 3; ///< each is a pass over the heap rows

    struct Process {
        analysis::Balance balance;
        std::vector<analysis::ProcessHolders> holders; ///< at the same sample; at most one
    };
    std::vector<Process> processes;
    std::size_t sampled = 0; ///< number of processes with samples
};

/// Empty if the trace has no balance, or no sample in the interval. The filter of the query does not matter. Errors:
/// Cancelled.
[[nodiscard]] Result<ReportBalances> findReportBalances(const store::PublishedTrace& trace,
                                                        analysis::FrameLabels& labels, const analysis::Query& query,
                                                        const std::stop_token& stop);
/// Writes the section with its title; nothing if it would be empty.
void writeReportBalances(const ReportBalances& balances, std::ostream& out);

} // namespace highwater::formats
