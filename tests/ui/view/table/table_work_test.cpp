#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/format/qt_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/table/table_work.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// A table with a stack whose names are loaded on demand.
struct TableWorkStage {
    QTemporaryDir folder;
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors};
    GraphPanel& panel = view.showGraph(analysis::Table::VirtualAlloc);
    MessageStrip& strip = *panel.findChild<MessageStrip*>("tableWork");
    QString leaves = folder.filePath("leaves.csv");

    TableWorkStage() {
        trace.process(1, "a.exe");
        trace.commit(100, 1, 0x10000, kPage, {0x400200, 0x400100});
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)QTest::qWaitFor([this] { return panel.isUpToDate(); });
    }
    void namesComeWhenAskedFor() {
        QObject::connect(&panel, &GraphPanel::namesWanted, &shown, [this] { shown.setNamesComing(true); });
    }
    void exportLeaves() { panel.work().exportTo(leaves, exports::TableRows::Leaves, exports::TableFormat::Csv); }
};

} // namespace

class TableWorkTest : public QObject {
    Q_OBJECT
  private slots:
    void asksForNamesOfLeavesOnly() {
        TableWorkStage stage;
        QSignalSpy wanted(&stage.panel, &GraphPanel::namesWanted);
        stage.panel.work().exportTo(stage.folder.filePath("shown.csv"), exports::TableRows::Tree,
                                    exports::TableFormat::Csv);
        QTRY_VERIFY(stage.strip.message().contains("Saved "));
        QCOMPARE(wanted.count(), 0); // visible rows have their names, or these are being loaded
        stage.exportLeaves();
        QCOMPARE(wanted.count(), 1);
        QTRY_VERIFY(QFile::exists(stage.leaves));
    }
    void writesLeavesWhenTheNamesAreThere() {
        TableWorkStage stage;
        stage.namesComeWhenAskedFor();
        stage.exportLeaves();
        QVERIFY(stage.strip.message().contains("still being loaded"));
        QTest::qWait(50);
        QVERIFY(!QFile::exists(stage.leaves));
        stage.shown.setNamesComing(false);
        QTRY_VERIFY(QFile::exists(stage.leaves));
    }
    void writesLeavesAtOnceOnRequest() {
        TableWorkStage stage;
        stage.namesComeWhenAskedFor();
        stage.exportLeaves();
        emit stage.strip.findChild<QLabel*>("messageText")->linkActivated("#");
        QTRY_VERIFY(QFile::exists(stage.leaves));
    }
    void writesForOtherTools() {
        TableWorkStage stage;
        stage.shown.setName("app.etl");
        stage.shown.setTimeBase({133'499'328'000'000'000, -60});
        for (const auto& spec : formats::traceFormats()) {
            const auto file = stage.folder.filePath(QStringLiteral("a.") + toQString(spec.suffix));
            stage.panel.work().exportFormat(file, spec.format);
            QTRY_VERIFY2(stage.strip.message().contains(" as " + QDir::toNativeSeparators(file)),
                         qPrintable(stage.strip.message()));
            QVERIFY(QFile(file).size() > 0);
        }
        QFile report(stage.folder.filePath("a.html"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        const auto page = report.readAll();
        QVERIFY(page.contains("VirtualAlloc Commit LifeTimes of app.etl, 0 s to 1 s"));
        QVERIFY(page.contains("Recorded at 2024-01-17"));
        QVERIFY2(page.contains("highwater-cli report app.etl --table virtualalloc"), page.constData());
    }
    void reportsAnEmptyExport() {
        TableWorkStage stage;
        const auto file = stage.folder.filePath("a.speedscope.json");
        stage.trace.decommit(200, 1, 0x10000, kPage); // at the end nothing is outstanding, so the export is empty
        stage.shown.show(stage.trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QVERIFY(QTest::qWaitFor([&] { return stage.panel.isUpToDate(); }));
        stage.panel.work().exportFormat(file, formats::TraceFormat::Speedscope);
        QTRY_VERIFY2(stage.strip.message().contains("Nothing was exported"), qPrintable(stage.strip.message()));
        QVERIFY(QFile::exists(file));
    }
    void waitsForTheNamesOfAProfile() {
        TableWorkStage stage;
        stage.namesComeWhenAskedFor();
        const auto file = stage.folder.filePath("a.pb.gz");
        stage.panel.work().exportFormat(file, formats::TraceFormat::Pprof);
        QVERIFY(stage.strip.message().contains("still being loaded"));
        QTest::qWait(50);
        QVERIFY(!QFile::exists(file));
        stage.shown.setNamesComing(false);
        QTRY_VERIFY(QFile::exists(file));
    }
    void asksWhereAFileForOtherToolsGoes() {
        TableWorkStage stage;
        stage.shown.setName("app.etl");
        stage.panel.work().chooseFormatFile(formats::TraceFormat::Sqlite);
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog && !dialog->isModal());
        QVERIFY2(dialog->selectedFiles().value(0).endsWith("/app VirtualAlloc Commit LifeTimes.sqlite"),
                 qPrintable(dialog->selectedFiles().value(0)));
        dialog->close();
    }
    void reportsThatNothingWasExported() {
        TableWorkStage stage;
        FilterStep none;
        none.clause.anyOf = {{{analysis::Column::Process, 99}}};
        none.text = "Process = nobody";
        stage.panel.graph().addFilter(none);
        QTRY_COMPARE(stage.panel.model().rowCount(), 0);
        const auto file = stage.folder.filePath("none.csv");
        stage.panel.work().exportTo(file, exports::TableRows::Tree, exports::TableFormat::Csv);
        QTRY_VERIFY2(stage.strip.message().endsWith(QDir::toNativeSeparators(file) + " has no rows."),
                     qPrintable(stage.strip.message()));
    }
    void givesUpWithTheTrace() {
        TableWorkStage stage;
        stage.namesComeWhenAskedFor();
        stage.exportLeaves();
        stage.panel.work().forgetTrace();
        stage.shown.setNamesComing(false);
        QTest::qWait(50);
        QVERIFY(!QFile::exists(stage.leaves));
    }
};
HIGHWATER_TEST(TableWorkTest);
#include "table_work_test.moc"
