#pragma once

#include "ui/state/finders/leak_finder.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace highwater::ui {

/// Suspects of leaks, a row each, the most suspicious first. kSortRole has numbers where the text has units. GUI thread
/// only.
class LeakTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kRank, kOwner, kVerdict, kGrowth, kTrend, kOutstanding, kCount, kFirst, kLast, kProcess, kColumns };
    static constexpr int kSortRole = Qt::UserRole;
    /// Of kTrend: the outstanding amounts over the period as QList<qint64>.
    static constexpr int kLevelsRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: there is none.
    void setAnswer(std::shared_ptr<const LeakAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const LeakAnswer>& answer() const { return answer_; }
    /// Null: there is no such row.
    [[nodiscard]] const analysis::LeakSuspect* suspect(int row) const;
    /// The row of the suspect with this path.
    [[nodiscard]] std::optional<int> rowOf(const analysis::KeyPath& path) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] static QString text(const analysis::LeakSuspect& suspect, int row, int column);
    [[nodiscard]] static QVariant sortValue(const analysis::LeakSuspect& suspect, int row, int column);

    std::shared_ptr<const LeakAnswer> answer_;
};

/// "Still growing", "Levelled off", ...
[[nodiscard]] QString verdictText(const analysis::LeakSuspect& suspect);

} // namespace highwater::ui
