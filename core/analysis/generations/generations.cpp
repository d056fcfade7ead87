#include "core/analysis/generations/generations.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/generations/generation_count.h"
#include "core/analysis/rows/marked_times.h"

#include <algorithm>
#include <tuple>

namespace highwater::analysis {
namespace {

using Entry = GenerationCount::Entry;

std::vector<Generation> generationsOf(const GenerationsQuery& query, TimeRange interval) {
    const MarkedTimes times(query.marks, interval);
    std::vector<Generation> generations;
    auto start = interval.start;
    const auto add = [&](TraceTime end) -> Generation& {
        auto& generation = generations.emplace_back();
        generation.key = times.generation(start);
        generation.text = times.text(generation.key);
        generation.start = start;
        generation.end = end;
        start = end;
        return generation;
    };
    for (const auto& mark : times.marks()) {
        if (mark.time <= interval.start || mark.time >= interval.end) continue; // one side would be empty
        auto& generation = add(mark.time);
        generation.mark = mark.name;
        generation.ticks = mark.ticks;
    }
    add(interval.end);
    return generations;
}

bool isMore(const Entry& a, const Entry& b) {
    const auto rank = [](const Entry& entry) {
        return std::tuple(entry.numbers.persistentBytes, entry.numbers.growth, entry.numbers.persistentCount);
    };
    return rank(a) != rank(b) ? rank(a) > rank(b) : a.group < b.group;
}

/// Adds names to stacks.
class StackNames {
  public:
    StackNames(const store::PublishedTrace& trace, FrameLabels& labels, const GenerationsQuery& query,
               const KeyReader& reader)
        : labels_(labels), reader_(reader), owners_(*trace.processes, labels, query.allocatorFrames.get()) {}

    GenerationStack stackOf(const GenerationCount::Group& group, const GenerationNumbers& numbers) {
        GenerationStack stack;
        stack.process = reader_.text(Column::Process, group.process.value);
        const auto whole = reader_.wholeStack(Column::StackBottomUp, group.example).frames;
        stack.owner = labels_.text(LabelId{whole[owners_.ownerOf(group.process, whole)]});
        stack.numbers = numbers;
        stack.path.push_back({Column::Process, group.process.value});
        for (const auto frame : group.frames) {
            stack.stack.emplace_back(labels_.text(LabelId{frame}));
            stack.path.push_back({Column::StackBottomUp, frame});
        }
        return stack;
    }

  private:
    FrameLabels& labels_;
    const KeyReader& reader_;
    OwnerFrames owners_;
};

void fill(Generation& generation, std::vector<Entry>& entries, const GenerationCount& counted, StackNames& names,
          std::size_t most) {
    generation.stackCount = entries.size();
    const auto shown = entries.begin() + static_cast<std::ptrdiff_t>(std::min(most, entries.size()));
    std::partial_sort(entries.begin(), shown, entries.end(), isMore);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
        generation.numbers += entry->numbers;
        if (entry < shown)
            generation.stacks.push_back(names.stackOf(counted.groups()[entry->group], entry->numbers));
        else
            generation.others += entry->numbers;
    }
}

} // namespace

Result<GenerationsReport> countGenerations(const store::PublishedTrace& trace, FrameLabels& labels,
                                           const GenerationsQuery& query, const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Generations, trace.lacks)) return *std::move(refused);
    if (!isOfAllocations(query.table))
        return Error{ErrorKind::Usage, "Cannot count generations in this table. Use virtualalloc or heap."};
    GenerationsReport report;
    report.interval = {query.interval.start,
                       std::min(query.interval.end, std::max(trace.horizon, query.interval.start))};
    if (report.interval.isEmpty()) return report;
    const SelectionQuery selectionQuery{query.table,
                                        report.interval,
                                        Membership::Table,
                                        {Column::Process, Column::StackBottomUp},
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks};
    const auto selection = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    const auto* population = dynamic_cast<const RowPopulation*>(&selection->population());
    report.generations = generationsOf(query, report.interval);
    report.marks = report.generations.size() - 1;
    std::vector<TraceTime> edges{report.interval.start};
    for (const auto& generation : report.generations)
        edges.push_back(generation.end);
    GenerationCount counted(*selection, *population, std::move(edges));
    auto entries = counted.count(stop);
    if (!entries) return cancelled();
    StackNames names(trace, labels, query, selection->reader());
    for (std::size_t i = 0; i < report.generations.size(); ++i) {
        fill(report.generations[i], (*entries)[i], counted, names, query.most);
        report.total += report.generations[i].numbers;
    }
    return report;
}

} // namespace highwater::analysis
