#include "core/export/leaks_writer.h"

#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

using namespace highwater;
using namespace highwater::exports;
using analysis::Table;

namespace {

analysis::LeakSuspect suspectIn(Table table, const std::string& owner) {
    analysis::LeakSuspect suspect;
    suspect.table = table;
    suspect.owner = owner;
    suspect.process = "a.exe (7)";
    suspect.why = "Never freed.";
    suspect.stack = {owner, "a.exe!main"};
    return suspect;
}

/// A suspect of each table; stacks are suppressed, and pages of heaps are left out.
analysis::LeakReport reportOfBoth() {
    analysis::LeakReport report;
    report.suspects = {suspectIn(Table::VirtualAlloc, "a.exe!map"), suspectIn(Table::Heap, "a.exe!leak")};
    report.tables = {{Table::Heap, 5, 2048}, {Table::VirtualAlloc, 1, 1 << 20}};
    report.count = 6;
    report.keptBytes = (1 << 20) + 2048;
    report.interval = {TraceTime{0}, TraceTime{2'000'000'000}};
    report.suppressed = {2, 3, 40};
    report.heapMemory = {3, 30, 12 << 20};
    return report;
}

analysis::PicturedStack pictured() {
    analysis::PicturedStack stack;
    stack.time = TraceTime{5'000'000'000};
    stack.blocks = {9, 700};
    stack.unreachable = {3, 70};
    stack.since = {TraceTime{1'200'000'000}, TraceTime{2'200'000'000}};
    stack.heldBy = {"app!g", "Session::open"};
    return stack;
}

std::string textOf(const analysis::LeakReport& report) {
    std::ostringstream out;
    writeLeaksText(report, {"highwater-cli", "holders", "a.etl"}, out);
    return out.str();
}

nlohmann::json leaksJsonOf(const analysis::LeakReport& report) {
    std::ostringstream out;
    writeLeaksJson(report, {"highwater-cli", "holders", "a.etl"}, {}, out);
    return nlohmann::json::parse(out.str());
}

} // namespace

class LeaksWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void textNamesEachTableAndTheKindOfEachSuspect() {
        const auto text = textOf(reportOfBoth());
        QVERIFY2(text.starts_with("Heap Allocations, 0.000000000 s to 2.000000000 s: 2.0 KB kept by 5 "
                                  "stacks\nVirtualAlloc Commit LifeTimes, 0.000000000 s to 2.000000000 s: 1.0 MB kept "
                                  "by 1 stack\nsuppressed: 2 stacks, 40 B of 3 allocations\nVirtualAlloc memory of "
                                  "heaps is not listed separately: 3 stacks, 12.0 MB of 30 allocations\n"),
                 text.c_str());
        QVERIFY(text.find("\n1. a.exe!map   a.exe (7)   VirtualAlloc\n") != std::string::npos);
        QVERIFY(text.find("\n2. a.exe!leak   a.exe (7)   Heap\n") != std::string::npos);
        QVERIFY(text.ends_with("\n(4 more stacks are not listed; increase --top to list them)\n"));
        auto report = reportOfBoth();
        report.tables[1] = {Table::VirtualAlloc, 0, 0};
        QVERIFY(textOf(report).find("0.000000000 s to 2.000000000 s: no stack keeps memory\n") != std::string::npos);
    }
    void csvHasTheTableAndHeldPages() {
        std::ostringstream out;
        writeLeaksCsv(reportOfBoth(), out);
        const auto lines = QString::fromStdString(out.str()).split('\n');
        QCOMPARE(lines.size(), 6);
        QVERIFY(lines[0].startsWith("rank,owner,process,verdict,why,") &&
                lines[0].endsWith(",stack,table,resident_bytes,held_pages_bytes"));
        QVERIFY(lines[1].startsWith("1,a.exe!map,") && lines[1].endsWith(",virtualalloc,,"));
        QVERIFY(lines[2].endsWith(",a.exe!map;a.exe!main,heap,,") ||
                lines[2].endsWith(",a.exe!leak;a.exe!main,heap,,"));
        QCOMPARE(lines[3], ",(suppressed: 2 stacks),,suppressed,,,,,40,3,,,,,,,,");
        QCOMPARE(lines[4], ",(VirtualAlloc of heaps: 3 stacks),,heap_memory,,,,,12582912,30,,,,,,virtualalloc,,");
        for (const auto& line : lines.first(5))
            QCOMPARE(line.count(','), 17);
    }
    void heldPagesAreUnknownWithoutASample() {
        auto report = reportOfBoth();
        report.suspects[1].held = analysis::HeldMemory{64, 8192, 2};
        const auto json = leaksJsonOf(report);
        QVERIFY(json["suspects"][0]["held_pages_bytes"].is_null() && json["suspects"][0]["resident_bytes"].is_null());
        QCOMPARE(json["suspects"][1]["held_pages_bytes"], nlohmann::json(8192));
        QCOMPARE(json["suspects"][1]["resident_bytes"], nlohmann::json(64));
        std::ostringstream out;
        writeLeaksCsv(report, out);
        QVERIFY(QString::fromStdString(out.str()).split('\n')[2].endsWith(",heap,64,8192"));
    }
    void jsonHasTheLeakedPart() {
        auto report = reportOfBoth();
        report.suspects[0].leakedCount = 5;
        report.suspects[0].leakedBytes = 500;
        const auto suspects = leaksJsonOf(report)["suspects"];
        QCOMPARE(suspects[0]["leaked_count"], nlohmann::json(5));
        QCOMPARE(suspects[0]["leaked_bytes"], nlohmann::json(500));
        QCOMPARE(suspects[1]["leaked_bytes"], nlohmann::json(0));
    }
    void jsonHasTheTables() {
        const auto both = leaksJsonOf(reportOfBoth());
        QVERIFY(both["table"].is_null());
        QCOMPARE(both["tables"].size(), std::size_t{2});
        QCOMPARE(both["tables"][1]["table"], nlohmann::json("virtualalloc"));
        QCOMPARE(both["tables"][1]["kept_bytes"], nlohmann::json(1 << 20));
        QCOMPARE(both["tables"][0]["stacks"], nlohmann::json(5));
        QCOMPARE(both["heap_memory"]["kept_count"], nlohmann::json(30));
        QCOMPARE(both["suspects"][0]["table"], nlohmann::json("virtualalloc"));
        QCOMPARE(both["suspects"][1]["table"], nlohmann::json("heap"));
        auto report = reportOfBoth();
        report.tables.pop_back();
        QCOMPARE(leaksJsonOf(report)["table"], nlohmann::json("heap"));
    }
    void nothingIsSaidOfStacksThatAreNotThere() {
        auto report = reportOfBoth();
        report.suppressed = {};
        report.heapMemory = {};
        const auto text = textOf(report);
        QVERIFY(text.find("suppressed") == std::string::npos && text.find("left out") == std::string::npos);
    }
    void csvHasColumnsOfThePictureOnlyIfThereIsOne() {
        auto report = reportOfBoth();
        report.hasPicture = true;
        report.suspects[1].picture = pictured();
        std::ostringstream out;
        writeLeaksCsv(report, out);
        const auto lines = QString::fromStdString(out.str()).split('\n');
        QVERIFY(lines[0].endsWith("held_pages_bytes,picture_s,unreachable_count,unreachable_bytes,"
                                  "unreachable_since_from_s,unreachable_since_to_s,held_by"));
        QVERIFY2(lines[1].endsWith(",virtualalloc,,,,,,,,"), qPrintable(lines[1]));
        QVERIFY2(lines[2].endsWith(",heap,,,5.0,3,70,1.2,2.2,app!g > Session::open"), qPrintable(lines[2]));
        for (int i = 1; i < 5; ++i)
            QCOMPARE(lines[i].count(','), lines[0].count(','));
    }
    void jsonHasMembersOfThePicture() {
        auto report = reportOfBoth();
        report.suspects[1].picture = pictured();
        const auto suspects = leaksJsonOf(report)["suspects"];
        for (const auto* member : {"picture_s", "unreachable_count", "unreachable_bytes", "unreachable_since_from_s",
                                   "unreachable_since_to_s", "held_by"})
            QVERIFY(suspects[0][member].is_null() && !suspects[1][member].is_null());
        QCOMPARE(suspects[1]["unreachable_bytes"], 70);
        QCOMPARE(suspects[1]["held_by"], (nlohmann::json{"app!g", "Session::open"}));
    }
};

HIGHWATER_TEST(LeaksWriterTest);
#include "leaks_writer_test.moc"
