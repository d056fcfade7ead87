#include "core/store/snapshot_book.h"

#include "core/base/counted.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::store {
namespace {

/// A number that exceeds the previous one by more than this is damaged. This leaves numbers for many traces.
constexpr std::uint32_t kWidestGap = 1'000'000;

} // namespace

std::uint32_t SnapshotBook::nextNumber(std::uint32_t told) const {
    const bool isNext = told > lastNumber_ && told - lastNumber_ <= kWidestGap;
    return isNext ? told : lastNumber_ + 1;
}

void SnapshotBook::add(const SnapshotTaken& taken) {
    const bool isRepeated = taken.number == lastRecordedNumber_ && taken.time == lastRecordedTime_;
    if (isRepeated || taken.time < TraceTime{0} || taken.origin >= SnapshotOrigin::Count_) {
        ++damaged_;
        return;
    }
    if (snapshots_.size() >= kMostSnapshots) {
        ++tooMany_;
        if (taken.hasOwnBlocks) numbers_.erase(taken.number);
        return;
    }
    lastRecordedNumber_ = taken.number;
    // Files are read in time order, but a decoder may learn of a snapshot late.
    if (!taken.isLate) lastTime_ = std::max(lastTime_, taken.time);
    lastRecordedTime_ = taken.isLate ? taken.time : lastTime_;
    lastNumber_ = nextNumber(taken.number);
    snapshots_.push_back({lastNumber_, lastRecordedTime_, taken.pid, taken.origin, taken.hasOwnBlocks});
    if (taken.hasOwnBlocks) numbers_.insert_or_assign(taken.number, lastNumber_);
    copy_.reset();
}

void SnapshotBook::undo(TraceTime time) {
    const auto last = std::find_if(snapshots_.rbegin(), snapshots_.rend(),
                                   [&](const Snapshot& s) { return s.time == time && !s.hasOwnBlocks; });
    if (last == snapshots_.rend()) return;
    if (last == snapshots_.rbegin()) lastNumber_ = last->number - 1;
    snapshots_.erase(std::next(last).base());
    lastRecordedNumber_ = 0;
    lastRecordedTime_ = kBeforeTrace;
    copy_.reset();
}

std::optional<std::uint32_t> SnapshotBook::numberOf(std::uint32_t told) {
    const auto found = numbers_.find(told);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

void SnapshotBook::dropBefore(TraceTime time) {
    const auto first =
        std::find_if(snapshots_.begin(), snapshots_.end(), [&](const auto& s) { return s.time >= time; });
    if (first == snapshots_.begin()) return;
    snapshots_.erase(snapshots_.begin(), first);
    copy_.reset();
}

SharedSnapshots SnapshotBook::published() {
    if (!copy_ && !snapshots_.empty()) copy_ = std::make_shared<const std::vector<Snapshot>>(snapshots_);
    return copy_;
}

std::vector<std::string> SnapshotBook::notes() const {
    std::vector<std::string> notes;
    if (tooMany_ > 0)
        notes.push_back(fmt::format("{} left out because a trace can have at most {}.",
                                    countedWere(tooMany_, "heap snapshot", "heap snapshots"), kMostSnapshots));
    if (damaged_ > 0)
        notes.push_back(fmt::format("{} left out: damaged or duplicate.",
                                    countedWere(damaged_, "record of a heap snapshot", "records of heap snapshots")));
    if (droppedBlocks_ > 0)
        notes.push_back(
            fmt::format("{} left out because the snapshot is unknown or the table is full.",
                        countedWere(droppedBlocks_, "block of a heap snapshot", "blocks of heap snapshots")));
    return notes;
}

} // namespace highwater::store
