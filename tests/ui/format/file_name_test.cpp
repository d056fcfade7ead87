#include "tests/support/test_registry.h"
#include "ui/format/file_name.h"

#include <QTest>

using namespace highwater;
using ui::proposedFileName;

class FileNameTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheTraceAndThePart() {
        QCOMPARE(proposedFileName("app.etl", "Heap Allocations", "csv"), "app Heap Allocations.csv");
        QCOMPARE(proposedFileName("app.1.etl", "Frees", "json"), "app.1 Frees.json");
    }
    void hasAPartEvenWithoutATrace() { QCOMPARE(proposedFileName("", "Frees", "csv"), "Frees.csv"); }
    void omitsCharactersThatFileSystemsRefuse() {
        QCOMPARE(proposedFileName("a:b?\n.etl", "x/y", "csv"), "a_b__ x_y.csv");
        QCOMPARE(proposedFileName("../../x.etl", "Frees", "csv"), ".._.._x.etl Frees.csv");
    }
    void staysShort() { QVERIFY(proposedFileName(QString(5000, 'x'), "Frees", "csv").size() < 150); }
};
HIGHWATER_TEST(FileNameTest);
#include "file_name_test.moc"
