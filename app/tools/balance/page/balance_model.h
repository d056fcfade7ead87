#pragma once

#include "core/analysis/balance/balance.h"
#include "ui/model/three_level_model.h"
#include "ui/state/finders/finder_of.h"

#include <QPalette>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace highwater::ui {

using BalanceCourses = std::shared_ptr<const std::vector<analysis::BalanceCourse>>;

struct BalancePageQuery {
    TimeRange interval;
    std::optional<TraceTime> at{}; ///< the samples at or before it; nothing: the last ones of the interval
    BalanceCourses known{};        ///< courses of this trace and interval, if an earlier answer has them
};

struct BalancePageFound {
    std::vector<analysis::Balance> balances;
    BalanceCourses courses; ///< not null
};

/// The balance of an instant, the course of an interval, and the query.
using BalanceAnswer = Answered<BalancePageQuery, BalancePageFound>;

/// Processes with their resident memory at one sample; below each its layers, from the ground up, and below these the
/// mappings, largest first. A layer has the colour of its band in the chart. GUI thread only.
class BalanceModel : public ThreeLevelModel {
    Q_OBJECT
  public:
    enum Column { kName, kResident, kShare, kProportional, kPrivateDirty, kSwapped, kReserved, kColumns };
    /// Numbers where the text has units; for names of layers their order.
    static constexpr int kSortRole = Qt::UserRole;

    /// Identifies a row from answer to answer.
    struct RowName {
        std::string process; ///< "": no row
        std::optional<analysis::MemoryLayer> layer;
        std::string mapping;
        friend bool operator==(const RowName&, const RowName&) = default;
    };

    using ThreeLevelModel::ThreeLevelModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const BalanceAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const BalanceAnswer>& answer() const { return answer_; }
    /// For the colours of layers.
    void setPalette(const QPalette& palette);
    /// The process of a row or of the rows above it; null: no such row.
    [[nodiscard]] const analysis::Balance* balance(const QModelIndex& index) const;
    [[nodiscard]] RowName nameOf(const QModelIndex& index) const;
    /// Invalid if it does not exist.
    [[nodiscard]] QModelIndex indexOf(const RowName& name) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    /// A layer with its parts.
    struct Layer {
        analysis::BalancePart sum; ///< without a mapping
        std::vector<const analysis::BalancePart*> parts;
    };
    struct Process {
        const analysis::Balance* balance = nullptr;
        analysis::BalancePart sum;
        std::vector<Layer> layers;
    };
    [[nodiscard]] static Process processOf(const analysis::Balance& balance);
    [[nodiscard]] const Process* process(const QModelIndex& index) const;
    [[nodiscard]] const Layer* layer(const QModelIndex& index) const;
    [[nodiscard]] const analysis::BalancePart& part(const QModelIndex& index) const;
    [[nodiscard]] QString name(const QModelIndex& index) const;
    [[nodiscard]] QVariant sortValue(const QModelIndex& index) const;

    std::shared_ptr<const BalanceAnswer> answer_;
    std::vector<Process> processes_;
    QPalette palette_;
};

/// Place of the layer's colour for seriesColor().
[[nodiscard]] std::size_t colorPlaceOf(analysis::MemoryLayer layer);

} // namespace highwater::ui
