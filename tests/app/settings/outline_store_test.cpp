#include "app/settings/application_settings.h"
#include "app/settings/outline_store.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace highwater;
using app::OutlineStore;

namespace {

struct OutlineStage {
    QTemporaryDir folder;
    OutlineStore store{folder.filePath("outlines")};

    QStringList files() { return QDir(folder.filePath("outlines")).entryList(QDir::Files); }
    void overwrite(const QByteArray& bytes) {
        QFile file(folder.filePath("outlines/" + files().first()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

} // namespace

class OutlineStoreTest : public QObject {
    Q_OBJECT
  private slots:
    /// They reveal which traces were opened. Older versions of Highwater let everyone read them.
    void isForItsOwnerAlone() {
#ifdef Q_OS_WIN
        QSKIP("The folder's rights are those of the folder above it there.");
#endif
        OutlineStage stage;
        const QList<qint64> amounts(1600, 10);
        stage.store.save("/x/a.etl", amounts);
        const auto path = stage.folder.filePath("outlines/" + stage.files().first());
        constexpr auto kOthers =
            QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;
        QVERIFY((QFile::permissions(path) & kOthers) == 0);
        QVERIFY(QFile::setPermissions(path, QFile::permissions(path) | QFileDevice::ReadOther));
        stage.store.save("/x/a.etl", amounts);
        QVERIFY((QFile::permissions(path) & kOthers) == 0);
        QVERIFY((QFile::permissions(stage.folder.filePath("outlines")) & kOthers) == 0);
    }
    void keepsTheHighestOfEachSlice() {
        OutlineStage stage;
        QList<qint64> amounts(1600, 10);
        amounts[803] = 40; // a spike at one instant
        amounts[0] = -5;
        stage.store.save("/x/a.etl", amounts);
        const auto outline = stage.store.load("/x/a.etl");
        QCOMPARE(outline.size(), OutlineStore::kSlices);
        QCOMPARE(outline[80], OutlineStore::kHighest);
        QCOMPARE(std::count(outline.begin(), outline.end(), 64), OutlineStore::kSlices - 1);
    }
    void fewAmountsAreEnough() {
        OutlineStage stage;
        stage.store.save("a", {1, 2});
        const auto outline = stage.store.load("a");
        QCOMPARE(outline.size(), OutlineStore::kSlices);
        QVERIFY(outline.first() == 128 && outline.last() == 255);
        stage.store.save("b", {std::numeric_limits<qint64>::max(), std::numeric_limits<qint64>::min()});
        QCOMPARE(stage.store.load("b").first(), 255);
        QCOMPARE(stage.store.load("b").last(), 0);
    }
    void nothingHasNoOutline() {
        OutlineStage stage;
        stage.store.save("a", {});
        stage.store.save("a", {0, -7});
        QVERIFY(stage.files().isEmpty());
        QVERIFY(stage.store.load("a").isEmpty());
    }
    void aDamagedFileIsNone_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addRow("empty") << QByteArray();
        QTest::addRow("cut off") << QByteArray("HWO1") + QByteArray(OutlineStore::kSlices - 1, 'x');
        QTest::addRow("longer") << QByteArray("HWO1") + QByteArray(OutlineStore::kSlices + 1, 'x');
        QTest::addRow("of somebody else") << QByteArray("\x89PNG") + QByteArray(OutlineStore::kSlices, 'x');
        QTest::addRow("much longer") << QByteArray(10 << 20, 'H');
    }
    void aDamagedFileIsNone() {
        QFETCH(QByteArray, bytes);
        OutlineStage stage;
        stage.store.save("a", {1, 2, 3});
        stage.overwrite(bytes);
        QVERIFY(stage.store.load("a").isEmpty());
        stage.store.save("a", {1, 2, 3}); // fixes it
        QCOMPARE(stage.store.load("a").size(), OutlineStore::kSlices);
    }
    void deletesOthers() {
        OutlineStage stage;
        for (int i = 0; i < 20; ++i)
            stage.store.save(QString::number(i), {1});
        QCOMPARE(stage.files().size(), 20);
        stage.store.keepOnly({"3", "7", "never saved"});
        QCOMPARE(stage.files().size(), 2);
        QVERIFY(!stage.store.load("3").isEmpty() && !stage.store.load("7").isEmpty());
    }
    void aFolderThatCannotBeMadeHasNone() {
        const QTemporaryDir folder;
        QFile inTheWay(folder.filePath("outlines"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        OutlineStore store(folder.filePath("outlines"));
        store.save("a", {1});
        store.keepOnly({});
        QVERIFY(store.load("a").isEmpty());
    }
    void goesWithItsEntry() {
        const QTemporaryDir folder;
        const auto outlines = [&] { return QDir(folder.filePath("outlines")).entryList(QDir::Files).size(); };
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        const auto path = [&](int i) { return QStringList{folder.filePath(QString::number(i) + ".etl")}; };
        settings.setOutline(path(0), {1}); // was never opened
        QCOMPARE(outlines(), 0);
        for (int i = 0; i < 15; ++i) {
            settings.addRecentTrace(path(i));
            settings.setOutline(path(i), {1, 2, 3});
        }
        QCOMPARE(settings.recentTraces().size(), 10);
        QCOMPARE(outlines(), 10);
        QCOMPARE(settings.recentTraces().first().outline.size(), OutlineStore::kSlices);
        settings.removeRecentTrace(path(12));
        settings.removeRecentTrace(path(0)); // no longer exists
        QCOMPARE(settings.recentTraces().size(), 9);
        QCOMPARE(outlines(), 9);
        for (const auto& trace : settings.recentTraces())
            QVERIFY(trace.paths != path(12) && !trace.outline.isEmpty());
#ifndef _WIN32
        const auto rights = QFile::permissions(folder.filePath("outlines"));
        QVERIFY(!(rights & (QFileDevice::ReadOther | QFileDevice::ReadGroup)));
#endif
    }
};
HIGHWATER_TEST(OutlineStoreTest);
#include "outline_store_test.moc"
