#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/clickhouse/row_binary.h"
#include "core/fleet/questions/stack_bytes.h"
#include "core/fleet/questions/stored_facts.h"

#include <random>
#include <thread>

namespace highwater::fleet {
namespace {

constexpr int kMostAttempts = 4;

ByteSpan bytesOfRows(const std::string& answer) {
    return {reinterpret_cast<const std::byte*>(answer.data()), answer.size()};
}

/// The name of a run, padded to the 32 digits of the column.
std::string digitsOf(const std::string& run) {
    auto digits = run;
    digits.resize(32, '0');
    return digits;
}

/// The row that makes a run visible.
std::string rowOfRun(const summary::RunSummary& run, std::uint64_t load, std::uint64_t version) {
    const auto& facts = run.facts;
    const auto stored = storedFacts(run);
    const auto digits = digitsOf(facts.run);
    RowBinaryWriter row;
    row.addBytes(bytesOfRows(digits))
        .add(load)
        .add(version)
        .add(std::uint8_t{0})
        .addText(facts.trace)
        .add(asSigned(facts.bytes));
    row.add(static_cast<std::uint8_t>(facts.recordedAt ? 0 : 1));
    if (facts.recordedAt) row.add(*facts.recordedAt);
    row.add(facts.duration).addText(facts.recorder).addText(facts.system).add(asSigned(facts.eventsLost));
    row.add(asSigned(facts.buffersLost)).add(asSigned(facts.stacksUnresolved));
    row.add(static_cast<std::uint8_t>(facts.isWhole ? 1 : 0)).addLength(facts.health.size());
    for (const auto& sentence : facts.health)
        row.addText(sentence);
    row.addText(facts.build).addText(facts.machine).addText(facts.scenario);
    row.addLength(facts.labels.size());
    for (const auto& label : facts.labels)
        row.addText(label.first);
    row.addLength(facts.labels.size());
    for (const auto& label : facts.labels)
        row.addText(label.second);
    const auto names = windowNames(run);
    const auto addColumn = [&](auto&& add) {
        row.addLength(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            add(i);
    };
    addColumn([&](auto i) { row.add(clickHouseWindow(names[i])); });
    addColumn([&](auto i) { row.add(static_cast<std::uint8_t>(run.windows[i].kind)); });
    addColumn([&](auto i) { row.addText(names[i]); });
    addColumn([&](auto i) { row.add(run.windows[i].start); });
    addColumn([&](auto i) { row.add(run.windows[i].end); });
    const auto present = processesOfWindows(run);
    row.addLength(present.size());
    for (const auto& [window, process] : present)
        row.add(clickHouseWindow(names[window]));
    row.addLength(present.size());
    for (const auto& [window, process] : present)
        row.add(clickHouseId(run.processes[process]));
    row.add(stored.addedAt)
        .add(asSigned(run.samples.size()))
        .add(stored.inuseSpace)
        .add(asSigned(stored.framesUnnamed));
    return row.take();
}

bool sleepUnlessStopped(std::chrono::milliseconds time, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kStep{50};
    for (; time.count() > 0 && !stop.stop_requested(); time -= kStep)
        std::this_thread::sleep_for(kStep);
    return !stop.stop_requested();
}

} // namespace

std::uint64_t ClickHouseStore::nextLoad() {
    // The first number is random, so that no two writers share one. The next ones are consecutive, because close
    // numbers compress well.
    if ((load_ & 0xFFFF) == 0xFFFF || load_ == 0) {
        std::random_device random;
        load_ = (static_cast<std::uint64_t>(random()) << 32 | random()) & ~std::uint64_t{0xFFFF};
    }
    return ++load_;
}

Result<void> ClickHouseStore::readExistingNames(const std::stop_token& stop) {
    if (hasReadExistingNames_) return {};
    const auto stacks = TRY(answerOf("SELECT DISTINCT stack FROM stacks", {}, stop));
    RowBinaryReader keys(bytesOfRows(stacks));
    while (!keys.isAtEnd())
        there_.stacks.insert(stackKey(keys.takeBytes(16)));
    const auto frames = TRY(answerOf("SELECT DISTINCT name, is_named, is_named ? '' : build_id FROM frames", {}, stop));
    RowBinaryReader names(bytesOfRows(frames));
    while (!names.isAtEnd()) {
        summary::Frame frame;
        frame.name = names.takeText();
        frame.isNamed = names.take<std::uint8_t>() != 0;
        frame.buildId = names.takeText();
        there_.frames.insert(frameKey(frame));
    }
    const auto processes = TRY(answerOf("SELECT DISTINCT id FROM processes", {}, stop));
    RowBinaryReader ids(bytesOfRows(processes));
    while (!ids.isAtEnd())
        there_.processes.insert(ids.take<std::uint64_t>());
    // Names in `there_` are not sent, so those of an incomplete answer could be missing.
    hasReadExistingNames_ = keys.isWhole() && names.isWhole() && ids.isWhole();
    if (!hasReadExistingNames_) {
        there_ = {};
        return server_.notUnderstood();
    }
    return {};
}

Result<void> ClickHouseStore::addNames(const summary::RunSummary& run, const std::stop_token& stop) {
    NewNames names(there_);
    for (const auto& name : run.processes)
        names.addProcess(clickHouseId(name), name);
    for (const auto& frame : run.frames)
        names.addFrame(frame);
    for (const auto& stack : run.stacks) {
        if (!names.isNew(stack.key)) continue;
        std::vector<CalledFrame> frames;
        for (const auto number : stack.frames) {
            const auto& frame = run.frames[number];
            frames.push_back({frame.name, frame.isNamed ? std::string() : frame.buildId, frame.isNamed});
        }
        names.addStack(stack.key, stack.frames.empty() ? "" : run.frames[stack.owner].name, frames);
    }
    return send(std::move(names), stop);
}

Result<void> ClickHouseStore::send(NewNames names, const std::stop_token& stop) {
    for (auto& [table, rows] : names.takeRows())
        TRY(server_.insert(table, std::move(rows), stop));
    names.markWritten();
    return {};
}

Result<void> ClickHouseStore::addSamples(const summary::RunSummary& run, std::uint64_t load,
                                         const std::stop_token& stop) {
    std::vector<std::uint64_t> processes, windows;
    for (const auto& name : run.processes)
        processes.push_back(clickHouseId(name));
    for (const auto& name : windowNames(run))
        windows.push_back(clickHouseWindow(name));
    RowBinaryWriter rows;
    for (const auto& s : run.samples) {
        rows.addBytes(bytesOf(run.stacks[s.stack].key)).add(static_cast<std::uint8_t>(s.table));
        rows.add(processes[s.process]).add(windows[s.window]).add(load);
        rows.add(s.allocSpace).add(s.allocObjects).add(s.inuseSpace).add(s.inuseObjects).add(s.freed).add(s.peak);
        rows.add(s.impacting).add(s.slope).add(s.first).add(s.last);
        if (rows.size() < kClickHouseBlockBytes) continue;
        TRY(server_.insert("samples", rows.take(), stop));
    }
    return rows.size() == 0 ? Result<void>() : server_.insert("samples", rows.take(), stop);
}

/// A fleet of an earlier version has no place for it until `fleet init`, and the memory of its runs is unknown.
Result<void> ClickHouseStore::addMemory(const summary::RunSummary& run, const std::stop_token& stop) {
    if (run.facts.resident.empty()) return {};
    RowBinaryWriter rows;
    const auto digits = digitsOf(run.facts.run);
    for (const auto& memory : run.facts.resident) {
        rows.addBytes(bytesOfRows(digits)).addText(memory.process).add(memory.rssPeak);
        rows.add(static_cast<std::uint8_t>(memory.held ? 0 : 1));
        if (memory.held) rows.add(*memory.held);
    }
    auto added = server_.insert("process_memory", rows.take(), stop);
    if (!added.hasValue() && isWithoutMemory(server_.lastError().code)) return {};
    return added;
}

Result<void> ClickHouseStore::addOnce(const summary::RunSummary& run, std::uint64_t version,
                                      const std::stop_token& stop) {
    // Rows of earlier attempts have another load, and are never visible.
    const auto load = nextLoad();
    TRY(addNames(run, stop));
    TRY(addSamples(run, load, stop));
    TRY(addMemory(run, stop));
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cancelled."};
    return server_.insert("runs", rowOfRun(run, load, version), stop);
}

Result<AddOutcome> ClickHouseStore::add(const summary::RunSummary& run, const std::stop_token& stop) {
    TRY(open(stop));
    for (int attempt = 1;; ++attempt) {
        // Also after an incomplete answer, because the run may have been written.
        const auto state = stateOf(digitsOf(run.facts.run));
        if (state.hasValue() && state.value().isThere) return attempt == 1 ? AddOutcome::WasThere : AddOutcome::Added;
        auto added = state.hasValue() ? readExistingNames(stop) : Result<void>(state.error());
        if (added.hasValue()) added = addOnce(run, state.value().version + 1, stop);
        if (added.hasValue()) return AddOutcome::Added;
        if (!shouldRetry(attempt, stop)) return added.error();
    }
}

bool ClickHouseStore::shouldRetry(int attempt, const std::stop_token& stop) const {
    if (!server_.lastError().isPassing || attempt >= kMostAttempts) return false;
    return sleepUnlessStopped(std::chrono::milliseconds(250) * (1 << attempt), stop);
}

} // namespace highwater::fleet
