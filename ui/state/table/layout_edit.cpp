#include "ui/state/table/layout_edit.h"

#include "ui/format/column_format.h"

#include <algorithm>

namespace highwater::ui {

using analysis::Aggregation;
using analysis::Column;
using analysis::ValueColumn;

namespace {

using Columns = std::vector<LayoutColumn>;

QString nameOf(const TableLayout& layout, Column column) { return columnTitle(layout.table, column); }

QString noKeysLeft() {
    return tr("At least one column must remain left of the gold bar, because rows are grouped by it.");
}

QString cannotBeKey(const TableLayout& layout, Column column) {
    return tr("%1 is a value of a whole group, so rows cannot be grouped by it.").arg(nameOf(layout, column));
}

auto findKey(const Columns& keys, Column column) {
    return std::find_if(keys.begin(), keys.end(), [column](const auto& key) { return key.value.column == column; });
}

auto findValue(const Columns& columns, ValueColumn value) {
    return std::find_if(columns.begin(), columns.end(), [value](const auto& column) {
        return analysis::normalized(column.value) == analysis::normalized(value);
    });
}

/// The value column that a key becomes right of the gold bar.
ValueColumn asValue(const TableLayout& layout, Column key) {
    const bool turnsBack = key == Column::RowSize && findValue(layout.columns, Column::Size) == layout.columns.end();
    return turnsBack ? Column::Size : key;
}

/// Updates the sort order after a column has changed its value.
void renameSort(TableLayout& layout, ValueColumn from, ValueColumn to) {
    for (auto& level : layout.sort) {
        if (level.value() != from) continue;
        level.column = to.column;
        level.aggregation = to.aggregation;
    }
}

void dropSort(TableLayout& layout, ValueColumn value) {
    std::erase_if(layout.sort, [value](const auto& level) { return level.value() == value; });
}

/// The vector and index of a place.
struct Slot {
    bool isKey = true;
    std::size_t index = 0;
};

Slot slotOf(const TableLayout& layout, LayoutDrop drop) {
    const auto inner = std::min(drop.index, zoneSize(layout, drop.zone));
    if (drop.zone == LayoutZone::Keys) return {true, inner};
    return {false, inner + (drop.zone == LayoutZone::Graphed ? layout.columns.size() - layout.graphed : 0)};
}

LayoutEdit refused(const TableLayout& layout, int section, QString why) { return {layout, std::move(why), section}; }

/// Removes the column. If it is left of the blue bar, the graphed columns do not change.
LayoutColumn takeOut(TableLayout& layout, int section) {
    const auto place = placeOfSection(layout, section);
    const bool isKey = place.kind == LayoutPlace::Kind::Key;
    if (!isKey && place.index >= layout.columns.size() - layout.graphed) --layout.graphed;
    auto& list = isKey ? layout.keys : layout.columns;
    auto column = list[place.index];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(place.index));
    return column;
}

/// Replaces a duplicate of the column; returns the section.
int putIn(TableLayout& layout, LayoutColumn column, LayoutDrop drop) {
    auto slot = slotOf(layout, drop);
    auto& list = slot.isKey ? layout.keys : layout.columns;
    const auto twin = slot.isKey ? findKey(list, column.value.column) : findValue(list, column.value);
    if (twin != list.end()) {
        const auto index = static_cast<std::size_t>(twin - list.begin());
        if (!slot.isKey && index >= list.size() - layout.graphed) --layout.graphed;
        list.erase(twin);
        if (index < slot.index) --slot.index;
    }
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(slot.index), std::move(column));
    if (drop.zone == LayoutZone::Graphed) ++layout.graphed;
    return sectionOfPlace(layout, {slot.isKey ? LayoutPlace::Kind::Key : LayoutPlace::Kind::Value, slot.index});
}

/// The section's position as a drop position.
LayoutDrop dropOf(const TableLayout& layout, int section) {
    const auto zone = zoneOfSection(layout, section);
    return {zone, static_cast<std::size_t>(section - sectionOfDrop(layout, {zone, 0}))};
}

/// A new key is placed before the stack. After it, each of its groups would repeat below every leaf.
std::size_t placeForNewKey(const TableLayout& layout, Column column) {
    if (analysis::isStack(column)) return layout.keys.size();
    const auto stack = std::find_if(layout.keys.begin(), layout.keys.end(),
                                    [](auto& key) { return analysis::isStack(key.value.column); });
    return static_cast<std::size_t>(stack - layout.keys.begin());
}

} // namespace

std::size_t zoneSize(const TableLayout& layout, LayoutZone zone) {
    switch (zone) {
    case LayoutZone::Keys:
        return layout.keys.size();
    case LayoutZone::Values:
        return layout.columns.size() - layout.graphed;
    case LayoutZone::Graphed:
        break;
    }
    return layout.graphed;
}

LayoutZone zoneOfSection(const TableLayout& layout, int section) {
    if (section < goldSection(layout)) return LayoutZone::Keys;
    return section < blueSection(layout) ? LayoutZone::Values : LayoutZone::Graphed;
}

int sectionOfDrop(const TableLayout& layout, LayoutDrop drop) {
    const auto inner = static_cast<int>(std::min(drop.index, zoneSize(layout, drop.zone)));
    switch (drop.zone) {
    case LayoutZone::Keys:
        return 1 + inner;
    case LayoutZone::Values:
        return goldSection(layout) + inner;
    case LayoutZone::Graphed:
        break;
    }
    return blueSection(layout) + inner;
}

const LayoutColumn* columnOfSection(const TableLayout& layout, int section) {
    const auto place = placeOfSection(layout, section);
    if (place.kind == LayoutPlace::Kind::LineNumber) return nullptr;
    return &(place.kind == LayoutPlace::Kind::Key ? layout.keys : layout.columns)[place.index];
}

std::optional<Column> asKey(const TableLayout& layout, ValueColumn column) {
    const auto key = column.column == Column::Size ? Column::RowSize : column.column;
    const auto known = analysis::columnsOf(layout.table);
    const bool isKnown = std::find(known.begin(), known.end(), key) != known.end();
    return analysis::isAggregate(key) || !isKnown ? std::nullopt : std::optional(key);
}

LayoutEdit moveColumn(const TableLayout& layout, int section, LayoutDrop to) {
    const auto* column = columnOfSection(layout, section);
    if (!column) return refused(layout, section, tr("The line number column cannot be moved."));
    const auto from = dropOf(layout, section);
    const bool toKeys = to.zone == LayoutZone::Keys;
    LayoutEdit edit{layout, {}, section};
    auto moved = *column;
    if (toKeys && from.zone != LayoutZone::Keys) {
        const auto key = asKey(layout, moved.value);
        if (!key) return refused(layout, section, cannotBeKey(layout, moved.value.column));
        moved.value = *key;
    } else if (!toKeys && from.zone == LayoutZone::Keys) {
        if (layout.keys.size() == 1) return refused(layout, section, noKeysLeft());
        moved.value = asValue(layout, moved.value.column);
    }
    renameSort(edit.layout, column->value, moved.value);
    if (from.zone == to.zone && from.index < to.index) --to.index;
    takeOut(edit.layout, section);
    edit.section = putIn(edit.layout, std::move(moved), to);
    return edit;
}

LayoutEdit moveToZone(const TableLayout& layout, int section, LayoutZone zone) {
    const auto* column = columnOfSection(layout, section);
    if (!column || zoneOfSection(layout, section) == zone) return {layout, {}, section};
    const auto key = asKey(layout, column->value);
    auto index = zone == LayoutZone::Keys && key ? placeForNewKey(layout, *key) : 0;
    const bool fromRight = zoneOfSection(layout, section) == LayoutZone::Graphed;
    if (zone == LayoutZone::Values && fromRight) index = zoneSize(layout, zone);
    return moveColumn(layout, section, {zone, index});
}

LayoutEdit stepColumn(const TableLayout& layout, int section, Sideways way) {
    if (!columnOfSection(layout, section))
        return refused(layout, section, tr("The line number column cannot be moved."));
    auto place = dropOf(layout, section);
    if (way == Sideways::Left) {
        if (place.index > 0) return moveColumn(layout, section, {place.zone, place.index - 1});
        if (place.zone == LayoutZone::Keys) return {layout, {}, section};
        const auto zone = place.zone == LayoutZone::Graphed ? LayoutZone::Values : LayoutZone::Keys;
        return moveColumn(layout, section, {zone, zoneSize(layout, zone)});
    }
    if (place.index + 1 < zoneSize(layout, place.zone))
        return moveColumn(layout, section, {place.zone, place.index + 2});
    if (place.zone == LayoutZone::Graphed) return {layout, {}, section};
    const auto zone = place.zone == LayoutZone::Keys ? LayoutZone::Values : LayoutZone::Graphed;
    return moveColumn(layout, section, {zone, 0});
}

LayoutEdit setGoldBar(const TableLayout& layout, int section) {
    LayoutEdit edit{layout, {}, section};
    const int last = std::clamp(section, 1, sectionCount(layout));
    if (last == 1) return refused(layout, section, noKeysLeft());
    // Starts at the bar, so that the columns keep their order; columns that are already keys are dropped.
    for (int passed = goldSection(layout); passed < last; ++passed) {
        const auto gold = goldSection(edit.layout);
        auto moved = moveColumn(edit.layout, gold, {LayoutZone::Keys, edit.layout.keys.size()});
        if (moved.isRefused()) return refused(layout, section, moved.refusal);
        edit.layout = std::move(moved.layout);
    }
    while (goldSection(edit.layout) > last && last < goldSection(layout)) {
        auto moved = moveColumn(edit.layout, goldSection(edit.layout) - 1, {LayoutZone::Values, 0});
        if (moved.isRefused()) return refused(layout, section, moved.refusal);
        edit.layout = std::move(moved.layout);
    }
    edit.section = goldSection(edit.layout);
    return edit;
}

LayoutEdit setBlueBar(const TableLayout& layout, int section) {
    LayoutEdit edit{layout, {}, std::clamp(section, goldSection(layout), sectionCount(layout))};
    edit.layout.graphed = static_cast<std::size_t>(sectionCount(layout) - edit.section);
    return edit;
}

LayoutEdit addColumn(const TableLayout& layout, ValueColumn column, LayoutZone zone) {
    LayoutEdit edit{layout, {}, 0};
    const bool toKeys = zone == LayoutZone::Keys;
    if (toKeys) {
        const auto key = asKey(layout, column);
        if (!key) return refused(layout, 0, cannotBeKey(layout, column.column));
        column = *key;
    }
    const auto& list = toKeys ? layout.keys : layout.columns;
    const auto there = toKeys ? findKey(list, column.column) : findValue(list, column);
    if (there != list.end()) {
        const auto kind = toKeys ? LayoutPlace::Kind::Key : LayoutPlace::Kind::Value;
        edit.section = sectionOfPlace(layout, {kind, static_cast<std::size_t>(there - list.begin())});
        return edit;
    }
    const auto index = toKeys ? placeForNewKey(layout, column.column) : zoneSize(layout, zone);
    edit.section = putIn(edit.layout, column, {zone, index});
    return edit;
}

LayoutEdit removeColumn(const TableLayout& layout, int section) {
    const auto place = placeOfSection(layout, section);
    if (place.kind == LayoutPlace::Kind::LineNumber)
        return refused(layout, section, tr("The line number column cannot be removed."));
    if (place.kind == LayoutPlace::Kind::Key && layout.keys.size() == 1) return refused(layout, section, noKeysLeft());
    LayoutEdit edit{layout, {}, section};
    dropSort(edit.layout, takeOut(edit.layout, section).value);
    edit.section = std::min(section, sectionCount(edit.layout) - 1);
    return edit;
}

LayoutEdit removeEvery(const TableLayout& layout, Column column) {
    LayoutEdit edit{layout, {}, 0};
    for (int section = sectionCount(layout) - 1; section > 0; --section) {
        if (columnOfSection(edit.layout, section)->value.column != column) continue;
        auto removed = removeColumn(edit.layout, section);
        if (removed.isRefused()) return refused(layout, section, removed.refusal);
        edit = std::move(removed);
    }
    return edit;
}

bool isShown(const TableLayout& layout, Column column) {
    const auto isIt = [column](const LayoutColumn& shown) { return shown.value.column == column; };
    return std::any_of(layout.keys.begin(), layout.keys.end(), isIt) ||
           std::any_of(layout.columns.begin(), layout.columns.end(), isIt);
}

LayoutEdit setAggregation(const TableLayout& layout, int section, Aggregation aggregation) {
    const auto place = placeOfSection(layout, section);
    if (place.kind != LayoutPlace::Kind::Value)
        return refused(layout, section, tr("Only value columns have an aggregation."));
    LayoutEdit edit{layout, {}, section};
    auto& column = edit.layout.columns[place.index];
    const auto old = column.value;
    const auto offered = analysis::aggregationsOf(layout.table, old.column);
    if (std::find(offered.begin(), offered.end(), aggregation) == offered.end())
        return refused(layout, section, tr("%1 does not support this aggregation.").arg(nameOf(layout, old.column)));
    const ValueColumn wanted{old.column, aggregation};
    const auto twin = findValue(layout.columns, wanted);
    const bool isItself = twin == layout.columns.begin() + static_cast<std::ptrdiff_t>(place.index);
    if (twin != layout.columns.end() && !isItself)
        return refused(layout, section, tr("The table already shows this value."));
    if (isItself) return edit;
    // The Sum of an additive column is the column itself, under its plain name.
    column.value = analysis::normalized(wanted).column == old.column ? analysis::normalized(wanted) : wanted;
    renameSort(edit.layout, old, column.value);
    return edit;
}

TableLayout setFormat(const TableLayout& layout, int section, ColumnFormat format) {
    auto changed = layout;
    const auto place = placeOfSection(layout, section);
    if (place.kind == LayoutPlace::Kind::Value) changed.columns[place.index].format = format;
    return changed;
}

TableLayout setWidth(const TableLayout& layout, int section, int width) {
    auto changed = layout;
    const auto place = placeOfSection(layout, section);
    if (place.kind == LayoutPlace::Kind::Key) changed.keys[place.index].width = width;
    if (place.kind == LayoutPlace::Kind::Value) changed.columns[place.index].width = width;
    return changed;
}

} // namespace highwater::ui
