#include "app/recording/resident_watch.h"

#include "app/recording/recording_session.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using analysis::MemoryLayer;
using app::RecordingSession, app::ResidentWatch;

namespace {

constexpr ByteCount kMegabyte = 1 << 20;
constexpr int kWatchPatienceMs = 30'000;

analysis::Balance balanceOf(const char* name, std::initializer_list<std::pair<MemoryLayer, ByteCount>> layers) {
    analysis::Balance balance;
    balance.name = name;
    for (const auto& [layer, bytes] : layers)
        balance.point.layers[layer] = bytes;
    balance.point.resident = balance.point.layers.sum();
    return balance;
}

/// A heap of 1 MB with one block of half of it, sampled ten times a second.
QString sampledTraceIn(const QTemporaryDir& folder) {
    constexpr Address kHeap = 0x10000000;
    constexpr std::uint32_t kPid = 70;
    fixtures::TraceBuilder trace(fixtures::TraceShape{});
    trace.endsAt(fixtures::seconds(60));
    trace.processStarts(fixtures::seconds(0.01), {.pid = kPid, .name = "server"});
    trace.heapAlloc({fixtures::seconds(0.02), kPid, kPid}, 1, {kHeap + 16, kMegabyte / 2});
    for (int i = 1; i < 100; ++i) {
        ResidentSample sample;
        sample.time = fixtures::seconds(0.1 * i);
        sample.pid = kPid;
        sample.names = {"[heap]"};
        Mapping heap;
        heap.begin = kHeap;
        heap.end = heap.begin + kMegabyte;
        heap.resident = kMegabyte;
        heap.flags = mapping_flag::kRead | mapping_flag::kWrite;
        sample.mappings.push_back(heap);
        trace.residentSample(sample);
    }
    const auto file = folder.filePath("sampled.etl");
    if (!trace.writeTo(file.toStdString()).hasValue()) qFatal("cannot write");
    return file;
}

} // namespace

class ResidentWatchTest : public QObject {
    Q_OBJECT
  private slots:
    void wordsHaveTheLargeLayersInTheirOrder() {
        QCOMPARE(ResidentWatch::wordsOf({}), QString());
        const auto server = balanceOf("server (7)", {{MemoryLayer::Live, 40 * kMegabyte},
                                                     {MemoryLayer::Rounding, kMegabyte},
                                                     {MemoryLayer::HeldFree, 120 * kMegabyte},
                                                     {MemoryLayer::Images, 30 * kMegabyte},
                                                     {MemoryLayer::Unknown, 2 * kMegabyte}});
        QCOMPARE(ResidentWatch::wordsOf({server}),
                 "Rss 193.0 MB: 40.0 MB live, 120.0 MB free but held, 30.0 MB program and libraries, 3.0 MB other");
        const auto client = balanceOf("client (8)", {{MemoryLayer::Live, kMegabyte}});
        QCOMPARE(ResidentWatch::wordsOf({client}), "Rss 1.0 MB: 1.0 MB live");
        QCOMPARE(ResidentWatch::wordsOf({client, balanceOf("small (9)", {})}), "Rss of client (8) 1.0 MB: 1.0 MB live");
    }
    void theNewestSampleIsShownWhileARecordingRuns() {
        QTemporaryDir folder;
        RecordingSession session(folder.filePath("recordings"));
        const ResidentWatch watch(session);
        const QSignalSpy changed(&watch, &ResidentWatch::changed);
        session.startReplay(sampledTraceIn(folder), 1);
        const auto words = [&] { return changed.isEmpty() ? QString() : changed.last()[0].toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(words(), "Rss 1.0 MB: 512.0 KB live, 508.0 KB free, 4.0 KB other", kWatchPatienceMs);
        session.stop();
        QTRY_COMPARE_WITH_TIMEOUT(words(), QString(), kWatchPatienceMs);
    }
};
HIGHWATER_TEST(ResidentWatchTest);
#include "resident_watch_test.moc"
