#pragma once

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/table/grouped_table.h"

#include <string>
#include <vector>

namespace highwater::tests {

/// All groups of a table as lines "  text: Count Size Impacting", two spaces per level, in the table's order. Frames
/// without the "!+0x1" that the builder adds to them.
inline void printGroups(analysis::GroupedTable& table, analysis::GroupedTable::NodeId node, std::string indent,
                        std::string& text) {
    using analysis::Column;
    for (const auto child : table.children(node)) {
        auto key = table.keyText(child);
        if (key.ends_with("!+0x1")) key.resize(key.size() - 5);
        text += indent + key + ":";
        for (const auto column : {Column::Count, Column::Size, Column::ImpactingSize}) {
            text += " " + analysis::plainText(column, table.value(child, column));
        }
        text += "\n";
        printGroups(table, child, indent + "  ", text);
    }
}

inline std::string
printed(const std::shared_ptr<const store::PublishedTrace>& trace, analysis::Query query,
        const std::shared_ptr<analysis::FrameLabels>& labels = std::make_shared<analysis::FrameLabels>()) {
    auto table = analysis::GroupedTable::compute(trace, labels, std::move(query));
    if (!table.hasValue()) return "error: " + table.error().message;
    std::string text;
    printGroups(*table.value(), analysis::GroupedTable::kRoot, "", text);
    return text;
}

} // namespace highwater::tests
