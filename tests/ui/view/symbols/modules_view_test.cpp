#include "ui/view/symbols/modules_view.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace highwater;
using namespace highwater::ui;
using State = symbols::ModuleLoad::State;
using Modules = std::vector<store::ModuleIndex>;

namespace {

/// small.dll is found, big.exe is being loaded and was looked for in two places, lost.dll is not found.
struct ModulesViewStage {
    QWidget page; ///< as in the window: it is hidden before its content is destroyed
    ModulesView& view = *new ModulesView(&page);
    symbols::SymbolLoadStatus status;
    std::shared_ptr<store::ProcessTable> processes = std::make_shared<store::ProcessTable>();

    ModulesViewStage() {
        auto* layout = new QVBoxLayout(&page);
        layout->addWidget(&view);
        page.resize(1000, 400);
        page.show();
        Address base = 0x10000;
        for (const auto* name : {"small.dll", "big.exe", "lost.dll"}) {
            ImageEvent image;
            image.pid = 10;
            image.base = base += 0x10000;
            image.size = 0x1000;
            image.path = std::string("C:\\app\\") + name;
            processes->apply(image);
        }
        add(0, State::Found, 10).hasPrivateSymbols = true;
        add(1, State::Loading, 300).tried = {{"/first", "not there"}, {"https://second", "asking"}};
        add(2, State::NotFound, 20);
        status.isBusy = true;
    }
    symbols::ModuleLoad& add(std::uint32_t module, State state, ByteCount bytes) {
        symbols::ModuleLoad load;
        load.module = store::ModuleIndex{module};
        load.state = state;
        load.bytes = bytes;
        return status.modules.emplace_back(std::move(load));
    }
    void show() { view.setStatus(status, processes); }
    QPushButton& button(const char* name) { return *view.findChild<QPushButton*>(name); }
    QStringList names() {
        QStringList texts;
        for (int row = 0; row < view.table().model()->rowCount(); ++row) {
            texts << view.table().model()->index(row, 0).data().toString();
        }
        return texts;
    }
    void select(const QStringList& modules) {
        view.table().clearSelection();
        for (const auto& name : modules) {
            view.table().selectionModel()->select(
                view.table().model()->index(static_cast<int>(names().indexOf(name)), 0),
                QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    QStringList tried() {
        QStringList places;
        const auto& list = *view.findChild<QTreeWidget*>("triedPlaces");
        for (int i = 0; i < list.topLevelItemCount(); ++i) {
            places << list.topLevelItem(i)->text(0) + ": " + list.topLevelItem(i)->text(1);
        }
        return places;
    }
    QString summary() { return view.findChild<QLabel*>("moduleSummary")->text(); }
};

} // namespace

class ModulesViewTest : public QObject {
    Q_OBJECT
  private slots:
    void saysWhyThereIsNothing() {
        ModulesViewStage stage;
        QCOMPARE(stage.summary(), "Open a trace to see its modules.");
        for (const auto* name : {"cancelModules", "retryModules", "locateModule", "copyModules"}) {
            QVERIFY2(!stage.button(name).isEnabled(), name);
        }
        stage.show();
        stage.view.clear("Symbols are off.");
        QCOMPARE(stage.summary(), "Symbols are off.");
        QVERIFY(stage.names().isEmpty() && stage.tried().isEmpty());
        QVERIFY(!stage.button("retryModules").isEnabled());
    }
    void showsTheHeaviestFirst() {
        ModulesViewStage stage;
        stage.show();
        QCOMPARE(stage.names(), (QStringList{"big.exe", "lost.dll", "small.dll"}));
        QCOMPARE(stage.summary(), "Debug information found for 1 of 3 modules.");
    }
    void distinguishesWaitingFromMissingSymbols() {
        ModulesViewStage stage;
        stage.status = {};
        stage.status.isBusy = true;
        stage.show();
        QVERIFY(stage.summary().startsWith("Looking for"));
        stage.status.isBusy = false;
        stage.show();
        QVERIFY(stage.summary().startsWith("No module"));
    }
    void isAboutAllOrAboutTheSelection() {
        ModulesViewStage stage;
        stage.show();
        QSignalSpy cancelled(&stage.view, &ModulesView::cancelWanted), retried(&stage.view, &ModulesView::retryWanted);
        QCOMPARE(stage.button("cancelModules").text(), "Cancel All");
        stage.button("cancelModules").click();
        stage.button("retryModules").click();
        QVERIFY(cancelled[0][0].value<Modules>().empty() && retried[0][0].value<Modules>().empty());
        stage.select({"lost.dll"});
        QCOMPARE(stage.button("retryModules").text(), "Retry");
        stage.button("retryModules").click();
        QCOMPARE(retried[1][0].value<Modules>(), Modules{store::ModuleIndex{2}});
    }
    void cancelsOnlyRunningLoads() {
        ModulesViewStage stage;
        stage.show();
        stage.select({"small.dll", "lost.dll"});
        QVERIFY(!stage.button("cancelModules").isEnabled());
        stage.select({"small.dll", "big.exe"});
        QVERIFY(stage.button("cancelModules").isEnabled());
        stage.select({});
        stage.status.isBusy = false;
        stage.show();
        QVERIFY(!stage.button("cancelModules").isEnabled());
    }
    void showsThePlacesOfOneModule() {
        ModulesViewStage stage;
        stage.show();
        QVERIFY(stage.tried().isEmpty());
        stage.select({"big.exe"});
        QCOMPARE(stage.tried(), (QStringList{"/first: not there", "https://second: asking"}));
        stage.status.modules[1].tried[1].outcome = "found";
        stage.show(); // and continues with it while it stays selected
        QCOMPARE(stage.tried(), (QStringList{"/first: not there", "https://second: found"}));
        stage.select({"big.exe", "lost.dll"});
        QVERIFY(stage.tried().isEmpty());
    }
    void locatesTheFileOfOneModule() {
        ModulesViewStage stage;
        const QTemporaryDir folder;
        const auto path = folder.filePath("lost.pdb");
        QVERIFY(QFile(path).open(QIODevice::WriteOnly));
        stage.show();
        QVERIFY(!stage.button("locateModule").isEnabled());
        stage.select({"lost.dll"});
        QSignalSpy located(&stage.view, &ModulesView::locateWanted);
        stage.button("locateModule").click();
        auto* dialog = stage.view.findChild<QFileDialog*>("locateDialog");
        QVERIFY(dialog && dialog->windowTitle().contains("lost.dll"));
        stage.select({"big.exe"}); // the dialog still refers to the module that it was opened for
        emit dialog->fileSelected(path);
        QCOMPARE(located.size(), 1);
        QCOMPARE(located[0][0].value<store::ModuleIndex>(), store::ModuleIndex{2});
        QCOMPARE(located[0][1].toString(), path);
    }
    void copiesRowsWithTheirPlaces() {
        ModulesViewStage stage;
        stage.show();
        stage.button("copyModules").click();
        auto lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 6); // the header, three modules, two places
        QVERIFY(lines[1].startsWith("big.exe\t"));
        QCOMPARE(lines[2], "\t/first: not there");
        QVERIFY(lines[4].startsWith("lost.dll\t"));
        stage.select({"small.dll"});
        stage.page.activateWindow(); // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.page));
        stage.view.table().setFocus();
        QTest::keySequence(&stage.view.table(), QKeySequence::Copy);
        lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].startsWith("small.dll\t"));
    }
};
HIGHWATER_TEST(ModulesViewTest);
#include "modules_view_test.moc"
