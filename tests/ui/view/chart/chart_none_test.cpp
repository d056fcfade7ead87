#include "tests/support/test_registry.h"
#include "tests/ui/view/chart/chart_stage.h"
#include "ui/view/access/access.h"
#include "ui/view/parts/plain_widgets.h"

#include <QAccessible>
#include <QAction>

using namespace highwater::tests;
using namespace highwater::ui;

/// A build whose Qt has no Charts: keys and spoken values are the same.
class ChartNoneTest : public QObject {
    Q_OBJECT
  private slots:
    void reportsThatThereIsNoChart() {
        ChartStage stage;
        QStringList texts;
        for (const auto* label : stage.chart.findChildren<PlainLabel*>())
            if (label->isVisible()) texts << label->text();
        QVERIFY2(texts.join(' ').contains("does not include Qt Charts"), qPrintable(texts.join('|')));
        QVERIFY(stage.chart.plot().isEmpty());
        QVERIFY(!stage.chart.grab().isNull());
    }
    void keysGoFromPointToPoint() {
        installAccess();
        ChartStage stage;
        stage.press(Qt::Key_End);
        QCOMPARE(stage.chart.pointedAt(), Point(2));
        auto* heard = QAccessible::queryAccessibleInterface(&stage.chart);
        QCOMPARE(heard->text(QAccessible::Value), "256 B: Kept 3.0 KB, Freed 1.0 KB");
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.chosen.size(), 1);
    }
    void theMousePointsAtNothing() {
        ChartStage stage;
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.chart.rect().center());
        QCOMPARE(stage.chart.pointedAt(), Point());
        QCOMPARE(stage.chosen.size(), 0);
    }
    void noPictureCanBeSaved() {
        ChartStage stage;
        QVERIFY(!stage.chart.actions().front()->isEnabled());
    }
};

HIGHWATER_TEST(ChartNoneTest);
#include "chart_none_test.moc"
