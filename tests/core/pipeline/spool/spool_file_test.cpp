#include "core/pipeline/spool/spool_file.h"
#include "tests/core/pipeline/spool/written_heap.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <optional>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

/// Ownership of a recording's file, and its contents over time.
class SpoolFileTest : public QObject {
    Q_OBJECT
  private slots:
    void isDeletedUnlessSomebodyTakesIt() {
        const QTemporaryDir folder(folderInMemory());
        const auto options = inFolder(folder);
        {
            SpoolFile file(options);
            file.open(RecordStream::properties());
            QVERIFY(std::filesystem::exists(options.place));
        }
        QVERIFY(!std::filesystem::exists(options.place));
    }
    void canBeReadAfterEachFlush() {
        const QTemporaryDir folder(folderInMemory());
        const auto options = inFolder(folder);
        SpoolFile file(options);
        file.open(RecordStream::properties());
        writeBlocks(file, 100, 10);
        file.flush();
        QCOMPARE(blocksIn(options.place), std::uint64_t{10});
        writeBlocks(file, 200, 5);
        file.flush();
        QCOMPARE(blocksIn(options.place), std::uint64_t{15});
        QCOMPARE(file.bytes(), std::filesystem::file_size(options.place));
    }
    /// Buffers that were not compressed during writing are compressed when the file is saved.
    void isPackedWhenItHasEnded() {
        const QTemporaryDir folder(folderInMemory());
        auto options = inFolder(folder);
        options.packing = {etl::Compression::Xpress, etl::Packing::Aside};
        SpoolFile file(options);
        file.open(RecordStream::properties());
        constexpr int kParts = 2000; // more than can wait for packing at a time
        for (int part = 0; part < kParts; ++part)
            writeBlocks(file, 1000 + part * 1000, 1000);
        QVERIFY(file.complete({}) > 0);
        const auto before = file.bytes();
        file.packRest();
        QCOMPARE(file.bytes(), std::filesystem::file_size(options.place));
        QVERIFY(file.bytes() <= before);
        QCOMPARE(blocksIn(options.place), std::uint64_t{kParts} * 1000);
        const auto place = options.place.string() + ".saved";
        QVERIFY(file.moveTo(place));
        QVERIFY(!std::filesystem::exists(options.place));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path().toStdString()), {}), 1);
        TraceLoader saved({place});
        saved.wait();
        const auto facts = saved.facts().files;
        QCOMPARE(facts.buffersCompressed, facts.buffers - 1); // all but the header
    }
    void isLeftWhereItIs() {
        const QTemporaryDir folder(folderInMemory());
        const auto options = inFolder(folder);
        {
            SpoolFile file(options);
            file.open(RecordStream::properties());
            writeBlocks(file, 100, 10);
            QVERIFY(!file.isClosed());
            QVERIFY(file.complete({}) > 0);
            QCOMPARE(file.leave(), std::optional(options.place));
            QVERIFY(file.isClosed());
            QCOMPARE(file.leave(), std::nullopt);
        }
        QCOMPARE(blocksIn(options.place), std::uint64_t{10});
    }
    void isMovedOnceAndThenNotOurs() {
        const QTemporaryDir folder(folderInMemory());
        const auto options = inFolder(folder);
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        {
            SpoolFile file(options);
            file.open(RecordStream::properties());
            writeBlocks(file, 100, 10);
            (void)file.complete({});
            QVERIFY(file.moveTo(saved));
            QCOMPARE(file.place(), saved);
            QVERIFY(!file.moveTo(folder.filePath("again.etl").toStdString()));
        }
        QVERIFY(!std::filesystem::exists(options.place));
        QCOMPARE(blocksIn(saved), std::uint64_t{10});
    }
    void saysWhyItCannotBeMade() {
        const QTemporaryDir folder(folderInMemory());
        SpoolFile file({.place = folder.filePath("no/such/folder/spool.etl").toStdString()});
        file.open(RecordStream::properties());
        QVERIFY(file.errors().file.has_value());
        writeBlocks(file, 100, 10);
        file.flush();
        QCOMPARE(file.bytes(), std::uint64_t{0});
        QCOMPARE(file.complete({}), std::uint64_t{0});
        QCOMPARE(file.leave(), std::nullopt);
    }
    void goesOnInTheNextFile() {
        const QTemporaryDir folder(folderInMemory());
        auto options = inFolder(folder);
        options.keepsNewest = true;
        SpoolFile file(options);
        file.open(RecordStream::properties());
        writeBlocks(file, 100, 1000);
        file.flush();
        file.beginNext(5000, 7);
        writeBlocks(file, 5000, 10);
        QVERIFY(file.nextBytes() > 0);
        QVERIFY(file.continueInNext(nothingCarriedOver(5000, options.place)));
        QCOMPARE(file.eventsInOlderGaps(), std::uint64_t{7});
        QVERIFY(!file.errors().next.has_value());
        writeBlocks(file, 6000, 5);
        file.flush();
        QCOMPARE(file.place(), options.place);
        QCOMPARE(file.bytes(), std::filesystem::file_size(options.place));
        QCOMPARE(blocksIn(options.place), std::uint64_t{1015}); // outstanding blocks are carried over
    }
    void keepsItsPlaceWhileItIsRead() {
        const QTemporaryDir folder(folderInMemory());
        auto options = inFolder(folder);
        options.keepsNewest = true;
        SpoolFile file(options);
        file.open(RecordStream::properties());
        writeBlocks(file, 100, 10);
        file.flush();
        file.beginNext(5000, 0);
        std::optional<SpoolFile::Reading> reading(std::in_place, file);
        QVERIFY(!file.continueInNext(nothingCarriedOver(5000, options.place)));
        reading.reset();
        QVERIFY(file.continueInNext(nothingCarriedOver(5000, options.place)));
    }
    /// Otherwise the next file would silently lack it.
    void givesTheNextFileUpWhenSomethingIsLost() {
        const QTemporaryDir folder(folderInMemory());
        auto options = inFolder(folder);
        options.keepsNewest = true;
        SpoolFile file(options);
        file.open(RecordStream::properties());
        file.beginNext(5000, 0);
        const auto filesWithNext = QDir(folder.path()).entryList(QDir::Files).size();
        QCOMPARE(filesWithNext, 2);
        file.giveUpNext({ErrorKind::Io, "There is not enough memory."});
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        QCOMPARE(file.errors().file.value().message, std::string("There is not enough memory."));
        QVERIFY(file.errors().next.has_value());
    }
    void theFirstErrorStaysUntilAnotherFileTakesThePlace() {
        SpoolErrors errors;
        errors.reportFile({ErrorKind::Io, "first"});
        errors.reportFile({ErrorKind::Io, "second"});
        errors.reportNext({ErrorKind::Io, "first"});
        errors.reportNext({ErrorKind::Io, "second"});
        QCOMPARE(errors.report().file.value().message, std::string("first"));
        QCOMPARE(errors.report().next.value().message, std::string("second"));
        QVERIFY(!errors.report().sync.has_value());
        errors.clear();
        QVERIFY(!errors.report().file.has_value() && !errors.report().next.has_value());
    }
};
HIGHWATER_TEST(SpoolFileTest);
#include "spool_file_test.moc"
