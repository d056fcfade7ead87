#pragma once

#include "ui/model/row_table_model.h"

#include <QHash>
#include <QIcon>
#include <QList>

namespace highwater::ui {

/// A running process in the list.
struct ListedProcess {
    quint32 pid = 0;
    QString name;
    QString commandLine; ///< "" if unknown
    QString user;        ///< "" if unknown
    quint32 bits = 0;    ///< 0: unknown
    qint64 privateBytes = 0;
    QString path = {};   ///< its executable; "" if unknown
    QString folder = {}; ///< its working folder; "" if unknown
    friend bool operator==(const ListedProcess&, const ListedProcess&) = default;
};

/// Running processes, one row each. A new list changes only the cells that differ and keeps the rows, so that the
/// selection is preserved. kSortRole returns numbers where the text has units. GUI thread only.
class ProcessListModel : public RowTableModel<const ListedProcess&> {
    Q_OBJECT
  public:
    enum Column { kName, kPid, kUser, kBits, kPrivateBytes, kCommandLine, kColumns };
    /// For kPrivateBytes: the amounts of the most recent lists, oldest first, as QList<qint64>.
    static constexpr int kHistoryRole = Qt::UserRole + 1;
    /// Text to search: the whole command line, of which the cell shows only the start.
    static constexpr int kSearchRole = Qt::UserRole + 2;
    static constexpr qsizetype kMostHistory = 30;

    using RowTableModel::RowTableModel;

    /// In any order; each pid occurs once.
    void setProcesses(const QList<ListedProcess>& processes);
    [[nodiscard]] const ListedProcess& process(int row) const { return processes_[row]; }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] const Columns& columns() const override;
    [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(processes_.size()); }
    [[nodiscard]] const ListedProcess& rowAt(std::size_t row) const override {
        return processes_[static_cast<qsizetype>(row)];
    }
    [[nodiscard]] QString toolTip(const ListedProcess& process, int) const override { return process.commandLine; }
    [[nodiscard]] QIcon icon(const QString& name) const;
    void noteHistory(const QList<ListedProcess>& processes);

    QList<ListedProcess> processes_;
    QHash<quint32, QList<qint64>> history_; ///< private bytes, by pid
    mutable QHash<QString, QIcon> icons_;   ///< by name
};

} // namespace highwater::ui
