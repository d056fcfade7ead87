#include "ui/model/three_level_model.h"

namespace highwater::ui {
namespace {

// The internal data of an index: nothing on the first level, the row of the first level on the second one, and the rows
// of both on the third one.
static_assert(sizeof(quintptr) == 8, "two numbers in one");
quintptr idBelow(std::size_t first) { return first + 1; }
quintptr idBelow(std::size_t first, std::size_t second) { return (quintptr{second + 1} << 32) | (first + 1); }

} // namespace

ThreeLevelModel::Level ThreeLevelModel::levelOf(const QModelIndex& index) {
    if (index.internalId() == 0) return Level::First;
    return index.internalId() >> 32 == 0 ? Level::Second : Level::Third;
}

std::size_t ThreeLevelModel::firstOf(const QModelIndex& index) {
    if (levelOf(index) == Level::First) return static_cast<std::size_t>(index.row());
    return static_cast<std::size_t>((index.internalId() & 0xFFFFFFFFu) - 1);
}

std::size_t ThreeLevelModel::secondOf(const QModelIndex& index) {
    if (levelOf(index) == Level::Second) return static_cast<std::size_t>(index.row());
    return static_cast<std::size_t>((index.internalId() >> 32) - 1);
}

QModelIndex ThreeLevelModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, quintptr{0});
    if (levelOf(parent) == Level::First) return createIndex(row, column, idBelow(firstOf(parent)));
    return createIndex(row, column, idBelow(firstOf(parent), secondOf(parent)));
}

QModelIndex ThreeLevelModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || levelOf(index) == Level::First) return {};
    const auto first = firstOf(index);
    if (levelOf(index) == Level::Second) return createIndex(static_cast<int>(first), 0, quintptr{0});
    return createIndex(static_cast<int>(secondOf(index)), 0, idBelow(first));
}

} // namespace highwater::ui
