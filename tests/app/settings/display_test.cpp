#include "app/settings/display.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class DisplayOptionsTest : public QObject {
    Q_OBJECT
  private slots:
    void optionsOfQtAreNotTheProgramsOwn_data() {
        QTest::addColumn<QStringList>("typed");
        QTest::addColumn<QStringList>("own");
        QTest::newRow("none") << QStringList{"a.etl", "--theme", "dark"} << QStringList{"a.etl", "--theme", "dark"};
        QTest::newRow("a platform") << QStringList{"-platform", "xcb", "--version"} << QStringList{"--version"};
        QTest::newRow("two dashes") << QStringList{"--platform", "xcb", "--help"} << QStringList{"--help"};
        QTest::newRow("alone") << QStringList{"-reverse", "a.etl"} << QStringList{"a.etl"};
        QTest::newRow("with its value") << QStringList{"a.etl", "-style=fusion"} << QStringList{"a.etl"};
        QTest::newRow("without its value") << QStringList{"-platform"} << QStringList{"-platform"};
        QTest::newRow("a recorded program's") << QStringList{"-style", "fusion", "--record", "app", "-platform", "xcb"}
                                              << QStringList{"--record", "app", "-platform", "xcb"};
        QTest::newRow("traces") << QStringList{"--", "-platform", "xcb"} << QStringList{"--", "-platform", "xcb"};
    }
    void optionsOfQtAreNotTheProgramsOwn() {
        QFETCH(const QStringList, typed);
        QFETCH(const QStringList, own);
        QCOMPARE(app::withoutOptionsOfQt(typed), own);
    }
};
HIGHWATER_TEST(DisplayOptionsTest);
#include "display_test.moc"
