// Any bytes as ClickHouse's answers to all queries of a store of runs: never a crash or a hang, and either an error or
// an answer that satisfies its invariants; the same answers give the same result twice.
//
// The first byte selects the query; then each exchange has two bytes for the length of its answer, whose highest bit
// makes it a refusal, and the answer. httpSend below replaces the one of core/http.
#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/http/http_request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace highwater;
using namespace highwater::fleet;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

/// The remaining answers.
ByteReader& fleetAnswers() {
    static ByteReader answers{ByteSpan()};
    return answers;
}

bool isKnown(const FleetStack& stack) {
    return std::ranges::find(analysis::kTables, stack.table) != analysis::kTables.end();
}

/// Counts and sums that distinguish answers.
struct Told {
    std::size_t rows = 0, words = 0;
    std::int64_t last = 0;
    friend bool operator==(const Told&, const Told&) = default;
};

template <typename T, typename Describe>
Told told(const Result<T>& answer, const Describe& describe) {
    if (answer.hasValue()) return describe(answer.value());
    check(!answer.error().message.empty());
    return {0, answer.error().message.size(), static_cast<std::int64_t>(answer.error().kind)};
}

Told ofGrown(const GrewAnswer& answer) {
    check(answer.rows.size() <= std::min<std::size_t>(answer.significant, 7));
    Told all{answer.rows.size(), answer.notes.size(), 0};
    for (const auto& row : answer.rows) {
        check(isKnown(row.stack) && row.from.machinesWith <= row.from.machines && row.to.machines <= row.to.runs);
        all.words += row.stack.owner.size() + row.stack.frames.size();
        all.last = row.growth;
    }
    return all;
}

summary::RunSummary smallRun() {
    summary::RunSummary run;
    run.facts.run = std::string(32, 'a');
    run.processes = {"app"};
    run.windows = {{summary::WindowKind::Whole, "whole", 0, 1}};
    run.frames.push_back({"app!work", "app", "aa", 1, true, {}, 0});
    run.stacks.push_back({{1, 2}, {0}, 0});
    run.samples.push_back({});
    return run;
}

Told named(ClickHouseStore& store) {
    const auto unnamed = store.framesWithoutNames({});
    if (!unnamed.hasValue()) return told(unnamed, [](const auto&) { return Told{}; });
    std::vector<NamedFrame> frames;
    for (const auto& frame : unnamed.value())
        frames.push_back({frame.name, frame.buildId, {{"app!work", "app", "aa", 1, true, {}, 0}}});
    const auto isPlumbing = [](std::string_view function) { return function.ends_with("malloc"); };
    return told(store.name(frames, isPlumbing, {}), [](std::size_t stacks) { return Told{stacks, 0, 0}; });
}

Told ask(std::uint8_t question) {
    ClickHouseStore store({"http://nowhere/", "nowhere", "runs", {}, "secret"});
    SampleFilter samples;
    if ((question & 8) != 0) samples.process = "app";
    if ((question & 16) != 0) samples.measure = Measure::AllocObjects;
    if ((question & 128) != 0) samples.measure = Measure::Held;
    if ((question & 64) != 0) return named(store);
    switch (question % 8) {
    case 0:
        return told(store.runs({}, {}), [](const auto& runs) {
            Told all{runs.size(), 0, 0};
            for (const auto& run : runs)
                all.words += run.facts.build.size() + run.facts.labels.size() + run.windows.size();
            return all;
        });
    case 1:
        return told(store.grew({"1", "2", samples, 1, 0.05, 7}, {}), ofGrown);
    case 2:
        return told(store.presence({"1", "2", samples, (question & 32) != 0, 0, 0, 7}, {}), ofGrown);
    case 3:
        return told(store.history({{1, 2}, analysis::Table::Heap, samples}, {}), [](const HistoryAnswer& history) {
            check(!history.firstBad || *history.firstBad < history.builds.size());
            check(!history.mended || (*history.mended < history.builds.size() && *history.mended > *history.firstBad));
            return Told{history.builds.size(), history.stack.frames.size(), 0};
        });
    case 4:
        return told(store.worst({{1, 2}, analysis::Table::Heap, samples, {}, 7}, {}), [](const auto& worst) {
            const auto& runs = worst.runs;
            check(runs.size() <= 7);
            check(std::ranges::is_sorted(runs, [](const auto& a, const auto& b) { return a.value > b.value; }));
            return Told{runs.size(), 0, runs.empty() ? 0 : runs.front().value};
        });
    case 5:
        return told(store.slopes("1", samples, 7, {}), [](const auto& rows) {
            check(rows.size() <= 7 && std::ranges::all_of(rows, [](const auto& row) { return isKnown(row.stack); }));
            return Told{rows.size(), 0, rows.empty() ? 0 : rows.front().side.median};
        });
    case 6:
        return told(store.health({}, {}), [](const auto& rows) { return Told{rows.size(), 0, 0}; });
    default:
        return told(store.add(smallRun(), {}), [](AddOutcome outcome) {
            return Told{1, 0, outcome == AddOutcome::Added};
        });
    }
}

} // namespace

namespace highwater {

HttpResponse httpSend(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token) {
    const auto tell = [&](int status, ByteSpan bytes) {
        receiver.onHead({status, bytes.size(), 0, {}});
        const bool isTaken = bytes.empty() || receiver.onBytes(bytes);
        return HttpResponse{isTaken ? HttpResponse::End::Complete : HttpResponse::End::Cancelled, status, {}, {}};
    };
    static constexpr std::string_view kVersion("\2\0\0\0", 4);
    const std::string_view sql = request.body ? std::string_view(*request.body) : std::string_view();
    if (sql.starts_with("SELECT version")) return tell(200, {reinterpret_cast<const std::byte*>(kVersion.data()), 4});
    auto& answers = fleetAnswers();
    const auto head = answers.take<std::uint16_t>();
    if (!head) return {HttpResponse::End::NoServer, 0, {}, "nobody is there"};
    const auto length = std::min<std::size_t>(*head & 0x7FFF, answers.remaining());
    return tell((*head & 0x8000) != 0 ? 500 : 200, answers.takeBytes(length).value_or(ByteSpan()));
}

} // namespace highwater

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto once = [&] {
        fleetAnswers() = ByteReader({reinterpret_cast<const std::byte*>(data + 1), size - 1});
        return ask(data[0]);
    };
    check(once() == once());
    return 0;
}
