#include "tests/support/test_registry.h"
#include "ui/view/timeline/painted_timeline_surface.h"

#include <QTest>
#include <QWidget>

using namespace highwater::ui;

/// The other tests of this program are those of ui_view_test, run without Qt Charts: that this is so is checked here.
class PaintedViewsTest : public QObject {
    Q_OBJECT
  private slots:
    void drawWithoutQtCharts() {
        QWidget parent;
        const auto surface = makeTimelineSurface(&parent);
        QVERIFY(dynamic_cast<PaintedTimelineSurface*>(surface.get()));
    }
};

HIGHWATER_TEST(PaintedViewsTest);
#include "painted_views_test.moc"
