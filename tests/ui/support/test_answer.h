#pragma once

#include "ui/state/query_runner.h"
#include "ui/state/table/table_answer.h"

#include <QString>

#include <memory>
#include <vector>

namespace highwater::tests {

/// A handwritten row: node = key, values Count and Size.
[[nodiscard]] ui::TableRow row(std::uint32_t key, const QString& text, std::int64_t count, std::int64_t size,
                               std::vector<ui::TableRow> rows = {});
/// The same as a group of another key column.
[[nodiscard]] ui::TableRow keyRow(analysis::Column column, std::uint32_t key, const QString& text,
                                  std::vector<ui::TableRow> rows = {});
/// A row with children that are not loaded yet.
[[nodiscard]] ui::TableRow closedRow(std::uint32_t key, const QString& text);
/// Process, Impacting Type and Commit Stack; an answer without a table behind it.
[[nodiscard]] std::shared_ptr<const ui::TableAnswer> stackAnswerOf(std::vector<ui::TableRow> rows);
/// An answer without a table behind it: it cannot be expanded.
[[nodiscard]] std::shared_ptr<const ui::TableAnswer> answerOf(std::vector<ui::TableRow> rows);

/// 100 slices over [0, 1 s): one line of `bytes` with a spike of twice as much in slice 50.
[[nodiscard]] std::shared_ptr<const ui::TimelineAnswer> spikyTimeline(std::int64_t bytes);

} // namespace highwater::tests
