#include "core/source/wpr/wpr_journal.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::source;

namespace {

struct JournalStage {
    QTemporaryDir folder;
    WprJournal journal{std::filesystem::path(folder.filePath("a/b/journal.txt").toStdString())};

    WprLeftovers readAs(const QByteArray& content) {
        (void)journal.write({1, {{"-cancel"}}});
        QFile file(folder.filePath("a/b/journal.txt"));
        if (file.open(QIODevice::WriteOnly)) file.write(content);
        file.close();
        return journal.read();
    }
};

} // namespace

class WprJournalTest : public QObject {
    Q_OBJECT

  private slots:
    void readsWhatWasWritten() {
        JournalStage stage;
        QVERIFY(stage.journal.read().commands.empty());
        const WprLeftovers leftovers{7, {{"-cancel"}, {"-snapshotconfig", "heap", "-name", "my app.exe", "disable"}}};
        QVERIFY(stage.journal.write(leftovers).hasValue());
        QCOMPARE(stage.journal.read().owner, 7u);
        QCOMPARE(stage.journal.read().commands, leftovers.commands);
        QVERIFY(stage.journal.write({7, {{"-cancel"}}}).hasValue());
        QCOMPARE(stage.journal.read().commands.size(), std::size_t{1});
        QVERIFY(stage.journal.write({7, {}}).hasValue());
        QVERIFY(!std::filesystem::exists(stage.journal.file()));
    }

    void runsNothingElse() {
        JournalStage stage;
        QVERIFY(stage.readAs("").commands.empty());
        QVERIFY(stage.readAs("owner\t5\n-stop\tC:\\a.etl\n-start\tx\ndel\n\n\t\n").commands.empty());
        const auto read = stage.readAs("owner\t99999999999\n-cancel\n-snapshotconfig\theap\t-pid\t1\tdisable\n-canc");
        QCOMPARE(read.owner, 0u);
        QCOMPARE(read.commands.size(), std::size_t{2});
        QVERIFY(stage.readAs(QByteArray(1 << 20, '\t')).commands.empty());
    }
};

HIGHWATER_TEST(WprJournalTest);
#include "wpr_journal_test.moc"
