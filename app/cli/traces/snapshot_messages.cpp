#include "app/cli/traces/snapshot_messages.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace highwater::cli {
namespace {

ByteCount mostOutstanding(const store::PublishedTrace& trace) {
    analysis::TimelineQuery query;
    query.table = analysis::Table::Heap;
    query.interval = trace.wholeRange();
    query.points = 1;
    analysis::FrameLabels labels;
    const auto timeline = analysis::computeTimeline(trace, labels, query);
    if (!timeline.hasValue() || timeline.value().series.empty()) return 0;
    return static_cast<ByteCount>(std::max<SignedByteCount>(timeline.value().series.front().peaks.front(), 0));
}

std::string numbers(std::uint32_t first, std::uint32_t last) {
    return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

/// Numbers are consecutive, and the oldest snapshots are discarded first.
void printDiscardedSnapshots(const TakenSnapshots& taken, const Console& console) {
    if (!taken.trace.isTrimmed() || taken.status.windowError) return; // the file may contain more than memory
    const auto& kept = taken.trace.snapshots;
    const auto last = taken.status.snapshots;
    const auto gone = !kept || kept->empty() ? last : std::min(last, kept->front().number - 1);
    if (gone == 0) return;
    console.say(fmt::format("Discarded {} {} with the older part (--keep-last); the file {}.",
                            byNumber(gone, "snapshot", "snapshots"), numbers(1, gone),
                            gone == last ? "has none" : "has " + numbers(gone + 1, last)));
}

std::string whyNoneOnGrowth(const TakenSnapshots& taken) {
    const auto wanted = *taken.plan.onGrowth;
    const auto most = mostOutstanding(taken.trace);
    const auto [reached, limit] = distinctBytes(most, wanted);
    if (most >= wanted)
        return fmt::format("outstanding heap memory reached {}, but at the next check it was less than {} again or the "
                           "recording had ended",
                           reached, limit);
    return fmt::format("outstanding heap memory grew by at most {}, less than {}", reached, limit);
}

std::string whyNonePeriodic(const TakenSnapshots& taken) {
    const auto seconds = taken.trace.wholeRange().end.seconds();
    const auto every = std::chrono::duration<double>(*taken.plan.every).count();
    if (seconds < every) // rounded down, so that 4.96 s are not "5.0 s, less than 5 s"
        return fmt::format("the recording lasted {:.1f} s, less than {} s", std::floor(seconds * 10) / 10, every);
    return fmt::format("the recording ended before the next check, {} s after its start", every);
}

void printWhyNoSnapshot(const TakenSnapshots& taken, const Console& console) {
    std::string why;
    if (taken.plan.every) why = whyNonePeriodic(taken);
    if (taken.plan.onGrowth) why += (why.empty() ? "" : ", and ") + whyNoneOnGrowth(taken);
    if (!why.empty()) console.say(fmt::format("No heap snapshot was taken: {}.", why));
}

} // namespace

void printSnapshots(const TakenSnapshots& taken, const Console& console) {
    if (!taken.hasHeaps) {
        if (taken.askedInVain > 0)
            console.say(
                "No heap snapshot was taken because --virtualalloc alone does not record heap blocks. Add --heap.");
        return;
    }
    const auto count = taken.status.snapshots;
    if (count > 0) console.say(fmt::format("Took {}.", counted(count, "heap snapshot")));
    const auto refused = taken.status.snapshotsRefused;
    if (refused > 0)
        console.say(fmt::format("{} more {} not taken because a trace can contain at most {}.", refused,
                                byNumber(refused, "was", "were"), kMostSnapshots));
    if (count == 0 && refused == 0) return printWhyNoSnapshot(taken, console);
    printDiscardedSnapshots(taken, console);
}

} // namespace highwater::cli
