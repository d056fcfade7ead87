#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A question for the largest rise of memory and its cause. A plain value.
struct SurgeQuery {
    Table table = Table::Heap; ///< not Frees
    TimeRange interval;
    RowFilter filter;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< skipped to find owners; null: none
    std::size_t most = 3;                                   ///< stacks
    SharedMarks marks;                                      ///< marks in the trace, for filters that use them
    OwnerChoices owners = {};                               ///< the user's choice of owners and wrappers
};

/// The share of one stack in a surge.
struct SurgeStack {
    std::string owner;              ///< "module.dll!function"
    std::vector<std::string> stack; ///< innermost first, with allocator frames
    std::size_t ownerFrame = 0;     ///< in `stack`
    KeyPath path;                   ///< Process, then Stack (bottom-up), without allocator frames
    SignedByteCount bytes = 0;      ///< its Impacting Size in the part
    double share = 0;               ///< share of the surge's bytes; above 1 if other stacks fell meanwhile
    std::optional<PicturedStack> picture = {}; ///< only from addPictures()
};

enum class SurgeKind : std::uint8_t {
    Steep,   ///< a steep part with a quarter of the largest rise or more
    StartUp, ///< half of the largest rise or more, when the process started; no other steep part has half of this
    Gradual, ///< the largest rise, without such a part
};

/// The largest steep rise in outstanding bytes of one process (docs/numbers.md 13).
struct Surge {
    SurgeKind kind = SurgeKind::Steep;
    ProcessIndex process;
    std::string processText; ///< "name.exe (pid)"
    TimeRange part{};
    SignedByteCount bytes = 0; ///< Impacting Size of the process in the part
    SignedByteCount startBytes = 0;
    SignedByteCount endBytes = 0;   ///< startBytes + bytes
    SignedByteCount lastBytes = 0;  ///< outstanding at the end of the interval, or before the process ended
    std::size_t stackCount = 0;     ///< stacks that rose
    std::vector<SurgeStack> stacks; ///< the stacks with the largest rise, largest first
};

/// Smaller surges are normal: a buffer that grows, a list that is loaded.
inline constexpr SignedByteCount kLeastSurge = SignedByteCount{1} << 20;
/// kLeastSurge or more, and a hundredth of the outstanding bytes at its end.
[[nodiscard]] constexpr bool isLarge(const Surge& surge) {
    return surge.bytes >= kLeastSurge && surge.bytes >= surge.endBytes / 100;
}
/// Whether it is steep and large, and therefore worth a headline.
[[nodiscard]] constexpr bool isNotable(const Surge& surge) {
    return surge.kind != SurgeKind::Gradual && isLarge(surge);
}

/// A process with rows in the interval.
struct ProgramRows {
    std::string process; ///< "name.exe (pid)"
    std::uint64_t rows = 0;
};

struct SurgeReport {
    std::optional<Surge> surge;        ///< nothing: no process rose
    std::vector<ProgramRows> programs; ///< by largest rise, then by rows
};

/// Sets SurgeStack::picture of a surge of Heap, from all blocks of the stack that match. Groups the pictures by these
/// stacks. Any thread. Errors: Cancelled.
[[nodiscard]] Result<void> addPictures(const store::PublishedTrace& trace, FrameLabels& labels, const SurgeQuery& query,
                                       PicturedStacks& pictures, Surge& surge, const std::stop_token& stop = {});

/// Three passes over the interval, two of them over its events in time order. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<SurgeReport> findSurge(const store::PublishedTrace& trace, FrameLabels& labels,
                                            const SurgeQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
