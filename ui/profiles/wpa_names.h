#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>

#include <optional>

namespace highwater::ui {

/// The GUIDs by which profiles of Windows Performance Analyzer name graphs and columns: 8-4-4-4-12 digits, in any case,
/// with or without braces. Any thread.

[[nodiscard]] std::optional<analysis::Table> tableOfGraph(const QString& guid);
/// Of a graph that this program does not have, or has elsewhere: what it is called, as far as that is known; else
/// empty.
[[nodiscard]] QString nameOfOtherGraph(const QString& guid);
/// By the GUID; where that is not known, by WPA's name of the column in that graph.
[[nodiscard]] std::optional<analysis::Column> columnOfGraph(analysis::Table table, const QString& guid,
                                                            const QString& name);

} // namespace highwater::ui
