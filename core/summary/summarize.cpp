#include "core/summary/summarize.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/formats/facts/export_facts.h"
#include "core/summary/resident_facts.h"
#include "core/summary/summary_samples.h"
#include "core/summary/summary_stacks.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace highwater::summary {
namespace {

Error stopped() { return {ErrorKind::Cancelled, "The summary was cancelled."}; }

RunFacts factsOf(const SummarySubject& subject, const RunFacts& labels) {
    auto facts = labels;
    const auto& properties = subject.properties;
    const auto& health = subject.trace.health;
    facts.bytes = properties.fileBytes;
    facts.recordedAt = formats::unixNanosOf(properties, TraceTime{0});
    const auto whole = subject.trace.wholeRange();
    facts.duration = whole.end.ns - whole.start.ns;
    facts.recorder = properties.sessionName;
    if (subject.trace.isOfAgent)
        facts.system = "Linux";
    else if (properties.osBuild > 0)
        facts.system = fmt::format("Windows build {}", properties.osBuild);
    facts.eventsLost = health[Loss::EventsLost];
    facts.buffersLost = health[Loss::BuffersLost];
    facts.stacksUnresolved = health[Loss::StacksUnresolved];
    facts.isWhole = !health.totalsAreBounds();
    facts.health = formats::sentencesOf(health);
    if (facts.machine.empty()) facts.machine = subject.system.computer;
    return facts;
}

std::vector<std::string> namesByNumber(const std::map<std::string, std::uint32_t>& numbers) {
    std::vector<std::string> names(numbers.size());
    for (const auto& [name, number] : numbers)
        names[number] = name;
    return names;
}

} // namespace

Result<RunSummary> summarize(const SummarySubject& subject, const SummaryOptions& options,
                             const std::stop_token& stop) {
    const auto& trace = subject.trace;
    auto windows = TRY(windowsOf(trace.wholeRange(), subject.marks, options.windows));
    RunSummary summary;
    summary.facts = factsOf(subject, options.labels);
    summary.facts.resident = TRY(residentFactsOf(trace, stop));
    summary.windows = std::move(windows);
    const auto& whole = summary.windows.front();
    const auto allocators = options.allocatorFrames ? options.allocatorFrames : analysis::AllocatorFrames::builtIn();
    // Normalising names takes as long as everything else, and one thread; the rows of the whole run are found in
    // parallel.
    std::optional<SummaryStacks> stacks;
    std::array<TableSamples::Rows, kSummedTables.size()> rows;
    const auto hasRows = [&](std::size_t t) { return trace.table(analysis::rowsOf(kSummedTables[t])).rows > 0; };
    const bool isReady = analysis::forEachSpan(1 + rows.size(), 2, stop, [&](unsigned, std::uint64_t task) {
        if (task == 0)
            stacks.emplace(trace, subject.labels, allocators.get());
        else if (hasRows(task - 1))
            rows[task - 1] = TableSamples::rowsOf(trace, kSummedTables[task - 1], whole, stop);
    });
    if (!isReady) return stopped();
    std::map<std::string, std::uint32_t> processes;
    for (std::size_t t = 0; t < kSummedTables.size(); ++t) {
        if (!hasRows(t)) continue;
        TableSamples samples(trace, kSummedTables[t], *stacks, processes);
        for (std::uint32_t i = 0; i < summary.windows.size(); ++i) {
            const auto& window = summary.windows[i];
            auto members = i == 0 ? std::move(rows[t]) : TableSamples::rowsOf(trace, kSummedTables[t], window, stop);
            if (!samples.add(window, i, std::move(members), summary.samples, stop)) return stopped();
        }
    }
    summary.processes = namesByNumber(processes);
    summary.frames = stacks->takeFrames();
    summary.stacks = stacks->takeStacks();
    return summary;
}

} // namespace highwater::summary
