#include "core/fleet/clickhouse/clickhouse_questions.h"
#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/clickhouse/row_binary.h"
#include "core/fleet/questions/stack_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace highwater::fleet {
namespace {

/// Number of passes over the runs, because others may add runs in the meantime.
constexpr int kMostRounds = 4;
/// Samples and runs per write. For each write, servers search all their samples for those of the runs, and create
/// files.
constexpr std::uint64_t kBatchSamples = 500'000;
constexpr std::size_t kBatchRuns = 256;

ByteSpan bytesOfRead(const std::string& answer) {
    return {reinterpret_cast<const std::byte*>(answer.data()), answer.size()};
}

std::vector<std::uint64_t> column(const std::vector<ClickHouseNaming::Run>& runs,
                                  std::uint64_t ClickHouseNaming::Run::*member) {
    std::vector<std::uint64_t> values;
    for (const auto& run : runs)
        values.push_back(run.*member);
    return values;
}

/// Stacks list the positions of their functions without names. False: a position is invalid.
bool readStack(RowBinaryReader& row, CalledStack& stack) {
    const auto owner = row.takeText();
    for (auto& name : row.takeTexts())
        stack.frames.push_back({std::move(name), {}, true});
    std::vector<std::uint32_t> positions(row.takeLength(sizeof(std::uint32_t)));
    for (auto& position : positions)
        position = row.take<std::uint32_t>();
    auto builds = row.takeTexts();
    if (!row.isWhole() || builds.size() != positions.size()) return false;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] == 0 || positions[i] > stack.frames.size()) return false;
        auto& frame = stack.frames[positions[i] - 1];
        frame.isNamed = false;
        frame.buildId = std::move(builds[i]);
    }
    const auto at = std::ranges::find(stack.frames, owner, &CalledFrame::name);
    if (at != stack.frames.end()) stack.owner = static_cast<std::size_t>(at - stack.frames.begin());
    return true;
}

std::string rowsOfSamples(const std::vector<ClickHouseNaming::Sample>& samples, std::size_t& next) {
    RowBinaryWriter rows;
    for (; next < samples.size() && rows.size() < kClickHouseBlockBytes; ++next) {
        const auto& sample = samples[next];
        rows.addBytes(bytesOf(sample.stack)).add(sample.table).add(sample.process).add(sample.window).add(sample.load);
        for (const auto number : sample.numbers.values)
            rows.add(number);
    }
    return rows.take();
}

} // namespace

Result<std::vector<summary::Frame>> ClickHouseStore::framesWithoutNames(const std::stop_token& stop) {
    TRY(open(stop));
    const auto answer = TRY(answerOf(sql::kClickHouseUnnamedFrames, {}, stop));
    std::vector<summary::Frame> frames;
    RowBinaryReader rows(bytesOfRead(answer));
    while (!rows.isAtEnd()) {
        auto& frame = frames.emplace_back();
        frame.name = rows.takeText();
        frame.module = rows.takeText();
        frame.buildId = rows.takeText();
        frame.rva = rows.take<std::uint64_t>();
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return frames;
}

/// Each run is named by a new row, as when it is added. If the process is killed, a run is either old or new; rows of
/// the unfinished load are never visible. The same holds when naming is repeated.
Result<std::size_t> ClickHouseStore::name(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing,
                                          const std::stop_token& stop) {
    TRY(open(stop));
    if (frames.empty()) return std::size_t{0};
    ClickHouseNaming naming(frames, isPlumbing);
    int attempt = 1;
    for (int round = 1; round <= kMostRounds;) {
        const auto hasNamed = nameOnce(naming, stop);
        if (hasNamed.hasValue() && !hasNamed.value()) break;
        if (!hasNamed.hasValue() && !shouldRetry(attempt, stop)) return hasNamed.error();
        ++(hasNamed.hasValue() ? round : attempt);
    }
    return naming.stackCount();
}

Result<bool> ClickHouseStore::nameOnce(ClickHouseNaming& naming, const std::stop_token& stop) {
    TRY(readUnnamedStacks(naming, stop));
    if (naming.loads().empty()) return false;
    TRY(readExistingNames(stop));
    NewNames names(there_);
    naming.addNames(names);
    TRY(send(std::move(names), stop));
    auto runs = TRY(runsToName(naming, stop));
    std::vector<ClickHouseNaming::Run> batch;
    std::uint64_t samples = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        batch.push_back(runs[i]);
        samples += batch.back().sampleCount;
        const bool isLast = i + 1 == runs.size();
        if (!isLast && batch.size() < kBatchRuns && samples + runs[i + 1].sampleCount <= kBatchSamples) continue;
        TRY(nameRuns(naming, std::exchange(batch, {}), stop));
        samples = 0;
    }
    return true;
}

Result<void> ClickHouseStore::readUnnamedStacks(ClickHouseNaming& naming, const std::stop_token& stop) {
    naming.forgetLoads();
    const auto used = TRY(answerOf(sql::kClickHouseUnnamedStacks, {}, stop));
    std::map<summary::StackKey, std::vector<std::uint64_t>> loads;
    RowBinaryReader uses(bytesOfRead(used));
    while (!uses.isAtEnd()) {
        auto& ofStack = loads[stackKey(uses.takeBytes(16))];
        ofStack.resize(uses.takeLength(sizeof(std::uint64_t)));
        for (auto& load : ofStack)
            load = uses.take<std::uint64_t>();
    }
    if (!uses.isWhole()) return server_.notUnderstood();
    const auto answer =
        TRY(answerOf("SELECT stack, owner, frames, unnamed.position, unnamed.build_id FROM stacks WHERE "
                     "notEmpty(unnamed.position)",
                     {}, stop));
    RowBinaryReader rows(bytesOfRead(answer));
    while (!rows.isAtEnd()) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cancelled."};
        const auto key = stackKey(rows.takeBytes(16));
        CalledStack stack;
        if (!readStack(rows, stack)) return server_.notUnderstood();
        if (const auto found = loads.find(key); found != loads.end()) naming.addStack(key, stack, found->second);
    }
    return {};
}

Result<std::vector<ClickHouseNaming::Run>> ClickHouseStore::runsToName(const ClickHouseNaming& naming,
                                                                       const std::stop_token& stop) {
    const auto answer = TRY(answerOf("SELECT load, sample_count FROM runs_there ORDER BY run", {}, stop));
    std::vector<ClickHouseNaming::Run> runs;
    RowBinaryReader rows(bytesOfRead(answer));
    while (!rows.isAtEnd()) {
        ClickHouseNaming::Run run;
        run.load = rows.take<std::uint64_t>();
        run.sampleCount = rows.take<std::uint64_t>();
        if (naming.loads().contains(run.load)) runs.push_back(run);
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return runs;
}

Result<std::vector<ClickHouseNaming::Sample>> ClickHouseStore::samplesOf(const std::vector<ClickHouseNaming::Run>& runs,
                                                                         const std::stop_token& stop) {
    const auto answer =
        TRY(answerOf(sql::kClickHouseLoadSamples, {{"loads", column(runs, &ClickHouseNaming::Run::load)}}, stop));
    std::unordered_map<std::uint64_t, std::uint64_t> missing;
    for (const auto& run : runs)
        missing.emplace(run.load, run.sampleCount);
    std::vector<ClickHouseNaming::Sample> samples;
    RowBinaryReader rows(bytesOfRead(answer));
    while (!rows.isAtEnd()) {
        auto& sample = samples.emplace_back();
        sample.stack = stackKey(rows.takeBytes(16));
        sample.table = rows.take<std::uint8_t>();
        sample.process = rows.take<std::uint64_t>();
        sample.window = rows.take<std::uint64_t>();
        sample.load = rows.take<std::uint64_t>();
        for (auto& number : sample.numbers.values)
            number = rows.take<std::int64_t>();
        const auto run = missing.find(sample.load);
        if (!rows.isWhole() || run == missing.end()) return server_.notUnderstood();
        --run->second;
    }
    // A server whose users may skip unavailable servers could return only part of a run, which would then replace it.
    const auto isMissing = [](const auto& ofRun) { return ofRun.second != 0; };
    if (std::ranges::any_of(missing, isMissing))
        return Error{ErrorKind::Io,
                     fmt::format("ClickHouse at {} does not have all samples of a run, so the run keeps its names.",
                                 server_.place().host)};
    return samples;
}

Result<void> ClickHouseStore::nameRuns(const ClickHouseNaming& naming, std::vector<ClickHouseNaming::Run> runs,
                                       const std::stop_token& stop) {
    auto samples = TRY(samplesOf(runs, stop));
    for (auto& run : runs)
        run.newLoad = nextLoad();
    naming.rewrite(samples, runs);
    for (std::size_t next = 0; next < samples.size();)
        TRY(server_.insert("samples", rowsOfSamples(samples, next), stop));
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cancelled."};
    using Run = ClickHouseNaming::Run;
    const auto changed =
        server_.ask(filledIn(sql::kClickHouseReload, {{"loads", column(runs, &Run::load)},
                                                      {"new_loads", column(runs, &Run::newLoad)},
                                                      {"sample_counts", column(runs, &Run::sampleCount)},
                                                      {"frames_unnamed", column(runs, &Run::framesUnnamed)}}),
                    stop, "&insert_distributed_sync=1");
    return changed.hasValue() ? Result<void>() : changed.error();
}

} // namespace highwater::fleet
