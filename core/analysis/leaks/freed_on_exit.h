#pragma once

#include "core/analysis/leaks/leak_suspects.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace highwater::analysis {

/// Many programs free their containers as they exit, and their leaks with them, so that findLeaks() shows only the
/// rest. Looks at the process that exited last in the interval, 2, 5, 10 and 20 % of its time there before it exited:
/// the last of these times at which it had nearly (90 %) the most memory, and of which it kept a quarter or less until
/// its exit. Nothing if it did not exit in the interval, or had grown by less than 64 KB. Of two tables, the first with
/// an answer. Any thread.
[[nodiscard]] std::optional<FreedOnExit> freedOnExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                     const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                                     const std::stop_token& stop = {});

/// findLeaks() with LeakReport::freedOnExit. Any thread. Errors: as there.
[[nodiscard]] Result<LeakReport> findLeaksAndExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                  const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                                  const std::stop_token& stop = {});

} // namespace highwater::analysis
