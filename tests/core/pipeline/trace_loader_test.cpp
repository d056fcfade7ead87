#include "core/pipeline/trace_loader.h"

#include "core/base/text.h"
#include "core/pipeline/recording_notes.h"
#include "core/store/trace_store.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/core/pipeline/trace_rows.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <vector>

using namespace highwater;
using pipeline::LoadState;
using pipeline::TraceLoader;

class TraceLoaderTest : public QObject {
    Q_OBJECT
  private slots:
    void loadsTheExampleCompletely() {
        QTemporaryDir folder;
        TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
        const auto trace = loader.latest();
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->wholeRange().end.seconds(), 34.0);
        QCOMPARE(trace->health[Loss::UnmatchedFrees], std::uint64_t{2});
        QVERIFY(!trace->health.totalsAreBounds());
        QVERIFY(loader.facts().counts.total > 10'000);
        QCOMPARE(loader.progress().done.load(), loader.progress().total.load());
    }
    /// A recording examines copies of memory then.
    void theLastRecordsAreAddedWhenAllOthersArePublished() {
        QTemporaryDir folder;
        const auto path = writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value());
        pipeline::RecordingNotes notes;
        std::unique_ptr<TraceLoader> loader;
        std::uint64_t published = 0;
        pipeline::TraceInput input;
        input.open = [&](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
            return std::unique_ptr<source::RecordSource>(source::EtlFileSource::open({path}, health).value());
        };
        input.opened = [&](const TraceProperties& properties) { notes.begin(properties, 63); };
        input.addition = &notes;
        input.beforeEnd = [&] {
            published = loader->latest()->heap.rows;
            notes.remark("This is the last record.");
        };
        loader = std::make_unique<TraceLoader>(std::move(input), TraceLoader::Start::WhenAsked);
        loader->start();
        loader->wait();
        QCOMPARE(loader->state(), LoadState::Finished);
        const auto trace = loader->latest();
        QVERIFY(published > 0);
        QCOMPARE(published, std::uint64_t{trace->heap.rows});
        QCOMPARE(trace->health.sentences().back(), std::string("This is the last record."));
    }
    void keepsTheTraceAliveForThoseWhoLookAtIt() {
        QTemporaryDir folder;
        std::shared_ptr<const store::PublishedTrace> trace;
        {
            TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
            loader.wait();
            trace = loader.latest();
        }
        QCOMPARE(trace->heap.size(0), ByteCount{1000}); // from a process that makes noise, see exercise2.cpp
    }
    /// Buffers of a large file are listed while it is read. If one comes too late, the loader starts again.
    void beginsAgainWhereBuffersComeTooLate_data() {
        QTest::addColumn<bool>("shuffled");
        QTest::newRow("in order") << false;
        QTest::newRow("out of order") << true;
    }
    void beginsAgainWhereBuffersComeTooLate() {
        QFETCH(bool, shuffled);
        fixtures::TraceShape shape;
        shape.bufferBytes = 4096;
        shape.processors = shuffled ? 4 : 1;
        if (shuffled) shape.shuffleSeed = 1;
        const QTemporaryDir folder;
        const auto path = writeFile(folder, "t1.etl", fixtures::exercise2Trace(shape).bytes().value());
        int opened = 0;
        pipeline::TraceInput input;
        input.open = [&](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
            auto file = ++opened == 1 ? source::EtlFileSource::openListedAhead({path}, health, 4096)
                                      : source::EtlFileSource::open({path}, health);
            return std::unique_ptr<source::RecordSource>(std::move(file).value());
        };
        input.name = "t1.etl";
        TraceLoader loader(std::move(input));
        loader.wait();
        QCOMPARE(opened, shuffled ? 2 : 1);
        QCOMPARE(loader.state(), LoadState::Finished);
        pipeline::TraceInput listedFirst;
        listedFirst.open = [&](TraceHealth& counted) -> Result<std::unique_ptr<source::RecordSource>> {
            return std::unique_ptr<source::RecordSource>(source::EtlFileSource::open({path}, counted).value());
        };
        TraceLoader whole(std::move(listedFirst));
        whole.wait();
        for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc})
            QCOMPARE(TraceRows(*loader.latest()).rows(kind), TraceRows(*whole.latest()).rows(kind));
        QCOMPARE(loader.latest()->health.counts, whole.latest()->health.counts);
        QCOMPARE(loader.latest()->health.remarks, whole.latest()->health.remarks);
        QCOMPARE(loader.facts().counts.total, whole.facts().counts.total);
        QCOMPARE(loader.facts().files.buffers, whole.facts().files.buffers);
        QCOMPARE(loader.facts().files.buffersByStream, whole.facts().files.buffersByStream);
        QCOMPARE(loader.progress().done.load(), whole.progress().done.load());
        QCOMPARE(loader.notes()->marks.size(), whole.notes()->marks.size());
    }
    /// Everything except heap rows equals the result with rows kept, also for damaged files.
    void countsBlocksWhereNobodyAsksForRows() {
        const QTemporaryDir folder;
        const auto whole = fixtures::exercise2Trace().bytes().value();
        std::size_t withLosses = 0;
        for (unsigned seed = 0; seed < 30; ++seed) {
            std::mt19937 random(seed);
            auto bytes = whole;
            if (seed % 3 == 1) bytes.resize(1 + random() % bytes.size());
            for (unsigned i = 0; i < (seed % 3 == 2 ? seed : 0); ++i)
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            const auto path = writeFile(folder, "t1.etl", bytes);
            TraceLoader kept({path}), counted({path}, nullptr, store::BlockRows::Counted);
            kept.wait();
            counted.wait();
            QCOMPARE(counted.state(), kept.state());
            if (kept.state() != LoadState::Finished) continue;
            const auto expected = kept.latest(), trace = counted.latest();
            QCOMPARE(trace->heap.rows, std::uint64_t{0});
            QCOMPARE(counted.heapAllocations(), expected->heap.rows);
            QCOMPARE(TraceRows(*trace).rows(store::TableKind::VirtualAlloc),
                     TraceRows(*expected).rows(store::TableKind::VirtualAlloc));
            QCOMPARE(trace->health.counts, expected->health.counts);
            QCOMPARE(trace->health.remarks, expected->health.remarks);
            QCOMPARE(trace->health.notes, expected->health.notes);
            QCOMPARE(trace->health.zones.size(), expected->health.zones.size());
            QCOMPARE(trace->wholeRange().end, expected->wholeRange().end);
            QCOMPARE(trace->processes->processes().size(), expected->processes->processes().size());
            QCOMPARE(counted.facts().counts.total, kept.facts().counts.total);
            withLosses += expected->health[Loss::FreesLost] + expected->health[Loss::ReallocsOfUnknown] > 0;
        }
        QVERIFY(withLosses > 3);
    }
    /// Stacks of events that are only counted are not read, except those that are cut in any case.
    void tellsWhereNobodyAsksForRowsThatStacksAreTooDeep() {
        fixtures::TraceBuilder built;
        built.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11});
        for (const int frames : {100, 511, 600, 600, 700}) {
            std::string stack = "a.exe!main";
            for (int i = 1; i < frames; ++i)
                stack += ";a.exe!deeper";
            built.heapAlloc({fixtures::seconds(1), 10, 11}, 0x1D0000, {0x1D0100, 64}, stack);
        }
        built.endsAt(fixtures::seconds(2));
        const QTemporaryDir folder;
        const auto path = writeFile(folder, "deep.etl", built.bytes().value());
        TraceLoader kept({path}), counted({path}, nullptr, store::BlockRows::Counted);
        kept.wait();
        counted.wait();
        const auto& notes = counted.latest()->health.notes;
        QCOMPARE(notes, kept.latest()->health.notes);
        QVERIFY(
            std::ranges::any_of(notes, [](const auto& note) { return note.starts_with("2 call stacks are deeper"); }));
    }
    void saysWhyNothingCanBeRead() {
        TraceLoader loader({"/nonexistent/trace.etl"});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Failed);
        QCOMPARE(loader.error()->kind, ErrorKind::NotFound);
        QVERIFY(loader.error()->message.find("trace.etl") != std::string::npos);
        QVERIFY(loader.latest() == nullptr);
    }
    /// The advice to unpack it would not help, because it cannot be read then either.
    void saysWhatIsPackedInAFileThatIsNotRead() {
        constexpr std::uint8_t kPdf[] = {0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                                         0x53, 0x0D, 0x70, 0x71, 0xD3, 0x35, 0xD4, 0x33, 0x01, 0x00,
                                         0xA2, 0xBA, 0x59, 0xE9, 0x08, 0x00, 0x00, 0x00};
        std::vector<std::byte> bytes(sizeof(kPdf));
        std::memcpy(bytes.data(), kPdf, sizeof(kPdf));
        QTemporaryDir folder;
        TraceLoader loader({writeFile(folder, "a.gz", bytes)});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Failed);
        QVERIFY2(loader.error()->message.find("a.gz is packed. Unpacked, it is a PDF document. Highwater opens ") !=
                     std::string::npos,
                 loader.error()->message.c_str());
    }
    void stopsAtOnceAndKeepsWhatWasRead() {
        QTemporaryDir folder;
        TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
        loader.cancel();
        loader.wait();
        QVERIFY(loader.isDone());
        if (loader.state() == LoadState::Cancelled) QVERIFY(!loader.error().has_value());
    }
    void mayBeDestroyedWhileLoading() {
        QTemporaryDir folder;
        const auto path = writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value());
        for (int i = 0; i < 20; ++i) {
            TraceLoader loader({path});
        }
    }
    void saysWhereACutOffFileEnds() {
        QTemporaryDir folder;
        const auto whole = fixtures::exercise2Trace().bytes().value();
        auto bytes = whole;
        bytes.resize(bytes.size() * 2 / 3 + 100);
        TraceLoader loader({writeFile(folder, "cut.etl", bytes)});
        loader.wait();
        const auto trace = loader.latest();
        QCOMPARE(trace->health.notes.size(), std::size_t{1});
        // The trace ends a tick of 100 ns after its last event.
        const TraceTime last{trace->wholeRange().end.ns - 100};
        const auto expected = QStringLiteral("cut.etl ends at %1 s, in the middle of a buffer, after %2 of %3 bytes.")
                                  .arg(last.seconds(), 0, 'f', 3)
                                  .arg(QString::fromStdString(thousands(bytes.size())))
                                  .arg(QString::fromStdString(thousands(whole.size())));
        const auto note = QString::fromStdString(trace->health.notes[0]);
        QVERIFY2(note.endsWith(expected), qPrintable(note + " instead of " + expected));
        QCOMPARE(trace->health.zones.size(), std::size_t{1});
        QCOMPARE(trace->health.zones[0].start.ns, last.ns);
        QCOMPARE(trace->health.zones[0].end.seconds(), 34.0); // according to its header
    }
    void countsWhatACutOffFileLost() {
        QTemporaryDir folder;
        auto bytes = fixtures::exercise2Trace().bytes().value();
        bytes.resize(bytes.size() * 2 / 3 + 100);
        TraceLoader loader({writeFile(folder, "cut.etl", bytes)});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
        QVERIFY(loader.latest()->health.totalsAreBounds());
        QVERIFY(loader.latest()->heap.rows > 1000);
    }
};
HIGHWATER_TEST(TraceLoaderTest);
#include "trace_loader_test.moc"
