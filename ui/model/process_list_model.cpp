#include "ui/model/process_list_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"

#include <QPainter>

namespace highwater::ui {
namespace {

constexpr int kIconSize = 16;
constexpr qsizetype kMostShown = 1000; ///< of a command line: all of it is not to be measured at each paint

bool isText(int column) {
    return column == ProcessListModel::kName || column == ProcessListModel::kUser ||
           column == ProcessListModel::kCommandLine;
}

/// A tile with the first letter, in a colour that the name decides: programs of one name look the same, and nothing has
/// to be read from a disk.
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

int ProcessListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(processes_.size());
}

int ProcessListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString ProcessListModel::text(int row, int column) const {
    const auto& process = processes_[row];
    switch (column) {
    case kName:
        return process.name;
    case kPid:
        return QString::number(process.pid);
    case kUser:
        return process.user;
    case kBits:
        return process.bits == 0 ? QString() : QString::number(process.bits);
    case kCommandLine:
        return process.commandLine;
    default:
        return formatBytes(process.privateBytes);
    }
}

QVariant ProcessListModel::sortValue(int row, int column) const {
    const auto& process = processes_[row];
    switch (column) {
    case kPid:
        return process.pid;
    case kBits:
        return process.bits;
    case kPrivateBytes:
        return process.privateBytes;
    default:
        return text(row, column);
    }
}

QVariant ProcessListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return lineText(text(index.row(), column).left(kMostShown));
    case kSearchRole:
        return text(index.row(), column);
    case kSortRole:
        return sortValue(index.row(), column);
    case Qt::DecorationRole:
        return column == kName ? QVariant(icon(processes_[index.row()].name)) : QVariant();
    case kHistoryRole:
        return column == kPrivateBytes ? QVariant::fromValue(history_.value(processes_[index.row()].pid)) : QVariant();
    case Qt::ToolTipRole:
        return tooltipText(processes_[index.row()].commandLine);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QIcon ProcessListModel::icon(const QString& name) const {
    auto& icon = icons_[name];
    if (icon.isNull()) icon = tileOf(name);
    return icon;
}

QVariant ProcessListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole) return {};
    static const QStringList names{tr("Name"), tr("PID"),           tr("User"),
                                   tr("Bits"), tr("Private bytes"), tr("Command line")};
    return names.value(section);
}

} // namespace highwater::ui

#include "moc_process_list_model.cpp"
