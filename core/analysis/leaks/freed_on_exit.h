#pragma once

#include "core/analysis/leaks/leak_suspects.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace highwater::analysis {

/// Memory that a process freed as it exited. A plain value.
struct FreedOnExit {
    std::string process;    ///< "name.exe"
    ByteCount bytes = 0;    ///< by which it had grown at the end of `range`
    TimeRange range;        ///< from the start of the interval until shortly before the exit: its leaks are visible here
};

/// Many programs free their containers as they exit, and their leaks with them, so that findLeaks() shows only the rest.
/// Looks at the process that exited last in the interval: nothing if it did not exit there, had grown by less than 64
/// KB in the first 98 % of its time in the interval, or kept a quarter of that until its exit. Any thread.
[[nodiscard]] std::optional<FreedOnExit> freedOnExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                     const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                                     const std::stop_token& stop = {});

} // namespace highwater::analysis
