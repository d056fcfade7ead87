#pragma once

#include <QToolBar>

#include <map>

class QAction;
class QToolButton;

namespace highwater::ui {

/// The main tool bar: the commands of a walk through a trace, in its order, as buttons of the very actions that the
/// menus show. Where there is room they have their words, those last that are known by their pictures. GUI thread only.
class CommandBar : public QToolBar {
    Q_OBJECT
  public:
    enum class Command {
        Open,
        Record,
        Stop,
        Save,
        Mark,
        Snapshot,
        Back,
        Forward,
        Zoom,
        WholeTrace,
        Filter,
        FilterOut,
        Find,
        BottomUp,
        Symbols
    };

    explicit CommandBar(QWidget* parent = nullptr);
    /// Null: there is nothing to do it to, and the button waits as it is. The action must say how it looks (setLook()).
    void setCommand(Command command, QAction* action);
    /// Without a trace those commands only are there that lead to one.
    void setHasTrace(bool has);
    [[nodiscard]] QToolButton& button(Command command) const { return *buttons_.at(command); }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void addGroup(std::initializer_list<Command> commands);
    void fitWords();

    std::map<Command, QToolButton*> buttons_;
    QList<QAction*> ofTrace_; ///< what is hidden without one
    bool isFitting_ = false;
};

} // namespace highwater::ui
