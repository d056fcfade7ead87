#pragma once

#include "tests/app/main_window_test/window_stage.h"

#include <QPoint>

namespace highwater::tests {

/// What a person does to a window with mouse and keys; each action waits until the window shows its answer. Only
/// scrolling, to bring a place on screen, is not done by hand.
class WindowUser {
  public:
    explicit WindowUser(WindowStage& stage) : stage_(stage) {}

    /// Until the window has opened it.
    [[nodiscard]] bool dropFile(const QString& path);
    /// To whatever has the focus.
    bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    /// "File", then "Open": what stands in the menus, without the mnemonics.
    bool chooseInMenuBar(const QString& menu, const QString& entry);
    /// In the menu that is open.
    bool chooseInMenu(const QString& entry);

    bool doubleClickGraph(const QString& title);
    /// A click into the timeline, so that keys go there.
    void pointAtTimeline(double seconds, double bytes);
    bool clickTimeline(double seconds, double bytes);
    bool dragTimeline(double fromSeconds, double toSeconds);
    /// "16.0 18.0" typed into Start, then Enter.
    bool typeInterval(const QString& text);

    /// Its own cell, in the middle.
    bool clickRow(const QStringList& path);
    bool rightClickRow(const QStringList& path);
    /// Clicks from row to row, and Right on each that is closed.
    bool openRow(const QStringList& path);
    /// The row if the rows above it are open; opens nothing.
    QModelIndex shownRow(const QStringList& path);
    /// As numbered on screen, from 1: the text of its own key.
    QString line(int number);
    QString cellOfLine(int number, analysis::Column column);

    bool clickHeader(analysis::Column column, Qt::KeyboardModifiers modifiers = {});
    /// So that it stands before the other one.
    bool dragHeader(analysis::Column column, analysis::Column before);
    /// Right click, "Add or Remove Columns", its name, Space.
    bool tickColumn(const QString& name);
    bool choosePreset(const QString& name);
    bool chooseChart(const QString& name);
    /// The x of the chip with these words.
    bool clickChip(const QString& words);
    QStringList chips();

  private:
    /// From a menu or a list that has closed: without a window manager nobody else makes the window active again.
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
