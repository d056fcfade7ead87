#include "tests/support/test_registry.h"
#include "tests/ui/view/flames/flame_stage.h"
#include "ui/state/table/flame_layout.h"
#include "ui/view/flames/flame_picture.h"
#include "ui/view/parts/elided_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QXmlStreamReader>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;

namespace {

struct FlameViewStage : FlameStage {
    template <typename Widget>
    Widget* part(const char* name) {
        return view.findChild<Widget*>(QLatin1String(name));
    }
    /// The action with that text in the menu of a frame.
    QAction* menuAction(const QString& frame, const QString& text) {
        const auto place = placeOf(frame);
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, canvas.viewport()->mapToGlobal(place));
        QApplication::sendEvent(canvas.viewport(), &event);
        auto* menu = view.findChild<QMenu*>("flameMenu");
        if (!menu) return nullptr;
        const auto actions = menu->actions();
        const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction* action) {
            return action->text().remove('&').section('\t', 0, 0) == text;
        });
        menu->setObjectName({}); // the next menu is a new object
        return found == actions.end() ? nullptr : *found;
    }
};

} // namespace

/// The bar of a flame graph, its menu, and its pictures.
class FlameViewTest : public QObject {
    Q_OBJECT
  private slots:
    void aFrameHasItsCallersAndCallees() {
        FlameViewStage stage;
        QSignalSpy wanted(&stage.view, &FlameView::callersWanted);
        auto* ofProcess = stage.menuAction("b.exe (2)", "Callers and Callees");
        QVERIFY(ofProcess != nullptr && !ofProcess->isEnabled());
        auto* ofFrame = stage.menuAction("0x400100", "Callers and Callees");
        QVERIFY(ofFrame != nullptr && ofFrame->isEnabled());
        ofFrame->trigger();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().toString(), "0x400100");
    }
    void widthsFollowTheSortAndTheSortFollowsWidths() {
        FlameViewStage stage;
        auto* measure = stage.part<QComboBox>("flameMeasure");
        QCOMPARE(measure->currentText(), "Size");
        measure->setCurrentIndex(measure->findText("Count"));
        emit measure->activated(measure->currentIndex());
        QVERIFY(stage.wait());
        QCOMPARE(stage.tree().root().width, 3u);
        QVERIFY(stage.graph.layout().sort.front().column == Column::Count);
        measure->setCurrentIndex(measure->findText("Peak Size"));
        emit measure->activated(measure->currentIndex());
        QVERIFY(stage.wait());
        QCOMPARE(stage.canvas.answer()->query.measure, Column::PeakSize);
        QVERIFY(stage.canvas.words().front().contains("0.3 s")); // b.exe has come
    }
    void aSearchShowsItsShare() {
        FlameViewStage stage;
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        stage.key(Qt::Key_Slash);
        auto* field = stage.part<QLineEdit>("flameSearch");
        QCOMPARE(stage.view.focusWidget(), field);
        QTest::keyClicks(field, "0x400300");
        auto* matches = stage.part<ElidedLabel>("flameMatches");
        QTRY_COMPARE(matches->text(), "1 frame, 30.8 % of all");
        const auto before = stage.canvas.viewport()->grab().toImage();
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(stage.current(), "0x400300");
        field->setText("0x400");
        QTRY_COMPARE(matches->text(), "4 frames, 92.3 % of all");
        QVERIFY(stage.canvas.viewport()->grab().toImage() != before);
        field->setText("nothing");
        QTRY_COMPARE(matches->text(), "No frame matches");
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), "");
        QTRY_COMPARE(matches->text(), "");
        QCOMPARE(stage.view.focusWidget(), &stage.canvas);
    }
    void comparesWhereThereIsATimeBefore() {
        FlameViewStage stage;
        auto* compare = stage.part<QToolButton>("flameCompare");
        QVERIFY(!compare->isEnabled());
        stage.state.zoomTo({ms(250), ms(500)});
        QVERIFY(compare->isEnabled());
        compare->click();
        QVERIFY(stage.wait());
        QVERIFY(stage.tree().hasBefore);
        QCOMPARE(stage.tree().nodes[stage.node("b.exe (2)")].before, SignedByteCount{0});
        QVERIFY(stage.canvas.words().front().contains("Before: 48.0 KB"));
        compare->click();
        QVERIFY(stage.wait());
        QVERIFY(!stage.tree().hasBefore);
    }
    void theMenuFilters() {
        FlameViewStage stage;
        auto* keep = stage.menuAction("0x400300", "Filter to This");
        QVERIFY(keep);
        keep->trigger();
        QVERIFY(stage.wait());
        QCOMPARE(stage.graph.filterSteps().size(), std::size_t{1});
        QVERIFY2(stage.graph.filterSteps().front().text.contains("a.exe (1) › 0x400300"),
                 qPrintable(stage.graph.filterSteps().front().text));
        QCOMPARE(stage.tree().root().width, 4 * kPage);
        stage.graph.clearFilter();
        QVERIFY(stage.wait());
        stage.menuAction("b.exe (2)", "Filter Out")->trigger();
        QVERIFY(stage.wait());
        QCOMPARE(stage.tree().root().width, 12 * kPage);
    }
    void theMenuOutlivesItsAnswer() {
        FlameViewStage stage;
        auto* zoom = stage.menuAction("0x400300", "Zoom In");
        auto* row = stage.menuAction("0x400300", "Go to Row");
        stage.shown.clear();
        zoom->trigger();
        row->trigger();
        QVERIFY(!stage.canvas.answer());
    }
    void theMenuCopiesTheName() {
        FlameViewStage stage;
        stage.menuAction("0x400300", "Copy Name")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), "0x400300");
    }
    void showAllLeavesTheZoom() {
        FlameViewStage stage;
        auto* all = stage.part<QToolButton>("flameAll");
        QVERIFY(!all->isEnabled());
        stage.click("0x400300");
        QVERIFY(all->isEnabled());
        all->click();
        QCOMPARE(stage.canvas.zoom(), 0u);
    }
    void savesAPictureAndADrawing() {
        FlameViewStage stage;
        QTemporaryDir folder;
        const auto file = folder.filePath("flames.svg");
        QCOMPARE(saveDrawingOf(stage.canvas, "Heap, 0 s to 1 s", file), QString());
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&svg);
        QStringList titles;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement() && reader.name() == QLatin1String("title")) titles << reader.readElementText();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(titles.size(), 8);
        const auto picture = pictureOf(stage.canvas, "Heap");
        QVERIFY(picture.height() > 2 * stage.canvas.wholeHeight());
        stage.view.setTraceName([] { return QString("app.etl"); });
        stage.view.exportAction()->trigger();
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog);
        QVERIFY(dialog->selectedFiles().value(0).endsWith("/app VirtualAlloc Commit LifeTimes flames.png"));
        dialog->close();
    }
    void namesAreAskedForOnce() {
        FlameViewStage stage;
        int asked = 0;
        connect(&stage.view, &FlameView::namesWanted, [&] { ++asked; });
        stage.show(); // the same again: a new publication
        stage.shown.clear();
        stage.show();
        QCOMPARE(asked, 1);
    }
};
HIGHWATER_TEST(FlameViewTest);
#include "flame_view_test.moc"
