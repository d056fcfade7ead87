#include "app/sessions/crop_controller.h"

#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"
#include "ui/view/table/table_work.h"
#include "ui/view/window/crop_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

constexpr int kCropPatienceMs = 20'000;

QByteArray allOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A window, and the actions of a user who saves part of a trace.
struct CropStage : WindowStage {
    WindowUser user{*this};

    ui::MessageStrip& message() { return *window.findChild<ui::MessageStrip*>("cropMessage"); }
    void follow() { emit message().findChild<QLabel*>("messageText")->linkActivated("#"); }
    bool says(const QString& words) {
        return QTest::qWaitFor([&] { return message().isVisible() && message().message().contains(words); },
                               kCropPatienceMs);
    }
    ui::CropDialog* dialog() { return window.findChild<ui::CropDialog*>("cropDialog"); }
    QListWidget* processes() { return dialog()->findChild<QListWidget*>("cropProcesses"); }
    QPushButton* button(const char* name) { return dialog()->findChild<QPushButton*>(name); }
    QString label(const char* name) { return dialog()->findChild<QLabel*>(name)->text(); }
    QStringList ticked() {
        QStringList names;
        for (int row = 0; row < processes()->count(); ++row)
            if (processes()->item(row)->checkState() == Qt::Checked) names << processes()->item(row)->text();
        return names;
    }
    bool ask() {
        window.findChild<QAction*>("exportCrop")->trigger();
        return dialog() != nullptr && dialog()->isVisible() &&
               QTest::qWaitFor([&] { return processes()->isEnabled(); }, kCropPatienceMs);
    }
    /// Waits until it is being written.
    bool writeTo(const QString& path) {
        QTest::mouseClick(button("cropWrite"), Qt::LeftButton);
        auto* file = dialog()->findChild<QFileDialog*>("cropFile");
        if (file == nullptr) return false;
        file->findChild<QLineEdit*>()->setText(path);
        QMetaObject::invokeMethod(file, "accept");
        return true;
    }
    /// All leaves of the table, as the window exports them.
    QByteArray leaves(Table table) {
        const auto file = folder.filePath("leaves.csv");
        QFile::remove(file);
        if (!showOnly(table)) return {};
        panel().work().exportTo(file, exports::TableRows::Leaves, exports::TableFormat::Csv);
        (void)QTest::qWaitFor([&] { return QFile::exists(file); }, kCropPatienceMs);
        return allOf(file);
    }
};

} // namespace

/// A part of the trace as a trace of its own, from the window.
class CropControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString trace_;

    QString at(const QString& name) const { return folder_.filePath(name); }

  private slots:
    void init() {
        trace_ = at("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(trace_.toStdString()).hasValue());
        QFile::remove(at("part.etl"));
    }

    void itIsInTheExportMenuOfATrace() {
        CropStage stage;
        stage.window.findChild<QAction*>("exportCrop")->trigger();
        QVERIFY(stage.says("No trace is open."));
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.window.findChild<QMenu*>("exportMenu")
                    ->actions()
                    .contains(stage.window.findChild<QAction*>("exportCrop")));
    }

    void thePartHasTheTablesOfTheInterval() {
        QByteArray pages, blocks;
        {
            CropStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.zoom(10, 20));
            pages = stage.leaves(Table::VirtualAlloc);
            blocks = stage.leaves(Table::Heap);
            QVERIFY2(pages.count('\n') > 4 && blocks.count('\n') > 4, (pages + blocks).constData());
            QVERIFY(stage.ask());
            QVERIFY2(stage.label("cropInterval")
                         .startsWith("Exports the visible interval from 10.000000 s to 20.000000 s, including"),
                     qPrintable(stage.label("cropInterval")));
            QCOMPARE(stage.ticked().size(), stage.processes()->count());
            QVERIFY(stage.ticked().contains(kProcess));
            QVERIFY(stage.writeTo(at("part.etl")));
            QVERIFY2(stage.says(" from before the interval."), qPrintable(stage.message().message()));
            stage.follow(); // Open It
            QVERIFY(
                QTest::qWaitFor([&] { return stage.window.windowTitle().startsWith("part.etl"); }, kCropPatienceMs));
        }
        CropStage stage;
        QVERIFY(stage.open({at("part.etl")}));
        QVERIFY(stage.zoom(10, 20));
        QCOMPARE(stage.leaves(Table::VirtualAlloc), pages);
        QCOMPARE(stage.leaves(Table::Heap), blocks);
        QVERIFY(QFile::exists(at("part.etl")));
        QVERIFY(QFileInfo(at("part.etl")).size() < QFileInfo(trace_).size());
    }

    void processesThatAreFilteredAwayAreNotTicked() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.showOnly(Table::Heap));
        QVERIFY(stage.user.clickRow({kProcess}) && stage.user.press(Qt::Key_F));
        QVERIFY(stage.ask());
        QCOMPARE(stage.label("cropInterval"),
                 QString("Exports the whole trace. To export less, zoom in first. Processes to include:"));
        QCOMPARE(stage.ticked(), QStringList(kProcess));
        QVERIFY(
            stage.label("cropWhy").startsWith("The selected processes have rows that match the filter of the graph."));
        QVERIFY(stage.dialog()->findChild<QLabel*>("cropWhy")->isVisible());
        QVERIFY(stage.writeTo(at("part.etl")));
        QVERIFY2(stage.says("Saved " + QDir::toNativeSeparators(at("part.etl"))),
                 qPrintable(stage.message().message()));
        CropStage part;
        QVERIFY(part.open({at("part.etl")}));
        QVERIFY(part.showOnly(Table::Heap));
        QCOMPARE(part.children({}), QStringList(kProcess));
    }

    /// It names the source of the ticks, and stays true when they are changed.
    void theTextAboutTicksStaysCorrect() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.showOnly(Table::Heap));
        QVERIFY(stage.user.clickRow({kProcess}) && stage.user.press(Qt::Key_F));
        QVERIFY(stage.ask());
        QVERIFY(stage.dialog()->findChild<QLabel*>("cropWhy")->isVisible());
        stage.processes()->setFocus();
        QTest::keyClick(stage.processes(), Qt::Key_Down);
        QTest::keyClick(stage.processes(), Qt::Key_Space);
        QCOMPARE(stage.label("cropWhy"), QString("All records of the selected processes are kept."));
    }

    /// Events that no program caused have a process number, but no name.
    void eventsWithoutAProcessAreNotListed() {
        fixtures::TraceBuilder trace;
        trace.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        trace.heapAlloc({fixtures::seconds(1), 10, 11}, 0x1D0000, {0x1000, 40}, "a.exe!main");
        trace.heapAlloc({fixtures::seconds(1), 0, 0}, 0x1D0000, {0x2000, 40}, "a.exe!main");
        trace.heapAlloc({fixtures::seconds(1), 30, 31}, 0x1D0000, {0x3000, 40}, "a.exe!main");
        trace.endsAt(fixtures::seconds(2));
        QVERIFY(trace.writeTo(at("nobody.etl").toStdString()).hasValue());
        CropStage stage;
        QVERIFY(stage.open({at("nobody.etl")}));
        QVERIFY(stage.ask());
        QCOMPARE(stage.ticked(), QStringList({"a.exe (10)", "Unknown (30)"}));
    }

    void ticksAreSetWithKeys() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.ask());
        const auto all = stage.ticked();
        QTest::mouseClick(stage.button("cropNone"), Qt::LeftButton);
        QCOMPARE(stage.ticked(), QStringList());
        QVERIFY(!stage.button("cropWrite")->isEnabled()); // an empty range cannot become a trace
        stage.processes()->setFocus();
        QTest::keyClick(stage.processes(), Qt::Key_Space);
        QCOMPARE(stage.ticked(), QStringList(all.first()));
        QVERIFY(stage.button("cropWrite")->isEnabled());
        QTest::mouseClick(stage.button("cropAll"), Qt::LeftButton);
        QCOMPARE(stage.ticked(), all);
        QTest::keyClick(stage.dialog(), Qt::Key_Escape);
        QVERIFY(!stage.dialog() || !stage.dialog()->isVisible());
    }

    void aCancelledCropLeavesNoFile() {
        const auto before = QDir(folder_.path()).entryList(QDir::Files);
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.ask());
        QVERIFY(stage.writeTo(at("part.etl")));
        QVERIFY2(stage.message().message().startsWith("Writing part.etl"), qPrintable(stage.message().message()));
        stage.follow(); // Cancel
        QVERIFY2(stage.says("The export was cancelled; no file was written."), qPrintable(stage.message().message()));
        QCOMPARE(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden), before);
    }

    void theTraceThatIsOpenIsNotReplaced() {
        const auto before = allOf(trace_);
        const auto link = at("link.etl");
        QFile::remove(link);
        QVERIFY(QFile::link(trace_, link));
        for (const auto& path : {trace_, link}) {
            CropStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.ask());
            stage.window.findChild<app::CropController*>()->writeTo(path);
            QVERIFY2(stage.says("is the trace itself. Choose another name for the cropped trace."),
                     qPrintable(stage.message().message()));
            QCOMPARE(allOf(trace_), before);
        }
        QFile::remove(link);
    }

    /// Otherwise the part would come from another trace than the one on screen.
    void aFileThatHoldsSomethingElseNowIsNotCut() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QFile file(trace_);
        QVERIFY(file.open(QIODevice::Append) && file.write("more") == 4);
        file.close();
        stage.window.findChild<QAction*>("exportCrop")->trigger();
        QVERIFY2(stage.says("exercise2.etl has changed on disk since it was opened. Reopen it first."),
                 qPrintable(stage.message().message()));
        QVERIFY(!stage.dialog());
        QVERIFY(stage.open({trace_}));
        QVERIFY(!stage.message().isVisible()); // it referred to the previous trace
        QVERIFY(stage.ask());
    }

    void enterExports() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.ask());
        QTest::keyClick(stage.processes(), Qt::Key_Return);
        QVERIFY(stage.dialog() && stage.dialog()->findChild<QFileDialog*>("cropFile"));
    }

    void theWindowClosesOnceItIsWritten() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.ask());
        QVERIFY(stage.writeTo(at("part.etl")));
        QVERIFY(!stage.window.close());
        QVERIFY2(stage.message().message().endsWith("The window will close when the file has been written."),
                 qPrintable(stage.message().message()));
        QVERIFY(QTest::qWaitFor([&] { return !stage.window.isVisible(); }, kCropPatienceMs));
        QVERIFY(QFile::exists(at("part.etl")));
    }

    void reportsAnUnwritableFile() {
        CropStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.ask());
        stage.window.findChild<app::CropController*>()->writeTo(at("no folder/part.etl"));
        QVERIFY2(stage.says("part.etl"), qPrintable(stage.message().message()));
        QVERIFY(!stage.message().message().startsWith("Saved"));
        QVERIFY(!QFile::exists(at("no folder")));
    }

    void tracesOfOtherProfilersHaveNoParts() {
        const auto massif = at("massif.out");
        QFile file(massif);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("desc: --time-unit=ms\ncmd: ./app\ntime_unit: ms\n#-----------\nsnapshot=0\n#-----------\ntime=5\n"
                   "mem_heap_B=100\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\nn1: 100 (heap allocation "
                   "functions) malloc/new/new[], --alloc-fns, etc.\n n0: 100 0x1: main (a.c:1)\n");
        file.close();
        CropStage stage;
        QVERIFY(stage.open({massif}));
        stage.window.findChild<QAction*>("exportCrop")->trigger();
        QVERIFY2(stage.says("massif.out was recorded by another profiler. Only parts of event traces (.etl)"),
                 qPrintable(stage.message().message()));
        QVERIFY(!stage.dialog());
    }
};

HIGHWATER_TEST(CropControllerTest);
#include "crop_controller_test.moc"
