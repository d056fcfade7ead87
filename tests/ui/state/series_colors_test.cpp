#include "tests/support/test_registry.h"
#include "ui/state/series_colors.h"

#include <QTest>

using namespace highwater::ui;

class SeriesColorsTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheColorOfAGroup() {
        SeriesColors colors;
        const auto first = colors.colorOf(7);
        const auto second = colors.colorOf(3);
        QVERIFY(first.isValid() && first != second);
        QCOMPARE(colors.colorOf(7), first);
        QCOMPARE(colors.knownColorOf(3), second);
        QVERIFY(!colors.knownColorOf(99).isValid());
        colors.clear();
        QVERIFY(!colors.knownColorOf(7).isValid());
    }
};
HIGHWATER_TEST(SeriesColorsTest);
#include "series_colors_test.moc"
