#include "ui/view/access/motion.h"

#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/graph_header.h"

#include <QApplication>
#include <QMainWindow>
#include <QTest>

using namespace highwater::ui;

namespace {

class MotionTest : public QObject {
    Q_OBJECT
  private slots:
    void cleanup() { setMotion(Motion::Full); }
    void nothingBlinksOrFades() {
        QMainWindow window;
        const auto flash = QApplication::cursorFlashTime();
        QVERIFY(flash > 0 && window.isAnimated());
        setMotion(Motion::Reduced);
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(!window.isAnimated());
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_FadeTooltip) &&
                !QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        setMotion(Motion::Full);
        QCOMPARE(QApplication::cursorFlashTime(), flash);
        QVERIFY(window.isAnimated());
    }
    void theLineOfABusyGraphDoesNotMove() {
        AnalysisState analysis;
        GraphHeader header(analysis.addGraph(highwater::analysis::Table::Heap));
        header.resize(800, GraphHeader::kHeight);
        header.show();
        const auto picturesDiffer = [&] {
            const auto before = header.grab().toImage();
            QTest::qWait(200);
            return header.grab().toImage() != before;
        };
        const auto idle = header.grab().toImage();
        header.setBusy(true);
        QTRY_VERIFY(header.showsBusy());
        QVERIFY(picturesDiffer());
        header.setBusy(false);
        setMotion(Motion::Reduced);
        header.setBusy(true);
        QTRY_VERIFY(header.showsBusy());
        QVERIFY(!picturesDiffer());
        QVERIFY(header.grab().toImage() != idle); // it is shown nevertheless
        header.setBusy(false);
        QVERIFY(header.grab().toImage() == idle);
    }
};

HIGHWATER_TEST(MotionTest);

} // namespace

#include "motion_test.moc"
