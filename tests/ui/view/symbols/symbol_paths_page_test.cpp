#include "ui/view/symbols/symbol_paths_page.h"

#include "tests/support/test_registry.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;

namespace {

std::optional<std::string> onlySymbolPath(const std::string& name) {
    return name == "_NT_SYMBOL_PATH" ? std::optional<std::string>("/of/the/environment") : std::nullopt;
}

struct SymbolPathsPageStage {
    SymbolPathsPage page{onlySymbolPath};
    QTreeView& list = *page.findChild<QTreeView*>("symbolPaths");

    explicit SymbolPathsPageStage(const char* path = "/a;/b;/c") {
        page.model().setPath(symbols::SymbolPath::parse(path));
        page.resize(700, 400);
        page.show();
    }
    QPushButton& button(const char* name) { return *page.findChild<QPushButton*>(name); }
    void add(const char* name) { page.findChild<QAction*>(name)->trigger(); }
    void choose(int row) { list.setCurrentIndex(page.model().index(row, 0)); }
    QString text() { return page.model().text(); }
    QString enabledButtons() {
        QStringList names;
        for (const auto* name : {"editPath", "pathUp", "pathDown", "removePath"}) {
            if (button(name).isEnabled()) names << name;
        }
        return names.join(' ');
    }
};

} // namespace

class SymbolPathsPageTest : public QObject {
    Q_OBJECT
  private slots:
    void doesNothingToNoEntry() {
        SymbolPathsPageStage stage;
        stage.choose(-1);
        QCOMPARE(stage.enabledButtons(), "");
        QVERIFY(stage.page.findChild<QLabel*>("symbolPathHelp")->text().startsWith("Debug files are used only"));
    }
    void offersActionsOfTheCurrentEntry() {
        SymbolPathsPageStage stage;
        stage.choose(0);
        QCOMPARE(stage.enabledButtons(), "editPath pathDown removePath");
        QCOMPARE(stage.page.findChild<QLabel*>("symbolPathHelp")->text(), stage.page.model().help(0));
        stage.choose(1);
        QCOMPARE(stage.enabledButtons(), "editPath pathUp pathDown removePath");
        stage.choose(2);
        QCOMPARE(stage.enabledButtons(), "editPath pathUp removePath");
    }
    void movesAnEntryAndStaysWithIt() {
        SymbolPathsPageStage stage;
        stage.choose(0);
        stage.button("pathDown").click();
        stage.button("pathDown").click();
        QCOMPARE(stage.text(), "/b;/c;/a");
        QCOMPARE(stage.enabledButtons(), "editPath pathUp removePath");
        stage.button("pathUp").click();
        QCOMPARE(stage.text(), "/b;/a;/c");
        QCOMPARE(stage.list.currentIndex().row(), 1);
    }
    void removesOneAfterTheOther() {
        SymbolPathsPageStage stage;
        stage.choose(1);
        stage.button("removePath").click();
        QCOMPARE(stage.text(), "/a;/c");
        QCOMPARE(stage.list.currentIndex().row(), 1);
        stage.button("removePath").click();
        QCOMPARE(stage.list.currentIndex().row(), 0);
        stage.button("removePath").click();
        QCOMPARE(stage.text(), "");
        QCOMPARE(stage.enabledButtons(), "");
    }
    void addsBehindTheCurrentEntry() {
        SymbolPathsPageStage stage;
        stage.choose(0);
        stage.add("addMicrosoft");
        QCOMPARE(stage.text(), "/a;srv**https://msdl.microsoft.com/download/symbols;/b;/c");
        QCOMPARE(stage.list.currentIndex().row(), 1);
        QVERIFY(!stage.list.viewport()->findChild<QLineEdit*>()); // it is complete
    }
    void editsIncompleteEntriesAtOnce() {
        SymbolPathsPageStage stage;
        stage.choose(2);
        stage.add("addDebuginfod");
        auto* edit = stage.list.viewport()->findChild<QLineEdit*>();
        QVERIFY(edit);
        edit->setText("debuginfod:https://server");
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE(stage.text(), "/a;/b;/c;debuginfod:https://server");
    }
    void addsFoldersByTheirKind() {
        SymbolPathsPageStage stage("/a");
        for (const auto* action : {"addFolder", "addCache", "addBuildId"}) {
            stage.choose(stage.page.model().rowCount() - 1);
            stage.add(action);
            auto* dialog = stage.page.findChild<QFileDialog*>("pathFolderDialog");
            QVERIFY2(dialog, action);
            emit dialog->fileSelected("/new");
            delete dialog;
        }
        using Kind = symbols::SymbolPathEntry::Kind;
        const auto path = stage.page.model().path();
        QCOMPARE(path.entries().size(), std::size_t{4});
        QCOMPARE(path.entries()[1].kind, Kind::Folder);
        QCOMPARE(path.entries()[2].kind, Kind::Cache);
        QCOMPARE(path.entries()[3].kind, Kind::BuildIdFolder);
        for (std::size_t i = 1; i < 4; ++i) {
            QCOMPARE(path.entries()[i].place, std::string("/new"));
        }
    }
    void offersFoldersOfModules() {
        SymbolPathsPageStage stage("/a");
        stage.page.setOffers({{"Folder of a&b.exe", "/opt/app"}});
        auto* offer = stage.page.findChild<QAction*>("addOffered");
        QVERIFY(offer);
        QCOMPARE(offer->text(), "Folder of a&&b.exe"); // no mnemonic
        stage.choose(0);
        offer->trigger();
        QCOMPARE(stage.text(), "/a;/opt/app");
    }
    void copiesAndPastesAsText() {
        SymbolPathsPageStage stage("/a;!/b");
        stage.button("copyPaths").click();
        QCOMPARE(QApplication::clipboard()->text(), "/a;!/b");
        QApplication::clipboard()->setText("/c;srv**https://server");
        stage.button("pastePaths").click();
        QCOMPARE(stage.text(), "/a;!/b;/c;srv**https://server");
        QCOMPARE(stage.list.currentIndex().row(), 3);
        QApplication::clipboard()->setText("");
        stage.choose(0);
        stage.button("pastePaths").click();
        QCOMPARE(stage.list.currentIndex().row(), 0); // nothing arrived
    }
    void resetsToThePathOfAFreshInstallation() {
        SymbolPathsPageStage stage;
        stage.page.model().setUsesTraceFolders(false);
        stage.button("resetPaths").click();
        QVERIFY(stage.text().startsWith("/of/the/environment"));
        QVERIFY(stage.page.model().usesTraceFolders());
    }
};
HIGHWATER_TEST(SymbolPathsPageTest);
#include "symbol_paths_page_test.moc"
