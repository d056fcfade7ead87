#include "app/cli/info_command.h"

#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/private_bytes.h"
#include "core/analysis/table/nothing_found.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/info/info_writer.h"
#include "core/pipeline/heap_snapshot_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace highwater::cli {

namespace {

/// A program recorded by Highwater may simply not have allocated pages.
void printUnrecordedParts(const LoadedTrace& trace, const Console& console) {
    const bool countsHeapEvents = trace.facts.properties.sessionName == kAgentSessionName || trace.rows->lacks.pages;
    if (countsHeapEvents && trace.heapBlocks > 0) return;
    for (const auto& sentence : analysis::notRecorded(*trace.rows, trace.heapBlocks))
        console.say(sentence);
}

/// The share that is explained needs rows of blocks. If blocks are only counted, they exist for recordings of the agent
/// alone.
std::vector<exports::ResidentPeak> residentPeaks(const LoadedTrace& trace) {
    const auto& rows = *trace.rows;
    std::vector<exports::ResidentPeak> peaks;
    for (const auto& process : analysis::sampledProcesses(rows, rows.wholeRange()))
        peaks.push_back({process.name, process.samples, process.peak, process.peakTime, std::nullopt});
    if (peaks.empty() || rows.heap.rows < trace.heapBlocks) return peaks;
    const auto balances = analysis::balanceAtPeak(rows, {rows.wholeRange()});
    if (!balances.hasValue()) return peaks;
    for (auto& peak : peaks) {
        const auto balance = std::ranges::find(balances.value(), peak.process, &analysis::Balance::name);
        if (balance != balances.value().end()) peak.explained = analysis::explainedShare(balance->point);
    }
    return peaks;
}

/// Runs last because it reads the trace again.
Result<void> saveSnapshots(const InfoRequest& request, const Console& console) {
    const auto saved = TRY(pipeline::saveHeapSnapshots({request.traces.begin(), request.traces.end()},
                                                       std::filesystem::path(request.snapshotFolder)));
    const auto& [files, bytes, notSaved] = saved;
    if (files.empty() && notSaved == 0) console.say("The trace has no heap snapshots that Windows took.");
    if (!files.empty())
        console.say(fmt::format("Saved {} ({}) in {}.", counted(files.size(), "heap snapshot"), bytesText(bytes),
                                request.snapshotFolder));
    if (notSaved > 0)
        console.say(
            fmt::format("{} not saved: too large for memory, or too many.", counted(notSaved, "heap snapshot")));
    return {};
}

} // namespace

Result<ExitCode> runInfo(const InfoRequest& request, const Console& console) {
    const auto trace = TRY(loadTraceCounted(request.traces));
    const auto& [rows, facts, notes, heapBlocks] = trace;
    const exports::TraceInfo info{facts,
                                  *rows,
                                  *notes,
                                  {request.processes, request.modules},
                                  residentPeaks(trace),
                                  analysis::processMemoryPeaks(*rows, *notes)};
    if (request.json)
        exports::writeInfoJson(info, console.answers);
    else
        exports::writeInfoText(info, console.answers);
    printUnrecordedParts(trace, console);
    if (!request.snapshotFolder.empty()) {
        TRY(saveSnapshots(request, console));
    }
    return printDataLoss(rows->health, request.strict, console);
}

} // namespace highwater::cli
