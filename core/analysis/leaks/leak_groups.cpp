#include "core/analysis/leaks/leak_groups.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

bool endsByExit(const CellKey& key) { return key.freeType == static_cast<std::uint8_t>(store::EndKind::ProcessExit); }

bool endsInside(const CellKey& key) { return key.type == RowType::AIFI || key.type == RowType::AOFI; }

} // namespace

std::vector<TraceTime> marksIn(const SharedMarks& marks, TimeRange interval) {
    std::vector<TraceTime> times;
    if (!marks) return times;
    for (const auto& mark : *marks) {
        if (interval.contains(mark.time)) times.push_back(mark.time);
    }
    std::sort(times.begin(), times.end());
    return times;
}

bool LeakGroups::isKept(const CellKey& key) {
    return key.type == RowType::AIFO || (key.type == RowType::AIFI && endsByExit(key));
}

std::vector<LeakGroups::CellTotals> LeakGroups::totalsOfCells() const {
    std::vector<CellTotals> totals(selection_.cells().size());
    if (!selection_.singleRows()) {
        for (std::size_t i = 0; i < totals.size(); ++i)
            totals[i] = {selection_.cells()[i].sums.rows, selection_.cells()[i].sums.size};
        return totals;
    }
    for (const auto row : *selection_.singleRows()) {
        auto& cell = totals[population_.cellOf(static_cast<RowId>(row))];
        ++cell.count;
        cell.bytes += population_.numbersOf(row).size;
    }
    return totals;
}

std::uint32_t LeakGroups::groupOf(const CellKey& key, Numbers& numbers, std::vector<Candidate>& candidates) {
    const auto& reader = selection_.reader();
    const ProcessIndex process{static_cast<std::uint32_t>(reader.key(Column::Process, key))};
    const auto frames = reader.stack(Column::StackBottomUp, key);
    const auto& place = places_.of(process, key);
    const auto number = numbers.groups.numberOf(process, frames, place.text.value);
    if (number < candidates.size()) return number;
    const auto leftOut = reader.wholeStack(Column::StackBottomUp, key).frames.size() - frames.size();
    const auto inner = place.ownerFrame < leftOut ? 1 : place.ownerFrame - leftOut + 1;
    candidates.push_back({process, key, frames, place, numbers.families.numberOf(process, frames.first(inner)),
                          numbers.paths.numberOf(process, frames)});
    return number;
}

LeakGroups::Counted* LeakGroups::whyLeftOut(const CellKey& key) {
    if (!isKept(key)) return nullptr;
    const auto& reader = selection_.reader();
    if (leftOut_.suppressed != nullptr && leftOut_.suppressed->contains(reader.stackId(Column::StackBottomUp, key)))
        return &suppressed_;
    if (leftOut_.heapMemory == nullptr) return nullptr;
    const auto frames = reader.wholeStack(Column::StackBottomUp, key).frames;
    return leftOut_.heapMemory->contains(SiteId{key.site}, frames) ? &heapMemory_ : nullptr;
}

void LeakGroups::leaveOut(const CellKey& key, const CellTotals& totals, Counted& counted) const {
    if (totals.count == 0) return;
    const auto& reader = selection_.reader();
    const ProcessIndex process{static_cast<std::uint32_t>(reader.key(Column::Process, key))};
    (void)counted.numbers.numberOf(process, reader.stack(Column::StackBottomUp, key));
    counted.counts.stacks = counted.numbers.count();
    counted.counts.keptCount += totals.count;
    counted.counts.keptBytes += totals.bytes;
}

void LeakGroups::addToTotals(const CellKey& key, const CellTotals& totals, Candidate& candidate) {
    const auto& processes = *population_.rows().trace().processes;
    if (isKept(key)) {
        candidate.kept.count += totals.count;
        candidate.kept.bytes += totals.bytes;
        if (totals.bytes > candidate.exampleBytes) {
            candidate.exampleBytes = totals.bytes;
            candidate.example = key;
            candidate.place = places_.of(candidate.process, key);
        }
        totals_.kept += totals.bytes;
        if (processes[candidate.process].end < interval_.end) totals_.keptUntilExit += totals.bytes;
    } else if (endsInside(key)) {
        totals_.freed += totals.count;
        if (key.freeType == static_cast<std::uint8_t>(store::EndKind::FreeLost)) totals_.lost += totals.count;
    }
}

std::vector<LeakGroups::Candidate> LeakGroups::findCandidates() {
    std::vector<Candidate> candidates;
    const auto totals = totalsOfCells();
    Numbers numbers;
    for (std::size_t cell = 0; cell < totals.size(); ++cell) {
        const auto& key = selection_.cells()[cell].key;
        if (auto* counted = whyLeftOut(key)) {
            groupOfCell_.push_back(kNoGroup);
            familyOfCell_.push_back(kNoGroup);
            leaveOut(key, totals[cell], *counted);
            continue;
        }
        const auto number = groupOf(key, numbers, candidates);
        groupOfCell_.push_back(number);
        familyOfCell_.push_back(candidates[number].family);
        addToTotals(key, totals[cell], candidates[number]);
    }
    return candidates;
}

void LeakGroups::keepLargest(const std::vector<Candidate>& candidates, std::size_t most) {
    std::vector<std::uint8_t> keep(candidates.size());
    std::vector<std::uint32_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto take = [&](auto amountOf) {
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
        std::partial_sort(order.begin(), end, order.end(), [&](auto a, auto b) {
            const auto left = amountOf(candidates[a]);
            const auto right = amountOf(candidates[b]);
            return left != right ? left > right : a < b;
        });
        for (auto at = order.begin(); at != end; ++at)
            if (candidates[*at].mayLeak()) keep[*at] = 1;
    };
    take([](const Candidate& candidate) { return candidate.kept.bytes; });
    take([](const Candidate& candidate) { return candidate.kept.count; });
    if (std::ranges::any_of(candidates, [](const Candidate& candidate) { return candidate.unreachable.count > 0; }))
        take([](const Candidate& candidate) { return candidate.unreachable.bytes; });
    makeGroups(candidates, keep);
}

void LeakGroups::makeGroups(const std::vector<Candidate>& candidates, const std::vector<std::uint8_t>& keep) {
    std::vector<std::uint32_t> places; // by path
    std::vector<LeakFamily> families;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& candidate = candidates[i];
        places.resize(std::max(places.size(), std::size_t{candidate.path} + 1));
        families.resize(std::max(families.size(), std::size_t{candidate.family} + 1));
        ++places[candidate.path];
        ++families[candidate.family].stacks;
        families[candidate.family].groups += keep[i];
    }
    std::vector<std::uint32_t> familyNumbers(families.size(), kNoGroup);
    for (std::size_t i = 0; i < families.size(); ++i) {
        if (families[i].groups == 0) continue;
        familyNumbers[i] = static_cast<std::uint32_t>(families_.size());
        families_.push_back(std::move(families[i]));
    }
    std::vector<std::uint32_t> numbers(candidates.size(), kNoGroup);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (keep[i] == 0) continue;
        const auto& candidate = candidates[i];
        numbers[i] = static_cast<std::uint32_t>(groups_.size());
        const bool isShown = candidate.place.isSourceLine || places[candidate.path] > 1;
        const auto place = isShown ? candidate.place.text : FrameLabels::kNoStack;
        const auto period = periodOf(candidate.process);
        const auto family = familyNumbers[candidate.family];
        families_[family].period = period;
        groups_.push_back({candidate.process,
                           candidate.example,
                           candidate.frames,
                           candidate.place.ownerFrame,
                           place,
                           family,
                           period,
                           {},
                           static_cast<std::uint32_t>(i)});
    }
    for (auto& group : groupOfCell_)
        if (group != kNoGroup) group = numbers[group];
    for (auto& family : familyOfCell_) {
        if (family == kNoGroup) continue;
        family = familyNumbers[family];
        if (family != kNoGroup && families_[family].stacks < 2) family = kNoGroup; // if it is the family's only group
    }
}

LeakPeriod LeakGroups::periodOf(ProcessIndex number) const {
    const auto& process = (*population_.rows().trace().processes)[number];
    const auto start = std::max(interval_.start, process.start);
    const auto end = std::min(interval_.end, process.end);
    // Rows outside the life of their process come from damaged traces.
    return start < end ? LeakPeriod{start, end} : LeakPeriod{interval_.start, interval_.end};
}

void LeakGroups::addRow(std::span<LeakEvidence> evidence, const Member& member) const {
    const auto group = groupOfCell_[member.cell];
    const auto family = familyOfCell_[member.cell];
    if (group != kNoGroup) addRowTo(evidence[group], groups_[group].period, member);
    if (family != kNoGroup) addRowTo(evidence[groups_.size() + family], families_[family].period, member);
}

void LeakGroups::addRowTo(LeakEvidence& evidence, const LeakPeriod& period, const Member& member) const {
    const auto& key = selection_.cells()[member.cell].key;
    const auto numbers = population_.numbersOf(member.row);
    const auto row = static_cast<RowId>(member.row);
    const bool isFreed = isFreedInside(key);
    LeakRow leak{numbers.begin, isFreed ? numbers.end : kNever,
                 numbers.size,  numbers.size,
                 numbers.size,  key.freeType == static_cast<std::uint8_t>(store::EndKind::FreeLost)};
    auto rest = numbers.size;
    for (const auto& part : population_.rows().partialsOf(row)) {
        if (part.time >= numbers.end && endsByExit(key)) continue;
        const auto bytes = std::min<ByteCount>(part.bytes, rest);
        if (part.time < period.start) leak.outstandingAtStart -= std::min(bytes, leak.outstandingAtStart);
        if (part.time < period.end) leak.outstandingAtEnd -= std::min(bytes, leak.outstandingAtEnd);
        evidence.addRelease(part.time, bytes, period);
        rest -= bytes;
    }
    if (isFreed) evidence.addRelease(numbers.end, rest, period);
    evidence.add(leak, period, marks_);
}

bool LeakGroups::readRows(const std::stop_token& stop) {
    const bool isSingle = selection_.singleRows().has_value();
    const auto workers = isSingle ? 1u : population_.workers();
    std::vector<std::vector<LeakEvidence>> parts(workers, std::vector<LeakEvidence>(groups_.size() + families_.size()));
    if (isSingle) {
        std::size_t count = 0;
        for (const auto row : *selection_.singleRows()) {
            if ((++count & 0xFFFF) == 0 && stop.stop_requested()) return false;
            addRow(parts[0], {row, population_.cellOf(static_cast<RowId>(row))});
        }
    } else if (!population_.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
                   for (const auto& member : members)
                       addRow(parts[worker], member);
               })) {
        return false;
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        for (const auto& part : parts)
            groups_[i].evidence += part[i];
    }
    for (std::size_t i = 0; i < families_.size(); ++i) {
        for (const auto& part : parts)
            families_[i].evidence += part[groups_.size() + i];
    }
    return true;
}

std::vector<std::vector<NodeTree::Element>> LeakGroups::elements() const {
    std::vector<std::vector<NodeTree::Element>> elements(groups_.size());
    const auto add = [&](std::size_t cell, NodeTree::Element element) {
        if (groupOfCell_[cell] != kNoGroup) elements[groupOfCell_[cell]].push_back(element);
    };
    if (!selection_.singleRows()) {
        for (std::size_t cell = 0; cell < groupOfCell_.size(); ++cell)
            add(cell, cell);
        return elements;
    }
    for (const auto row : *selection_.singleRows())
        add(population_.cellOf(static_cast<RowId>(row)), row | NodeTree::kRow);
    return elements;
}

bool LeakGroups::findUnreachable(PicturedStacks& pictures, std::vector<Candidate>& candidates,
                                 const std::stop_token& stop) const {
    auto groupOfCell = groupOfCell_;
    static_assert(kNoGroup == PicturedStacks::kNoGroup);
    for (std::size_t cell = 0; cell < groupOfCell.size(); ++cell)
        if (isFreedInside(selection_.cells()[cell].key)) groupOfCell[cell] = kNoGroup;
    if (!pictures.assign(selection_, groupOfCell, stop)) return false;
    for (std::uint32_t i = 0; i < candidates.size(); ++i)
        candidates[i].unreachable = pictures.unreachableOf(i);
    return true;
}

bool LeakGroups::collect(std::size_t most, PicturedStacks* pictures, const std::stop_token& stop) {
    auto candidates = findCandidates();
    if (pictures != nullptr && !findUnreachable(*pictures, candidates, stop)) return false;
    totals_.keptStacks = static_cast<std::size_t>(
        std::count_if(candidates.begin(), candidates.end(), [](const auto& one) { return one.mayLeak(); }));
    keepLargest(candidates, most);
    return readRows(stop);
}

} // namespace highwater::analysis
