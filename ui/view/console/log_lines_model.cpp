#include "ui/view/console/log_lines_model.h"

#include "core/log/log_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <QDateTime>
#include <QFont>

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kBatchMs = 250;

QString timeText(const LogLine& line) {
    const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(line.time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count()).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString cellText(const LogLine& line, int column) {
    switch (column) {
    case LogLinesModel::kTime:
        return timeText(line);
    case LogLinesModel::kLevel:
        return toQString(wordOf(line.level));
    case LogLinesModel::kArea:
        return toQString(wordOf(line.area));
    case LogLinesModel::kSentence:
        return toQString(line.sentence);
    default:
        return {};
    }
}

} // namespace

LogLinesModel::LogLinesModel(QObject* parent, std::size_t mostLines)
    : QAbstractTableModel(parent), mostLines_(mostLines), listening_([this](const LogLine& line) { add(line); }) {
    batch_.setSingleShot(true);
    batch_.setInterval(kBatchMs);
    connect(&batch_, &QTimer::timeout, this, &LogLinesModel::takeNew);
    takeNew(); // lines logged earlier
}

/// Runs on the logging thread. Only the first line of a batch posts an event.
void LogLinesModel::add(const LogLine& line) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty())
        QMetaObject::invokeMethod(
            this, [this] { batch_.start(); }, Qt::QueuedConnection);
    waiting_.push_back(line);
    if (waiting_.size() > mostLines_) waiting_.pop_front(); // not fetched for a long time
}

void LogLinesModel::takeNew() {
    std::deque<LogLine> come;
    {
        const std::lock_guard lock(mutex_);
        come = std::exchange(waiting_, {});
    }
    if (come.empty()) return;
    const auto all = lines_.size() + come.size();
    if (all > mostLines_) removeOldest(std::min(all - mostLines_, lines_.size()));
    const auto first = static_cast<int>(lines_.size());
    beginInsertRows({}, first, first + static_cast<int>(come.size()) - 1);
    lines_.insert(lines_.end(), std::make_move_iterator(come.begin()), std::make_move_iterator(come.end()));
    endInsertRows();
}

void LogLinesModel::removeOldest(std::size_t count) {
    if (count == 0) return;
    beginRemoveRows({}, 0, static_cast<int>(count) - 1);
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count));
    endRemoveRows();
}

int LogLinesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int LogLinesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant LogLinesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& line = lines_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(line, index.column());
    case Qt::ToolTipRole:
        return index.column() == kSentence ? tooltipText(toQString(line.sentence)) : QVariant();
    case Qt::FontRole: {
        if (line.level < LogLevel::Warning || index.column() != kLevel) return {};
        QFont font;
        font.setBold(true);
        return font;
    }
    case kLevelRole:
        return static_cast<int>(line.level);
    default:
        return {};
    }
}

QVariant LogLinesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case kTime:
        return tr("Time");
    case kLevel:
        return tr("Level");
    case kArea:
        return tr("Area");
    case kSentence:
        return tr("Message");
    default:
        return {};
    }
}

QString LogLinesModel::lineText(int row) const {
    if (row < 0 || row >= rowCount()) return {};
    QStringList cells;
    for (int column = 0; column < kColumns; ++column)
        cells << cellText(lines_[static_cast<std::size_t>(row)], column);
    return cells.join(QLatin1Char('\t'));
}

} // namespace highwater::ui

#include "moc_log_lines_model.cpp"
