#include "tests/app/main_window_test/window_user.h"

#include "app/window/screenshot.h"
#include "tests/built_programs/built_programs.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/format/plain_text.h"
#include "ui/view/symbols/modules_view.h"
#include "ui/view/symbols/symbol_paths_dialog.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/table_work.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabWidget>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;

namespace {

ui::SymbolChoices choicesOf(const QString& path) {
    ui::SymbolChoices choices;
    choices.path = symbols::SymbolPath::parse(path.toStdString());
    return choices;
}

/// Tables that load visible rows first, and keep rows open whose names changed.
template <typename Tabs>
constexpr bool kFollowNames = requires(Tabs& tabs) {
    tabs.visibleFrames();
};

/// Searches all open rows.
bool isOnScreen(WindowStage& stage, const QString& text, const QModelIndex& below = {}) {
    auto& model = stage.panel().model();
    for (int i = 0; i < model.rowCount(below); ++i) {
        const auto index = model.index(i, 0, below);
        if (model.keyText(index).contains(text)) return true;
        if (stage.panel().table().isExpanded(index) && isOnScreen(stage, text, index)) return true;
    }
    return false;
}

/// On screen; or at least in the labels of the tables.
bool isShown(WindowStage& stage, const QString& text) {
    if constexpr (kFollowNames<ui::AnalysisTabs>) return isOnScreen(stage, text);
    auto& session = stage.window.symbolSession();
    const auto labels = session.labels()->labelsOf(*session.trace());
    return std::any_of(labels->begin(), labels->end(), [&](const auto label) {
        return session.labels()->text(label).find(text.toStdString()) != std::string::npos;
    });
}

void clickButton(QWidget* button) { QTest::mouseClick(button, Qt::LeftButton); }

} // namespace

/// T1 with MemoryTestApp.exe as built by clang and lld-link, in the window: names arrive, the dialog shows their
/// sources, the Modules page shows the results. No network, and only the test's own cache.
class SymbolsWindowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    QString trace_;

    static QString symbolFolder() { return BuiltPrograms::instance().folder(); }
    static QTreeView& list(QWidget& dialog) { return *dialog.findChild<QTreeView*>("symbolPaths"); }
    static ui::SymbolPathsDialog* openDialog(WindowStage& stage) {
        stage.window.findChild<QAction*>("configureSymbolPaths")->trigger();
        auto* dialog = stage.window.findChild<ui::SymbolPathsDialog*>();
        return dialog && QTest::qWaitForWindowExposed(dialog) ? dialog : nullptr;
    }
    static void accept(ui::SymbolPathsDialog& dialog) {
        clickButton(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok));
    }
    /// Opens the trace without visible stacks: the first graph would expand its largest stacks, and names are loaded
    /// for stacks on screen.
    bool openWithoutStacks(WindowStage& stage) const {
        stage.window.hide();
        stage.window.findChild<QAction*>("toggleFindings")->setChecked(false); // they show functions
        const bool isOpen = stage.open({trace_}) && stage.showOnly(analysis::Table::Heap);
        stage.panel().table().collapseEverything();
        stage.window.show();
        return isOpen;
    }
    /// A stack is open down to its leaves.
    static bool openStacks(WindowStage& stage) {
        WindowUser user(stage);
        return stage.showOnly(analysis::Table::Heap) && user.openRow({kProcess}) && stage.wait() &&
               (stage.panel().table().expandHotPath(), true) && stage.wait();
    }
    /// By its key, with a text.
    static ui::FindBar& openFind(WindowStage& stage, const QString& text) {
        stage.window.tabs().current().findActions().front()->trigger();
        auto& bar = stage.panel().findBar();
        QTest::keyClicks(bar.findChild<QLineEdit*>("findText"), text);
        if (auto* names = QApplication::activePopupWidget()) names->hide(); // the list of columns
        return bar;
    }
    static ui::ModulesView& modules(WindowStage& stage) { return *stage.window.findChild<ui::ModulesView*>(); }
    static QString state(WindowStage& stage, const QString& module) {
        auto& model = modules(stage).model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, ui::ModuleTableModel::kModule).data() == module)
                return model.index(row, ui::ModuleTableModel::kState).data().toString();
        }
        return {};
    }
    static bool selectModule(WindowStage& stage, const QString& module) {
        auto& table = modules(stage).table();
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const auto index = table.model()->index(row, 0);
            if (index.data() != module) continue;
            table.scrollTo(index);
            QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
            return table.selectionModel()->isRowSelected(row);
        }
        return false;
    }

  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        folder_ = std::make_unique<QTemporaryDir>();
        trace_ = folder_->filePath("t1.etl");
        const auto program = BuiltPrograms::instance().memoryTestApp();
        QVERIFY(fixtures::exercise2Trace({}, &program).writeTo(trace_.toStdString()).hasValue());
    }

    void functionsGetTheirNamesInTheBackground() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        auto* note = stage.window.findChild<QToolButton*>("symbolNote");
        QTRY_VERIFY(note->text().startsWith("symbols 1/"));
        QVERIFY(note->isVisible());
        QTRY_VERIFY(!stage.window.findChild<QToolButton*>("cancelSymbols")->isVisible());
    }

    void findSearchesFunctionsOfCollapsedStacks() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(openWithoutStacks(stage));
        QTRY_VERIFY(!stage.window.symbolSession().isLoading());
        auto& bar = openFind(stage, "[Stack]:~=\"!main\"");
        QTest::keyClick(bar.findChild<QLineEdit*>("findText"), Qt::Key_Return);
        const auto row = [&] { return stage.panel().model().keyText(stage.panel().table().currentIndex()); };
        QTRY_VERIFY2(row().contains("!main"), qPrintable(row() + "; " + bar.countWords()));
        QTRY_VERIFY2(bar.countWords().endsWith(" match") || bar.countWords().endsWith(" matches"),
                     qPrintable(bar.countWords()));
    }

    void findSaysThatNamesAreStillToCome() {
        QTcpServer server; // accepts connections, but never answers
        QVERIFY(server.listen(QHostAddress::LocalHost));
        WindowStage stage(choicesOf(QStringLiteral("srv*http://127.0.0.1:%1").arg(server.serverPort())));
        QVERIFY(openWithoutStacks(stage));
        const auto& bar = openFind(stage, "NobodyIsCalledSo");
        QTRY_COMPARE(bar.countWords(), "No matches · function names are still being loaded");
        clickButton(stage.window.findChild<QToolButton*>("cancelSymbols"));
        QTRY_COMPARE(bar.countWords(), "No matches");
    }

    void findThatIsNotAboutStacksLoadsNoNames() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(openWithoutStacks(stage));
        QVERIFY(!stage.window.symbolSession().isLoading());
        const auto& bar = openFind(stage, "[Size]:>1MB");
        QTRY_VERIFY(bar.countWords().endsWith("match") || bar.countWords().endsWith("matches"));
        QVERIFY(!stage.window.symbolSession().isLoading());
    }

    void aQueryFilterFindsFunctionsInCollapsedStacks() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(openWithoutStacks(stage));
        QVERIFY(!stage.window.symbolSession().isLoading());
        const auto query = analysis::QueryExpression::parse(analysis::Table::Heap, "[Stack]:~=\"!main\"");
        stage.panel().graph().addFilter({.clause = {}, .text = "[Stack]:~=\"!main\"", .query = query.value()});
        QTRY_VERIFY(stage.panel().model().rowCount() > 0);
        QTRY_VERIFY(!stage.window.symbolSession().areNamesComing() && stage.panel().isUpToDate());
        QVERIFY(stage.panel().model().rowCount() > 0);
    }

    void leavesAreExportedWithTheirNames() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(openWithoutStacks(stage));
        QVERIFY(!stage.window.symbolSession().isLoading());
        const auto path = folder_->filePath("leaves.csv");
        stage.panel().work().exportTo(path, exports::TableRows::Leaves, exports::TableFormat::Csv);
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("MemoryTestApp.exe!main"));
    }

    void turnedOffNamesGoAwayAndStayAway() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        auto* names = stage.window.findChild<QAction*>("functionNames");
        QVERIFY(names->isChecked());
        stage.window.activateWindow();
        QTest::keyClick(&stage.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!isShown(stage, "MemoryTestApp.exe!main"));
        QVERIFY(!stage.window.findChild<QToolButton*>("symbolNote")->isVisible());
        QVERIFY(!stage.settings.showsFunctionNames());
        names->trigger(); // by hand: immediately
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        names->trigger();
        QTRY_VERIFY(!isShown(stage, "MemoryTestApp.exe!main"));
        stage.window.findChild<QAction*>("loadSymbols")->trigger(); // shows its progress
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

    void aFilterIsCalledAsItsRowsAreNow() {
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        auto& table = stage.panel().table();
        auto frame = table.currentIndex();
        while (frame.isValid() && !stage.panel().model().keyText(frame).startsWith("MemoryTestApp.exe!"))
            frame = frame.parent();
        QVERIFY(frame.isValid());
        table.setCurrentIndex(frame);
        table.filterSelection(analysis::RowFilter::Clause::Mode::Keep);
        QVERIFY(stage.wait());
        const auto chip = [&stage] { return stage.window.findChild<QPushButton*>("filterChip"); };
        QVERIFY2(chip()->toolTip().contains("MemoryTestApp.exe!+0x"), qPrintable(chip()->toolTip()));
        chip()->setFocus();
        stage.window.symbolSession().setChoices(choicesOf(symbolFolder()));
        QTRY_VERIFY(!chip()->toolTip().contains("!+0x"));
        QVERIFY2(chip()->toolTip().contains("MemoryTestApp.exe!"), qPrintable(chip()->toolTip()));
        QVERIFY(chip()->hasFocus());
        const auto words = stage.state().historyLabels().last();
        QVERIFY2(chip()->toolTip().startsWith(ui::tooltipText(words)), qPrintable(words));
    }

    void aServerThatSaysNothingHoldsUpNothingAndIsCancelled() {
        QTcpServer server; // accepts connections, but never answers
        QVERIFY(server.listen(QHostAddress::LocalHost));
        const auto url = QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort());
        WindowStage stage(choicesOf("srv*" + url + ";" + symbolFolder()));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        auto* cancel = stage.window.findChild<QToolButton*>("cancelSymbols");
        QTRY_VERIFY(cancel->isVisible());
        constexpr bool kFirst = kFollowNames<ui::AnalysisTabs>;
        if (kFirst) QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main")); // on screen, and available locally
        QVERIFY(cancel->isVisible());
        clickButton(cancel);
        QTRY_VERIFY(!cancel->isVisible());
        stage.window.findChild<QAction*>("toggleModules")->trigger();
        QCOMPARE(state(stage, "ntdll.dll"), "cancelled");
        if (kFirst) QVERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

    void aPictureIsTakenWhenTheNamesAreThere() {
        QTcpServer server; // once released, it answers that it has no file
        QVERIFY(server.listen(QHostAddress::LocalHost));
        const auto url = QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort());
        WindowStage stage(choicesOf("srv*" + url + ";" + symbolFolder()));
        const auto picture = folder_->filePath("picture.png");
        app::Screenshot screenshot(stage.window, picture);
        app::StartView view;
        view.graph = analysis::Table::Heap;
        view.opensHotPath = true;
        stage.window.setStartView(view);
        stage.window.openTrace({trace_});
        QVERIFY(QTest::qWaitFor([&] { return server.hasPendingConnections() && stage.window.isSettled(); }, 20'000));
        QTest::qWait(500); // far longer than taking a picture
        QVERIFY(!QFile::exists(picture));
        const auto answer = [&server] {
            while (auto* client = server.nextPendingConnection()) {
                QObject::connect(client, &QTcpSocket::readyRead, client, [client] {
                    client->readAll();
                    client->write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    client->disconnectFromHost();
                });
                if (client->bytesAvailable() > 0) emit client->readyRead();
            }
        };
        QObject::connect(&server, &QTcpServer::newConnection, &server, answer);
        answer();
        QTimer::singleShot(60'000, &server, [] { QCoreApplication::exit(1); });
        QCOMPARE(QCoreApplication::exec(), 0);
        QVERIFY(!QImage(picture).isNull());
        QVERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

    void aServerThatIsGoneIsNamedInTheStatusLine() {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        const auto url = QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort());
        server.close();
        WindowStage stage(choicesOf("srv*" + url));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        auto* note = stage.window.findChild<QToolButton*>("symbolNote");
        QTRY_VERIFY(note->toolTip().contains(url + ": the server does not answer"));
        QVERIFY(!note->text().startsWith("symbols")); // marked
    }

    void aPathThatIsAddedIsUsedWithoutOpeningTheTraceAgain() {
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        QTRY_COMPARE(stage.window.findChild<QToolButton*>("symbolNote")->text().section('/', 0, 0),
                     QStringLiteral("\u26A0 symbols 0"));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog);
        QApplication::clipboard()->setText(folder_->filePath("none") + ";" + symbolFolder());
        clickButton(dialog->findChild<QPushButton*>("pastePaths"));
        auto& paths = list(*dialog);
        QCOMPARE(paths.model()->rowCount(), 2);
        QTRY_COMPARE(paths.model()->index(0, ui::SymbolPathModel::kNote).data().toString(), "does not exist");
        QVERIFY(paths.hasFocus());
        QCOMPARE(paths.currentIndex().row(), 1);
        clickButton(dialog->findChild<QPushButton*>("pathUp"));
        QCOMPARE(paths.currentIndex().row(), 0);
        clickButton(dialog->findChild<QPushButton*>("copyPaths"));
        QCOMPARE(QApplication::clipboard()->text(), symbolFolder() + ";" + folder_->filePath("none"));
        QTest::keyClick(&paths, Qt::Key_Down);
        QTest::keyClick(&paths, Qt::Key_Space); // the check mark
        accept(*dialog);
        QCOMPARE(stage.settings.symbolChoices({}).path.toText(),
                 (symbolFolder() + ";!" + folder_->filePath("none")).toStdString());
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

    void entriesAreEditedInPlace() {
        WindowStage stage(choicesOf("/a;/b"));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog);
        auto& paths = list(*dialog);
        paths.setCurrentIndex(paths.model()->index(0, 0));
        clickButton(dialog->findChild<QPushButton*>("editPath"));
        auto* editor = paths.viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(editor, "srv*/c*https://server");
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        QTRY_COMPARE(paths.model()->index(0, ui::SymbolPathModel::kKind).data().toString(), "Server");
        QVERIFY(dialog->findChild<QLabel*>("symbolPathHelp")->text().startsWith("srv*"));
        paths.setCurrentIndex(paths.model()->index(1, 0));
        clickButton(dialog->findChild<QPushButton*>("removePath"));
        accept(*dialog);
        QCOMPARE(stage.settings.symbolChoices({}).path.toText(), std::string("srv*/c*https://server"));
    }

    void theFolderBesideTheTraceCanBeUnticked() {
        QVERIFY(QDir().mkpath(trace_ + ".NGENPDB"));
        QVERIFY(
            QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), trace_ + ".NGENPDB/MemoryTestApp.pdb"));
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog);
        auto& paths = list(*dialog);
        QTRY_COMPARE(paths.model()->rowCount(), 1);
        QCOMPARE(paths.model()->index(0, 0).data().toString(), "NGENPDB for t1.etl");
        paths.setCurrentIndex(paths.model()->index(0, 0));
        QTest::keyClick(&paths, Qt::Key_Space);
        dialog->findChild<QTabWidget*>("symbolTabs")->setCurrentIndex(1);
        // Symbols that came with the trace are not in the cache, from where names would otherwise still come.
        QTRY_COMPARE(dialog->findChild<QLabel*>("symbolCacheSize")->text(), "empty");
        accept(*dialog);
        QTRY_VERIFY(!isShown(stage, "MemoryTestApp.exe!main"));
        QVERIFY(!stage.settings.symbolChoices({}).usesTraceFolders);
    }

    /// The box shows the same as the check mark in the list, and exists without one.
    void ngenPdbsAreLeftOutByTheBox() {
        QVERIFY(QDir().mkpath(trace_ + ".NGENPDB"));
        QVERIFY(
            QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), trace_ + ".NGENPDB/MemoryTestApp.pdb"));
        WindowStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog);
        auto& paths = list(*dialog);
        QTRY_COMPARE(paths.model()->rowCount(), 1);
        auto* box = dialog->findChild<QCheckBox*>("loadNgenPdbs");
        QVERIFY(box != nullptr && box->isChecked());
        QVERIFY(dialog->findChild<QLabel*>("ngenPdbsNote")->text().startsWith("Total size: "));
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Space);
        QCOMPARE(paths.model()->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        accept(*dialog);
        QTRY_VERIFY(!isShown(stage, "MemoryTestApp.exe!main"));
        QVERIFY(!stage.settings.symbolChoices({}).usesTraceFolders);
        dialog = openDialog(stage);
        box = dialog->findChild<QCheckBox*>("loadNgenPdbs");
        QVERIFY(!box->isChecked());
        QTest::keyClick(box, Qt::Key_Space);
        accept(*dialog);
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

    void pathsAreAllowedToOneTraceOnly() {
        const auto other = folder_->filePath("t2.etl");
        QVERIFY(QFile::copy(trace_, other));
        WindowStage stage(choicesOf(symbolFolder()));
        const auto boxOf = [](ui::SymbolPathsDialog& dialog) {
            dialog.findChild<QTabWidget*>("symbolTabs")->setCurrentIndex(1);
            return dialog.findChild<QCheckBox*>("imagePaths");
        };
        QVERIFY(stage.open({trace_}));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog && boxOf(*dialog)->isEnabled() && !boxOf(*dialog)->isChecked());
        QTest::mouseClick(boxOf(*dialog), Qt::LeftButton, {}, {8, 8});
        QPointer<ui::SymbolPathsDialog> first = dialog;
        accept(*dialog);
        QTRY_VERIFY(first.isNull());
        QVERIFY(stage.window.symbolSession().choices().usesImagePaths == std::optional(true));
        QVERIFY(!stage.settings.symbolChoices({}).usesImagePaths.has_value()); // never stored
        dialog = openDialog(stage);
        QVERIFY(dialog && boxOf(*dialog)->isChecked());
        // It stays open, checked, while another trace is opened: its results were those of the first one.
        QVERIFY(stage.open({other}));
        QVERIFY(!stage.window.symbolSession().choices().usesImagePaths.has_value());
        first = dialog;
        accept(*dialog);
        QTRY_VERIFY(first.isNull());
        QVERIFY(!stage.window.symbolSession().choices().usesImagePaths.has_value());
        dialog = openDialog(stage);
        QVERIFY(dialog && !boxOf(*dialog)->isChecked());
    }

    void onlyRequestedSymbolsAreLoaded() {
        WindowStage stage(choicesOf(symbolFolder()));
        QVERIFY(stage.open({trace_}));
        auto* dialog = openDialog(stage);
        QVERIFY(dialog);
        dialog->findChild<QTabWidget*>("symbolTabs")->setCurrentIndex(1);
        QTest::keyClicks(dialog->findChild<QLineEdit*>("symbolModules"), "ntdll*; kernel32.dll");
        QTest::mouseClick(dialog->findChild<QCheckBox*>("onlyCached"), Qt::LeftButton, {}, {8, 8});
        accept(*dialog);
        const auto choices = stage.settings.symbolChoices({});
        QCOMPARE(choices.modules, (QStringList{"ntdll*", "kernel32.dll"}));
        QVERIFY(choices.onlyCached);
        QVERIFY(openStacks(stage));
        stage.window.findChild<QAction*>("toggleModules")->trigger();
        QTRY_COMPARE(state(stage, "ntdll.dll"), "not found");
        QCOMPARE(state(stage, "MemoryTestApp.exe"), "");
        QVERIFY(!isShown(stage, "MemoryTestApp.exe!main"));
    }

    void theModulesPageListsPlacesAndAcceptsALocatedFile() {
        WindowStage stage(choicesOf(folder_->filePath("none")));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        auto* dock = stage.window.findChild<QDockWidget*>("modulesDock");
        QVERIFY(!dock->isVisible());
        QTRY_VERIFY(stage.window.findChild<QToolButton*>("symbolNote")->isVisible());
        clickButton(stage.window.findChild<QToolButton*>("symbolNote"));
        QVERIFY(dock->isVisible());
        QTRY_COMPARE(state(stage, "MemoryTestApp.exe"), "not found");
        QVERIFY(selectModule(stage, "MemoryTestApp.exe"));
        auto* tried = dock->findChild<QTreeWidget*>("triedPlaces");
        QVERIFY(tried->topLevelItemCount() >= 2);
        QVERIFY(tried->topLevelItem(0)->text(0).startsWith(folder_->filePath("none")));
        QCOMPARE(tried->topLevelItem(0)->text(1), "not found");
        clickButton(dock->findChild<QPushButton*>("copyModules"));
        QVERIFY(QApplication::clipboard()->text().contains("MemoryTestApp.exe\tnot found"));

        QCOMPARE(locate(stage, "exercise2.pdb"), "");
        QTRY_COMPARE(state(stage, "MemoryTestApp.exe"), "found only for another build");
        QCOMPARE(locate(stage, "MemoryTestApp.pdb"), "");
        QTRY_VERIFY(state(stage, "MemoryTestApp.exe").contains(" in "));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
        QVERIFY(modules(stage).table().selectionModel()->hasSelection()); // still selected
    }

    void retryFindsLaterFiles() {
        WindowStage stage(choicesOf(folder_->filePath("later")));
        QVERIFY(stage.open({trace_}));
        QVERIFY(openStacks(stage));
        stage.window.findChild<QAction*>("toggleModules")->trigger();
        QTRY_COMPARE(state(stage, "MemoryTestApp.exe"), "not found");
        QVERIFY(QDir().mkpath(folder_->filePath("later")));
        QVERIFY(QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"),
                            folder_->filePath("later/MemoryTestApp.pdb")));
        auto* retry = modules(stage).findChild<QPushButton*>("retryModules");
        QCOMPARE(retry->text(), "Retry All");
        clickButton(retry);
        QTRY_VERIFY(state(stage, "MemoryTestApp.exe").contains(" in "));
        QTRY_VERIFY(isShown(stage, "MemoryTestApp.exe!main"));
    }

  private:
    /// Through the file dialog; "" on success.
    static QString locate(WindowStage& stage, const QString& file) {
        clickButton(modules(stage).findChild<QPushButton*>("locateModule"));
        auto* dialog = modules(stage).findChild<QFileDialog*>("locateDialog");
        if (!dialog) return "no dialog";
        dialog->selectFile(BuiltPrograms::instance().path(file));
        QMetaObject::invokeMethod(dialog, "accept");
        return QTest::qWaitFor([&] { return !modules(stage).findChild<QFileDialog*>("locateDialog"); }) ? "" : "open";
    }
};
HIGHWATER_TEST(SymbolsWindowTest);
#include "symbols_window_test.moc"
