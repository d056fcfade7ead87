#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/buffer_surgery.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <tuple>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A heap row by its place and start.
using RowKey = std::tuple<std::string, std::string, std::string>;
struct RowEnd {
    Json freeTime;
    Json freeType;
};

std::map<RowKey, RowEnd> heapRows(const std::string& path) {
    const auto answer = runCli({"table", path, "--table", "heap", "--by", "Handle,Address,AllocTime", "--columns",
                                "FreeTime,FreeType", "--format", "json"})
                            .json();
    std::map<RowKey, RowEnd> rows;
    for (const auto& handle : answer["rows"]) {
        for (const auto& address : handle["rows"]) {
            for (const auto& time : address["rows"]) {
                rows[{handle["key"], address["key"], time["key"]}] = {time["values"]["FreeTime"],
                                                                      time["values"]["FreeType"]};
            }
        }
    }
    return rows;
}

std::int64_t impactingSize(const std::string& path, const char* table, const char* key) {
    const auto answer = runCli({"table", path, "--table", table, "--by", "Process,Handle", "--format", "json"}).json();
    return rowAt(answer, {"MemoryTestApp.exe (4242)", key})["values"]["Impacting Size"];
}

} // namespace

/// Facts that remain true when part of a trace is missing.
class LossyTraceTest : public QObject {
    Q_OBJECT

    static fixtures::TraceShape shapeWithout(std::optional<std::uint32_t> dropped) {
        return {.bufferBytes = 16384, .processors = 4, .shuffleSeed = 5, .dropBuffer = dropped};
    }
    static std::string fileWithout(std::optional<std::uint32_t> dropped) {
        const auto path = temporaryPath(dropped ? "without-" + std::to_string(*dropped) + ".etl" : "with-all.etl");
        return fixtures::exercise2Trace(shapeWithout(dropped)).writeTo(path).hasValue() ? path : std::string();
    }

  private slots:
    void pairsNoFreeWithAForeignAllocation_data() {
        QTest::addColumn<unsigned>("dropped");
        for (const unsigned dropped : {1u, 7u, 20u, 33u, 46u, 59u, 72u, 80u}) {
            QTest::addRow("buffer %u", dropped) << dropped;
        }
    }
    void pairsNoFreeWithAForeignAllocation() {
        QFETCH(unsigned, dropped);
        const auto whole = heapRows(fileWithout(std::nullopt));
        const auto path = fileWithout(dropped);
        const auto lossy = heapRows(path);
        QCOMPARE(whole.size(), std::size_t{6342});
        QVERIFY(!lossy.empty());
        QVERIFY(lossy.size() <= whole.size());
        int ended = 0;
        for (const auto& [key, end] : lossy) {
            const auto same = whole.find(key);
            QVERIFY(same != whole.end());
            if (end.freeType != "Free") continue;
            ++ended;
            QCOMPARE(end.freeTime, same->second.freeTime);
        }
        QVERIFY(ended > 4000);
        // There can only be fewer blocks that were never freed; lost frees can only leave more.
        QVERIFY(impactingSize(path, "heap", "0x1d0000") <= 133'120);
    }

    /// Up to the first gap, every amount is that of the whole trace.
    void reportedCompletePartsAreComplete() {
        const auto whole = fileWithout(std::nullopt);
        const auto all = runCli({"info", whole, "--json"}).json();
        QCOMPARE(all["whole_before_s"], all["duration_s"]);
        int told = 0;
        for (const unsigned dropped : {7u, 40u, 72u}) {
            const auto path = fileWithout(dropped);
            const auto info = runCli({"info", path, "--json"}).json();
            const auto until = info["whole_before_s"];
            if (until.is_null()) continue;
            ++told;
            QCOMPARE(until, info["lost_zones"][0]["start_s"]);
            for (const auto* table : {"heap", "virtualalloc"}) {
                const auto rows = [&](const std::string& file) {
                    return runCli({"table", file, "--table", table, "--by", "Process,Stack", "--range",
                                   "0:" + until.dump(), "--format", "json"})
                        .json()["rows"];
                };
                QVERIFY(rows(path) == rows(whole));
            }
        }
        QVERIFY(told > 0);
    }

    void reportsLossesAndIsStrictOnRequest() {
        const auto path = fileWithout(40);
        const std::vector<std::string> command{"table", path, "--table", "heap", "--by", "Process", "--format", "json"};
        const auto relaxed = runCliProgram(command);
        QCOMPARE(relaxed.exitCode, 0);
        QCOMPARE(lossOf(relaxed.json(), "buffers missing"), std::uint64_t{1});
        QVERIFY(relaxed.messages.find("totals are bounds") != std::string::npos);
        auto strict = command;
        strict.push_back("--strict");
        const auto answer = runCliProgram(strict);
        QCOMPARE(answer.exitCode, 3);
        QCOMPARE(answer.answers, relaxed.answers); // the answer is the same
        QCOMPARE(runCliProgram({"info", path, "--strict"}).exitCode, 3);
        QCOMPARE(runCliProgram({"timeline", path, "--table", "heap", "--strict"}).exitCode, 3);
        for (const auto& question :
             std::vector<std::vector<std::string>>{{"leaks", path},
                                                   {"generations", path, "--mark", "10"},
                                                   {"explain", path},
                                                   {"flames", path},
                                                   {"diff", path, "--range", ":17", "--with-range", "17:"},
                                                   {"histogram", path, "--table", "heap"},
                                                   {"callers", path, "--function", "ntdll.dll!+0x1520"},
                                                   {"heaps", path},
                                                   {"address", path, "0x12000010"}}) {
            auto asked = question;
            asked.emplace_back("--no-symbols");
            QCOMPARE(runCli(asked).exitCode, 0);
            asked.emplace_back("--strict");
            QVERIFY2(runCli(asked).exitCode == 3, question.front().c_str());
        }
        strict[1] = fileWithout(std::nullopt);
        QCOMPARE(runCliProgram(strict).exitCode, 0);
        QCOMPARE(runCliProgram({"info", strict[1], "--strict"}).exitCode, 0);
    }

    void survivesATraceThatIsCutOff() {
        const auto bytes = fixtures::exercise2Trace(shapeWithout(std::nullopt)).bytes();
        QVERIFY(bytes.hasValue());
        const auto path = temporaryPath("cut.etl");
        for (const auto keep : {bytes.value().size() / 2 + 100, bytes.value().size() - 1, std::size_t{20000}}) {
            QFile file(QString::fromStdString(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(reinterpret_cast<const char*>(bytes.value().data()), static_cast<qint64>(keep));
            file.close();
            const auto answer = runCliProgram({"table", path, "--table", "heap", "--by", "Process", "--strict"});
            QCOMPARE(answer.exitCode, 3);
            QVERIFY(answer.messages.find("totals are bounds") != std::string::npos);
        }
    }
};
HIGHWATER_TEST(LossyTraceTest);
#include "lossy_trace_test.moc"
