#pragma once

#include "core/analysis/balance/balance_point.h"
#include "core/analysis/balance/resident_peaks.h"
#include "core/analysis/columns/columns.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

// The balance: the use of each byte of a process's resident memory (Rss), computed from samples of its mappings and the
// rows of both tables (docs/numbers.md 25). All functions read immutable data and may run on any thread, but not the
// GUI thread: each reads all rows of both tables once.

/// A process with samples of its resident memory.
struct SampledProcess {
    ProcessIndex process;
    std::string name;          ///< "name (pid)", the key of the process
    std::size_t samples = 0;   ///< in the interval
    ByteCount peak = 0;        ///< the highest Rss
    TraceTime peakTime;        ///< the first sample with it
    ByteCount programPeak = 0; ///< the highest Rss without the memory of Highwater's agent; of any sample
    bool isIncomplete = false; ///< some of its blocks were not recorded
};

struct Balance {
    ProcessIndex process;
    std::string name; ///< as in SampledProcess
    BalancePoint point;
    std::vector<BalancePart> parts;   ///< by mapping; largest first, by resident, swapped, reserved bytes
    std::vector<BalancePart> modules; ///< the same memory by module
    SharedResidentPeaks peaks;        ///< those of the course that was found in the same sweep; null: there is none
    std::string_view whyIncomplete;   ///< by whyUnrecorded()
    bool hasOtherAllocator = false;   ///< on Windows, or if a library that replaces malloc of glibc is loaded

    /// As in SampledProcess: free heap memory is then unknown.
    [[nodiscard]] bool isIncomplete() const { return !whyIncomplete.empty(); }
};

struct BalanceQuery {
    TimeRange interval;                              ///< samples outside are ignored
    std::optional<std::vector<ProcessIndex>> only{}; ///< nothing: all sampled processes
    std::optional<TraceTime> runningAt{};            ///< processes that had ended before are left out
};

[[nodiscard]] bool isMeant(const store::PublishedTrace& trace, const BalanceQuery& query, ProcessIndex process);

/// All layers of one process, at every sample in the interval.
struct BalanceCourse {
    ProcessIndex process;
    std::string name;
    std::vector<BalancePoint> points; ///< in order of time
    TraceTime end = kNever;           ///< end of the process; it has no resident memory afterwards
    SharedResidentPeaks peaks = {};   ///< over these points; not null in an answer
};

/// The interval whose samples are those at or before `instant`.
[[nodiscard]] TimeRange upTo(TraceTime instant);

/// Why blocks of the process were not recorded, as a clause: they are from before the recording or from its parent, or
/// the recording has no heap events. Empty: all were recorded.
[[nodiscard]] std::string_view whyUnrecorded(const store::PublishedTrace& trace, ProcessIndex process);
[[nodiscard]] bool hasUnrecordedBlocks(const store::PublishedTrace& trace, ProcessIndex process);

/// Why the trace has no balance: it has no samples, or no rows. Nothing: it has one.
[[nodiscard]] std::optional<Error> whyNoBalance(const store::PublishedTrace& trace);

/// Why an answer for a part of a trace with samples is empty: a sentence.
[[nodiscard]] std::string whyNoSample(const store::PublishedTrace& trace);

/// Processes with samples in the interval, the highest peak first. Reads no rows.
[[nodiscard]] std::vector<SampledProcess> sampledProcesses(const store::PublishedTrace& trace, TimeRange interval);

/// For each process the balance at its newest sample in the interval, the largest Rss first. Empty: no process has a
/// sample there. Errors: Cancelled, Unsupported.
[[nodiscard]] Result<std::vector<Balance>> balanceAt(const store::PublishedTrace& trace, const BalanceQuery& query,
                                                     const std::stop_token& stop = {});
/// For each process the balance at its highest Rss in the interval. Errors: Cancelled, Unsupported.
[[nodiscard]] Result<std::vector<Balance>> balanceAtPeak(const store::PublishedTrace& trace, const BalanceQuery& query,
                                                         const std::stop_token& stop = {});
/// The layers at every sample of the interval, in one sweep over the events. For each process of the query, the
/// highest Rss first. Errors: Cancelled, Unsupported.
[[nodiscard]] Result<std::vector<BalanceCourse>>
balanceCourses(const store::PublishedTrace& trace, const BalanceQuery& query, const std::stop_token& stop = {});

struct BalanceWithCourses {
    std::vector<Balance> balances;
    std::vector<BalanceCourse> courses;
};
/// balanceAt() of the query, and balanceCourses() of its processes in that interval, in one sweep.
[[nodiscard]] Result<BalanceWithCourses> balanceWithCourses(const store::PublishedTrace& trace,
                                                            const BalanceQuery& query, TimeRange courses,
                                                            const std::stop_token& stop = {});
/// balanceAtPeak() and balanceCourses() of the query, in one sweep.
[[nodiscard]] Result<BalanceWithCourses> balanceAtPeakWithCourses(const store::PublishedTrace& trace,
                                                                  const BalanceQuery& query,
                                                                  const std::stop_token& stop = {});

/// Explains the balance in one or two sentences: how much memory is live, and how much could be returned.
[[nodiscard]] std::string meaningOf(const Balance& balance);
/// A sentence about the processes of the query that runningAt leaves out; empty if there are none.
[[nodiscard]] std::string endedProcesses(const store::PublishedTrace& trace, const BalanceQuery& query);
/// Why Held Pages may be wrong in a process with hasUnrecordedBlocks().
inline constexpr std::string_view kUnrecordedOnPages =
    "Held Pages may be too high because blocks that were not recorded may be on the same pages.";
/// When the newest samples of the interval were taken, to which the columns Resident and Held Pages of a table refer,
/// or why these have no values: sentences. `rowsOnUnknownPages`: those of the shown table, which the columns leave out.
[[nodiscard]] std::string sampleNote(const store::PublishedTrace& trace, Table table, TimeRange interval,
                                     std::uint64_t rowsOnUnknownPages = 0);
/// Known layers as a share of Rss, 0 to 1; 1 if Rss is 0.
[[nodiscard]] double explainedShare(const BalancePoint& point);

} // namespace highwater::analysis
