#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QIcon>
#include <QList>

namespace highwater::ui {

/// A running process as the list shows it.
struct ListedProcess {
    quint32 pid = 0;
    QString name;
    QString commandLine; ///< "" when not known
    QString user;        ///< "" when not known
    quint32 bits = 0;    ///< 0: not known
    qint64 privateBytes = 0;
    QString path = {};   ///< of its executable; "" when not known
    QString folder = {}; ///< in which it works; "" when not known
    friend bool operator==(const ListedProcess&, const ListedProcess&) = default;
};

/// Running processes, a row each. A new list changes the cells that differ; rows stay where they are, so that a
/// selection outlives it. kSortRole has numbers where the text has units. GUI thread only.
class ProcessListModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kName, kPid, kUser, kBits, kPrivateBytes, kCommandLine, kColumns };
    static constexpr int kSortRole = Qt::UserRole;
    /// For kPrivateBytes: the amounts of the last lists, oldest first, as QList<qint64>.
    static constexpr int kHistoryRole = Qt::UserRole + 1;
    /// What is searched: the whole of a command line, of which the text is only the begin.
    static constexpr int kSearchRole = Qt::UserRole + 2;
    static constexpr qsizetype kMostHistory = 30;

    using QAbstractTableModel::QAbstractTableModel;

    /// In any order; each pid once.
    void setProcesses(const QList<ListedProcess>& processes);
    [[nodiscard]] const ListedProcess& process(int row) const { return processes_[row]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QVariant sortValue(int row, int column) const;

    [[nodiscard]] QIcon icon(const QString& name) const;
    void noteHistory(const QList<ListedProcess>& processes);

    QList<ListedProcess> processes_;
    QHash<quint32, QList<qint64>> history_; ///< private bytes, by pid
    mutable QHash<QString, QIcon> icons_;   ///< by name
};

} // namespace highwater::ui
