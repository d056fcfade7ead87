#include "app/symbols/symbol_controller.h"

#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/symbols/symbol_paths_dialog.h"
#include "ui/view/window/status_line.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using app::SymbolController;

namespace {

struct SymbolControllerStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::SymbolSession session{[](const std::string&) { return std::optional<std::string>(); }};
    ui::StatusLine line;
    QMainWindow window;
    SymbolController& pages = *make();
    SmallTrace trace;

    SymbolControllerStage() {
        pages.connectStatus(line);
        window.show();
    }
    SymbolController* make() {
        ui::SymbolChoices choices;
        choices.cacheFolder = folder.filePath("cache");
        settings.setSymbolChoices(choices, symbols::SymbolPath::parse("/nobody/has/this")); // stored in any case
        return new SymbolController(settings, session, window);
    }
    void open(const QStringList& files) {
        auto labels = std::make_shared<analysis::FrameLabels>(session.begin(files));
        session.setTrace(trace.publish(10), std::move(labels));
    }
    QAction& action(const char* name) { return *window.findChild<QAction*>(name); }
    QAction& ownAction(const char* name) { return *pages.findChild<QAction*>(name); }
    ui::SymbolPathsDialog* configure() {
        ownAction("configureSymbolPaths").trigger();
        return window.findChild<ui::SymbolPathsDialog*>();
    }
    QString modulesSay() { return window.findChild<QLabel*>("moduleSummary")->text(); }
};

} // namespace

class SymbolControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void offersItsCommands() {
        SymbolControllerStage stage;
        QStringList names;
        for (const auto* action : stage.pages.traceActions()) {
            names << action->objectName();
        }
        QCOMPARE(names, (QStringList{"loadSymbols", "configureSymbolPaths", "toggleModules"}));
        QCOMPARE(stage.pages.nameActions().first()->objectName(), "functionNames");
        QCOMPARE(stage.pages.nameActions().last()->objectName(), "fullFunctionNames");
    }
    void beginsAsTheSettingsSay() {
        QTemporaryDir folder;
        app::ApplicationSettings settings(folder.filePath("settings.ini"));
        settings.setShowsFunctionNames(false);
        settings.setFullFunctionNames(true);
        app::SymbolSession session([](const std::string&) { return std::optional<std::string>(); });
        QMainWindow window;
        const SymbolController pages(settings, session, window);
        QVERIFY(!session.isEnabled());
        QVERIFY(pages.nameActions().last()->isChecked());
        QVERIFY(!pages.nameActions().first()->isChecked());
    }
    void showsNamesOrAddresses() {
        SymbolControllerStage stage;
        stage.open({"a.etl"});
        auto& names = *stage.pages.nameActions().first();
        QCOMPARE(names.shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
        QVERIFY(names.isChecked() && stage.session.isEnabled());
        names.trigger();
        QVERIFY(!stage.session.isEnabled() && !stage.settings.showsFunctionNames());
        QVERIFY2(stage.modulesSay().startsWith("Stacks show addresses"), qPrintable(stage.modulesSay()));
        names.trigger(); // by hand: immediately
        QVERIFY(stage.session.isLoading() && stage.settings.showsFunctionNames());
    }
    void loadsByHand() {
        SymbolControllerStage stage;
        stage.open({"a.etl"});
        auto& load = stage.ownAction("loadSymbols");
        QVERIFY(!load.isCheckable());
        QVERIFY(!stage.session.isLoading());
        load.trigger(); // no stack is open
        QVERIFY(stage.session.isLoading() && stage.session.isEnabled());
        auto& names = *stage.pages.nameActions().first();
        names.trigger();
        QVERIFY(!stage.session.isLoading());
        load.trigger(); // shows its progress
        QVERIFY(names.isChecked() && stage.session.isLoading() && stage.settings.showsFunctionNames());
    }
    void looksAgainByHand() {
        SymbolControllerStage stage;
        stage.trace.process(1, "a.exe").image(1, 0x400000, 0x1000, "app.dll");
        stage.trace.commit(1, 1, 0x10000, kPage, {0x400110});
        stage.open({"a.etl"});
        QSignalSpy messages(&stage.pages, &SymbolController::messageWanted);
        auto& load = stage.ownAction("loadSymbols");
        load.trigger();
        QTRY_VERIFY(!stage.session.areNamesComing());
        load.trigger(); // nothing was found: it may exist now
        QVERIFY(stage.session.areNamesComing());
        QTRY_VERIFY(!stage.session.areNamesComing());
        QTRY_VERIFY(!messages.isEmpty());
    }
    void saysWhatWasFoundByHand() {
        SymbolControllerStage stage;
        stage.trace.process(1, "a.exe").image(1, 0x400000, 0x1000, "app.dll");
        stage.trace.commit(1, 1, 0x10000, kPage, {0x400110});
        stage.open({"a.etl"});
        QSignalSpy messages(&stage.pages, &SymbolController::messageWanted);
        stage.session.loadLazily();
        QTRY_VERIFY(!stage.session.areNamesComing());
        QVERIFY(messages.isEmpty()); // only if the user asks
        stage.ownAction("loadSymbols").trigger();
        QTRY_COMPARE(messages.size(), 1);
        const auto message = messages.last().first().value<ui::Message>();
        QVERIFY2(message.text.startsWith("Debug information found for 0 of 1 modules. 1 not found."),
                 qPrintable(message.text));
        QVERIFY(message.tone == ui::MessageTone::Warning);
        message.link.act();
        auto* dialog = stage.window.findChild<ui::SymbolPathsDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
    }
    void keepsTheStyleOfNames() {
        SymbolControllerStage stage;
        stage.open({"a.etl"});
        QSignalSpy names(&stage.session, &app::SymbolSession::namesChanged);
        stage.pages.nameActions().last()->trigger();
        QCOMPARE(names.size(), 1);
        QVERIFY(stage.settings.fullFunctionNames());
        stage.pages.nameActions().last()->trigger();
        QVERIFY(!stage.settings.fullFunctionNames());
    }
    void showsTheModulesFromTheStatusLine() {
        SymbolControllerStage stage;
        auto* dock = stage.window.findChild<QDockWidget*>("modulesDock");
        QVERIFY(!dock->isVisible());
        stage.open({"a.etl"});
        QCOMPARE(stage.modulesSay(), "Symbols are loaded when a stack is expanded or searched.");
        emit stage.line.modulesWanted();
        QVERIFY(dock->isVisible());
    }
    void showsProgressAndCancelInTheStatusLine() {
        SymbolControllerStage stage;
        stage.trace.process(1, "a.exe").image(1, 0x400000, 0x1000, "app.dll");
        stage.trace.commit(1, 1, 0x10000, kPage, {0x400110});
        stage.open({"a.etl"});
        stage.session.loadLazily();
        auto* note = stage.line.findChild<QToolButton*>("symbolNote");
        QTRY_COMPARE(note->text(), "⚠ symbols 0/1"); // none was found
        emit stage.line.symbolCancelWanted();
        QVERIFY(!stage.session.areNamesComing());
    }
    void configuresInOneDialog() {
        SymbolControllerStage stage;
        auto* dialog = stage.configure();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(stage.configure(), dialog);
        ui::SymbolChoices choices;
        choices.path = symbols::SymbolPath::parse("/somewhere");
        choices.onlyCached = true;
        emit dialog->applied(choices);
        QCOMPARE(stage.session.choices(), choices);
        QCOMPARE(stage.settings.symbolChoices({}).path, choices.path);
        QVERIFY(stage.settings.symbolChoices({}).onlyCached);
    }
    void allowsNothingToAnotherTrace() {
        SymbolControllerStage stage;
        stage.open({"a.etl"});
        auto* dialog = stage.configure();
        ui::SymbolChoices choices;
        choices.usesImagePaths = true;
        emit dialog->applied(choices);
        QCOMPARE(stage.session.choices().usesImagePaths, std::optional(true));
        QCOMPARE(stage.settings.symbolChoices({}).usesImagePaths, std::nullopt); // never stored
        stage.open({"b.etl"});
        emit dialog->applied(choices);
        QCOMPARE(stage.session.choices().usesImagePaths, std::nullopt);
    }
    void offersTheFoldersOfTheTraceAndItsPrograms() {
        SymbolControllerStage stage;
        stage.trace.process(1, "a.exe").image(1, 0x400000, 0x1000, "a.exe").image(1, 0x500000, 0x1000, "b.dll");
        stage.open({stage.folder.filePath("a.etl")});
        auto* dialog = stage.configure();
        QVERIFY(dialog);
        QStringList offers;
        for (const auto* action : dialog->findChildren<QAction*>("addOffered")) {
            offers << action->text();
        }
        QVERIFY(offers.contains("Trace Folder"));
        QVERIFY2(!offers.contains("Folder of b.dll"), qPrintable(offers.join(';')));
        // One click would access something other than a plain path on a local drive.
        QVERIFY2(!offers.contains("Folder of a.exe"), qPrintable(offers.join(';')));
    }
};
HIGHWATER_TEST(SymbolControllerTest);
#include "symbol_controller_test.moc"
