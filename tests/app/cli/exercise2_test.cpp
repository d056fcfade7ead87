#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Whether two times of the trace are equal within the two microseconds between a realloc and its echoes.
bool atTime(const Json& seconds, double expected) {
    return seconds.is_number() && std::abs(seconds.get<double>() - expected) < 2.5e-6;
}

std::vector<std::int64_t> amounts(const Json& series) {
    std::vector<std::int64_t> amounts;
    for (const auto& point : series["points"]) {
        amounts.push_back(point[1]);
    }
    return amounts;
}

/// Runs of slices in which the amount is at least `level`.
int countRunsAtLeast(const std::vector<std::int64_t>& amounts, std::int64_t level) {
    int runs = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        if (amounts[i] >= level && (i == 0 || amounts[i - 1] < level)) ++runs;
    }
    return runs;
}

} // namespace

/// The numbers of Exercise 2 (features 5.1), the same in every encoding of the trace. Times here are those of the
/// trace: 2.0 s more than those of the process.
class Exercise2Test : public QObject {
    Q_OBJECT

    std::string path_;
    bool hasStacks_ = true;

    Json table(const std::string& tableWord, const std::string& by, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"table", path_, "--table", tableWord, "--by", by, "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto answer = runCli(arguments);
        if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
        return answer.json();
    }
    static Json valueOf(const Json& row, const char* column) {
        return row.is_object() ? row["values"][column] : Json();
    }
    static void addShapes() {
        QTest::addColumn<QString>("shape");
        for (const auto& shape : fixtures::exercise2Shapes()) {
            if (shape.shape.dropBuffer) continue;
            const auto name = QString::fromUtf8(shape.name.data(), static_cast<qsizetype>(shape.name.size()));
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }

  private slots:
    void initTestCase_data() { addShapes(); }
    void init() {
        QFETCH_GLOBAL(QString, shape);
        path_ = exercise2File(shape.toStdString());
        hasStacks_ = shape != "no-stacks";
        QVERIFY(!path_.empty());
    }

    void everythingIsTransientOverTheWholeTrace() { // row 1
        const auto answer = table("virtualalloc", "Process,Impacting Type");
        const auto process = rowAt(answer, {kProcess});
        QCOMPARE(valueOf(process, "Count"), Json(24));
        QCOMPARE(valueOf(process, "Size"), Json(132'120'576));
        QCOMPARE(valueOf(process, "Impacting Size"), Json(0));
        QCOMPARE(process["rows"].size(), std::size_t{1});
        QCOMPARE(process["rows"][0]["key"], Json("Transient"));
        QCOMPARE(answer["interval"], Json({{"start", 0.0}, {"end", 34.0}}));
        QCOMPARE(answer["health"].size(), std::size_t{0}); // the two unmatched frees belong to heaps
        const auto heaps = table("heap", "Process");
        QCOMPARE(heaps["health"].size(), std::size_t{1});
        QCOMPARE(lossOf(heaps, "unmatched frees"), std::uint64_t{2});
    }

    void timelineShowsStepsSpikesAndTheEnd() { // row 2
        const auto answer = runCli(
            {"timeline", path_, "--table", "virtualalloc", "--by", "Process", "--points", "1000", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto json = answer.json();
        Json series;
        for (const auto& each : json["series"]) {
            if (each["name"] == kProcess) series = each;
        }
        const auto at = [&](double seconds) { return static_cast<std::size_t>(seconds / 0.034); };
        const auto values = amounts(series);
        QCOMPARE(values.size(), std::size_t{1000});
        QCOMPARE(values[at(1.9)], std::int64_t{0});
        QCOMPARE(values[at(2.4)], 11 * kMB);
        QCOMPARE(values[at(16.9)], 11 * kMB);
        QCOMPARE(values[at(17.2)], 21 * kMB);
        QCOMPARE(values[at(31.9)], 21 * kMB);
        QCOMPARE(values[at(32.1)], std::int64_t{0});
        QCOMPARE(*std::max_element(values.begin(), values.end()), 31 * kMB);
        // Five spikes before the step, where 21 MB is a spike, and five after it.
        const auto half = values.begin() + static_cast<std::ptrdiff_t>(at(16.9));
        QCOMPARE(countRunsAtLeast({values.begin(), half}, 21 * kMB), 5);
        QCOMPARE(countRunsAtLeast({half, values.end()}, 31 * kMB), 5);
        QCOMPARE(json["interval"]["end"], Json(34.0));
    }

    void stepIsOneBlockThatTheProcessExitEnds() { // row 3
        const auto answer = table("virtualalloc", "Process,Impacting Type,Stack",
                                  {"--range", "16:18", "--sort", "Impacting Size", "--columns",
                                   "Count,Impacting Size,Size,Commit Time,Decommit Time,FreeType"});
        QCOMPARE(answer["rows"][0]["key"], Json(kProcess)); // the greatest Impacting Size comes first
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Impacting Size"), Json(10 * kMB));
        const auto impacting = rowAt(answer, {kProcess, "Impacting"});
        QCOMPARE(valueOf(impacting, "Count"), Json(1));
        QCOMPARE(valueOf(impacting, "Impacting Size"), Json(10 * kMB));
        QCOMPARE(valueOf(impacting, "Commit Time"), Json(17.0));
        QCOMPARE(valueOf(impacting, "Decommit Time"), Json(32.0));
        QCOMPARE(valueOf(impacting, "FreeType"), Json("Process exit"));
        if (!hasStacks_) {
            QCOMPARE(chainBelow(impacting), (std::vector<std::string>{"(no stack)"}));
            return;
        }
        // Functions are 0x100 apart, starting at 0x1000; main is the second one, called back at +0x58.
        const std::vector<std::string> expected{
            "ntdll.dll!+0x1020",         "kernel32.dll!+0x1020",   "MemoryTestApp.exe!+0x1020",
            "MemoryTestApp.exe!+0x1158", "KernelBase.dll!+0x1020", "ntdll.dll!+0x1820",
            "ntoskrnl.exe!+0x1020",      "ntoskrnl.exe!+0x1120",   "ntoskrnl.exe!+0x1220"};
        QCOMPARE(chainBelow(impacting), expected);
    }

    void lastFourSpikesAreTransient() { // row 5
        const auto answer = table(
            "virtualalloc", "Process,Impacting Type,Stack,Commit Time",
            {"--range", "20:31.5", "--columns", "Count,Impacting Size,Size,Commit Time,Decommit Time,Commit LifeTime"});
        const auto transient = rowAt(answer, {kProcess, "Transient"});
        QCOMPARE(valueOf(transient, "Count"), Json(4));
        QCOMPARE(valueOf(transient, "Impacting Size"), Json(0));
        QCOMPARE(valueOf(transient, "Size"), Json(40 * kMB));
        auto chain = chainBelow(transient);
        if (hasStacks_) {
            const std::vector<std::string> expected{
                "ntdll.dll!+0x1020",         "kernel32.dll!+0x1020",      "MemoryTestApp.exe!+0x1020",
                "MemoryTestApp.exe!+0x1174", "MemoryTestApp.exe!+0x1220", "MemoryTestApp.exe!+0x1320",
                "KernelBase.dll!+0x1020",    "ntdll.dll!+0x1820",         "ntoskrnl.exe!+0x1020",
                "ntoskrnl.exe!+0x1120",      "ntoskrnl.exe!+0x1220"};
            QCOMPARE(chain, expected);
        }
        auto leaf = transient;
        while (leaf["rows"].size() == 1) {
            leaf = Json(leaf["rows"][0]);
        }
        QCOMPARE(leaf["rows"].size(), std::size_t{4});
        for (const auto& row : leaf["rows"]) {
            const double begin = valueOf(row, "Commit Time"), end = valueOf(row, "Decommit Time");
            QVERIFY(std::abs(end - begin - 0.1) < 1e-9);
            QVERIFY(std::abs(valueOf(row, "Commit LifeTime").get<double>() - 0.1) < 1e-9);
        }
    }

    void persistentRowsStandBesideTheSpikes() { // row 6
        const auto answer = table("virtualalloc", "Process,Impacting Type",
                                  {"--range", "20:31.5", "--columns", "Count,Impacting Size,Size,Allocated,Peak Size"});
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Impacting Size"), Json(0));
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Allocated"), Json(40 * kMB));
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Peak Size"), Json(31 * kMB));
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "Persistent"}), "Count"), Json(4));
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "Persistent"}), "Size"), Json(21 * kMB));
    }

    void quietIntervalHasNothingTransient() { // row 7
        const auto answer = table("virtualalloc", "Process,Impacting Type", {"--range", "16:16.05"});
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Impacting Size"), Json(0));
        QVERIFY(rowAt(answer, {kProcess, "Transient"}).is_null());
    }

    void endOfASpikeIsNegative() { // row 8
        const auto answer = table("virtualalloc", "Process,Type", {"--range", "3.55:3.7"});
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "AOFI"}), "Count"), Json(1));
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "AOFI"}), "Impacting Size"), Json(-10 * kMB));
    }

    void heapsKeepUnfreedBlocks() { // row 9
        const auto answer = table("heap", "Process,Handle,Impacting Type");
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Count"), Json(6242));
        const auto growing = rowAt(answer, {kProcess, "0x1d0000"});
        QCOMPARE(valueOf(growing, "Count"), Json(1200));
        QCOMPARE(valueOf(growing, "Size"), Json(133'120));
        QCOMPARE(valueOf(growing, "Impacting Size"), Json(133'120));
        const auto busy = rowAt(answer, {kProcess, "0x2b0000"});
        QCOMPARE(valueOf(rowWithKey(busy["rows"], "Impacting"), "Count"), Json(40));
        QCOMPARE(valueOf(rowWithKey(busy["rows"], "Impacting"), "Impacting Size"), Json(10'240));
        QCOMPARE(valueOf(rowWithKey(busy["rows"], "Transient"), "Count"), Json(5002));
        QCOMPARE(valueOf(rowWithKey(busy["rows"], "Transient"), "Size"), Json(320'300));
        const auto byType = table("heap", "Process,Handle,Type");
        const auto types = rowAt(byType, {kProcess, "0x1d0000"});
        QCOMPARE(types["rows"].size(), std::size_t{1});
        QCOMPARE(types["rows"][0]["key"], Json("AIFO"));
    }

    void tenSecondsOfTheInnerLoopAre319Blocks() { // row 11
        const auto answer = table("heap", "Process,Handle,Impacting Type,Stack,Allocation Size", {"--range", "12:22"});
        const auto impacting = rowAt(answer, {kProcess, "0x1d0000", "Impacting"});
        QCOMPARE(valueOf(impacting, "Count"), Json(319));
        QCOMPARE(valueOf(impacting, "Impacting Size"), Json(12'760));
        auto chain = chainBelow(impacting);
        QVERIFY(!chain.empty());
        QCOMPARE(chain.back(), std::string("40")); // every Size
        chain.pop_back();
        if (hasStacks_) {
            const std::vector<std::string> expected{"ntdll.dll!+0x1020",         "kernel32.dll!+0x1020",
                                                    "MemoryTestApp.exe!+0x1020", "MemoryTestApp.exe!+0x119c",
                                                    "MemoryTestApp.exe!+0x1420", "MemoryTestApp.exe!+0x1620",
                                                    "ucrtbase.dll!+0x1020",      "ntdll.dll!+0x1520"};
            QCOMPARE(chain, expected);
        }
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "0x1d0000", "Persistent"}), "Count"), Json(562));
    }

    void anyTenSecondsHold319Blocks() { // row 12
        for (const auto* range : {"7.2:17.2", "14:24"}) {
            const auto answer = table("heap", "Process,Handle,Impacting Type", {"--range", range});
            QCOMPARE(valueOf(rowAt(answer, {kProcess, "0x1d0000", "Impacting"}), "Count"), Json(319));
        }
    }

    void processExitFreesTheHeapWhenAsked() { // row 13
        const auto answer = table("heap", "Process,Impacting Type", {"--process-exit-frees-heap"});
        QCOMPARE(valueOf(rowAt(answer, {kProcess}), "Impacting Size"), Json(0));
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "Transient"}), "Count"), Json(6242));
        QVERIFY(rowAt(answer, {kProcess, "Impacting"}).is_null());
    }

    void unmatchedFreesAreListedAndNotSubtracted() { // row 14
        const auto answer = table("frees", "Process,Memory,FreeType");
        QCOMPARE(valueOf(rowAt(answer, {kProcess, "Heap", "Unmatched free"}), "Count"), Json(2));
        QCOMPARE(lossOf(answer, "unmatched frees"), std::uint64_t{2});
    }

    void reallocIsTwoRowsThatMeet() { // row 15
        const auto answer = table("heap", "Process,Handle,Is Realloc,Allocation Size",
                                  {"--columns", "Count,Size,AllocTime,FreeTime", "--range", "7:10"});
        const auto larger = rowAt(answer, {kProcess, "0x2b0000", "True", "200"});
        QCOMPARE(valueOf(larger, "Count"), Json(1));
        QVERIFY(atTime(valueOf(larger, "AllocTime"), 8.0005));
        QVERIFY(atTime(valueOf(larger, "FreeTime"), 9.0005));
        const auto smaller = rowAt(answer, {kProcess, "0x2b0000", "False", "100"});
        QCOMPARE(valueOf(smaller, "Count"), Json(1));
        QVERIFY(atTime(valueOf(smaller, "FreeTime"), 8.0005));
        QCOMPARE(rowAt(answer, {kProcess, "0x2b0000", "True"})["rows"].size(), std::size_t{1});
    }
};
HIGHWATER_TEST(Exercise2Test);
#include "exercise2_test.moc"
