#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/window/status_line.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;

class StatusLineTest : public QObject {
    Q_OBJECT
  private slots:
    void offersToCancelWhileLoading() {
        StatusLine line;
        auto* cancel = line.findChild<QToolButton*>("cancelLoading");
        QVERIFY(cancel->isHidden());
        line.showProgress("a.etl", 1024, 2048);
        QVERIFY(!cancel->isHidden());
        QCOMPARE(line.findChild<QLabel*>("loading")->text(), "Loading a.etl: 1.0 KB of 2.0 KB");
        QSignalSpy cancelled(&line, &StatusLine::cancelWanted);
        cancel->click();
        QCOMPARE(cancelled.count(), 1);
        line.hideProgress();
        QVERIFY(cancel->isHidden());
    }
};
HIGHWATER_TEST(StatusLineTest);
#include "status_line_test.moc"
