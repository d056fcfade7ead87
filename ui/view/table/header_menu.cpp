#include "ui/view/table/header_menu.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/table/layout_sort.h"

#include <QActionGroup>

#include <algorithm>

namespace highwater::ui {

using analysis::Aggregation;

HeaderMenu::HeaderMenu(GraphState& state, int section, QWidget* parent)
    : QMenu(parent), state_(state), section_(section), layout_(state.layout()) {
    build();
}

void HeaderMenu::build() {
    setObjectName(QStringLiteral("headerMenu"));
    setAttribute(Qt::WA_DeleteOnClose);
    setToolTipsVisible(true);
    connect(add(QStringLiteral("chooseColumns"), tr("Add or Remove &Columns…"), tr("Ins")), &QAction::triggered, this,
            &HeaderMenu::chooserWanted);
    connect(add(QStringLiteral("editAnnotations"), tr("Edit A&nnotations…")), &QAction::triggered, this,
            &HeaderMenu::annotationsWanted);
    addSeparator();
    addSorting();
    if (placeOfSection(layout_, section_).kind == LayoutPlace::Kind::Value) {
        addSeparator();
        addAggregations();
        addFormats();
    }
    addSeparator();
    addPlaces();
    addSeparator();
    addRest();
}

/// Shows the header's shortcuts after the text.
QAction* HeaderMenu::add(const QString& name, const QString& text, const QString& keys) {
    auto* action = addAction(keys.isEmpty() ? text : text + QLatin1Char('\t') + keys);
    action->setObjectName(name);
    return action;
}

void HeaderMenu::addEdit(const QString& name, const QString& text, const LayoutEdit& edit, const QString& keys) {
    auto* action = add(name, text, keys);
    action->setEnabled(!edit.isRefused() && edit.layout != layout_);
    if (edit.isRefused()) action->setToolTip(tooltipText(edit.refusal));
    connect(action, &QAction::triggered, &state_, [this, layout = edit.layout] { state_.setLayout(layout); });
}

void HeaderMenu::addSorting() {
    const auto addSort = [this](const QString& name, const QString& text, bool descending) {
        auto* action = add(name, text);
        const auto mark = sortMark(layout_, section_);
        action->setCheckable(true);
        action->setChecked(mark && mark->descending == descending);
        connect(action, &QAction::triggered, &state_,
                [this, descending] { state_.setLayout(sortBy(layout_, section_, descending)); });
    };
    addSort(QStringLiteral("sortDescending"), tr("Sort &Descending"), true);
    addSort(QStringLiteral("sortAscending"), tr("Sort &Ascending"), false);
    auto* level = add(QStringLiteral("addSortLevel"), tr("Add Sort &Level"), tr("Shift+Enter"));
    level->setEnabled(!sortMark(layout_, section_));
    connect(level, &QAction::triggered, &state_,
            [this] { state_.setLayout(cycleSort(layout_, section_, SortStep::Add)); });
}

void HeaderMenu::addAggregations() {
    const auto offered = analysis::aggregationsOf(layout_.table, value().column);
    if (offered.size() < 2) return;
    auto* menu = addMenu(tr("A&ggregation"));
    menu->setObjectName(QStringLiteral("aggregations"));
    auto* group = new QActionGroup(menu);
    const auto current = value().aggregation == Aggregation::Own ? offered.front() : value().aggregation;
    for (const auto aggregation : offered) {
        const auto name = analysis::aggregationName(aggregation);
        const auto text = aggregation == Aggregation::Own ? tr("Common Value") : toQString(name);
        auto* action = menu->addAction(text);
        group->addAction(action);
        action->setObjectName(text);
        action->setCheckable(true);
        action->setChecked(aggregation == current);
        const auto edit = setAggregation(layout_, section_, aggregation);
        action->setEnabled(!edit.isRefused());
        action->setToolTip(tooltipText(edit.refusal));
        connect(action, &QAction::triggered, &state_, [this, layout = edit.layout] { state_.setLayout(layout); });
    }
}

void HeaderMenu::addFormat(QMenu& menu, const QString& name, const QString& text, ColumnFormat format, bool isCurrent) {
    auto* action = menu.addAction(text);
    action->setObjectName(name);
    action->setCheckable(true);
    action->setChecked(isCurrent);
    connect(action, &QAction::triggered, &state_,
            [this, format] { state_.setLayout(setFormat(layout_, section_, format)); });
}

void HeaderMenu::addFormats() {
    const auto units = unitsOf(value());
    const auto format = columnOfSection(layout_, section_)->format;
    if (units.size() > 1) {
        auto* menu = addMenu(tr("&Unit"));
        menu->setObjectName(QStringLiteral("units"));
        for (const auto unit : units) {
            const auto text = unitName(value(), unit);
            const auto decimals = std::min(format.decimals, mostDecimals(value(), unit));
            addFormat(*menu, text, text, {unit, mostDecimals(value(), unit) == 0 ? -1 : decimals}, unit == format.unit);
        }
    }
    const int most = mostDecimals(value(), format.unit);
    if (most == 0) return;
    auto* menu = addMenu(tr("D&ecimals"));
    menu->setObjectName(QStringLiteral("decimals"));
    addFormat(*menu, QStringLiteral("automatic"), tr("Automatic"), {format.unit, -1}, format.decimals < 0);
    for (int decimals = 0; decimals <= most; ++decimals) {
        const auto text = QString::number(decimals);
        addFormat(*menu, text, text, {format.unit, decimals}, decimals == format.decimals);
    }
}

void HeaderMenu::addPlaces() {
    addEdit(QStringLiteral("moveToKeys"), tr("Move to &Keys (Left of the Gold Bar)"),
            moveToZone(layout_, section_, LayoutZone::Keys));
    addEdit(QStringLiteral("moveToValues"), tr("Move to &Values"), moveToZone(layout_, section_, LayoutZone::Values));
    addEdit(QStringLiteral("graphColumn"), tr("&Graph This Column (Right of the Blue Bar)"),
            moveToZone(layout_, section_, LayoutZone::Graphed));
    addEdit(QStringLiteral("moveLeft"), tr("Move &Left"), stepColumn(layout_, section_, Sideways::Left),
            tr("Ctrl+Shift+Left"));
    addEdit(QStringLiteral("moveRight"), tr("Move &Right"), stepColumn(layout_, section_, Sideways::Right),
            tr("Ctrl+Shift+Right"));
}

void HeaderMenu::addRest() {
    connect(add(QStringLiteral("fitColumn"), tr("&Fit Width")), &QAction::triggered, this, &HeaderMenu::fitWanted);
    connect(add(QStringLiteral("fitAll"), tr("Fit All &Widths")), &QAction::triggered, this, &HeaderMenu::fitAllWanted);
    addEdit(QStringLiteral("removeColumn"), tr("Re&move Column"), removeColumn(layout_, section_), tr("Del"));
    addSeparator();
    auto* undo = add(QStringLiteral("undoLayout"), tr("U&ndo Column Change"));
    undo->setEnabled(state_.canUndoLayout());
    connect(undo, &QAction::triggered, &state_, &GraphState::undoLayout);
    auto* redo = add(QStringLiteral("redoLayout"), tr("Red&o Column Change"));
    redo->setEnabled(state_.canRedoLayout());
    connect(redo, &QAction::triggered, &state_, &GraphState::redoLayout);
}

} // namespace highwater::ui

#include "moc_header_menu.cpp"
