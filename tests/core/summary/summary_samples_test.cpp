#include "core/summary/summarize.h"
#include "core/summary/summary_samples.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::summary;
using namespace highwater::tests;

namespace {

/// Table, window, process and stack as text; the numbers of the sample as text.
using Samples = std::map<std::string, std::string>;

std::string textOf(const Sample& s) {
    return fmt::format("alloc {} {} inuse {} {} freed {} peak {} impacting {} slope {} from {} to {}", s.allocSpace,
                       s.allocObjects, s.inuseSpace, s.inuseObjects, s.freed, s.peak, s.impacting, s.slope, s.first,
                       s.last);
}

Samples samplesOf(const RunSummary& summary) {
    Samples samples;
    for (const auto& sample : summary.samples) {
        std::string stack;
        for (const auto frame : summary.stacks[sample.stack].frames)
            stack = summary.frames[frame].name + ";" + stack;
        const auto key = fmt::format("{} {} {} {}", tableWord(sample.table), summary.windows[sample.window].name,
                                     summary.processes[sample.process], stack);
        const bool isNew = samples.emplace(key, textOf(sample)).second;
        if (!isNew) samples[key] = "there twice";
    }
    return samples;
}

/// As docs/numbers.md 4.1 and 24.3 define it, for one hour.
std::int64_t slopeOf(const Recount& recount, const std::vector<RecountRow>& rows, TimeRange interval) {
    const auto length = interval.end.ns - interval.start.ns;
    if (length == 0) return 0;
    std::vector<double> levels;
    for (std::int64_t i = 0; i <= 32; ++i) {
        std::int64_t level = 0;
        for (const auto& row : rows)
            level += recount.outstanding(row, TraceTime{interval.start.ns + length * i / 32});
        levels.push_back(static_cast<double>(level));
    }
    for (auto i = levels.size() - 1; i-- > 0;)
        levels[i] = std::min(levels[i], levels[i + 1]);
    std::map<double, std::size_t, std::greater<>> risesOfThree; // to the first of them
    for (std::size_t i = 0; i < 30; ++i)
        risesOfThree.emplace(levels[i + 3] - levels[i], i);
    if (const auto [rise, from] = *risesOfThree.begin(); rise > (levels[32] - levels[0]) / 2) {
        std::vector<double> flat(levels.begin(), levels.begin() + from + 1);
        flat.insert(flat.end(), 2, levels[from]);
        for (auto i = from + 3; i <= 32; ++i)
            flat.push_back(levels[i] - rise);
        levels = flat;
    }
    std::vector<double> slopes;
    for (std::size_t i = 0; i < levels.size(); ++i)
        for (auto j = i + 1; j < levels.size(); ++j)
            slopes.push_back((levels[j] - levels[i]) /
                             (static_cast<double>(j - i) * (static_cast<double>(length) / 1e9 / 32)));
    std::sort(slopes.begin(), slopes.end());
    const auto median = (slopes[slopes.size() / 2] + slopes[(slopes.size() - 1) / 2]) / 2;
    return std::llround(std::clamp(median * 3600, -9e18, 9e18));
}

Sample recounted(const Recount& recount, const std::vector<RecountRow>& rows, TimeRange interval) {
    const auto sums = recount.sums(rows);
    Sample sample;
    sample.allocSpace = sums.allocated;
    sample.freed = sums.freed;
    sample.peak = sums.peak;
    sample.impacting = sums.impacting;
    sample.slope = slopeOf(recount, rows, interval);
    sample.first = sample.last = interval.start.ns;
    bool anyBegan = false;
    for (const auto& row : rows) {
        sample.inuseSpace += recount.outstanding(row, interval.end);
        sample.inuseObjects += !row.end || *row.end >= interval.end ? 1 : 0;
        if (!row.begin || *row.begin < interval.start) continue;
        ++sample.allocObjects;
        sample.first = anyBegan ? std::min(sample.first, row.begin->ns) : row.begin->ns;
        sample.last = anyBegan ? std::max(sample.last, row.begin->ns) : row.begin->ns;
        anyBegan = true;
    }
    return sample;
}

Samples recountOf(const Publication& publication, const std::vector<Window>& windows) {
    Samples samples;
    for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
        for (const auto& window : windows) {
            const TimeRange interval{TraceTime{window.start}, TraceTime{window.end}};
            const Recount recount(publication.model, table, interval, publication.trace->horizon, false, {});
            std::map<std::string, std::vector<RecountRow>> groups;
            for (const auto& row : recount.members()) {
                std::string key;
                for (const auto& [column, step] : recount.path(row, {Column::ProcessName, Column::Stack})) {
                    if (column == Column::ProcessName)
                        key = fmt::format("{} {} {} ", tableWord(table), window.name, step);
                    else if (!step.starts_with("(no stack)") && !step.starts_with("(stack not resolved)"))
                        key += step + ";";
                }
                groups[key].push_back(row);
            }
            for (const auto& [key, rows] : groups)
                samples[key] = textOf(recounted(recount, rows, interval));
        }
    }
    return samples;
}

std::string firstDifference(const Samples& found, const Samples& expected) {
    for (const auto& [key, text] : expected)
        if (!found.contains(key) || found.at(key) != text)
            return key + ":\n  found    " + (found.contains(key) ? found.at(key) : "nothing") + "\n  expected " + text;
    for (const auto& [key, text] : found)
        if (!expected.contains(key)) return key + ": found " + text + ", expected nothing";
    return {};
}

class SummarySamplesTest : public QObject {
    Q_OBJECT

  private slots:
    /// Row by row, by the definitions, in every window: all kinds of events, many of them at one instant.
    void everyNumberIsThatOfARecount() {
        constexpr unsigned kSeeds = 600;
        std::size_t compared = 0, withMarks = 0;
        for (unsigned seed = 0; seed < kSeeds; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                FrameLabels labels;
                const TraceProperties properties;
                const RecordedSystem system;
                SummaryOptions options;
                options.windows = {seed % 2 == 0, seed % 3 == 0 ? 1 + random.pick(9) : 0};
                const auto summary =
                    summarize({*publication.trace, labels, properties, system, publication.model.marks}, options);
                QVERIFY(summary.hasValue());
                const auto& windows = summary.value().windows;
                const auto found = samplesOf(summary.value());
                const auto difference = firstDifference(found, recountOf(publication, windows));
                QVERIFY2(difference.empty(), fmt::format("seed {}: {}", seed, difference).c_str());
                compared += found.size();
                withMarks += windows.size() > 1 ? 1 : 0;
            }
        }
        QVERIFY(compared > 10'000);
        QVERIFY(withMarks > 100);
    }

    /// The samples of a table add up to the table's total.
    void sumsAreThoseOfTables() {
        for (unsigned seed = 0; seed < 100; ++seed) {
            RandomTrace random(seed, RandomTrace::Cuts::Some);
            const auto& trace = random.publications().back().trace;
            const auto labels = std::make_shared<FrameLabels>();
            const TraceProperties properties;
            const RecordedSystem system;
            const auto summary = summarize({*trace, *labels, properties, system, {}}, {}).value();
            for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
                Query query;
                query.table = table;
                query.interval = trace->wholeRange();
                const auto grouped = GroupedTable::compute(trace, labels, query).value();
                std::int64_t allocated = 0, freed = 0, impacting = 0;
                for (const auto& sample : summary.samples) {
                    if (sample.table != table) continue;
                    allocated += sample.allocSpace;
                    freed += sample.freed;
                    impacting += sample.impacting;
                }
                const auto value = [&](Column column) {
                    return std::get<std::int64_t>(grouped->value(GroupedTable::kRoot, column));
                };
                QCOMPARE(allocated, value(Column::Allocated));
                QCOMPARE(freed, value(Column::Freed));
                QCOMPARE(impacting, value(Column::ImpactingSize));
            }
        }
    }

    void isStopped() {
        RandomTrace random(1);
        FrameLabels labels;
        const TraceProperties properties;
        const RecordedSystem system;
        std::stop_source stop;
        stop.request_stop();
        const auto summary =
            summarize({*random.publications().back().trace, labels, properties, system, {}}, {}, stop.get_token());
        QVERIFY(!summary.hasValue());
        QCOMPARE(summary.error().kind, ErrorKind::Cancelled);
    }

    void factsAreThoseOfTheTrace() {
        RandomTrace random(1);
        FrameLabels labels;
        TraceProperties properties;
        properties.fileBytes = 4096;
        properties.osBuild = 19045;
        properties.startFileTime = 116'444'736'000'000'000 + 10'000'000; // one second after the start of 1970
        properties.sessionName = "NT Kernel Logger";
        const RecordedSystem system{8, "lab-17"};
        SummaryOptions options;
        options.labels.build = "8123";
        const auto& trace = *random.publications().back().trace;
        const auto facts = summarize({trace, labels, properties, system, {}}, options).value().facts;
        QCOMPARE(facts.bytes, std::uint64_t{4096});
        QCOMPARE(facts.recordedAt, std::optional<std::int64_t>(1'000'000'000));
        QCOMPARE(facts.system, std::string("Windows build 19045"));
        QCOMPARE(facts.recorder, std::string("NT Kernel Logger"));
        QCOMPARE(facts.machine, std::string("lab-17"));
        QCOMPARE(facts.build, std::string("8123"));
        QCOMPARE(facts.duration, trace.horizon.ns);
        options.labels.machine = "mine";
        QCOMPARE(summarize({trace, labels, properties, system, {}}, options).value().facts.machine,
                 std::string("mine"));
    }
};

HIGHWATER_TEST(SummarySamplesTest);

} // namespace

#include "summary_samples_test.moc"
