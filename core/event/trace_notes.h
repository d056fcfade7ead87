#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// What recordings of the Linux agent say as the name of their session.
inline constexpr std::string_view kAgentSessionName = "Highwater agent";

/// A named instant that somebody set: while recording, or on a trace that is open.
struct Mark {
    std::int64_t ticks = 0; ///< of its record: what identifies it, also in the file; others get a number of their own
    TraceTime time;
    std::string name;
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// In the order of time; of one instant by ticks.
[[nodiscard]] inline bool comesBefore(const Mark& a, const Mark& b) {
    return a.time != b.time ? a.time < b.time : a.ticks < b.ticks;
}

/// Marks that questions are about; null: none.
using SharedMarks = std::shared_ptr<const std::vector<Mark>>;

/// A mark was given another name; an empty one: it was deleted. A name after that: it is there again.
struct MarkEdit {
    std::int64_t ticks = 0; ///< of the mark
    std::string name;
};

/// How much memory that it shares with nobody a process had at one instant.
struct PrivateBytesSample {
    TraceTime time;
    std::uint32_t pid = 0;
    ByteCount bytes = 0;
    friend bool operator==(const PrivateBytesSample&, const PrivateBytesSample&) = default;
};

/// What a trace holds beside its events. A value, in the order of time.
struct TraceNotes {
    std::vector<Mark> marks;
    std::vector<PrivateBytesSample> privateBytes;
};

/// The edit is done in the list; one of an unknown mark changes nothing.
void applyEdit(const MarkEdit& edit, std::vector<Mark>& marks);

} // namespace highwater
