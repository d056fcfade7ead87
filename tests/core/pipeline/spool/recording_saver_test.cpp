#include "core/pipeline/spool/recording_saver.h"
#include "tests/core/pipeline/spool/written_heap.h"
#include "tests/core/pipeline/test_disks.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

/// The files that a recording saves under the user's name, and its notes on missing data.
class RecordingSaverTest : public QObject {
    Q_OBJECT

    static RecordingSaver::EventsInGaps gaps(std::uint64_t events) {
        return [events] { return events; };
    }
    static void nothingLate(etl::RecordBatch& /*batch*/) {}
    static std::filesystem::path in(const QTemporaryDir& folder, const char* name) {
        return folder.filePath(name).toStdString();
    }

  private slots:
    void aCopyIsSavedWhileTheRecordingGoesOn() {
        const QTemporaryDir folder(folderInMemory());
        SpoolFile file(inFolder(folder));
        file.open(RecordStream::properties());
        RecordingSaver saver(file, etl::Compression::None, gaps(0));
        writeBlocks(file, 100, 10);
        QCOMPARE(saver.save(in(folder, "a.etl"), {}, nothingLate).value(), std::string());
        writeBlocks(file, 200, 5);
        QCOMPARE(saver.save(in(folder, "b.etl"), {}, nothingLate).value(), std::string());
        QCOMPARE(blocksIn(in(folder, "a.etl")), std::uint64_t{10});
        QCOMPARE(blocksIn(in(folder, "b.etl")), std::uint64_t{15});
        QVERIFY(!file.isClosed());
    }
    void whatCameAfterTheEndIsInTheFileSavedNext() {
        const QTemporaryDir folder(folderInMemory());
        SpoolFile file(inFolder(folder));
        file.open(RecordStream::properties());
        RecordingSaver saver(file, etl::Compression::None, gaps(0));
        writeBlocks(file, 100, 10);
        QVERIFY(saver.save(in(folder, "a.etl"), {.hasEnded = true}, nothingLate).hasValue());
        RecordStream late;
        late.heapAlloc(900, 77, 5, 0x9000);
        const auto addLate = [&](etl::RecordBatch& batch) { batch.records = late.records(); };
        QVERIFY(saver.save(in(folder, "b.etl"), {.hasEnded = true}, addLate).hasValue());
        QCOMPARE(blocksIn(in(folder, "a.etl")), std::uint64_t{10});
        QCOMPARE(blocksIn(in(folder, "b.etl")), std::uint64_t{11});
    }
    void saysWhatTheFileLacks() {
        const QTemporaryDir folder(folderInMemory());
        auto options = inFolder(folder);
        options.output = std::make_shared<UnsureDisk>(options.place);
        SpoolFile file(options);
        options.output.reset();
        file.open(RecordStream::properties());
        RecordingSaver saver(file, etl::Compression::None, gaps(3));
        writeBlocks(file, 100, 10);
        QCOMPARE(saver.save(in(folder, "a.etl"), {}, nothingLate).value(),
                 std::string("3 events are missing from the file: the disk could not keep up. The disk did not confirm "
                             "that it stored the whole file. Keep another copy. Input/output error."));
    }
    void saysThatNothingWasWritten() {
        const QTemporaryDir folder(folderInMemory());
        SpoolFile file({.place = folder.filePath("no/folder/spool.etl").toStdString()});
        RecordingSaver saver(file, etl::Compression::None, gaps(0));
        const auto early = saver.save(in(folder, "a.etl"), {}, nothingLate);
        QVERIFY(!early.hasValue());
        QVERIFY2(early.error().message.ends_with("nothing was written. The recording has not started."),
                 early.error().message.c_str());
        file.open(RecordStream::properties());
        const auto late = saver.save(in(folder, "a.etl"), {.hasEnded = true}, nothingLate);
        QVERIFY(!late.hasValue());
        QVERIFY(!std::filesystem::exists(in(folder, "a.etl")));
        QCOMPARE(saver.leave({}), std::nullopt);
    }
    void leavesTheFileToWhoCannotSave() {
        const QTemporaryDir folder(folderInMemory());
        const auto options = inFolder(folder);
        {
            SpoolFile file(options);
            file.open(RecordStream::properties());
            RecordingSaver saver(file, etl::Compression::None, gaps(0));
            writeBlocks(file, 100, 10);
            QCOMPARE(saver.leave({}), std::optional(options.place));
        }
        QCOMPARE(blocksIn(options.place), std::uint64_t{10});
    }
};
HIGHWATER_TEST(RecordingSaverTest);
#include "recording_saver_test.moc"
