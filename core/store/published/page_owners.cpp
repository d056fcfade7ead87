#include "core/store/published/page_owners.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace highwater::store {
namespace {

using Use = PageOwners::Use;
using Give = std::function<void(ProcessIndex, const Use&)>;

constexpr Address kHighest = std::numeric_limits<Address>::max();

Address lastOf(Address first, ByteCount size) {
    return first + std::min<Address>(std::max<ByteCount>(size, 1) - 1, kHighest - first);
}

bool meet(const Use& a, const Use& b) {
    return a.first <= b.last && b.first <= a.last && a.from < b.to && b.from < a.to;
}

/// The instances of each pid in table order, which is the order of their starts.
class PidLives {
  public:
    explicit PidLives(const ProcessTable& processes) : processes_(processes) {
        for (std::uint32_t i = 0; i < processes.processes().size(); ++i)
            ofPid_[processes.processes()[i].pid].push_back(ProcessIndex{i});
    }
    /// The last one that had started, otherwise the first.
    [[nodiscard]] std::optional<ProcessIndex> at(std::uint32_t pid, TraceTime time) const {
        const auto found = ofPid_.find(pid);
        if (found == ofPid_.end()) return std::nullopt;
        const auto& lives = found->second;
        const auto after = std::upper_bound(lives.begin(), lives.end(), time, [&](TraceTime t, ProcessIndex index) {
            return t < processes_[index].start;
        });
        return after == lives.begin() ? lives.front() : *std::prev(after);
    }

  private:
    const ProcessTable& processes_;
    std::unordered_map<std::uint32_t, std::vector<ProcessIndex>> ofPid_;
};

/// Current ranges of one heap.
class OpenRanges {
  public:
    /// Does not change existing ranges.
    void reserve(Address first, Address last, TraceTime time) {
        auto next = firstMeeting(first);
        while (first <= last) {
            const auto gapEnd = next == open_.end() || next->first > last ? last : next->first - 1;
            const bool isGap = next == open_.end() || next->first > first;
            const auto resume = next == open_.end() ? kHighest : next->second.last;
            if (isGap) open_.emplace(first, Open{gapEnd, time});
            if (gapEnd == last && isGap) return;
            if (resume >= last) return;
            first = resume + 1;
            next = open_.upper_bound(first - 1);
        }
    }
    /// give(first, last, from) for the parts it had of these.
    template <typename GiveRange>
    void release(Address first, Address last, GiveRange give) {
        auto next = firstMeeting(first);
        while (next != open_.end() && next->first <= last) {
            const auto begin = next->first;
            const auto [end, from] = next->second;
            open_.erase(next);
            if (begin < first) open_.emplace(begin, Open{first - 1, from});
            if (end > last) open_.emplace(last + 1, Open{end, from});
            give(std::max(begin, first), std::min(end, last), from);
            if (end >= last) return;
            next = open_.upper_bound(end);
        }
    }

  private:
    struct Open {
        Address last = 0;
        TraceTime from;
    };
    [[nodiscard]] std::map<Address, Open>::iterator firstMeeting(Address first) {
        auto next = open_.upper_bound(first);
        if (next != open_.begin() && std::prev(next)->second.last >= first) --next;
        return next;
    }

    std::map<Address, Open> open_; ///< by first; they do not overlap
};

/// Heap ranges, from the events of all heaps.
class HeapUses {
  public:
    explicit HeapUses(Give give) : give_(std::move(give)) {}

    void apply(const HeapEvent& event, ProcessIndex process) {
        auto& ranges = heaps_[{process.value, event.heap}];
        const auto close = [&](Address first, Address last) {
            ranges.release(first, last, [&](Address begin, Address end, TraceTime from) {
                give_(process, {begin, end, from, event.time, PageOwner::Heap});
            });
        };
        switch (event.operation) {
        case MemoryOperation::HeapRangeReserve:
            if (event.size > 0) ranges.reserve(event.address, lastOf(event.address, event.size), event.time);
            return;
        case MemoryOperation::HeapRangeRelease:
            if (event.size > 0) close(event.address, lastOf(event.address, event.size));
            return;
        case MemoryOperation::HeapRangeDestroy:
        case MemoryOperation::HeapDestroy:
            return close(0, kHighest);
        default:
            return;
        }
    }
    void finish(const ProcessTable& processes) {
        for (auto& [key, ranges] : heaps_) {
            const ProcessIndex process{key.first};
            ranges.release(0, kHighest, [&](Address begin, Address end, TraceTime from) {
                give_(process, {begin, end, from, processes[process].end, PageOwner::Heap});
            });
        }
    }

  private:
    Give give_;
    std::map<std::pair<std::uint32_t, Address>, OpenRanges> heaps_;
};

/// Garbage collector segments and thread stacks.
class EventUses {
  public:
    explicit EventUses(Give give) : give_(std::move(give)) {}

    void apply(const AddressEvent& event, ProcessIndex process) {
        switch (event.kind) {
        case AddressEvent::Kind::SegmentCreated:
            return open(Key{process.value, kSegment, event.address}, event, event.time, PageOwner::GcHeap);
        case AddressEvent::Kind::SegmentFreed:
            return freeSegment(event, process);
        case AddressEvent::Kind::StackBegan:
            return open(keyOfStack(event, process), event, event.time, PageOwner::Stack);
        case AddressEvent::Kind::StackFound:
            return findStack(event, process);
        case AddressEvent::Kind::StackEnded:
            return endStack(event, process);
        }
    }
    void finish(const ProcessTable& processes) {
        for (const auto& [key, use] : open_) {
            auto last = use;
            last.to = processes[ProcessIndex{std::get<0>(key)}].end;
            give_(ProcessIndex{std::get<0>(key)}, last);
        }
    }

  private:
    /// Process; whether it is a stack; address of the segment, or thread number.
    using Key = std::tuple<std::uint32_t, bool, std::uint64_t>;
    static constexpr bool kSegment = false, kStack = true;

    static Key keyOfStack(const AddressEvent& event, ProcessIndex process) {
        return {process.value, kStack, event.thread.value};
    }
    /// The end of the previous owner was lost.
    void open(const Key& key, const AddressEvent& event, TraceTime from, PageOwner owner) {
        close(key, event.time);
        open_[key] = {event.address, lastOf(event.address, event.size), from, kNever, owner};
    }
    bool close(const Key& key, TraceTime time) {
        const auto found = open_.find(key);
        if (found == open_.end()) return false;
        found->second.to = time;
        give_(ProcessIndex{std::get<0>(key)}, found->second);
        open_.erase(found);
        closed_[key] = true;
        return true;
    }
    /// An unknown segment existed when the recording started. Its size is unknown, but the owner of its first address
    /// was in it.
    void freeSegment(const AddressEvent& event, ProcessIndex process) {
        const Key key{process.value, kSegment, event.address};
        if (close(key, event.time) || std::exchange(closed_[key], true)) return;
        give_(process, {event.address, event.address, kBeforeTrace, event.time, PageOwner::GcHeap});
    }
    void findStack(const AddressEvent& event, ProcessIndex process) {
        const auto key = keyOfStack(event, process);
        if (open_.contains(key)) return;
        open(key, event, closed_.contains(key) ? event.time : kBeforeTrace, PageOwner::Stack);
    }
    void endStack(const AddressEvent& event, ProcessIndex process) {
        const auto key = keyOfStack(event, process);
        if (close(key, event.time) || event.size == 0 || std::exchange(closed_[key], true)) return;
        give_(process, {event.address, lastOf(event.address, event.size), kBeforeTrace, event.time, PageOwner::Stack});
    }

    Give give_;
    std::map<Key, Use> open_;
    std::map<Key, bool> closed_; ///< ended once, so later ranges there did not exist before
};

} // namespace

void PageOwners::Boxes::finish() {
    std::sort(levels_.front().begin(), levels_.front().end(),
              [](const Use& a, const Use& b) { return std::pair(a.first, a.from) < std::pair(b.first, b.from); });
    while (levels_.back().size() > 1) {
        std::vector<Use> above;
        const auto& below = levels_.back();
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (i % kFan == 0) {
                above.push_back(below[i]);
                continue;
            }
            auto& box = above.back();
            box.first = std::min(box.first, below[i].first);
            box.last = std::max(box.last, below[i].last);
            box.from = std::min(box.from, below[i].from);
            box.to = std::max(box.to, below[i].to);
            box.owner = std::min(box.owner, below[i].owner);
        }
        levels_.push_back(std::move(above));
    }
}

PageOwner PageOwners::Boxes::find(const Use& asked) const {
    auto best = PageOwner::Unknown;
    if (!levels_.back().empty()) find(asked, levels_.size() - 1, 0, best);
    return best;
}

void PageOwners::Boxes::find(const Use& asked, std::size_t level, std::size_t at, PageOwner& best) const {
    const auto& box = levels_[level][at];
    if (box.owner >= best || !meet(box, asked)) return;
    if (level == 0) {
        best = box.owner;
        return;
    }
    const auto last = std::min((at + 1) * kFan, levels_[level - 1].size());
    for (auto i = at * kFan; i < last; ++i)
        find(asked, level - 1, i, best);
}

PageOwners::PageOwners(const PublishedTrace& trace) : ofProcesses_(trace.processes->processes().size()) {
    const auto& processes = *trace.processes;
    const auto give = [&](ProcessIndex process, const Use& use) {
        if (use.from < use.to) ofProcesses_[process.value].add(use);
    };
    const PidLives lives(processes);
    HeapUses heaps(give);
    for (std::uint64_t i = 0; i < trace.heapEvents; ++i) {
        const auto& event = trace.columns->names->heapEvents[i];
        if (event.time >= trace.horizon) continue;
        if (const auto process = lives.at(event.pid, event.time)) heaps.apply(event, *process);
    }
    heaps.finish(processes);
    EventUses others(give);
    for (std::uint64_t i = 0; i < trace.addressEvents; ++i) {
        const auto& event = trace.columns->names->addressEvents[i];
        if (event.time >= trace.horizon) continue;
        if (const auto process = lives.at(event.pid, event.time)) others.apply(event, *process);
    }
    others.finish(processes);
    addImages(processes);
    for (auto& boxes : ofProcesses_)
        boxes.finish();
}

void PageOwners::addImages(const ProcessTable& processes) {
    for (std::size_t i = 0; i < ofProcesses_.size(); ++i) {
        const auto& process = processes.processes()[i];
        for (const auto& image : process.images) {
            const Use use{image.base, lastOf(image.base, image.size), image.loaded,
                          std::min(image.unloaded, process.end), PageOwner::Image};
            if (use.from < use.to) ofProcesses_[i].add(use);
        }
    }
}

PageOwner PageOwners::of(ProcessIndex process, Address address, ByteCount size, TraceTime begin, TraceTime end) const {
    if (process.value >= ofProcesses_.size()) return PageOwner::Unknown;
    // A range that begins and ends at one instant existed at that instant.
    const auto last = std::max(end, TraceTime{begin.ns + 1});
    return ofProcesses_[process.value].find({address, lastOf(address, size), begin, last, PageOwner::Unknown});
}

} // namespace highwater::store
