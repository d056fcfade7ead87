#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>

#include <optional>

namespace highwater::ui {

/// GUIDs of graphs and columns in Windows Performance Analyzer profiles: 8-4-4-4-12 digits, in any case, with or
/// without braces. Any thread.

[[nodiscard]] std::optional<analysis::Table> tableOfGraph(const QString& guid);
/// Name of a graph that this program lacks or provides elsewhere; empty if unknown.
[[nodiscard]] QString nameOfOtherGraph(const QString& guid);
/// By GUID; if that is unknown, by WPA's name of the column in that graph.
[[nodiscard]] std::optional<analysis::Column> columnOfGraph(analysis::Table table, const QString& guid,
                                                            const QString& name);

} // namespace highwater::ui
