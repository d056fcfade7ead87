#include "core/analysis/generations/generation_count.h"

#include <algorithm>

namespace highwater::analysis {

GenerationCount::GenerationCount(const RowSelection& selection, const RowPopulation& population,
                                 std::vector<TraceTime> edges)
    : selection_(selection), population_(population), edges_(std::move(edges)) {
    findGroups();
}

void GenerationCount::findGroups() {
    const auto& reader = selection_.reader();
    StackGroups numbers;
    for (const auto& cell : selection_.cells()) {
        const ProcessIndex process{static_cast<std::uint32_t>(reader.key(Column::Process, cell.key))};
        const auto frames = reader.stack(Column::StackBottomUp, cell.key);
        const auto number = numbers.numberOf(process, frames);
        if (number == groups_.size()) groups_.push_back({process, cell.key, frames});
        groupOfCell_.push_back(number);
    }
}

/// For a time inside the edges.
std::uint64_t GenerationCount::generationAt(TraceTime time) const {
    const auto next = std::upper_bound(edges_.begin(), edges_.end(), time);
    return static_cast<std::uint64_t>(next - edges_.begin()) - 1;
}

GenerationNumbers& GenerationCount::at(Part& part, TraceTime time, std::uint32_t group) const {
    return part[generationAt(time) * groups_.size() + group];
}

void GenerationCount::addRow(Part& part, const Member& member) const {
    const auto start = edges_.front();
    const auto end = edges_.back();
    const auto group = groupOfCell_[member.cell];
    const auto row = population_.numbersOf(member.row);
    const auto partials = population_.rows().partialsOf(static_cast<RowId>(member.row));
    const bool isMadeInside = row.begin >= start;
    const bool isFreedInside = row.end < end;
    if (partials.empty()) {
        if (isMadeInside && isFreedInside && generationAt(row.begin) == generationAt(row.end)) return;
        if (!isMadeInside && !isFreedInside) return;
    }
    if (isMadeInside) at(part, row.begin, group).grow(row.size);
    auto rest = row.size;
    const auto release = [&](TraceTime time, ByteCount bytes) {
        rest -= bytes;
        if (time >= start) at(part, time, group).shrink(bytes);
    };
    for (const auto& partial : partials) {
        // The end releases the rest, even if the row was released in parts.
        if (partial.time < std::min(row.end, end)) release(partial.time, std::min(partial.bytes, rest));
    }
    if (isFreedInside) return release(row.end, rest);
    if (!isMadeInside) return;
    auto& numbers = at(part, row.begin, group);
    ++numbers.persistentCount;
    numbers.persistentBytes += rest;
}

bool GenerationCount::addRows(std::vector<Part>& parts, const std::stop_token& stop) const {
    if (!selection_.singleRows()) {
        return population_.visitMembers(static_cast<unsigned>(parts.size()), stop,
                                        [&](unsigned worker, std::span<const Member> members) {
                                            for (const auto& member : members)
                                                addRow(parts[worker], member);
                                        });
    }
    std::size_t count = 0;
    for (const auto row : *selection_.singleRows()) {
        if ((++count & 0xFFFF) == 0 && stop.stop_requested()) return false;
        addRow(parts.front(), {row, population_.cellOf(static_cast<RowId>(row))});
    }
    return !stop.stop_requested();
}

std::optional<std::vector<std::vector<GenerationCount::Entry>>> GenerationCount::count(const std::stop_token& stop) {
    std::vector<Part> parts(selection_.singleRows() ? 1 : population_.workers());
    if (!addRows(parts, stop)) return std::nullopt;
    auto& all = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        for (const auto& [place, numbers] : parts[i])
            all[place] += numbers;
    }
    std::vector<std::vector<Entry>> entries(edges_.size() - 1);
    for (const auto& [place, numbers] : all) {
        if (numbers == GenerationNumbers{}) continue;
        entries[place / groups_.size()].push_back({static_cast<std::uint32_t>(place % groups_.size()), numbers});
    }
    return entries;
}

} // namespace highwater::analysis
