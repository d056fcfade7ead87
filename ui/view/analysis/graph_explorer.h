#pragma once

#include "ui/state/finders/finder_of.h"
#include "ui/state/query_runner.h"
#include "ui/state/trace_on_screen.h"
#include "ui/view/analysis/graph_thumbnail.h"

#include <QTreeWidget>

#include <map>
#include <memory>
#include <optional>

namespace highwater::ui {

/// The available graphs by category, each with a thumbnail of its outstanding amount over the whole trace.
/// Double-click, Enter or a drag onto an analysis adds one. The last entry is the page of resident memory, which is
/// disabled if the trace has no samples. Uses its own workers. GUI thread only.
class GraphExplorer : public QTreeWidget {
    Q_OBJECT
  public:
    /// Number of slices of a thumbnail.
    static constexpr std::uint32_t kPoints = 200;

    /// The trace must outlive the explorer.
    explicit GraphExplorer(const TraceOnScreen& shown, QWidget* parent = nullptr, const QueryFunctions& functions = {});
    ~GraphExplorer() override;

    void setProcessExitFreesHeap(bool frees);
    /// Instants that are additional instances of Heap Snapshot; null: none.
    void setInstants(const analysis::SharedInstants& instants);
    /// A range that is painted into every thumbnail.
    void setHighlight(std::optional<TimeRange> range);
    [[nodiscard]] const GraphThumbnail& thumbnail(analysis::Table table) const { return thumbnails_.at(table); }
    [[nodiscard]] const GraphThumbnail& residentThumbnail() const { return resident_; }
    [[nodiscard]] bool isUpToDate() const;
    [[nodiscard]] QSize sizeHint() const override { return {190, 300}; }

  signals:
    void graphWanted(highwater::analysis::Table table);
    void residentMemoryWanted();
    /// A thumbnail was updated.
    void thumbnailShown();

  protected:
    [[nodiscard]] QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void addResidentMemory(QTreeWidgetItem& category);
    void showResidentMemory(const analysis::Timeline& timeline);
    void describeResidentMemory();
    [[nodiscard]] const GraphThumbnail* thumbnailOf(const QModelIndex& entry) const;
    void forgetTrace();
    void ask();
    void ask(analysis::Table table);
    void showTimeline(analysis::Table table, const TimelineAnswer& answer);
    void describe(analysis::Table table);

    const TraceOnScreen& shown_;
    std::map<analysis::Table, std::unique_ptr<QueryRunner>> runners_; ///< one per table, so that queries do not wait
                                                                      ///< for each other
    std::map<analysis::Table, GraphThumbnail> thumbnails_;
    std::map<analysis::Table, QTreeWidgetItem*> items_;
    QTreeWidgetItem* residentMemory_ = nullptr;
    GraphThumbnail resident_;
    FinderOf<std::shared_ptr<const store::PublishedTrace>, analysis::Timeline> residentFinder_;
    bool processExitFreesHeap_ = false;
    analysis::SharedInstants instants_;
};

} // namespace highwater::ui
