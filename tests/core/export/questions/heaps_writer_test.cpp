#include "core/export/questions/heaps_writer.h"

#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <limits>
#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::HeapFacts, analysis::HeapList, analysis::HeapOrigin, analysis::SlackGap;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

HeapFacts heapWithSlack() {
    HeapFacts heap;
    heap.process = "a.exe (7)";
    heap.handle = 0x1d0000;
    heap.origin = HeapOrigin::Recorded;
    heap.creations = 1;
    heap.created = TraceTime{1500 * kMillisecond};
    heap.stack = {"ntdll!RtlCreateHeap", "a!make, all"};
    heap.ownerFrame = 1;
    heap.count = 1200;
    heap.bytes = 2'097'152;
    heap.peak = 3'000'000;
    heap.growth = 1'048'576;
    heap.bytesPerSecond = 524'288;
    heap.reserved = 4'194'304;
    heap.committed = 2'228'224;
    heap.liveInRanges = 2'097'152;
    heap.slack = 131'072;
    return heap;
}

/// Its name contains characters that would control a terminal.
HeapFacts heapThatIsGone() {
    HeapFacts heap;
    heap.process = "b\x1B.exe (8)";
    heap.handle = 0x20000;
    heap.destroyed = TraceTime{2000 * kMillisecond};
    heap.count = 3;
    heap.bytes = 96;
    heap.peak = 128;
    heap.growth = -32;
    heap.gap = SlackGap::Gone;
    return heap;
}

HeapList listOfHeaps(std::vector<HeapFacts> heaps) {
    HeapList list;
    list.interval = {TraceTime{0}, TraceTime{2500 * kMillisecond}};
    for (const auto& heap : heaps) {
        list.count += heap.count;
        list.bytes += heap.bytes;
    }
    list.heaps = std::move(heaps);
    return list;
}

QString heapsAsText(const HeapList& list, std::size_t most = 10) {
    std::ostringstream out;
    writeHeapsText(list, most, out);
    return QString::fromStdString(out.str());
}

QString heapsAsCsv(const HeapList& list, std::size_t most = 10) {
    std::ostringstream out;
    writeHeapsCsv(list, most, out);
    return QString::fromStdString(out.str());
}

nlohmann::json heapsAsJson(const HeapList& list, std::size_t most = 10, const HealthReport& health = {}) {
    std::ostringstream out;
    writeHeapsJson(list, most, health, out);
    return nlohmann::json::parse(out.str());
}

} // namespace

/// Lists of heaps as text, CSV and JSON, byte by byte.
class HeapsWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void textHasALineOfNumbersAndOneOfTheLifeOfEachHeap() {
        QCOMPARE(
            heapsAsText(listOfHeaps({heapWithSlack(), heapThatIsGone()})),
            QString::fromUtf8(
                "Heaps at 2.500000000 s, growth and peak since 0.000000000 s: 2 heaps with 1,203 live blocks, 2.0 MB\n"
                "\n"
                "Handle    Blocks       Live       Peak      Growth  Slope (B/s)  Committed    Slack  Process\n"
                "0x1d0000   1,200  2,097,152  3,000,000  +1,048,576     +524,288  2,228,224  131,072  a.exe (7)\n"
                "  by a!make, all, created at 1.500000000 s, 4,194,304 bytes reserved\n"
                "0x20000        3         96        128         -32            -          -        -  "
                "b\xEF\xBF\xBD.exe "
                "(8)\n"
                "  by (not recorded), destroyed at 2.000000000 s\n"
                "  Slack is unknown because the heap was destroyed.\n"));
    }
    void textSaysHowManyHeapsItLeavesOut() {
        const auto text = heapsAsText(listOfHeaps({heapWithSlack(), heapThatIsGone(), heapThatIsGone()}), 1);
        QVERIFY(text.contains(": 3 heaps with 1,206 live blocks"));
        QVERIFY(
            text.endsWith(" reserved\n\n2 more heaps with fewer bytes are not listed; increase --top to list them\n"));
        QVERIFY(!text.contains("0x20000"));
        QVERIFY(!heapsAsText(listOfHeaps({heapWithSlack()}), 1).contains("more"));
    }
    void textOfOneHeapOrOfNoneIsASentence() {
        const QString head = "Heaps at 2.500000000 s, growth and peak since 0.000000000 s: ";
        QVERIFY(heapsAsText(listOfHeaps({heapThatIsGone()})).startsWith(head + "1 heap with 3 live blocks, 96 B\n"));
        QCOMPARE(heapsAsText(listOfHeaps({})), head + "0 heaps with 0 live blocks, 0 B\n");
        auto heap = heapThatIsGone();
        heap.count = 1;
        QVERIFY(heapsAsText(listOfHeaps({heap})).startsWith(head + "1 heap with 1 live block, 96 B\n"));
    }
    void textTellsAHandleThatCameAgain() {
        auto heap = heapWithSlack();
        heap.creations = 1234;
        QVERIFY(
            heapsAsText(listOfHeaps({heap})).contains("created at 1.500000000 s (the last of 1,234 creations), 4,194"));
    }
    void textTellsTheLeastOfAllNumbers() {
        auto heap = heapThatIsGone();
        heap.growth = std::numeric_limits<SignedByteCount>::min();
        heap.bytesPerSecond = 0;
        QVERIFY(heapsAsText(listOfHeaps({heap})).contains("  -9,223,372,036,854,775,808            0  "));
    }

    void csvHasAFieldForEachFact() {
        const auto lines = heapsAsCsv(listOfHeaps({heapWithSlack(), heapThatIsGone()})).split('\n');
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0], "process,handle,origin,creator,created_s,destroyed_s,count,bytes,peak_bytes,growth_bytes,"
                           "bytes_per_second,reserved_bytes,committed_bytes,live_in_ranges_bytes,slack_bytes,"
                           "why_no_slack");
        QCOMPARE(lines[1], "a.exe (7),0x1d0000,recorded,\"a!make, all\",1.5,,1200,2097152,3000000,1048576,524288,"
                           "4194304,2228224,2097152,131072,");
        QCOMPARE(lines[2], QString::fromUtf8("b\xEF\xBF\xBD.exe (8),0x20000,not-recorded,,,2.0,3,96,128,-32,,,,,,"
                                             "The heap was destroyed."));
        QVERIFY(lines[3].isEmpty());
    }
    void csvHasTheFirstHeapsOnly() {
        const auto list = listOfHeaps({heapWithSlack(), heapThatIsGone()});
        QCOMPARE(heapsAsCsv(list, 1).count('\n'), 2);
        QCOMPARE(heapsAsCsv(list, 0).count('\n'), 1); // the names
    }

    void jsonHasAMemberForEachFact() {
        const auto expected = nlohmann::json::parse(R"json({
            "process": "a.exe (7)", "handle": "0x1d0000", "origin": "recorded", "creator": "a!make, all",
            "stack": ["ntdll!RtlCreateHeap", "a!make, all"], "creations": 1, "created_s": 1.5, "destroyed_s": null,
            "count": 1200, "bytes": 2097152, "peak_bytes": 3000000, "growth_bytes": 1048576,
            "bytes_per_second": 524288, "reserved_bytes": 4194304, "committed_bytes": 2228224,
            "live_in_ranges_bytes": 2097152, "slack_bytes": 131072, "why_no_slack": null})json");
        QCOMPARE(heapsAsJson(listOfHeaps({heapWithSlack()}))["heaps"][0], expected);
    }
    void jsonHasNullForWhatIsNotKnown() {
        const auto heap = heapsAsJson(listOfHeaps({heapThatIsGone()}))["heaps"][0];
        for (const auto* name : {"creator", "created_s", "bytes_per_second", "reserved_bytes", "committed_bytes",
                                 "live_in_ranges_bytes", "slack_bytes"})
            QVERIFY2(heap.at(name).is_null(), name);
        QCOMPARE(heap["stack"], nlohmann::json::array());
        QCOMPARE(heap["why_no_slack"], nlohmann::json("The heap was destroyed."));
    }
    void jsonNamesACreatorOnlyWhereOneWasRecorded() {
        auto malloc = heapThatIsGone();
        malloc.origin = HeapOrigin::Malloc;
        auto old = heapThatIsGone();
        old.origin = HeapOrigin::BeforeTrace;
        auto withoutStack = heapWithSlack();
        withoutStack.stack.clear();
        withoutStack.ownerFrame = 0;
        const auto heaps = heapsAsJson(listOfHeaps({malloc, old, withoutStack}))["heaps"];
        QCOMPARE(heaps[0]["origin"], nlohmann::json("malloc"));
        QCOMPARE(heaps[1]["origin"], nlohmann::json("before"));
        QCOMPARE(heaps[2]["origin"], nlohmann::json("recorded"));
        for (const auto& heap : heaps)
            QVERIFY(heap["creator"].is_null());
    }
    void jsonCountsAllHeapsAndTellsTheHealthOfTheTrace() {
        HealthReport health;
        health.counts[static_cast<std::size_t>(Loss::FreesLost)] = 5;
        const auto json = heapsAsJson(listOfHeaps({heapWithSlack(), heapThatIsGone()}), 1, health);
        QCOMPARE(json["schema_version"], nlohmann::json(1));
        QCOMPARE(json["interval"], nlohmann::json::parse(R"({"start": 0.0, "end": 2.5})"));
        QCOMPARE(json["heap_count"], nlohmann::json(2));
        QCOMPARE(json["count"], nlohmann::json(1203));
        QCOMPARE(json["bytes"], nlohmann::json(2'097'248));
        QCOMPARE(json["heaps"].size(), std::size_t{1});
        QCOMPARE(json["health"][0]["id"], nlohmann::json("frees_lost"));
        QCOMPARE(json["health"][0]["count"], nlohmann::json(5));
    }
};

HIGHWATER_TEST(HeapsWriterTest);
#include "heaps_writer_test.moc"
