#pragma once

#include "tests/app/main_window_test/window_stage.h"

#include <QPoint>

namespace highwater::tests {

/// A user's actions on a window by mouse and keys; each waits until the window shows its result. Only scrolling is not
/// done by hand.
class WindowUser {
  public:
    explicit WindowUser(WindowStage& stage) : stage_(stage) {}

    /// Waits until the window has opened it.
    [[nodiscard]] bool dropFile(const QString& path);
    /// Sends it to the widget that has the focus.
    bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    /// "File", then "Open": texts in the menus, without the mnemonics.
    bool chooseInMenuBar(const QString& menu, const QString& entry);
    /// In the open menu.
    bool chooseInMenu(const QString& entry);

    bool doubleClickGraph(const QString& title);
    /// Clicks into the timeline, so that it gets the keys.
    void pointAtTimeline(double seconds, double bytes);
    bool clickTimeline(double seconds, double bytes);
    bool dragTimeline(double fromSeconds, double toSeconds);
    /// Types "16.0 18.0" into Start, then Enter.
    bool typeInterval(const QString& text);

    /// Its own cell, in the middle.
    bool clickRow(const QStringList& path);
    bool rightClickRow(const QStringList& path);
    /// Clicks from row to row, and presses Right on each closed one.
    bool openRow(const QStringList& path);
    /// The row if the rows above it are open; does not open rows.
    QModelIndex shownRow(const QStringList& path);
    /// As numbered on screen, from 1: the text of its own key.
    QString line(int number);
    QString cellOfLine(int number, analysis::Column column);

    bool clickHeader(analysis::Column column, Qt::KeyboardModifiers modifiers = {});
    /// Moves it before the other one.
    bool dragHeader(analysis::Column column, analysis::Column before);
    /// Right click, "Add or Remove Columns", its name, Space.
    bool tickColumn(const QString& name);
    bool choosePreset(const QString& name);
    bool chooseChart(const QString& name);
    /// The x of the chip with this text.
    bool clickChip(const QString& words);
    QStringList chips();

  private:
    /// After a menu, list or dialog has closed: without a window manager nothing else activates the window again.
    bool comeBack();
    QPoint placeInTimeline(double seconds, double bytes);
    int section(analysis::Column column);
    QPoint middleOfHeader(int section);
    bool chooseInBox(const QString& objectName, const QString& text);
    /// As the window system sends it, so that a context menu follows.
    void rightClick(QWidget& widget, const QPoint& at);
    QModelIndex indexOfLine(int number);

    WindowStage& stage_;
};

} // namespace highwater::tests
