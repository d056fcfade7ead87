#include "app/window/window_menus.h"

#include "tests/support/test_registry.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <QApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using app::Theme;
using app::WindowMenus;

namespace {

struct WindowMenusStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    QMainWindow window;
    ui::AnalysisTabs& tabs = *new ui::AnalysisTabs;
    WindowMenus& menus = *make();

    WindowMenus* make() {
        window.setCentralWidget(&tabs);
        return new WindowMenus(window, tabs, settings);
    }
    static QString plain(QString text) { return text.remove('&').remove(QStringLiteral("…")); }
    static QStringList textsOf(const QWidget& menu) {
        QStringList texts;
        for (const auto* action : menu.actions()) {
            if (!action->isSeparator() && action->isVisible()) texts << plain(action->text());
        }
        return texts;
    }
    QMenu& menu(const QString& title) {
        for (auto* menu : window.findChildren<QMenu*>()) {
            if (plain(menu->title()) == title) return *menu;
        }
        qFatal("no menu %s", qPrintable(title));
    }
    static QAction* entry(const QMenu& menu, const QString& text) {
        for (auto* action : menu.actions()) {
            if (plain(action->text()) == text) return action;
        }
        return nullptr;
    }
    void closeGraphs() {
        auto& state = tabs.current().state();
        while (!state.graphs().empty()) {
            state.removeGraph(*state.graphs().front());
        }
    }
};

ui::RecentTrace recentOf(QStringList paths, ui::RecentTrace::State state = ui::RecentTrace::State::Same) {
    ui::RecentTrace trace;
    trace.paths = std::move(paths);
    trace.state = state;
    return trace;
}

} // namespace

class WindowMenusTest : public QObject {
    Q_OBJECT
  private slots:
    void standInTheUsualOrder() {
        WindowMenusStage stage;
        QCOMPARE(stage.textsOf(*stage.window.menuBar()),
                 (QStringList{"File", "Record", "Trace", "View", "Table", "Profiles", "Help"}));
    }
    void asksToOpenATrace() {
        WindowMenusStage stage;
        QSignalSpy open(&stage.menus, &WindowMenus::openWanted);
        stage.window.findChild<QAction*>("openTrace")->trigger();
        QCOMPARE(open.size(), 1);
    }
    void listsRecentTraces() {
        WindowMenusStage stage;
        auto& recent = stage.menu("Open Recent");
        stage.menus.setRecentTraces({});
        QVERIFY(!recent.isEnabled());
        const QStringList both{"/x/a&b.etl", "/x/c.etl"};
        stage.menus.setRecentTraces({recentOf(both), recentOf({"/x/d.etl"}, ui::RecentTrace::State::Missing)});
        QVERIFY(recent.isEnabled());
        QCOMPARE(recent.actions().size(), 2);
        QCOMPARE(recent.actions()[0]->text(), "a&&b.etl (+1 more)"); // no mnemonic
        QVERIFY(!recent.actions()[1]->isEnabled());
        QSignalSpy wanted(&stage.menus, &WindowMenus::recentWanted);
        recent.actions()[0]->trigger();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toStringList(), both);
        stage.menus.setRecentTraces({recentOf({"/x/e.etl"})});
        QCOMPARE(stage.textsOf(recent), QStringList{"e.etl"});
    }
    void takesTheCommandsOfOthers() {
        WindowMenusStage stage;
        QAction record("Record"), load("Load Symbols"), explorer("Graph Explorer"), names("Full Function Names");
        QMenu replay("Replay");
        stage.menus.setRecordActions({&record}, &replay);
        stage.menus.setTraceActions({&load});
        stage.menus.addPane(&explorer);
        stage.menus.setNameActions({&names});
        QVERIFY(stage.menu("Record").actions().contains(&record));
        QVERIFY(stage.menu("Trace").actions().contains(&load));
        const auto file = stage.textsOf(stage.menu("File"));
        QVERIFY(file.contains("Replay"));
        QVERIFY(file.indexOf("Replay") < file.indexOf("Quit"));
        const auto view = stage.menu("View").actions();
        QVERIFY(view.contains(&explorer) && view.contains(&names));
        stage.tabs.addAnalysis(); // the menu is created again
        QVERIFY(stage.menu("View").actions().contains(&explorer) && stage.menu("View").actions().contains(&names));
    }
    void showsAGraphByItsKey() {
        WindowMenusStage stage;
        stage.closeGraphs();
        auto* frees = WindowMenusStage::entry(stage.menu("View"),
                                              QString::fromUtf8(analysis::tableTitle(analysis::Table::Frees).data()));
        QVERIFY(frees);
        QCOMPARE(frees->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_3));
        frees->trigger();
        const auto& graphs = stage.tabs.current().state().graphs();
        QCOMPARE(graphs.size(), std::size_t{1});
        QCOMPARE(graphs.front()->table(), analysis::Table::Frees);
    }
    void followsTheCurrentGraph() {
        WindowMenusStage stage;
        QVERIFY(stage.tabs.currentPanel());
        QVERIFY(stage.menu("Table").isEnabled() && !stage.menu("Table").isEmpty());
        QCOMPARE(stage.menu("Export").actions().size(),
                 11); // a picture; rows and leaves in three formats; four for other tools
        stage.closeGraphs();
        QVERIFY(!stage.tabs.currentPanel());
        QVERIFY(!stage.menu("Table").isEnabled() && stage.menu("Table").isEmpty());
        QVERIFY(!stage.menu("Export").menuAction()->isVisible());
        stage.tabs.current().showGraph(analysis::Table::Heap);
        QVERIFY(stage.menu("Table").isEnabled());
        QCOMPARE(stage.menu("Export").actions().size(),
                 11); // a picture; rows and leaves in three formats; four for other tools
    }
    void keepsTheTheme() {
        WindowMenusStage stage;
        const auto checked = [&] {
            QStringList names;
            for (const auto* action : stage.menu("Theme").actions()) {
                if (action->isChecked()) names << action->objectName();
            }
            return names;
        };
        QCOMPARE(checked(), QStringList{"theme-system"});
        stage.window.findChild<QAction*>("theme-dark")->trigger();
        QCOMPARE(checked(), QStringList{"theme-dark"});
        QCOMPARE(stage.settings.theme(), Theme::Dark);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
        stage.window.findChild<QAction*>("theme-light")->trigger();
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
        stage.window.findChild<QAction*>("theme-system")->trigger();
        QCOMPARE(stage.settings.theme(), Theme::System);
    }
    void givesNoKeyTwice() {
        WindowMenusStage stage;
        QHash<QKeySequence, QStringList> taken;
        for (auto* menu : stage.window.findChildren<QMenu*>()) {
            for (const auto* action : menu->actions()) {
                if (!action->shortcut().isEmpty()) taken[action->shortcut()] << action->text();
            }
        }
        QVERIFY(taken.size() > 5);
        for (auto key = taken.begin(); key != taken.end(); ++key) {
            QVERIFY2(key->size() == 1, qPrintable(key.key().toString() + ": " + key->join(", ")));
        }
    }
};
HIGHWATER_TEST(WindowMenusTest);
#include "window_menus_test.moc"
