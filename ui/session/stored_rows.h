#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/store/published/published_trace.h"

#include <QString>

#include <optional>
#include <vector>

namespace highwater::ui {

/// A row of a table, in words that mean the same when its trace is opened again: processes, functions, lines and labels
/// by their names; threads, handles, addresses, times by their numbers. A plain value.
struct StoredStep {
    QString column; ///< WPA's name in its table
    QString key;
    friend bool operator==(const StoredStep&, const StoredStep&) = default;
};
using StoredPath = std::vector<StoredStep>;

/// Between paths of an open trace and such words. Both must outlive it. GUI thread.
class RowWords {
  public:
    RowWords(const store::PublishedTrace& trace, analysis::FrameLabels& labels) : trace_(trace), labels_(labels) {}

    [[nodiscard]] StoredPath stored(analysis::Table table, const analysis::KeyPath& path) const;
    /// Nothing: the table has no such column, or the trace no such process. A function that has no name yet is taken as
    /// it will be called.
    [[nodiscard]] std::optional<analysis::KeyPath> path(analysis::Table table, const StoredPath& stored) const;

  private:
    [[nodiscard]] QString wordOf(const analysis::KeyStep& step) const;
    [[nodiscard]] std::optional<std::uint64_t> keyOf(analysis::Column column, const QString& word) const;

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
};

/// Whether names of functions are needed to find the row.
[[nodiscard]] bool dependsOnNames(analysis::Table table, const StoredPath& path);

} // namespace highwater::ui
