#include "ui/view/window/command_bar.h"

#include <QAction>
#include <QEvent>
#include <QResizeEvent>
#include <QToolButton>

#include <array>
#include <utility>

namespace highwater::ui {
namespace {

using Command = CommandBar::Command;
constexpr int kCommandIcon = 16;

/// Order in which buttons lose their text as the window gets narrower: the most recognizable icons first.
constexpr int kLastRank = 4;
constexpr std::array<std::pair<Command, int>, 16> kRanks{{{Command::Open, 3},
                                                          {Command::Record, 4},
                                                          {Command::Stop, 1},
                                                          {Command::Save, 2},
                                                          {Command::Mark, 2},
                                                          {Command::Snapshot, 1},
                                                          {Command::Back, 1},
                                                          {Command::Forward, 1},
                                                          {Command::Zoom, 3},
                                                          {Command::WholeTrace, 2},
                                                          {Command::Filter, 3},
                                                          {Command::FilterOut, 3},
                                                          {Command::Find, 2},
                                                          {Command::BottomUp, 4},
                                                          {Command::Leaks, 4},
                                                          {Command::Symbols, 4}}};

} // namespace

CommandBar::CommandBar(QWidget* parent) : QToolBar(parent) {
    setObjectName(QStringLiteral("commandBar"));
    setWindowTitle(tr("&Toolbar"));
    setAccessibleName(tr("Toolbar"));
    toggleViewAction()->setObjectName(QStringLiteral("toggleToolBar"));
    setMovable(false);
    setIconSize({kCommandIcon, kCommandIcon});
    addGroup({Command::Open, Command::Record, Command::Stop, Command::Save, Command::Mark, Command::Snapshot});
    const auto always = actions().size();
    for (const auto& group :
         {std::initializer_list<Command>{Command::Back, Command::Forward, Command::Zoom, Command::WholeTrace},
          {Command::Filter, Command::FilterOut},
          {Command::Find},
          {Command::BottomUp},
          {Command::Leaks},
          {Command::Symbols}}) {
        addSeparator();
        addGroup(group);
    }
    ofTrace_ = actions().mid(always);
    setHasTrace(false);
}

void CommandBar::addGroup(std::initializer_list<Command> commands) {
    for (const auto command : commands) {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setEnabled(false);
        buttons_[command] = button;
        addWidget(button);
    }
}

void CommandBar::setCommand(Command command, QAction* action) {
    auto& button = *buttons_.at(command);
    if (auto* before = button.defaultAction()) {
        if (before == action) return;
        button.removeAction(before);
    }
    button.setDefaultAction(action);
    if (!action) return button.setEnabled(false);
    button.setObjectName(QStringLiteral("command-%1").arg(action->objectName()));
    button.setAccessibleName(action->iconText());
    fitWords();
}

void CommandBar::setHasTrace(bool has) {
    for (auto* action : std::as_const(ofTrace_))
        action->setVisible(has);
    // Adding an action to a tool bar also enables the widget whenever the action changes.
    for (const auto& [command, button] : buttons_)
        button->setEnabled(button->defaultAction() && button->defaultAction()->isEnabled());
    fitWords();
}

void CommandBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    if (event->oldSize().width() != width()) fitWords();
}

void CommandBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitWords();
}

void CommandBar::fitWords() {
    if (std::exchange(isFitting_, true)) return;
    for (int lost = 0; lost <= kLastRank; ++lost) {
        for (const auto& [command, rank] : kRanks)
            buttons_.at(command)->setToolButtonStyle(rank > lost ? Qt::ToolButtonTextBesideIcon
                                                                 : Qt::ToolButtonIconOnly);
        if (sizeHint().width() <= width()) break;
    }
    isFitting_ = false;
}

} // namespace highwater::ui

#include "moc_command_bar.cpp"
