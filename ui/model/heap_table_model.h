#pragma once

#include "ui/state/finders/heap_finder.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace highwater::ui {

/// Heaps, a row each, the largest first. kSortRole has numbers where the text has units. What is not known is empty,
/// and its tooltip says why. GUI thread only.
class HeapTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column {
        kProcess,
        kHandle,
        kCreator,
        kLive,
        kBlocks,
        kGrowth,
        kSlope,
        kPeak,
        kSlack,
        kCommitted,
        kReserved,
        kCreated,
        kDestroyed,
        kColumns
    };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: there is none.
    void setAnswer(std::shared_ptr<const HeapAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const HeapAnswer>& answer() const { return answer_; }
    /// Null: there is no such row.
    [[nodiscard]] const analysis::HeapFacts* heap(int row) const;
    /// The row of the heap with this path.
    [[nodiscard]] std::optional<int> rowOf(const analysis::KeyPath& path) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::shared_ptr<const HeapAnswer> answer_;
};

/// All that is known of where the heap comes from and what lies in its ranges, in sentences.
[[nodiscard]] QString heapSentence(const analysis::HeapFacts& heap);

} // namespace highwater::ui
