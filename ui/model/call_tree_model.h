#pragma once

#include "core/analysis/callers/callers.h"

#include <QAbstractItemModel>

#include <memory>

namespace highwater::ui {

/// Callers or callees of a function as a tree. The function itself is the only top-level row. GUI thread only.
class CallTreeModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum class Side { Callers, Callees };
    enum Column { kFunction, kCount, kImpacting, kSize, kColumns };
    /// The unformatted name of the row's function, for the next query.
    static constexpr int kNameRole = Qt::UserRole;

    explicit CallTreeModel(Side side, QObject* parent = nullptr);

    /// Null: no answer.
    void setAnswer(std::shared_ptr<const analysis::Callers> answer);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] const std::vector<analysis::CallNode>& nodes() const;
    [[nodiscard]] const analysis::CallNode& nodeOf(const QModelIndex& index) const;
    [[nodiscard]] const std::string& nameOf(const QModelIndex& index) const;
    [[nodiscard]] QString text(const QModelIndex& index) const;

    Side side_;
    std::shared_ptr<const analysis::Callers> answer_;
};

} // namespace highwater::ui
