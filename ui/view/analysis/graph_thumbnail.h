#pragma once

#include "core/analysis/timeline/memory_timeline.h"

#include <QStyledItemDelegate>

#include <map>
#include <optional>

namespace highwater::ui {

/// A graph, small: what is painted of it. A plain value.
struct GraphThumbnail {
    std::optional<analysis::Timeline> timeline; ///< nothing: not known yet
    bool isRefused = false;                     ///< the trace has no lines, as it has no times
    std::optional<TimeRange> highlight;
    /// Nothing happened in this table, as far as is known.
    [[nodiscard]] bool isEmpty() const;
};

/// Paints the entries of the Graph Explorer: the name, below it the thumbnail, or words when there is nothing to draw.
class GraphThumbnailDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    static constexpr int kTableRole = Qt::UserRole + 1; ///< of entries that are graphs: analysis::Table as int

    /// `thumbnails` must outlive it.
    GraphThumbnailDelegate(const std::map<analysis::Table, GraphThumbnail>& thumbnails, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    const std::map<analysis::Table, GraphThumbnail>& thumbnails_;
};

} // namespace highwater::ui
