#include "tests/support/test_registry.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/window/command_bar.h"

#include <QAction>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater::ui;
using Command = CommandBar::Command;

namespace {

constexpr std::array<std::pair<Command, const char*>, 16> kCommands{{{Command::Open, "Open"},
                                                                     {Command::Record, "Record"},
                                                                     {Command::Stop, "Stop"},
                                                                     {Command::Save, "Save"},
                                                                     {Command::Mark, "Mark"},
                                                                     {Command::Snapshot, "Snapshot"},
                                                                     {Command::Back, "Back"},
                                                                     {Command::Forward, "Forward"},
                                                                     {Command::Zoom, "Zoom"},
                                                                     {Command::WholeTrace, "Whole Trace"},
                                                                     {Command::Filter, "Filter"},
                                                                     {Command::FilterOut, "Filter Out"},
                                                                     {Command::Find, "Find"},
                                                                     {Command::BottomUp, "Bottom-up"},
                                                                     {Command::Leaks, "Leaks"},
                                                                     {Command::Symbols, "Symbols"}}};

struct CommandBarStage {
    QMainWindow window;
    CommandBar& bar = *new CommandBar(&window);
    std::map<Command, QAction*> actions;

    explicit CommandBarStage(int width) {
        window.addToolBar(&bar);
        for (const auto& [command, word] : kCommands) {
            auto* action = actions[command] = new QAction(QLatin1String(word), &window);
            action->setObjectName(QLatin1String(word));
            setLook(*action, LineIcon::Open, QLatin1String(word), QStringLiteral("help"));
            bar.setCommand(command, action);
        }
        bar.setHasTrace(true);
        window.resize(width, 300);
        window.show();
    }
    [[nodiscard]] bool hasWord(Command command) const {
        return bar.button(command).toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
    }
    [[nodiscard]] int words() const {
        int count = 0;
        for (const auto& [command, word] : kCommands)
            count += hasWord(command) ? 1 : 0;
        return count;
    }
    /// All buttons are completely on screen, in one line.
    [[nodiscard]] bool isAllShown() const {
        for (const auto& [command, word] : kCommands) {
            const auto& button = bar.button(command);
            const QRect place(button.mapTo(&bar, QPoint()), button.size());
            if (!button.isVisible() || !bar.rect().contains(place) || button.width() < button.sizeHint().width())
                return false;
        }
        return true;
    }
    [[nodiscard]] QToolButton* overflow() const { return bar.findChild<QToolButton*>("qt_toolbar_ext_button"); }
};

} // namespace

class CommandBarTest : public QObject {
    Q_OBJECT
  private slots:
    void buttonsAreTheActions() {
        CommandBarStage stage(1280);
        auto* filter = stage.actions[Command::Filter];
        QSignalSpy triggered(filter, &QAction::triggered);
        QTest::mouseClick(&stage.bar.button(Command::Filter), Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
        filter->setEnabled(false);
        QVERIFY(!stage.bar.button(Command::Filter).isEnabled());
        QTest::mouseClick(&stage.bar.button(Command::Filter), Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
        filter->setEnabled(true);
        stage.bar.button(Command::Filter).setFocus(Qt::TabFocusReason);
        QTest::keyClick(&stage.bar.button(Command::Filter), Qt::Key_Space);
        QCOMPARE(triggered.size(), 2);
        QCOMPARE(stage.bar.button(Command::Filter).accessibleName(), "Filter");
    }
    void followsAnotherActionAndWaitsWithoutOne() {
        CommandBarStage stage(1280);
        auto& button = stage.bar.button(Command::BottomUp);
        QAction other("Other");
        other.setCheckable(true);
        other.setChecked(true);
        setLook(other, LineIcon::BottomUp, "Bottom-up", "help");
        stage.bar.setCommand(Command::BottomUp, &other);
        QVERIFY(button.isCheckable() && button.isChecked());
        QSignalSpy old(stage.actions[Command::BottomUp], &QAction::triggered);
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(old.isEmpty() && !other.isChecked());
        stage.bar.setCommand(Command::BottomUp, nullptr);
        QVERIFY(!button.isEnabled() && button.isVisible());
        stage.bar.setHasTrace(true); // does not enable buttons without an action
        QVERIFY(!button.isEnabled());
        stage.bar.setCommand(Command::BottomUp, &other);
        QVERIFY(button.isEnabled());
    }
    void showsOnlyOpeningCommandsWithoutATrace() {
        CommandBarStage stage(1280);
        stage.actions[Command::Back]->setEnabled(false);
        stage.bar.setHasTrace(false);
        QVERIFY(stage.bar.button(Command::Open).isVisible() && stage.bar.button(Command::Record).isVisible());
        QTRY_VERIFY(!stage.bar.button(Command::Back).isVisible() && !stage.bar.button(Command::Symbols).isVisible());
        stage.bar.setHasTrace(true);
        QTRY_VERIFY(stage.isAllShown());
        QVERIFY(!stage.bar.button(Command::Back).isEnabled());
        QVERIFY(stage.bar.button(Command::Forward).isEnabled());
    }
    void losesWordsBeforeButtonsAsTheWindowGetsNarrower() {
        constexpr int kAll = static_cast<int>(kCommands.size());
        CommandBarStage stage(2400);
        QTRY_COMPARE(stage.words(), kAll);
        int before = kAll;
        for (const int width : {1280, 1000, 800, 600}) {
            stage.window.resize(width, 300);
            QTRY_VERIFY2(stage.isAllShown(), qPrintable(QString::number(width)));
            QVERIFY(!stage.overflow() || !stage.overflow()->isVisible());
            QVERIFY(stage.words() <= before);
            before = stage.words();
            QVERIFY(before == 0 || stage.hasWord(Command::Record)); // one of the last
        }
        QVERIFY(before < kAll);
        stage.window.resize(2400, 300);
        QTRY_COMPARE(stage.words(), kAll);
    }
    void overflowingButtonsAreBehindTheArrow() {
        CommandBarStage stage(300);
        QTRY_VERIFY(stage.overflow() && stage.overflow()->isVisible());
        auto& symbols = stage.bar.button(Command::Symbols);
        QVERIFY(!symbols.isVisible());
        QTest::mouseClick(stage.overflow(), Qt::LeftButton);
        QTRY_VERIFY(symbols.isVisible());
        QSignalSpy triggered(stage.actions[Command::Symbols], &QAction::triggered);
        QTest::mouseClick(&symbols, Qt::LeftButton);
        QCOMPARE(triggered.size(), 1);
    }
    void tooltipsEndWithTheKeys() {
        QAction action("Show");
        action.setShortcuts({QKeySequence(Qt::ALT | Qt::Key_Home), QKeySequence(Qt::Key_F4)});
        setLook(action, LineIcon::WholeTrace, "Whole", "Show <b>all</b>");
        QVERIFY(action.toolTip().contains("(Alt+Home,") && action.toolTip().contains("F4)"));
        QVERIFY(!action.toolTip().contains("<b>")); // not markup
        QAction told("&Zoom\tEnter");
        setLook(told, LineIcon::Zoom, "Zoom", "Zoom");
        QVERIFY(told.toolTip().contains("(Enter)"));
        QCOMPARE(told.iconText(), "Zoom");
        QCOMPARE(told.text(), "&Zoom\tEnter");
        QAction bare("Bare");
        setLook(bare, LineIcon::Stop, "Bare", "Help");
        QCOMPARE(bare.toolTip(), "Help");
    }
};
HIGHWATER_TEST(CommandBarTest);
#include "command_bar_test.moc"
