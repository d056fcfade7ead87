#pragma once

#include "core/analysis/timeline/memory_timeline.h"

#include <QStyledItemDelegate>

#include <map>
#include <optional>

namespace highwater::ui {

/// Contents of a graph's thumbnail. A plain value.
struct GraphThumbnail {
    std::optional<analysis::Timeline> timeline; ///< nothing: unknown yet
    bool isRefused = false;                     ///< no lines, because the trace has no times
    bool hasRows = false;                       ///< if refused: the table has rows
    std::optional<TimeRange> highlight;
    /// Whether this table has no known events.
    [[nodiscard]] bool isEmpty() const;
};

/// Paints entries of the Graph Explorer: the name with the thumbnail below, or a text if there is nothing to draw.
class GraphThumbnailDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    static constexpr int kTableRole = Qt::UserRole + 1; ///< for graph entries: analysis::Table as int

    /// `thumbnails` must outlive it.
    GraphThumbnailDelegate(const std::map<analysis::Table, GraphThumbnail>& thumbnails, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    const std::map<analysis::Table, GraphThumbnail>& thumbnails_;
};

} // namespace highwater::ui
