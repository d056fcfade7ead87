#pragma once

#include "core/analysis/balance/balance.h"
#include "ui/model/three_level_model.h"
#include "ui/state/finders/finder_of.h"

#include <QPalette>

#include <array>
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

/// The two levels below a process: layers, and what else its memory is divided by.
struct BalanceGrouping {
    enum class Order : std::uint8_t { LayersFirst, LayersBelow };
    Order order = Order::LayersFirst;
    analysis::PartsBy by = analysis::PartsBy::Mapping;
    friend bool operator==(const BalanceGrouping&, const BalanceGrouping&) = default;
};
inline constexpr std::array kBalanceGroupings{
    BalanceGrouping{},
    BalanceGrouping{BalanceGrouping::Order::LayersFirst, analysis::PartsBy::Module},
    BalanceGrouping{BalanceGrouping::Order::LayersBelow, analysis::PartsBy::Mapping},
    BalanceGrouping{BalanceGrouping::Order::LayersBelow, analysis::PartsBy::Module},
};
/// "Layer, Mapping"
[[nodiscard]] QString groupingText(const BalanceGrouping& grouping, const QString& between = QStringLiteral(", "));

/// Processes with their resident memory at one sample; below each two levels, as grouped: layers from the ground up,
/// mappings or modules with the largest first. Layers, and the largest mappings and modules, that have memory only at
/// other samples of the interval have rows as well. A layer has the colour of its band in the chart, and so has the
/// swapped memory of a process. GUI thread only.
class BalanceModel : public ThreeLevelModel {
    Q_OBJECT
  public:
    enum Column { kName, kResident, kShare, kPeak, kProportional, kPrivateDirty, kSwapped, kReserved, kColumns };
    /// Numbers where the text has units; for names of layers their order.
    static constexpr int kSortRole = Qt::UserRole;

    /// Identifies a row from answer to answer, and from grouping to grouping.
    struct RowName {
        std::string process; ///< "": no row
        std::optional<analysis::MemoryLayer> layer;
        std::string part; ///< name of a mapping or module; "": all
        friend bool operator==(const RowName&, const RowName&) = default;
    };

    using ThreeLevelModel::ThreeLevelModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const BalanceAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const BalanceAnswer>& answer() const { return answer_; }
    void setGrouping(const BalanceGrouping& grouping);
    /// For the colours of layers.
    void setPalette(const QPalette& palette);
    /// The process of a row or of the rows above it; null: no such row.
    [[nodiscard]] const analysis::Balance* balance(const QModelIndex& index) const;
    [[nodiscard]] RowName nameOf(const QModelIndex& index) const;
    /// Invalid if it does not exist in this grouping.
    [[nodiscard]] QModelIndex indexOf(const RowName& name) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    /// A row of the second level with its parts.
    struct Group {
        analysis::BalancePart sum; ///< of a layer without a name
        std::vector<const analysis::BalancePart*> parts;
    };
    struct Process {
        const analysis::Balance* balance = nullptr;
        const analysis::ResidentPeaks* peaks = nullptr; ///< null: it has no sample in the interval
        analysis::BalancePart sum;
        std::vector<Group> groups;
        std::vector<analysis::BalancePart> ended; ///< parts with a peak, but without memory at the sample
    };
    void rebuild();
    [[nodiscard]] Process processOf(const analysis::Balance& balance) const;
    [[nodiscard]] bool isLayerLevel(Level level) const;
    [[nodiscard]] const Process* process(const QModelIndex& index) const;
    [[nodiscard]] const Group* group(const QModelIndex& index) const;
    [[nodiscard]] const analysis::BalancePart& part(const QModelIndex& index) const;
    [[nodiscard]] ByteCount peak(const QModelIndex& index) const;
    [[nodiscard]] QString text(const QModelIndex& index) const;
    [[nodiscard]] QString name(const QModelIndex& index) const;
    [[nodiscard]] QVariant color(const QModelIndex& index) const;
    [[nodiscard]] QVariant sortValue(const QModelIndex& index) const;

    std::shared_ptr<const BalanceAnswer> answer_;
    BalanceGrouping grouping_;
    std::vector<Process> processes_;
    QPalette palette_;
};

/// Place of the layer's colour for seriesColor().
[[nodiscard]] std::size_t colorPlaceOf(analysis::MemoryLayer layer);

} // namespace highwater::ui
