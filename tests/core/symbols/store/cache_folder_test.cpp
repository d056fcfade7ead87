#include "core/symbols/store/cache_folder.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::symbols;

class CacheFolderTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void put(const QString& path, int bytes) const {
        const auto file = folder_.filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(QByteArray(bytes, 'x')), qint64{bytes});
    }

  private slots:
    void countsAndRemovesWhatIsOursOnly() {
        const std::string root = folder_.path().toStdString();
        QCOMPARE(cacheBytes(root), std::uint64_t{0});
        put("names/0123.names", 10);
        put("ntdll.pdb/00112233445566778899AABBCCDDEEFF1/ntdll.pdb", 200);
        put("buildid/0a1b2c/debuginfo", 3000);
        put("letters/names/mine.txt", 40000); // another program's
        put("names/mine.txt", 40000);
        put("ntdll.pdb/notes.txt", 40000);
        QCOMPARE(cacheBytes(root), std::uint64_t{3210});
        QCOMPARE(clearCache(root), std::uint64_t{3210});
        QCOMPARE(cacheBytes(root), std::uint64_t{0});
        QVERIFY(QFile::exists(folder_.filePath("names/mine.txt")));
        QVERIFY(QFile::exists(folder_.filePath("letters/names/mine.txt")));
        QVERIFY(QFile::exists(folder_.filePath("ntdll.pdb/notes.txt")));
        QVERIFY(!QDir(folder_.filePath("buildid")).exists());
        QVERIFY(QDir(folder_.path()).exists());
    }
    void aFolderThatIsNotThereIsEmpty() {
        QCOMPARE(cacheBytes("/no/such/folder"), std::uint64_t{0});
        QCOMPARE(clearCache("/no/such/folder"), std::uint64_t{0});
    }
};
HIGHWATER_TEST(CacheFolderTest);
#include "cache_folder_test.moc"
