#pragma once

#include "core/analysis/columns/columns.h"

#include <QMimeData>

#include <memory>
#include <optional>

namespace highwater::ui {

/// What is dragged from the Graph Explorer onto an analysis: a table's graph. Only within the program.
inline const QString kGraphMimeType = QStringLiteral("application/x-highwater-graph");

[[nodiscard]] inline std::unique_ptr<QMimeData> graphMimeData(analysis::Table table) {
    auto mime = std::make_unique<QMimeData>();
    const auto word = analysis::tableWord(table);
    mime->setData(kGraphMimeType, QByteArray(word.data(), static_cast<qsizetype>(word.size())));
    return mime;
}

/// Nothing when it is something else that is dragged.
[[nodiscard]] inline std::optional<analysis::Table> draggedGraph(const QMimeData* mime) {
    return mime ? analysis::parseTable(mime->data(kGraphMimeType).toStdString()) : std::nullopt;
}

} // namespace highwater::ui
