#include "core/source/attach/own_allocator_linux.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater::source;

namespace {

AllocatorModule program(AllocatorSymbols symbols) { return {"/bin/p", true, std::move(symbols)}; }
AllocatorModule library(const char* path, AllocatorSymbols symbols) { return {path, false, std::move(symbols)}; }

} // namespace

/// Allocators that are linked into the code that calls them.
class OwnAllocatorTest : public QObject {
    Q_OBJECT
  private slots:
    void theCLibraryExportsMalloc() {
        const auto symbols = allocatorSymbolsIn("/lib/x86_64-linux-gnu/libc.so.6");
        QVERIFY(symbols.exportsMalloc);
        QVERIFY(!symbols.hidesMalloc);
        QVERIFY(symbols.own.empty());
    }
    void aLibraryOfAnAllocatorIsSeenByItsMalloc() {
        const char* const path = "/usr/lib/x86_64-linux-gnu/libmimalloc.so.2";
        if (!QFile::exists(path)) QSKIP("mimalloc is not installed");
        const auto symbols = allocatorSymbolsIn(path);
        QVERIFY(symbols.exportsMalloc);
        QCOMPARE(symbols.exported, std::vector<std::string>{"mi_malloc"});
        const auto mimalloc = library(path, symbols);
        QCOMPARE(moduleWithOwnAllocator({program({}), mimalloc}, true), std::string());
        // Unless the program calls its own functions.
        AllocatorSymbols calls;
        calls.imported = {"mi_malloc"};
        QCOMPARE(moduleWithOwnAllocator({program(calls), mimalloc}, true), std::string(path));
    }
    void aProgramsOwnMallocCountsIfNothingIsPassedOn() {
        AllocatorSymbols symbols;
        symbols.exportsMalloc = true;
        QCOMPARE(moduleWithOwnAllocator({program(symbols)}, false), std::string("/bin/p"));
        QCOMPARE(moduleWithOwnAllocator({program(symbols)}, true), std::string());
    }
    void aLibrarysHiddenMallocIsItsOwn() {
        AllocatorSymbols hidden;
        hidden.hidesMalloc = true;
        QCOMPARE(moduleWithOwnAllocator({program({}), library("/lib/liba.so", hidden)}, true),
                 std::string("/lib/liba.so"));
        QCOMPARE(moduleWithOwnAllocator({program({}), library("/lib64/ld-linux-x86-64.so.2", hidden)}, true),
                 std::string());
    }
    void whatIsNoElfFileDefinesNothing() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("not elf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x7F"
                   "ELF malloc");
        file.close();
        for (const QString& path : {file.fileName(), QString("/nonexistent"), QString("/"), QString("/dev/zero")}) {
            const auto symbols = allocatorSymbolsIn(path.toStdString());
            QVERIFY(!symbols.exportsMalloc && !symbols.hidesMalloc && symbols.own.empty());
        }
    }
    // Tables that point beyond the file, or to each other.
    void damagedFilesAreRead() {
        QFile original("/lib/x86_64-linux-gnu/libdl.so.2");
        QVERIFY(original.open(QIODevice::ReadOnly));
        const QByteArray whole = original.readAll();
        const QTemporaryDir folder;
        for (int round = 0; round < 300; ++round) {
            QByteArray damaged = whole.left(round % 3 == 0 ? whole.size() * (round % 100) / 100 : whole.size());
            for (int change = 0; change < 8 && !damaged.isEmpty(); ++change) {
                const auto at = static_cast<qsizetype>(
                    (static_cast<std::uint64_t>(round) * 7919 + static_cast<std::uint64_t>(change) * 104729) %
                    static_cast<std::uint64_t>(change < 4 ? std::min<qsizetype>(damaged.size(), 64) : damaged.size()));
                damaged[at] = static_cast<char>(round * 31 + change * 17);
            }
            QFile file(folder.filePath("damaged"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(damaged);
            file.close();
            static_cast<void>(allocatorSymbolsIn(file.fileName().toStdString()));
        }
    }
};
HIGHWATER_TEST(OwnAllocatorTest);
#include "own_allocator_test_linux.moc"
