#include "tests/core/analysis/random_trace.h"

#include <algorithm>
#include <array>

namespace highwater::tests {

using store::EndKind;
using store::TableKind;

RandomTrace::RandomTrace(unsigned seed, Cuts cuts) : random_(seed), randomSamples_(seed), cuts_(cuts) {
    builder_.process("one.exe", 100, TraceTime{0});
    builder_.process("two.exe", 200, TraceTime{0});
    builder_.process("one.exe", 300, TraceTime{0});
    // None, one or both of its two threads have a name, which may be the same.
    if (seed % 4 != 0) builder_.threadName(0, "worker");
    if (seed % 4 > 1) builder_.threadName(1, seed % 4 == 2 ? "loader" : "worker");
    const auto steps = pick(10) == 0 ? pick(900) : pick(60); // several blocks of the event order, now and then
    for (unsigned i = 0; i < steps; ++i) {
        step();
        sample();
        picture();
        if (cuts_ == Cuts::Some) cut();
    }
    publish();
    mark();
}

/// At instants of events, sometimes several marks at one instant; some outside.
void RandomTrace::mark() {
    static const std::string kNames[] = {"warm", "full", "idle", "mark 1"};
    const auto count = pick(4) == 0 ? pick(14) : pick(4);
    std::vector<Mark> marks;
    for (unsigned i = 0; i < count; ++i) {
        const TraceTime time{static_cast<std::int64_t>(pick(static_cast<unsigned>(now_) + 3)) - 1};
        marks.push_back({i, time, kNames[pick(4)]});
    }
    for (auto& publication : publications_)
        publication.model.marks = marks;
}

/// Now and then, of some of the pages that blocks can be on.
void RandomTrace::sample() {
    const auto pick = [&](unsigned count) { return static_cast<unsigned>(randomSamples_() % count); };
    if (pick(12) != 0) return;
    ModelSample sample;
    sample.process = pick(3);
    sample.time = TraceTime{now_};
    for (const std::uint64_t first : {std::uint64_t{4}, std::uint64_t{0xFFFF'7FFF'FFFF'F}}) {
        for (unsigned page = 0; page < 6; ++page) {
            if (pick(3) != 0)
                sample.pages.insert(first + page);
            else if (pick(3) == 0)
                sample.unknownPages.insert(first + page);
        }
    }
    if (!builder_.model().processes[sample.process].end) builder_.sample(std::move(sample));
}

/// Now and then, of the outstanding blocks of a process that do not overlap, each unreachable, or held by an earlier
/// one or by a root.
void RandomTrace::picture() {
    const auto pick = [&](std::size_t count) { return static_cast<unsigned>(randomSamples_() % count); };
    if (pick(12) != 0) return;
    ModelPicture picture;
    picture.process = pick(3);
    picture.time = TraceTime{now_};
    if (builder_.model().processes[picture.process].end) return;
    const auto& rows = builder_.model().rows;
    std::vector<std::size_t> known, reached, leaked;
    const auto oneOf = [&](const std::vector<std::size_t>& list) { return list[pick(list.size())]; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const bool isThere = row.begin < picture.time && (!row.end || *row.end >= picture.time);
        const auto overlaps = [&](std::size_t other) {
            return rows[other].address == row.address ||
                   (rows[other].address < row.address ? row.address - rows[other].address < rows[other].size
                                                      : rows[other].address - row.address < row.size);
        };
        const bool fits = row.size <= ~row.address;
        if (row.table != TableKind::Heap || row.process != picture.process || !isThere || !fits || pick(6) == 0 ||
            std::ranges::any_of(known, overlaps))
            continue;
        auto& held = picture.blocks[i];
        known.push_back(i);
        held.type = std::array{"", "Session", "std::_Sp_counted_ptr_inplace<Session, ...>"}[i % 3];
        const bool isReached = pick(3) != 0;
        auto& alike = isReached ? reached : leaked;
        held.reachability = pick(2) == 0 ? Reachability::Reachable : Reachability::Possible;
        if (!isReached) held.reachability = leaked.empty() ? Reachability::Unreachable : Reachability::OnlyLeaked;
        const auto* const root = pick(2) == 0 ? "lib.so!cache" : "app!list";
        if (isReached && pick(3) == 0) held.dominatingRoot = root;
        if (alike.empty() || (isReached && pick(3) == 0)) {
            if (isReached) held.root = root;
        } else {
            held.holder = oneOf(alike);
            if (held.dominatingRoot.empty() && pick(2) != 0) held.dominator = oneOf(alike);
        }
        alike.push_back(i);
    }
    builder_.picture(std::move(picture));
}

void RandomTrace::cut() {
    if (pick(3) == 0) builder_.continueCut(pick(8));
    if (pick(12) == 0 && now_ > 0) builder_.startCut(TraceTime{pick(static_cast<unsigned>(now_) + 1)});
}

void RandomTrace::step() {
    const auto choice = pick(100);
    if (choice < 25) ++now_;
    if (choice < 55) {
        alloc();
    } else if (choice < 85) {
        release();
    } else if (choice < 88) {
        const auto process = pick(3);
        if (!builder_.model().processes[process].end) builder_.endProcess(process, TraceTime{now_});
    } else if (choice < 91) {
        const std::string promises[] = {"?0", "?1", "?2"};
        builder_.resolve(promises[pick(3)], "A;C");
    } else if (choice < 95) {
        ModelUnmatched unmatched;
        unmatched.table = pick(2) == 0 ? TableKind::Heap : TableKind::VirtualAlloc;
        unmatched.process = pick(3);
        unmatched.heap = unmatched.table == TableKind::Heap ? 0x1000 : 0;
        unmatched.address = 0x5000 + pick(3);
        unmatched.release.time = TraceTime{now_};
        unmatched.release.thread = pick(2);
        unmatched.release.stack = stack(unmatched.process);
        if (unmatched.table == TableKind::VirtualAlloc) unmatched.release.bytes = pick(3);
        builder_.unmatched(unmatched);
    } else if (choice < 97 && !builder_.model().rows.empty()) {
        builder_.markRealloc(pick(static_cast<unsigned>(builder_.model().rows.size())));
    } else if (choice < 99) {
        publish();
    }
}

std::string RandomTrace::stack(std::uint32_t process) {
    static const std::string kStacks[] = {"", "A", "A;B", "A;B;C", "A;B;B", "D", "A;D", "D;D", "B;A;D", "?"};
    auto text = kStacks[pick(std::size(kStacks))];
    return text == "?" ? text + std::to_string(process) : text;
}

ByteCount RandomTrace::size() {
    switch (pick(8)) {
    case 0:
        return 0;
    case 1:
        return 0xFFFF'FFFFu - 1 + pick(3);
    case 2:
        return 0x3'0000'0000u + pick(3);
    default:
        return 1 + pick(10);
    }
}

void RandomTrace::alloc() {
    ModelRow row;
    row.table = pick(2) == 0 ? TableKind::Heap : TableKind::VirtualAlloc;
    row.process = pick(3);
    if (row.table == TableKind::Heap) {
        row.heap = 0x1000 + 0x1000 * pick(2);
        row.source = static_cast<std::uint8_t>(1 + pick(2));
        row.isRealloc = pick(6) == 0;
    }
    row.thread = pick(2);
    row.stack = stack(row.process);
    row.address = (pick(4) == 0 ? 0xFFFF'8000'0000'0000u : 0x5000u) + 0x800 * pick(6);
    row.size = size();
    row.begin = pick(8) == 0 ? kBeforeTrace : TraceTime{now_};
    builder_.alloc(row);
}

ModelRelease RandomTrace::releaseOf(std::size_t row) {
    const auto& model = builder_.model().rows[row];
    ModelRelease release;
    release.time = TraceTime{now_};
    release.thread = pick(2);
    release.stack = stack(model.process);
    static constexpr EndKind kHeap[] = {EndKind::Free, EndKind::ReAlloc, EndKind::HeapDestroy, EndKind::FreeLost,
                                        EndKind::Exec};
    static constexpr EndKind kVirtual[] = {EndKind::Decommit, EndKind::Release, EndKind::ProcessExit, EndKind::Decommit,
                                           EndKind::Exec};
    release.kind = (model.table == TableKind::Heap ? kHeap : kVirtual)[pick(5)];
    release.isTemporary = model.table == TableKind::Heap && pick(2) == 0;
    return release;
}

void RandomTrace::release() {
    const auto& rows = builder_.model().rows;
    std::vector<std::size_t> outstanding;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].end) outstanding.push_back(i);
    }
    if (outstanding.empty()) return;
    const auto row = outstanding[pick(static_cast<unsigned>(outstanding.size()))];
    auto release = releaseOf(row);
    if (pick(3) != 0 || rows[row].size < 2) return builder_.end(row, release);
    release.bytes = 1 + pick(static_cast<unsigned>(std::min<ByteCount>(rows[row].size, 0x7FFF'FFFF)));
    builder_.release(row, release);
}

void RandomTrace::publish() {
    // Everything before the horizon is here. Half the time there are also some events at the horizon.
    if (pick(2) == 0) ++now_;
    const TraceTime horizon{now_};
    auto model = builder_.model();
    const auto isLater = [&](const ModelRelease& release) { return release.time >= horizon; };
    std::erase_if(model.rows, [&](const auto& row) { return row.begin >= horizon; });
    std::erase_if(model.unmatched, [&](const auto& unmatched) { return isLater(unmatched.release); });
    for (auto& row : model.rows) {
        std::erase_if(row.releases, isLater);
        if (row.end && *row.end >= horizon) row.end.reset();
    }
    publications_.push_back({builder_.publish(horizon), std::move(model)});
}

TimeRange RandomTrace::interval() {
    switch (pick(6)) {
    case 0:
        return {TraceTime{0}, TraceTime{now_}};
    case 1:
        return {TraceTime{-5}, TraceTime{now_ + 7}};
    default:
        break;
    }
    const auto limit = static_cast<unsigned>(now_ + 3);
    const auto a = static_cast<std::int64_t>(pick(limit));
    const auto b = static_cast<std::int64_t>(pick(limit));
    return {TraceTime{std::min(a, b)}, TraceTime{std::max(a, b)}};
}

TimeRange RandomTrace::intervalOf(const Publication& publication) {
    auto range = interval();
    range.start = std::max(range.start, publication.trace->retainedFrom);
    range.end = std::max(range.start, range.end);
    return range;
}

} // namespace highwater::tests
