#pragma once

#include "core/analysis/columns/columns.h"

#include <QMimeData>

#include <memory>
#include <optional>

namespace highwater::ui {

/// Drag data from the Graph Explorer to an analysis: a table's graph. Within the program only.
inline const QString kGraphMimeType = QStringLiteral("application/x-highwater-graph");

[[nodiscard]] inline std::unique_ptr<QMimeData> graphMimeData(analysis::Table table) {
    auto mime = std::make_unique<QMimeData>();
    const auto word = analysis::tableWord(table);
    mime->setData(kGraphMimeType, QByteArray(word.data(), static_cast<qsizetype>(word.size())));
    return mime;
}

/// Nothing if the drag is something else.
[[nodiscard]] inline std::optional<analysis::Table> draggedGraph(const QMimeData* mime) {
    return mime ? analysis::parseTable(mime->data(kGraphMimeType).toStdString()) : std::nullopt;
}

} // namespace highwater::ui
