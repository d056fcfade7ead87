#pragma once

#include <QToolBar>

#include <map>

class QAction;
class QToolButton;

namespace highwater::ui {

/// The main tool bar: commands in the usual order of an analysis, as buttons of the menus' own actions. Buttons show
/// their text if there is room; the most recognizable icons lose it first. GUI thread only.
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
        Leaks,
        Symbols
    };

    explicit CommandBar(QWidget* parent = nullptr);
    /// Null: no target, so the button is disabled but unchanged. The action needs a look (setLook()).
    void setCommand(Command command, QAction* action);
    /// Without a trace, only commands that open one are shown.
    void setHasTrace(bool has);
    [[nodiscard]] QToolButton& button(Command command) const { return *buttons_.at(command); }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void addGroup(std::initializer_list<Command> commands);
    void fitWords();

    std::map<Command, QToolButton*> buttons_;
    QList<QAction*> ofTrace_; ///< hidden without a trace
    bool isFitting_ = false;
};

} // namespace highwater::ui
