#include "core/event/opcodes.h"
#include "core/pipeline/crop/trace_crop.h"
#include "tests/core/pipeline/crop/crops.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>

using namespace highwater;
using namespace highwater::crops;
using namespace highwater::fixtures;

/// The contents of a crop. tests/app/cli/crop_command_test.cpp checks that its tables are those of the interval in the
/// whole.
class TraceCropTest : public QObject {
    Q_OBJECT
  private slots:
    void saysWhatWasOutstandingAtItsBegin() {
        const QTemporaryDir folder(folderInMemory());
        auto story = smallStory();
        story.heapAlloc({seconds(1), 10, 11}, kHeap, {0x1000, 40}, kMain);
        story.heapAlloc({seconds(2), 10, 11}, kHeap, {0x2000, 50}, kMain);
        story.heapFree({seconds(3), 10, 11}, kHeap, 0x2000);
        story.heapAlloc({seconds(5), 10, 11}, kHeap, {0x3000, 60}, kMain);
        story.heapFree({seconds(6), 10, 11}, kHeap, 0x1000);
        story.heapFree({seconds(8), 10, 11}, kHeap, 0x3000);
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto cropped = crop(writeFile(folder, "whole.etl", story.bytes().value()), output, between(4, 7));
        QVERIFY2(cropped.hasValue(), text(cropped));
        const auto trace = load(output);
        QCOMPARE(trace->wholeRange().start.ns, seconds(4).ns);
        QCOMPARE(trace->wholeRange().end.ns, seconds(7).ns);
        QCOMPARE(trace->heap.rows, 2u);
        QCOMPARE(trace->heap.begin(0).ns, seconds(1).ns);
        QCOMPARE(trace->heap.end(0).ns, seconds(6).ns);
        QCOMPARE(trace->heap.begin(1).ns, seconds(5).ns);
        QVERIFY(trace->heap.end(1) == kNever);
        QCOMPARE(trace->heap.evicted.rows, std::uint64_t{1});
        QCOMPARE(trace->heap.evicted.bytes, ByteCount{50});
        QCOMPARE(trace->columns->stacks.node(trace->leaf(trace->heap.site(0).stack)).depth,
                 trace->columns->stacks.node(trace->leaf(trace->heap.site(1).stack)).depth);
        QVERIFY(!trace->health.totalsAreBounds());
        QVERIFY(trace->health.notes.front().starts_with("Cropped from a longer trace: from 4 s to 7 s."));
        // One block: its stack is not an allocation.
        QCOMPARE(cropped.value().outstanding, std::uint64_t{1});
        const auto sentences = pipeline::sentencesOf(cropped.value(), "a.etl");
        QVERIFY2(sentences.at(0).starts_with("Saved a.etl ("), sentences[0].c_str());
        QCOMPARE(sentences.at(1), std::string("It includes 1 allocation from before the interval."));
    }
    void keepsTheSizeOfCommitsThatAreLeftInPart() {
        const QTemporaryDir folder(folderInMemory());
        auto story = smallStory();
        using namespace virtual_flag;
        story.virtualAlloc({seconds(1), 10, 11}, {0x100000, 10 * 4096}, kReserve | kCommit, kMain);
        story.virtualFree({seconds(2), 10, 11}, {0x102000, 3 * 4096}, kDecommit, kMain);
        story.virtualAlloc({seconds(3), 10, 11}, {0x103000, 4096}, kCommit, kMain);
        story.virtualFree({seconds(5), 10, 11}, {0x100000, 0}, kRelease, kMain);
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto cropped = crop(writeFile(folder, "whole.etl", story.bytes().value()), output, between(4, 6));
        QVERIFY2(cropped.hasValue(), text(cropped));
        const auto trace = load(output);
        QCOMPARE(trace->virtualAlloc.rows, 2u);
        QCOMPARE(trace->virtualAlloc.size(0), ByteCount{10 * 4096});
        QCOMPARE(trace->virtualAlloc.size(1), ByteCount{4096});
        QCOMPARE(trace->virtualAlloc.end(0).ns, seconds(5).ns);
        QCOMPARE(trace->virtualAlloc.end(1).ns, seconds(5).ns);
        QCOMPARE(cropped.value().outstanding, std::uint64_t{2}); // not the decommitted part of them
        QVERIFY(!trace->health.totalsAreBounds());
    }
    void tellsWhatTheWholeLacks() {
        const QTemporaryDir folder(folderInMemory());
        TraceShape shape;
        shape.bufferBytes = 4096;
        shape.dropBuffer = 3;
        const auto whole = writeFile(folder, "whole.etl", exercise2Trace(shape).bytes().value());
        QVERIFY(load(whole)->health.totalsAreBounds());
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto cropped = crop(whole, output, between(20, 30));
        QVERIFY2(cropped.hasValue(), text(cropped));
        const auto health = load(output)->health;
        QVERIFY(health.totalsAreBounds());
        QVERIFY(health.remarks.front().starts_with("The original trace lacks data between "));
        QVERIFY2(health.remarks.front().ends_with(" s: 1 buffer missing."), health.remarks.front().c_str());
        const auto zones = load(whole)->health.zones;
        QVERIFY(!health.zones.empty());
        QVERIFY(std::ranges::find(zones, health.zones.front()) != zones.end());
    }
    void tellsThatTheWholeWasCutOff() {
        const QTemporaryDir folder(folderInMemory());
        TraceShape shape;
        shape.bufferBytes = 4096;
        auto bytes = exercise2Trace(shape).bytes().value();
        bytes.resize(bytes.size() / 2);
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto cropped = crop(writeFile(folder, "whole.etl", bytes), output, between(2, 30));
        QVERIFY2(cropped.hasValue(), text(cropped));
        const auto whole = load(folder.filePath("whole.etl").toStdString())->health;
        const auto health = load(output)->health;
        QVERIFY(health.totalsAreBounds());
        QVERIFY(!health.mostMissing());
        // Its end is known as in the whole, so notes on tables and the graph can show it.
        QVERIFY(whole.endZone() && health.endZone());
        QCOMPARE(health.endZone()->start.ns, whole.endZone()->start.ns);
        QVERIFY(health.endZone()->startEdge == ZoneEdge::LastRecord);
        QVERIFY(whole.wholeBefore() && health.wholeBefore());
        QCOMPARE(health.wholeBefore()->ns, whole.wholeBefore()->ns);
        const auto& remarks = health.remarks;
        QVERIFY(std::any_of(remarks.begin(), remarks.end(), [](const auto& remark) {
            return remark.starts_with("The original trace was cut off: its end is missing, from ");
        }));
    }
    void canBeCroppedAgain() {
        const QTemporaryDir folder(folderInMemory());
        const auto whole = writeFile(folder, "whole.etl", exercise2Trace().bytes().value());
        const std::filesystem::path first = folder.filePath("first.etl").toStdString();
        const std::filesystem::path second = folder.filePath("second.etl").toStdString();
        const std::filesystem::path atOnce = folder.filePath("at once.etl").toStdString();
        QVERIFY(crop(whole, first, between(5, 30)).hasValue());
        QVERIFY(crop(first, second, between(14, 20)).hasValue());
        QVERIFY(crop(whole, atOnce, between(14, 20)).hasValue());
        const auto twice = load(second), once = load(atOnce);
        QCOMPARE(twice->heap.rows, once->heap.rows);
        QCOMPARE(twice->virtualAlloc.rows, once->virtualAlloc.rows);
        QCOMPARE(twice->heap.evicted.rows, once->heap.evicted.rows);
        QCOMPARE(twice->heap.evicted.bytes, once->heap.evicted.bytes);
        QCOMPARE(twice->wholeRange().start.ns, once->wholeRange().start.ns);
    }
    /// Data that ended before its start is in no part of it, so a crop from an earlier time would have wrong totals.
    void refusesWhatBeginsBeforeWhatWasKept() {
        const QTemporaryDir folder(folderInMemory());
        const auto whole = writeFile(folder, "whole.etl", exercise2Trace().bytes().value());
        const std::filesystem::path kept = folder.filePath("kept.etl").toStdString();
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        QVERIFY(crop(whole, kept, between(12, 22)).hasValue());
        const std::string outside =
            "The range is outside the trace because only part of the recording was kept, starting at 12 s.";
        const std::string earlier =
            "The range starts at 2 s, before the start of the trace. Only part of the recording was kept, starting at "
            "12 s.";
        const std::vector<std::pair<TimeRange, std::string>> refused{
            {between(2, 5), outside},  {between(2, 12), outside},       {{kBeforeTrace, seconds(5)}, outside},
            {between(2, 15), earlier}, {{seconds(2), kNever}, earlier},
        };
        for (const auto& [interval, sentence] : refused) {
            const auto cropped = crop(kept, output, interval);
            QVERIFY(!cropped.hasValue());
            QCOMPARE(cropped.error().message, sentence);
            QCOMPARE(static_cast<int>(cropped.error().kind), static_cast<int>(ErrorKind::Usage));
        }
        QCOMPARE(filesIn(folder).size(), std::size_t{2});
        for (const auto& interval : {between(12, 15), TimeRange{kBeforeTrace, seconds(15)}}) {
            const auto cropped = crop(kept, output, interval);
            QVERIFY2(cropped.hasValue(), text(cropped));
            QCOMPARE(load(output)->wholeRange().start.ns, load(kept)->wholeRange().start.ns);
        }
    }
    /// A block reallocated before the crop is written with zero lifetime and its realloc, because nothing else frees
    /// it.
    void reallocsBeforeACropAreNotCountedByTheNext() {
        const QTemporaryDir folder(folderInMemory());
        auto story = smallStory();
        story.heapAlloc({seconds(1), 10, 11}, kHeap, {0x1000, 40}, kMain);
        story.heapReAlloc({seconds(2), 10, 11}, kHeap, {0x1000, 40}, {0x2000, 80}, kMain);
        story.heapAlloc({seconds(3), 10, 11}, kHeap, {0x3000, 60}, kMain);
        story.heapFree({seconds(8), 10, 11}, kHeap, 0x3000);
        const auto whole = writeFile(folder, "whole.etl", story.bytes().value());
        const std::filesystem::path first = folder.filePath("first.etl").toStdString();
        const std::filesystem::path second = folder.filePath("second.etl").toStdString();
        QVERIFY(crop(whole, first, between(4, 9)).hasValue());
        QVERIFY(crop(first, second, between(5, 9)).hasValue());
        for (const auto& cropped : {first, second}) {
            QCOMPARE(load(cropped)->heap.evicted.rows, std::uint64_t{1}); // the row that the realloc ended
            QCOMPARE(load(cropped)->heap.evicted.bytes, ByteCount{40});
        }
    }
    void refusesWhatMakesNoSense() {
        const QTemporaryDir folder(folderInMemory());
        const auto whole = writeFile(folder, "whole.etl", smallStory().bytes().value());
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto itself = crop(whole, whole, between(1, 2));
        QVERIFY(!itself.hasValue());
        QVERIFY(itself.error().message.ends_with("is the trace itself. Choose another name for the cropped trace."));
        const auto late = crop(whole, output, between(11, 12));
        QVERIFY(!late.hasValue());
        QCOMPARE(late.error().message, std::string("The trace contains nothing in that range because it ends at 10 s."));
        QVERIFY(!crop(whole, output, between(3, 3)).hasValue());
        QVERIFY(!crop(whole, folder.filePath("no/crop.etl").toStdString(), between(1, 2)).hasValue());
        QVERIFY(!crop(folder.filePath("none.etl").toStdString(), output, between(1, 2)).hasValue());
        QCOMPARE(filesIn(folder), std::vector<std::string>{"whole.etl"});
        const std::string words = "massif or whatever";
        const auto other =
            writeFile(folder, "massif.out", {reinterpret_cast<const std::byte*>(words.data()), words.size()});
        const auto foreign = crop(other, output, between(1, 2));
        QVERIFY2(!foreign.hasValue() && foreign.error().message.ends_with("Only event traces (.etl) can be cropped."),
                 text(foreign));
        const std::string massif = "desc: --massif\ncmd: ./app\ntime_unit: B\n#-----------\nsnapshot=0\n";
        const auto profile =
            writeFile(folder, "massif.out", {reinterpret_cast<const std::byte*>(massif.data()), massif.size()});
        const auto ofAnother = crop(profile, output, between(1, 2));
        QVERIFY2(!ofAnother.hasValue() &&
                     ofAnother.error().message.ends_with(
                         "is a file of another profiler. Only event traces (.etl) can be cropped."),
                 text(ofAnother));
    }
    /// A trace without records has no time that could be reported as its end.
    void tellsNoEndOfATraceWithoutRecords() {
        const QTemporaryDir folder(folderInMemory());
        auto bytes = smallStory().bytes().value();
        std::uint32_t firstBuffer = 0; // which contains only the header
        std::memcpy(&firstBuffer, bytes.data(), sizeof firstBuffer);
        bytes.resize(firstBuffer);
        const auto cut = writeFile(folder, "cut.etl", bytes);
        const auto failed = crop(cut, folder.filePath("crop.etl").toStdString(), between(1, 2));
        QVERIFY(!failed.hasValue());
        QVERIFY2(failed.error().message.find("-46116") == std::string::npos, text(failed));
    }
    void leavesNothingWhenItIsStopped() {
        const QTemporaryDir folder(folderInMemory());
        const auto whole = writeFile(folder, "whole.etl", exercise2Trace().bytes().value());
        std::stop_source stop;
        stop.request_stop();
        Progress progress;
        const auto stopped = pipeline::cropTrace(
            {.traces = {whole}, .output = folder.filePath("crop.etl").toStdString(), .interval = between(1, 2)},
            stop.get_token(), progress);
        QVERIFY(!stopped.hasValue());
        QVERIFY(stopped.error().kind == ErrorKind::Cancelled);
        QCOMPARE(filesIn(folder), std::vector<std::string>{"whole.etl"});
    }
};

HIGHWATER_TEST(TraceCropTest);
#include "trace_crop_test.moc"
