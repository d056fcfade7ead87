#include "ui/model/symbol_path_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <utility>

namespace highwater::ui {
namespace {

using Kind = symbols::SymbolPathEntry::Kind;

bool isUrl(const std::string& place) { return place.starts_with("http://") || place.starts_with("https://"); }

/// Calls `then` on the GUI thread with the result of `work`, unless the owner has been destroyed.
template <typename Work, typename Then>
void runAside(QObject* owner, Work work, Then then) {
    using Answer = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Answer>(owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, owner, [watcher, then] {
        then(watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

QString kindName(Kind kind) {
    switch (kind) {
    case Kind::Folder:
        return SymbolPathModel::tr("Folder");
    case Kind::Cache:
        return SymbolPathModel::tr("Cache");
    case Kind::Server:
        return SymbolPathModel::tr("Server");
    case Kind::BuildIdFolder:
        return SymbolPathModel::tr("Build-id folder");
    case Kind::Debuginfod:
        return SymbolPathModel::tr("debuginfod");
    }
    return {};
}

QString kindHelp(Kind kind) {
    switch (kind) {
    case Kind::Folder:
        return SymbolPathModel::tr("Folder: contains debug files, directly or in a name/identity/name tree.");
    case Kind::Cache:
        return SymbolPathModel::tr("cache*folder: stores the downloads of the entries below it in this folder.");
    case Kind::Server:
        return SymbolPathModel::tr("srv*folder*https://server: downloads from a symbol server. The folder is searched "
                                   "first and stores the downloads.");
    case Kind::BuildIdFolder:
        return SymbolPathModel::tr("Build-id folder: contains debug files for Linux programs as ab/cdef….debug.");
    case Kind::Debuginfod:
        return SymbolPathModel::tr("debuginfod:https://server: downloads debug files for Linux programs by build-id.");
    }
    return {};
}

} // namespace

SymbolPathModel::SymbolPathModel(symbols::Environment environment, QObject* parent)
    : QAbstractTableModel(parent), environment_(std::move(environment)) {}

void SymbolPathModel::setTraces(const QStringList& traces) {
    beginResetModel();
    traceFolders_.clear();
    endResetModel();
    traces_ = traces.size();
    isInArchive_ =
        std::ranges::any_of(traces, [](const QString& trace) { return symbols::isTraceArchive(toPath(trace)); });
    hasLooked_ = false;
    emit traceFoldersChanged();
    ++checks_;
    const auto look = [traces] {
        std::vector<TraceFolder> found;
        for (const auto& trace : traces) {
            if (const auto folder = symbols::traceSymbolFolder(toPath(trace)))
                found.push_back(
                    {QFileInfo(trace).fileName(), QString::fromStdString(folder->path.string()), folder->bytes});
        }
        return found;
    };
    runAside(this, look, [this](const std::vector<TraceFolder>& found) {
        if (!found.empty()) {
            beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(found.size()) - 1);
            traceFolders_ = found;
            endInsertRows();
        }
        hasLooked_ = true;
        emit traceFoldersChanged();
        if (--checks_ == 0) emit placesChecked();
    });
}

void SymbolPathModel::setPath(const symbols::SymbolPath& path) {
    beginResetModel();
    entries_ = path.entries();
    endResetModel();
    checkPlaces();
}

QString SymbolPathModel::traceFoldersNote() const {
    if (traces_ == 0 || !hasLooked_) return {};
    if (traceFolders_.empty())
        return isInArchive_ ? tr("The folder “symbols” in the trace archive is searched.")
                            : tr("No folder of .NET symbols (TRACE.etl.NGENPDB) was found next to the open trace.");
    std::uint64_t bytes = 0;
    for (const auto& folder : traceFolders_)
        bytes += folder.bytes;
    return tr("Total size: %1.").arg(formatBytes(static_cast<std::int64_t>(bytes)));
}

void SymbolPathModel::setUsesTraceFolders(bool uses) {
    if (std::exchange(usesTraceFolders_, uses) != uses) emit traceFoldersChanged();
    if (!traceFolders_.empty()) emit dataChanged(index(entryRows(), 0), index(rowCount() - 1, kColumns - 1));
}

const SymbolPathModel::TraceFolder& SymbolPathModel::traceFolder(int row) const {
    return traceFolders_[static_cast<std::size_t>(row - entryRows())];
}

QString SymbolPathModel::text() const { return QString::fromStdString(path().toText()); }

int SymbolPathModel::paste(const QString& text) {
    // Line breaks also separate entries, because people store paths that way.
    const auto one =
        QString(text).replace(QLatin1Char('\r'), QLatin1Char('\n')).replace(QLatin1Char('\n'), QLatin1Char(';'));
    const auto added = symbols::SymbolPath::parse(one.toStdString()).entries();
    if (added.empty()) return 0;
    beginInsertRows({}, entryRows(), entryRows() + static_cast<int>(added.size()) - 1);
    entries_.insert(entries_.end(), added.begin(), added.end());
    endInsertRows();
    checkPlaces();
    return static_cast<int>(added.size());
}

int SymbolPathModel::insert(int behind, const symbols::SymbolPathEntry& entry) {
    const int row = behind < 0 ? entryRows() : std::clamp(behind + 1, 0, entryRows());
    beginInsertRows({}, row, row);
    entries_.insert(entries_.begin() + row, entry);
    endInsertRows();
    checkPlaces();
    return row;
}

bool SymbolPathModel::canMove(int row, int by) const { return isEntry(row) && isEntry(row + by); }

bool SymbolPathModel::move(int row, int by) {
    if (by == 0 || !canMove(row, by)) return false;
    const int target = row + by;
    if (!beginMoveRows({}, row, row, {}, by > 0 ? target + 1 : target)) return false;
    const auto first = entries_.begin() + std::min(row, target);
    const auto last = entries_.begin() + std::max(row, target);
    std::rotate(first, by > 0 ? first + 1 : last, last + 1);
    endMoveRows();
    return true;
}

void SymbolPathModel::remove(int row) {
    if (!isEntry(row)) return;
    beginRemoveRows({}, row, row);
    entries_.erase(entries_.begin() + row);
    endRemoveRows();
}

const symbols::SymbolPathEntry& SymbolPathModel::entry(int row) const {
    return entries_[static_cast<std::size_t>(row)];
}

int SymbolPathModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : entryRows() + static_cast<int>(traceFolders_.size());
}

int SymbolPathModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

/// The folder that must exist for the entry to work; "" for servers.
QString SymbolPathModel::folderOf(const symbols::SymbolPathEntry& entry) const {
    if (entry.place.empty() || entry.kind == Kind::Debuginfod || isUrl(entry.place)) return {};
    return QString::fromStdString(symbols::expandVariables(entry.place, environment_));
}

QString SymbolPathModel::place(int row) const {
    if (!isEntry(row)) return tr("NGENPDB for %1").arg(traceFolder(row).trace);
    auto shown = entry(row);
    shown.isTicked = true;
    return QString::fromStdString(symbols::toText(shown));
}

QString SymbolPathModel::note(int row) const {
    if (!isEntry(row)) return formatBytes(static_cast<std::int64_t>(traceFolder(row).bytes));
    const auto& asked = entry(row);
    const auto folder = folderOf(asked);
    const auto known = facts_.find(folder);
    if (folder.isEmpty() || known == facts_.end() || !known->second.isChecked || known->second.isThere) return {};
    return asked.kind == Kind::Cache ? tr("created when needed") : tr("does not exist");
}

QString SymbolPathModel::help(int row) const {
    if (row < 0 || row >= rowCount()) return {};
    if (!isEntry(row))
        return tr("NGENPDB: symbols for .NET code that Windows saved next to the trace. Clear the check box if they "
                  "are large and slow to read. The setting applies to all traces.");
    return kindHelp(entry(row).kind);
}

QString SymbolPathModel::toolTip(int row) const {
    if (!isEntry(row)) return traceFolder(row).path;
    auto expanded = entry(row);
    expanded.isTicked = true;
    expanded.place = symbols::expandVariables(expanded.place, environment_);
    for (auto& cache : expanded.caches)
        cache = symbols::expandVariables(cache, environment_);
    return QString::fromStdString(symbols::toText(expanded)) + QLatin1Char('\n') + help(row);
}

QVariant SymbolPathModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row();
    if (role == Qt::ToolTipRole) return tooltipText(toolTip(row));
    if (role == Qt::CheckStateRole && index.column() == kPlace) {
        const bool isTicked = isEntry(row) ? entry(row).isTicked : usesTraceFolders_;
        return isTicked ? Qt::Checked : Qt::Unchecked;
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    if (index.column() == kPlace) return role == Qt::EditRole ? place(row) : lineText(place(row));
    if (index.column() == kNote) return note(row);
    return isEntry(row) ? kindName(entry(row).kind) : tr("Trace");
}

bool SymbolPathModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != kPlace) return false;
    const int row = index.row();
    if (role == Qt::CheckStateRole) {
        const bool isTicked = value.toInt() == Qt::Checked;
        if (!isEntry(row)) {
            setUsesTraceFolders(isTicked);
            return true;
        }
        entries_[static_cast<std::size_t>(row)].isTicked = isTicked;
    } else if (role == Qt::EditRole && isEntry(row)) {
        const auto text = value.toString().trimmed();
        if (text.isEmpty() || text.contains(QLatin1Char(';'))) return false; // several entries: Paste accepts them
        auto edited = symbols::parseSymbolPathEntry(text.toStdString());
        edited.isTicked = edited.isTicked && entry(row).isTicked;
        entries_[static_cast<std::size_t>(row)] = std::move(edited);
        checkPlaces();
    } else {
        return false;
    }
    emit dataChanged(this->index(row, 0), this->index(row, kColumns - 1));
    return true;
}

Qt::ItemFlags SymbolPathModel::flags(const QModelIndex& index) const {
    auto flags = QAbstractTableModel::flags(index);
    if (!index.isValid() || index.column() != kPlace) return flags;
    flags |= Qt::ItemIsUserCheckable;
    if (isEntry(index.row())) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant SymbolPathModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == kPlace) return tr("Place (searched from top to bottom)");
    return section == kKind ? tr("Kind") : tr("Note");
}

/// Runs on a worker, because a folder may be on a slow network drive.
void SymbolPathModel::checkPlaces() {
    QStringList open;
    for (const auto& asked : entries_) {
        const auto folder = folderOf(asked);
        if (!folder.isEmpty() && facts_.try_emplace(folder).second) open << folder;
    }
    ++checks_;
    const auto look = [open] {
        QList<bool> isThere;
        for (const auto& folder : open)
            isThere << QFileInfo(folder).isDir();
        return isThere;
    };
    runAside(this, look, [this, open](const QList<bool>& isThere) {
        for (qsizetype i = 0; i < open.size(); ++i)
            facts_[open[i]] = {true, isThere[i], 0};
        if (!open.isEmpty() && rowCount() > 0) emit dataChanged(index(0, kNote), index(rowCount() - 1, kNote));
        if (--checks_ == 0) emit placesChecked();
    });
}

} // namespace highwater::ui

#include "moc_symbol_path_model.cpp"
