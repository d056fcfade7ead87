#pragma once

#include "core/analysis/leaks/leak_suspects.h"
#include "ui/model/row_table_model.h"
#include "ui/state/finders/finder_of.h"

#include <memory>
#include <optional>
#include <span>

namespace highwater::ui {

/// Stacks that keep memory, and the query.
using LeakAnswer = Answered<analysis::LeakQuery, analysis::LeakReport>;

/// The data for the cells of a suspect.
struct RankedSuspect {
    const analysis::LeakSuspect& suspect;
    std::size_t row;
};

/// Suspected leaks, one per row, most suspicious first. kSortRole contains numbers where the text has units. GUI thread
/// only.
class LeakTableModel : public RowTableModel<RankedSuspect> {
    Q_OBJECT
  public:
    enum Column {
        kRank,
        kOwner,
        kVerdict,
        kGrowth,
        kTrend,
        kOutstanding,
        kUnreachable,
        kHeld,
        kHeldBy,
        kKind,
        kCount,
        kFirst,
        kLast,
        kProcess,
        kColumns
    };
    /// For kTrend: the outstanding amounts over the period as QList<qint64>.
    static constexpr int kLevelsRole = Qt::UserRole + 1;

    using RowTableModel::RowTableModel;

    /// Null: none. `areNamesComing`: functions without a name may still get one.
    void setAnswer(std::shared_ptr<const LeakAnswer> answer, bool areNamesComing = false);
    [[nodiscard]] const std::shared_ptr<const LeakAnswer>& answer() const { return answer_; }
    /// Null: no such row.
    [[nodiscard]] const analysis::LeakSuspect* suspect(int row) const;
    /// The row of the suspect with this path in this table.
    [[nodiscard]] std::optional<int> rowOf(analysis::Table table, const analysis::KeyPath& path) const;

    /// Whether any suspect has this number, which needs a sample of resident memory.
    [[nodiscard]] bool hasHeldPages() const;
    /// Whether the interval contains a picture of memory.
    [[nodiscard]] bool hasPicture() const { return answer_ && answer_->found.hasPicture; }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] std::span<const analysis::LeakSuspect> suspects() const;
    [[nodiscard]] const Columns& columns() const override;
    [[nodiscard]] std::size_t size() const override { return suspects().size(); }
    [[nodiscard]] RankedSuspect rowAt(std::size_t row) const override { return {suspects()[row], row}; }
    [[nodiscard]] QString toolTip(RankedSuspect of, int column) const override;

    std::shared_ptr<const LeakAnswer> answer_;
    bool areNamesComing_ = false;
};

/// "Still growing", "Levelled off", ...
[[nodiscard]] QString verdictText(const analysis::LeakSuspect& suspect);

} // namespace highwater::ui
