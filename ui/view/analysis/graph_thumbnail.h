#pragma once

#include "core/analysis/timeline/memory_timeline.h"

#include <QStyledItemDelegate>

#include <functional>
#include <optional>

namespace highwater::ui {

/// Contents of a graph's thumbnail. A plain value.
struct GraphThumbnail {
    std::optional<analysis::Timeline> timeline; ///< nothing: unknown yet
    bool isRefused = false;                     ///< no lines, because the trace has no times
    bool hasRows = false;                       ///< if refused: the table has rows
    bool isAsked = false;                       ///< a trace is shown, whose timeline may still be computed
    std::optional<TimeRange> highlight;
    bool isOfInstants = false; ///< bars in place of lines
    QString nothing;           ///< words for a timeline without amounts: "no events"
    /// Whether there is nothing to draw, as far as known.
    [[nodiscard]] bool isEmpty() const;
    /// The trace has no data for the graph.
    [[nodiscard]] bool isNothing() const;
    /// In place of a picture.
    [[nodiscard]] QString words() const;
};

/// Paints entries of the Graph Explorer: the name with the thumbnail below, or a text if there is nothing to draw.
class GraphThumbnailDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    /// Null: an entry without a thumbnail.
    using ThumbnailOf = std::function<const GraphThumbnail*(const QModelIndex& entry)>;

    GraphThumbnailDelegate(ThumbnailOf thumbnailOf, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    ThumbnailOf thumbnailOf_;
};

} // namespace highwater::ui
