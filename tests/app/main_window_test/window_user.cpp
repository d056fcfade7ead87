#include "tests/app/main_window_test/window_user.h"

#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/table/pivot_header.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QUrl>
#include <QWindow>

#include <cmath>

namespace highwater::tests {
namespace {

QAction* entryOf(const QList<QAction*>& actions, const QString& words) {
    for (auto* action : actions) {
        const auto text = QString(action->text()).remove(QLatin1Char('&')).section(QLatin1Char('\t'), 0, 0);
        if (text == words && action->isEnabled() && action->isVisible()) return action;
    }
    return nullptr;
}

void click(QWidget* widget, const QPoint& at, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(widget, Qt::LeftButton, modifiers, at);
}

} // namespace

bool WindowUser::dropFile(const QString& path) {
    QSignalSpy settled(&stage_.window, &app::MainWindow::settled);
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&stage_.window, &enter);
    QDropEvent drop({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&stage_.window, &drop);
    return enter.isAccepted() && settled.wait(20'000);
}

bool WindowUser::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    auto* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : &stage_.window, key, modifiers);
    return stage_.wait();
}

bool WindowUser::chooseInMenuBar(const QString& menu, const QString& entry) {
    auto* bar = stage_.window.menuBar();
    auto* title = entryOf(bar->actions(), menu);
    if (!title) return false;
    click(bar, bar->actionGeometry(title).center());
    return chooseInMenu(entry);
}

bool WindowUser::chooseInMenu(const QString& entry) {
    QMenu* menu = nullptr;
    const auto isOpen = [&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; };
    if (!QTest::qWaitFor(isOpen)) return false;
    auto* action = entryOf(menu->actions(), entry);
    if (action) click(menu, menu->actionGeometry(action).center());
    if (!action) menu->close();
    return action && comeBack();
}

bool WindowUser::comeBack() {
    if (QApplication::activePopupWidget()) return stage_.wait();
    stage_.window.activateWindow();
    return QTest::qWaitForWindowActive(&stage_.window) && stage_.wait();
}

bool WindowUser::doubleClickGraph(const QString& title) {
    auto& list = stage_.window.explorer();
    const auto found = list.findItems(title, Qt::MatchExactly | Qt::MatchRecursive);
    if (found.isEmpty()) return false;
    const auto at = list.visualItemRect(found.first()).center();
    click(list.viewport(), at);
    QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
    return stage_.wait();
}

QPoint WindowUser::placeInTimeline(double seconds, double bytes) {
    const auto& timeline = stage_.panel().timeline();
    const auto x = timeline.coordinates().xOf(TraceTime{std::llround(seconds * 1e9)});
    return {static_cast<int>(std::lround(x)), static_cast<int>(std::lround(timeline.yOf(bytes)))};
}

void WindowUser::pointAtTimeline(double seconds, double bytes) {
    auto& timeline = stage_.panel().timeline();
    timeline.setFocus(Qt::TabFocusReason); // a click would clear the selection
    QTest::mouseMove(&timeline, placeInTimeline(seconds, bytes) - QPoint(1, 0));
    QTest::mouseMove(&timeline, placeInTimeline(seconds, bytes));
}

bool WindowUser::clickTimeline(double seconds, double bytes) {
    click(&stage_.panel().timeline(), placeInTimeline(seconds, bytes));
    return stage_.wait();
}

bool WindowUser::dragTimeline(double fromSeconds, double toSeconds) {
    auto& timeline = stage_.panel().timeline();
    const auto from = placeInTimeline(fromSeconds, 0) - QPoint(0, 20);
    const auto to = placeInTimeline(toSeconds, 0) - QPoint(0, 20);
    QTest::mousePress(&timeline, Qt::LeftButton, {}, from);
    QTest::mouseMove(&timeline, (from + to) / 2);
    QTest::mouseMove(&timeline, to);
    QTest::mouseRelease(&timeline, Qt::LeftButton, {}, to);
    return stage_.wait();
}

bool WindowUser::typeInterval(const QString& text) {
    auto* start = stage_.window.tabs().current().findChild<QLineEdit*>("startTime");
    click(start, start->rect().center()); // not twice: Qt Test would keep the button down
    QTest::keyClick(start, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(start, text);
    QTest::keyClick(start, Qt::Key_Return);
    return stage_.wait();
}

QModelIndex WindowUser::shownRow(const QStringList& path) {
    QModelIndex at;
    for (const auto& text : path) {
        if (at.isValid() && !stage_.panel().table().isExpanded(at)) return {};
        at = stage_.find(at, text);
        if (!at.isValid()) return {};
    }
    return at;
}

bool WindowUser::clickRow(const QStringList& path) {
    auto& table = stage_.panel().table();
    const auto row = shownRow(path);
    if (!row.isValid()) return false;
    table.scrollTo(row);
    click(table.viewport(), table.visualRect(row.siblingAtColumn(stage_.panel().model().keySection(row))).center());
    return table.currentIndex().siblingAtColumn(0) == row && stage_.wait();
}

bool WindowUser::rightClickRow(const QStringList& path) {
    auto& table = stage_.panel().table();
    const auto row = shownRow(path);
    if (!row.isValid()) return false;
    table.scrollTo(row);
    rightClick(*table.viewport(),
               table.visualRect(row.siblingAtColumn(stage_.panel().model().keySection(row))).center());
    return true;
}

bool WindowUser::openRow(const QStringList& path) {
    auto& table = stage_.panel().table();
    for (qsizetype length = 1; length <= path.size(); ++length) {
        const auto part = path.mid(0, length);
        if (!QTest::qWaitFor([&] { return shownRow(part).isValid(); }) || !clickRow(part)) return false;
        const auto row = shownRow(part);
        if (table.isExpanded(row)) continue;
        QTest::keyClick(&table, Qt::Key_Right);
        const auto& model = stage_.panel().model();
        if (!QTest::qWaitFor([&] { return table.isExpanded(row) && model.rowCount(row) > 0; })) return false;
    }
    return stage_.wait();
}

QModelIndex WindowUser::indexOfLine(int number) {
    auto& table = stage_.panel().table();
    auto index = stage_.panel().model().index(0, 0);
    for (int line = 1; index.isValid() && line < number; ++line) {
        index = table.indexBelow(index);
    }
    return index.siblingAtColumn(0);
}

QString WindowUser::line(int number) { return stage_.panel().model().keyText(indexOfLine(number)); }

QString WindowUser::cellOfLine(int number, analysis::Column column) {
    return indexOfLine(number).siblingAtColumn(section(column)).data().toString();
}

int WindowUser::section(analysis::Column column) {
    const auto& model = stage_.panel().model();
    for (int section = 1; section < model.columnCount(); ++section) {
        const auto value = model.valueColumn(section);
        if (model.keyColumn(section) == column || (value && value->column == column)) return section;
    }
    return -1;
}

QPoint WindowUser::middleOfHeader(int section) {
    auto& header = stage_.panel().table().columns();
    header.setCurrentSection(section); // scrolls to it
    return {header.places().visibleSection(section).center().x(), header.height() / 2};
}

bool WindowUser::clickHeader(analysis::Column column, Qt::KeyboardModifiers modifiers) {
    const auto at = section(column);
    if (at < 0) return false;
    click(stage_.panel().table().columns().viewport(), middleOfHeader(at), modifiers);
    return stage_.wait();
}

bool WindowUser::dragHeader(analysis::Column column, analysis::Column before) {
    if (section(column) < 0 || section(before) < 0) return false;
    auto* header = stage_.panel().table().columns().viewport();
    const auto from = middleOfHeader(section(column));
    const auto target = stage_.panel().table().columns().places().visibleSection(section(before));
    const QPoint to(target.left() + 8, from.y());
    QTest::mousePress(header, Qt::LeftButton, {}, from);
    QTest::mouseMove(header, (from + to) / 2);
    QTest::mouseMove(header, to);
    QTest::mouseRelease(header, Qt::LeftButton, {}, to);
    return stage_.wait();
}

void WindowUser::rightClick(QWidget& widget, const QPoint& at) {
    auto* window = widget.window()->windowHandle();
    QTest::mouseClick(window, Qt::RightButton, {}, widget.mapTo(widget.window(), at));
}

bool WindowUser::tickColumn(const QString& name) {
    rightClick(*stage_.panel().table().columns().viewport(), middleOfHeader(1));
    if (!chooseInMenu("Add or Remove Columns…")) return false;
    QLineEdit* search = nullptr;
    const auto isThere = [&] {
        auto* chooser = QApplication::activePopupWidget();
        search = chooser ? chooser->findChild<QLineEdit*>("columnSearch") : nullptr;
        return search != nullptr;
    };
    if (!QTest::qWaitFor(isThere)) return false;
    QTest::keyClicks(search, name);
    auto* list = search->window()->findChild<QTreeWidget*>();
    const bool isFound = list->currentItem() && list->currentItem()->text(0) == name;
    QTest::keyClick(list, Qt::Key_Space);
    QTest::keyClick(search, Qt::Key_Escape);
    return comeBack() && isFound;
}

bool WindowUser::chooseInBox(const QString& objectName, const QString& text) {
    auto* box = stage_.panel().findChild<QComboBox*>(objectName);
    const int wanted = box ? box->findText(text, Qt::MatchStartsWith) : -1; // a star may follow
    if (wanted < 0) return false;
    box->setFocus(Qt::TabFocusReason);
    QTest::keyClick(box, Qt::Key_Down, Qt::AltModifier);
    auto* list = box->view();
    if (!QTest::qWaitFor([&] { return list->isVisible(); })) return false;
    QTest::keyClick(list, Qt::Key_Home);
    for (int i = 0; i < wanted; ++i) {
        QTest::keyClick(list, Qt::Key_Down);
    }
    QTest::keyClick(list, Qt::Key_Return);
    return comeBack() && box->currentText() == text;
}

bool WindowUser::choosePreset(const QString& name) { return chooseInBox("preset", name); }

bool WindowUser::chooseChart(const QString& name) { return chooseInBox("chartType", name); }

QStringList WindowUser::chips() {
    QStringList words;
    for (const auto* chip : stage_.panel().findChildren<QPushButton*>("filterChip")) {
        if (chip->isVisible()) words << chip->text();
    }
    return words;
}

bool WindowUser::clickChip(const QString& words) {
    for (auto* chip : stage_.panel().findChildren<QPushButton*>("filterChip")) {
        if (!chip->isVisible() || !chip->text().contains(words)) continue;
        click(chip, chip->rect().center() + QPoint(chip->width() / 2 - 12, 0));
        return stage_.wait();
    }
    return false;
}

} // namespace highwater::tests
