#include "ui/session/stored_rows.h"

#include "core/analysis/rows/key_reader.h"
#include "ui/format/qt_text.h"

#include <algorithm>

namespace highwater::ui {

using analysis::Column;
using analysis::LabelId;

namespace {

/// Keys that are labels or 0.
bool isNamed(Column column) { return analysis::showsNames(column) && !analysis::isStack(column); }

} // namespace

QString RowWords::wordOf(const analysis::KeyStep& step) const {
    const auto label = [&](std::uint64_t id) {
        return toQString(labels_.text(LabelId{static_cast<std::uint32_t>(id)}));
    };
    const auto& processes = *trace_.processes;
    const bool isProcess = step.key < processes.processes().size();
    if (step.column == Column::Process && isProcess)
        return QString::fromStdString(processes.key(ProcessIndex{static_cast<std::uint32_t>(step.key)}));
    if (step.column == Column::ProcessName && isProcess)
        return QString::fromStdString(processes.processes()[step.key].name);
    if (analysis::isStack(step.column) || (isNamed(step.column) && step.key != 0)) return label(step.key);
    if (step.column == Column::Annotation) return step.key == 0 ? QString() : label(step.key - 1);
    return QString::number(step.key);
}

std::optional<std::uint64_t> RowWords::keyOf(Column column, const QString& word) const {
    const auto text = word.toStdString();
    if (column == Column::Process || column == Column::ProcessName) {
        const auto& processes = trace_.processes->processes();
        for (std::uint32_t i = 0; i < processes.size(); ++i) {
            const bool isIt = column == Column::Process ? trace_.processes->key(ProcessIndex{i}) == text
                                                        : processes[i].nameKnown && processes[i].name == text;
            if (isIt) return i;
        }
        return std::nullopt;
    }
    if (analysis::isStack(column)) return labels_.textId(text).value;
    if (column == Column::Annotation)
        return text.empty() ? 0 : analysis::KeyReader::annotationKey(labels_.textId(text));
    if (isNamed(column) && word != QLatin1String("0")) return labels_.textId(text).value;
    bool isNumber = false;
    const auto number = word.toULongLong(&isNumber);
    return isNumber ? std::optional<std::uint64_t>(number) : std::nullopt;
}

StoredPath RowWords::stored(analysis::Table table, const analysis::KeyPath& path) const {
    StoredPath words;
    words.reserve(path.size());
    for (const auto& step : path)
        words.push_back({toQString(analysis::columnName(table, step.column)), wordOf(step)});
    return words;
}

std::optional<analysis::KeyPath> RowWords::path(analysis::Table table, const StoredPath& stored) const {
    analysis::KeyPath path;
    for (const auto& step : stored) {
        const auto column = analysis::parseColumn(table, step.column.toStdString());
        if (!column || !analysis::hasColumn(table, *column) || analysis::isAggregate(*column)) return std::nullopt;
        const auto key = keyOf(*column, step.key);
        if (!key) return std::nullopt;
        path.push_back({*column, *key});
    }
    return path;
}

bool dependsOnNames(analysis::Table table, const StoredPath& path) {
    return std::any_of(path.begin(), path.end(), [table](const StoredStep& step) {
        const auto column = analysis::parseColumn(table, step.column.toStdString());
        return column && analysis::showsNames(*column);
    });
}

} // namespace highwater::ui
