#include "ui/model/process_list_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"

#include <QPainter>

namespace highwater::ui {
namespace {

constexpr int kIconSize = 16;
constexpr qsizetype kMostShown = 1000; ///< limit for command lines, which would otherwise be measured in full at each
                                       ///< paint

/// A tile with the first letter, in a colour derived from the name: programs of the same name look the same, and no
/// icon has to be read from disk.
QIcon tileOf(const QString& name) {
    QPixmap picture(kIconSize * 2, kIconSize * 2);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tileColor(qHash(name)));
    const QRectF tile(0.5, 0.5, kIconSize - 1, kIconSize - 1);
    painter.drawRoundedRect(tile, 3, 3);
    auto font = painter.font();
    font.setPixelSize(10);
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(tile, Qt::AlignCenter, name.left(1).toUpper());
    return QIcon(picture);
}

} // namespace

void ProcessListModel::noteHistory(const QList<ListedProcess>& processes) {
    QHash<quint32, QList<qint64>> next;
    for (const auto& process : processes) {
        auto amounts = history_.value(process.pid);
        amounts << process.privateBytes;
        if (amounts.size() > kMostHistory) amounts.removeFirst();
        next.insert(process.pid, amounts);
    }
    history_ = std::move(next);
}

void ProcessListModel::setProcesses(const QList<ListedProcess>& processes) {
    noteHistory(processes);
    QHash<quint32, ListedProcess> fresh;
    for (const auto& process : processes) {
        fresh.insert(process.pid, process);
    }
    for (int row = static_cast<int>(processes_.size()) - 1; row >= 0; --row) {
        const auto found = fresh.constFind(processes_[row].pid);
        if (found == fresh.constEnd()) {
            beginRemoveRows({}, row, row);
            processes_.removeAt(row);
            endRemoveRows();
            continue;
        }
        if (!(processes_[row] == *found)) {
            processes_[row] = *found;
            emit dataChanged(index(row, 0), index(row, kColumns - 1));
        } else {
            emit dataChanged(index(row, kPrivateBytes), index(row, kPrivateBytes), {kHistoryRole});
        }
        fresh.erase(found);
    }
    if (fresh.isEmpty()) return;
    const auto first = static_cast<int>(processes_.size());
    beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
    for (const auto& process : processes) {
        if (fresh.remove(process.pid)) processes_ << process;
    }
    endInsertRows();
}

const ProcessListModel::Columns& ProcessListModel::columns() const {
    static const Columns kAll{
        {tr("Name"), QString(), Qt::AlignLeft, [](const ListedProcess& process) { return process.name; }},
        {tr("PID"), QString(), Qt::AlignRight,
         [](const ListedProcess& process) { return QString::number(process.pid); },
         [](const ListedProcess& process) -> QVariant { return process.pid; }},
        {tr("User"), QString(), Qt::AlignLeft, [](const ListedProcess& process) { return process.user; }},
        {tr("Bits"), QString(), Qt::AlignRight,
         [](const ListedProcess& process) { return process.bits == 0 ? QString() : QString::number(process.bits); },
         [](const ListedProcess& process) -> QVariant { return process.bits; }},
        {tr("Private bytes"), QString(), Qt::AlignRight,
         [](const ListedProcess& process) { return formatBytes(process.privateBytes); },
         [](const ListedProcess& process) -> QVariant { return process.privateBytes; }},
        {tr("Command line"), QString(), Qt::AlignLeft,
         [](const ListedProcess& process) { return process.commandLine; }},
    };
    return kAll;
}

QVariant ProcessListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& of = process(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return lineText(cellTextOf(columns(), of, column).left(kMostShown));
    case kSearchRole:
        return cellTextOf(columns(), of, column);
    case Qt::DecorationRole:
        return column == kName ? QVariant(icon(of.name)) : QVariant();
    case kHistoryRole:
        return column == kPrivateBytes ? QVariant::fromValue(history_.value(of.pid)) : QVariant();
    default:
        return RowTableModel::data(index, role);
    }
}

QIcon ProcessListModel::icon(const QString& name) const {
    auto& icon = icons_[name];
    if (icon.isNull()) icon = tileOf(name);
    return icon;
}

} // namespace highwater::ui

#include "moc_process_list_model.cpp"
