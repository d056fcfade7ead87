#include "core/summary/summarize.h"

#include "core/formats/facts/export_facts.h"
#include "core/summary/summary_samples.h"
#include "core/summary/summary_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace highwater::summary {
namespace {

Error stopped() { return {ErrorKind::Cancelled, "The summary was stopped."}; }

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
    auto windows = windowsOf(trace.wholeRange(), subject.marks, options.windows);
    if (!windows.hasValue()) return windows.error();
    RunSummary summary;
    summary.facts = factsOf(subject, options.labels);
    summary.windows = std::move(windows).value();
    const auto allocators = options.allocatorFrames ? options.allocatorFrames : analysis::AllocatorFrames::builtIn();
    SummaryStacks stacks(trace, subject.labels, allocators.get());
    std::map<std::string, std::uint32_t> processes;
    for (const auto table : kSummedTables) {
        TableSamples samples(trace, table, stacks, processes);
        for (std::uint32_t i = 0; i < summary.windows.size(); ++i)
            if (!samples.add(summary.windows[i], i, summary.samples, stop)) return stopped();
    }
    summary.processes = namesByNumber(processes);
    summary.frames = stacks.takeFrames();
    summary.stacks = stacks.takeStacks();
    return summary;
}

} // namespace highwater::summary
