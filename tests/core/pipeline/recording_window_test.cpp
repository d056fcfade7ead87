#include "core/pipeline/recording.h"
#include "tests/core/pipeline/small_batches.h"
#include "tests/core/pipeline/test_disks.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/core/pipeline/trace_rows.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <future>
#include <utility>

using namespace highwater;
using namespace highwater::pipeline;
using fixtures::exercise2Trace;

namespace {

/// The data of the rows that do not end before `start`, without an order, because their numbers may differ.
std::vector<std::string> rowsSince(const store::PublishedTrace& trace, store::TableKind kind, TraceTime start) {
    const auto all = TraceRows(trace).rows(kind);
    std::vector<std::string> rows;
    for (std::uint32_t row = 0; row < all.size(); ++row) {
        if (trace.table(kind).end(RowId{row}) >= start) rows.push_back(all[row]);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

void compareSince(const store::PublishedTrace& actual, const store::PublishedTrace& whole, TraceTime start) {
    for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc}) {
        const auto rows = rowsSince(actual, kind, start);
        const auto wanted = rowsSince(whole, kind, start);
        for (std::size_t i = 0; i < std::min(rows.size(), wanted.size()); ++i) {
            QCOMPARE(rows[i], wanted[i]);
        }
        QCOMPARE(rows.size(), wanted.size());
    }
    QCOMPARE(actual.wholeRange().end.ns, whole.wholeRange().end.ns);
    for (const auto loss : {Loss::UnmatchedFrees, Loss::FreesLost, Loss::DecommitsOfUnknown, Loss::ReservationsUnknown,
                            Loss::StacksMissing, Loss::StacksUnresolved, Loss::ProcessesUnknown}) {
        // Losses before the window are not reported again.
        QVERIFY2(actual.health[loss] <= whole.health[loss], std::string(describe(loss).name).c_str());
    }
}

constexpr auto kKept = std::chrono::milliseconds(500);

} // namespace

/// Recordings that keep only their newest part.
class RecordingWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheNewestPartAndWhatIsOutstanding_data() {
        QTest::addColumn<int>("stacks");
        QTest::addColumn<int>("processors");
        using fixtures::StackForm;
        QTest::addRow("stack walks on 4 processors") << static_cast<int>(StackForm::StackWalk) << 4;
        QTest::addRow("keys of an agent") << static_cast<int>(StackForm::KeysDefinedBefore) << 1;
        QTest::addRow("keys") << static_cast<int>(StackForm::Keys) << 2;
        QTest::addRow("extended") << static_cast<int>(StackForm::Extended) << 1;
    }
    void keepsTheNewestPartAndWhatIsOutstanding() {
        QFETCH(int, stacks);
        QFETCH(int, processors);
        const QTemporaryDir folder(folderInMemory());
        fixtures::TraceShape shape;
        shape.stacks = static_cast<fixtures::StackForm>(stacks);
        shape.processors = static_cast<std::uint16_t>(processors);
        const auto original = exercise2Trace(shape).bytes().value();
        const auto whole = load(writeFile(folder, "original.etl", original));
        const std::filesystem::path spool = folder.filePath("spool.etl").toStdString();
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        {
            Recording recording(smallBatches(original), keeping(folder, KeepLast{kKept, 0}));
            recording.wait();
            const auto live = recording.trace().latest();
            QVERIFY(live->isTrimmed());
            const auto start = live->wholeRange().start;
            // The kept part may be longer than requested, depending on the progress of the threads.
            QVERIFY2(start.ns > whole->horizon.ns / 2, std::to_string(start.ns).c_str());
            QVERIFY(live->heap.rows + live->heap.evicted.rows == whole->heap.rows);
            compareSince(*live, *whole, start);
            // As a program that is killed now leaves it.
            const auto left = folder.filePath("left.etl").toStdString();
            std::filesystem::copy_file(spool, left);
            QCOMPARE(recording.save(saved).value(), std::string());
            for (const auto& path : {std::filesystem::path(left), saved}) {
                const auto file = load(path);
                QVERIFY(file->isTrimmed());
                QVERIFY(file->retainedFrom <= start);
                QVERIFY(file->heap.evicted.rows > 0);
                for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc}) {
                    QCOMPARE(rowsSince(*file, kind, start).size(), rowsSince(*whole, kind, start).size());
                }
                // Frames that come at the very end are missing when the file continues without the oldest part.
                if (shape.stacks == fixtures::StackForm::Keys) continue;
                compareSince(*file, *whole, start);
                compareSince(*file, *whole, file->retainedFrom);
            }
        }
        QVERIFY(!std::filesystem::exists(spool));
        QVERIFY(!std::filesystem::exists(folder.filePath("spool.etl.next").toStdString()));
    }
    void keepsTheOldestLeak() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = exercise2Trace().bytes().value();
        const auto whole = load(writeFile(folder, "original.etl", original));
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(smallBatches(original), keeping(folder, KeepLast{kKept, 0}));
        recording.wait();
        QVERIFY(recording.save(saved).hasValue());
        RowId oldest = 0;
        while (whole->heap.end(oldest) != kNever)
            ++oldest;
        const auto leak = TraceRows(*whole).rows(store::TableKind::Heap)[oldest];
        const auto file = load(saved);
        QVERIFY(whole->heap.begin(oldest) < file->retainedFrom);
        const auto rows = TraceRows(*file).rows(store::TableKind::Heap);
        QVERIFY2(std::find(rows.begin(), rows.end(), leak) != rows.end(), leak.c_str());
    }
    void canBeSavedAtAnyMoment() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(smallBatches(exercise2Trace().bytes().value()), keeping(folder, KeepLast{kKept, 0}));
        QTRY_VERIFY(recording.trace().latest() != nullptr);
        while (!recording.trace().isDone()) {
            const auto lacks = recording.save(saved);
            QVERIFY2(lacks.hasValue(), lacks.hasValue() ? "" : lacks.error().message.c_str());
            QCOMPARE(lacks.value(), std::string());
            const auto health = load(saved)->health;
            QCOMPARE(health[Loss::BuffersTruncated] + health[Loss::BuffersUnreadable], std::uint64_t{0});
        }
        recording.wait();
        QVERIFY(recording.trace().latest()->isTrimmed());
        QVERIFY(!recording.status().spoolError.has_value());
        QVERIFY(!recording.status().windowError.has_value());
    }
    void keepsTheFileSmall() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = exercise2Trace().bytes().value();
        const std::filesystem::path whole = folder.filePath("whole.etl").toStdString();
        const std::filesystem::path small = folder.filePath("small.etl").toStdString();
        auto options = keeping(folder, std::nullopt);
        options.compression = etl::Compression::None;
        {
            Recording recording(smallBatches(original), options);
            recording.wait();
            QVERIFY(recording.save(whole).hasValue());
        }
        options.keepLast = KeepLast{std::chrono::nanoseconds(0), std::filesystem::file_size(whole) / 3};
        Recording recording(smallBatches(original), options);
        recording.wait();
        QVERIFY(recording.save(small).hasValue());
        QVERIFY(load(small)->isTrimmed());
        QVERIFY(std::filesystem::file_size(small) < std::filesystem::file_size(whole) * 3 / 4);
    }
    void keepsAllThatIsShorter() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = exercise2Trace().bytes().value();
        const auto whole = load(writeFile(folder, "original.etl", original));
        Recording recording(smallBatches(original), keeping(folder, KeepLast{std::chrono::hours(1), 0}));
        recording.wait();
        QVERIFY(!recording.trace().latest()->isTrimmed());
        compareSince(*recording.trace().latest(), *whole, kBeforeTrace);
    }
    void aGapThatHasPassedIsNotToldAgain() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = exercise2Trace({.stacks = fixtures::StackForm::KeysDefinedBefore}).bytes().value();
        std::promise<void> diskStands, diskGoesOn, sourceGoesOn;
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        auto options = keeping(folder, KeepLast{kKept, 0});
        options.flushEvery = std::chrono::milliseconds(1);      // before the first file is replaced
        options.diskPatience = std::chrono::milliseconds(1000); // more than a busy machine takes for a batch
        options.mostBytesWaiting = 30'000;
        options.output = std::make_shared<StandingDisk>(options.spool, diskGoesOn.get_future().share(),
                                                        [&] { diskStands.set_value(); });
        constexpr int kBatchesOfTheGap = 200;
        // The source waits until the disk stalls. After the gap it waits until the test has seen it and the file has
        // caught up.
        const auto beforeEach = [stands = diskStands.get_future().share(), goOn = sourceGoesOn.get_future().share(),
                                 batches = 0]() mutable {
            ++batches;
            if (batches == 2) stands.wait_for(std::chrono::seconds(60));
            if (batches == kBatchesOfTheGap) goOn.wait_for(std::chrono::seconds(60));
        };
        Recording recording(smallBatches(original, beforeEach), std::move(options));
        const bool isSeen = QTest::qWaitFor([&] { return recording.status().missingEvents > 0; }, 30'000);
        diskGoesOn.set_value();
        constexpr int kStillPolls = 10;
        std::uint64_t written = recording.status().bytes;
        for (int still = 0; still < kStillPolls;) {
            QTest::qWait(50);
            const auto before = std::exchange(written, recording.status().bytes);
            still = before == written ? still + 1 : 0;
        }
        sourceGoesOn.set_value();
        QVERIFY(isSeen);
        recording.wait();
        QVERIFY(recording.trace().latest()->isTrimmed());
        QCOMPARE(recording.status().missingEvents, std::uint64_t{0});
        QCOMPARE(recording.save(saved).value(), std::string());
        QVERIFY(load(saved)->health.remarks.empty());
    }
    void closesTheFileThatItReplaces() {
        const QTemporaryDir folder(folderInMemory());
        auto options = keeping(folder, KeepLast{kKept, 0});
        options.output = std::shared_ptr<etl::ByteOutput>(etl::createFileOutput(options.spool).value());
        const std::weak_ptr<etl::ByteOutput> isOpen = options.output;
        Recording recording(smallBatches(exercise2Trace().bytes().value()), std::move(options));
        recording.wait();
        QVERIFY(recording.trace().latest()->isTrimmed());
        QVERIFY(isOpen.expired());
    }
    void goesOnInOneFileWhenTheNextOneCannotBeMade() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = exercise2Trace().bytes().value();
        const auto whole = load(writeFile(folder, "original.etl", original));
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        auto options = keeping(folder, KeepLast{kKept, 0});
        constexpr int kLongest = 255; // for a name; no name beside this one can be longer
        options.spool = folder.filePath(QString(kLongest, 's')).toStdString();
        Recording recording(smallBatches(original), options);
        recording.wait();
        QVERIFY(recording.trace().latest()->isTrimmed());
        QVERIFY(recording.status().windowError.has_value());
        QVERIFY(!recording.status().spoolError.has_value());
        QCOMPARE(recording.save(saved).value(), std::string());
        compareSince(*load(saved), *whole, kBeforeTrace);
    }
};
HIGHWATER_TEST(RecordingWindowTest);
#include "recording_window_test.moc"
