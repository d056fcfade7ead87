#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/store/published/published_trace.h"

#include <QString>

#include <optional>
#include <vector>

namespace highwater::ui {

/// A table row in a form that survives reopening the trace: processes, functions, lines and labels by name; threads,
/// handles, addresses and times by number. A plain value.
struct StoredStep {
    QString column; ///< WPA's name of the column in its table
    QString key;
    friend bool operator==(const StoredStep&, const StoredStep&) = default;
};
using StoredPath = std::vector<StoredStep>;

/// Converts between paths of an open trace and stored paths. Both arguments must outlive it. GUI thread.
class RowWords {
  public:
    RowWords(const store::PublishedTrace& trace, analysis::FrameLabels& labels) : trace_(trace), labels_(labels) {}

    [[nodiscard]] StoredPath stored(analysis::Table table, const analysis::KeyPath& path) const;
    /// Nothing: the table has no such column, or the trace no such process. A function without a name yet is looked up
    /// by its future name.
    [[nodiscard]] std::optional<analysis::KeyPath> path(analysis::Table table, const StoredPath& stored) const;

  private:
    [[nodiscard]] QString wordOf(const analysis::KeyStep& step) const;
    [[nodiscard]] std::optional<std::uint64_t> keyOf(analysis::Column column, const QString& word) const;

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
};

/// Whether function names are needed to find the row.
[[nodiscard]] bool dependsOnNames(analysis::Table table, const StoredPath& path);

} // namespace highwater::ui
