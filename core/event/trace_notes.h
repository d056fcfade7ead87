#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The session name in recordings of the Linux agent.
inline constexpr std::string_view kAgentSessionName = "Highwater agent";

/// A named instant that the user set, either while recording or in an open trace.
struct Mark {
    std::int64_t ticks = 0; ///< ticks of its record, which identify the mark, also in the file; other marks get a
                            ///< number of their own
    TraceTime time;
    std::string name;
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// Orders marks by time, and marks of one instant by ticks.
[[nodiscard]] inline bool comesBefore(const Mark& a, const Mark& b) {
    return a.time != b.time ? a.time < b.time : a.ticks < b.ticks;
}

/// Marks that a query uses; null: none.
using SharedMarks = std::shared_ptr<const std::vector<Mark>>;

/// Renames a mark; an empty name deletes it, and a later name restores it.
struct MarkEdit {
    std::int64_t ticks = 0; ///< identifies the mark
    std::string name;
};

/// The memory of a process at one instant.
struct PrivateBytesSample {
    TraceTime time;
    std::uint32_t pid = 0;
    ByteCount bytes = 0;      ///< not shared with other processes; on Windows the commit charge
    ByteCount workingSet = 0; ///< resident, including shared pages
    friend bool operator==(const PrivateBytesSample&, const PrivateBytesSample&) = default;
};

/// Contents of a trace besides its events. A value, in time order.
struct TraceNotes {
    std::vector<Mark> marks;
    std::vector<PrivateBytesSample> privateBytes;
};
using SharedTraceNotes = std::shared_ptr<const TraceNotes>; ///< immutable; null: none

/// Applies the edit to the list. An edit of an unknown mark changes nothing.
void applyEdit(const MarkEdit& edit, std::vector<Mark>& marks);

} // namespace highwater
