#include "ui/state/table/annotation_rules.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/key_reader.h"
#include "ui/format/qt_text.h"
#include "ui/state/table/filter_step.h"

#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace highwater::ui {

using analysis::Column;
using analysis::Table;
using analysis::ValueKind;

namespace {

/// Longer queries are unsuitable for a single line.
constexpr qsizetype kLongestProposal = 4000;

std::string_view viewOf(const QByteArray& text) { return {text.constData(), static_cast<std::size_t>(text.size())}; }

std::optional<QueryTrouble> queryTrouble(Table table, const QString& query) {
    const auto bytes = query.toUtf8();
    const auto parsed = analysis::parseAnnotationQuery(table, viewOf(bytes));
    return parsed.hasValue() ? std::nullopt : std::optional(troubleOf(parsed.error(), bytes));
}

QString labelTrouble(const QString& label) {
    const auto bytes = label.trimmed().toUtf8();
    return QString::fromStdString(analysis::labelRefusal(viewOf(bytes)));
}

/// The text after the operator of the condition that matches the key.
QString valueText(const TableRow& row) {
    const auto [column, key] = row.step;
    if (!analysis::isStack(column) && !analysis::KeyReader::exists(column, key) && column != Column::FreeType)
        return QStringLiteral("[]");
    switch (analysis::valueKind(column)) {
    case ValueKind::Text:
        return QString::fromStdString(analysis::QueryExpression::quoted(row.text.toStdString()));
    case ValueKind::Hex:
        return QStringLiteral("0x%1").arg(key, 0, 16);
    case ValueKind::Time:
    case ValueKind::Duration:
        return QStringLiteral("%1ns").arg(static_cast<qint64>(key));
    default:
        return QString::number(key);
    }
}

/// "name.exe" for "name.exe (4242)", because the process has another number in the next trace. Nothing: no name.
std::optional<QString> processName(const TableRow& row) {
    const auto end = row.text.lastIndexOf(QStringLiteral(" ("));
    const auto name = row.text.left(end);
    if (row.step.column != Column::Process || end <= 0 || name == QStringLiteral("Unknown")) return std::nullopt;
    return name;
}

/// Conditions of the row and its ancestors; empty: only their label. For a top-down stack, the last frame is
/// sufficient; for a bottom-up one, the last frame is just one of many callers.
QString conditionsOf(Table table, const std::vector<const TableRow*>& path) {
    QStringList conditions;
    // A known function is more specific than the groups around it.
    const bool hasStack =
        std::any_of(path.begin(), path.end(), [](const auto* row) { return analysis::isStack(row->step.column); });
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto column = path[i]->step.column;
        const bool goesOn = i + 1 < path.size() && path[i + 1]->step.column == column;
        if (column == Column::Annotation || (goesOn && !analysis::isBottomUp(column))) continue;
        if (hasStack && analysis::specOf(column).isOfOneTrace) continue;
        if (const auto name = processName(*path[i])) {
            conditions << QStringLiteral("[%1]:=%2")
                              .arg(toQString(analysis::columnName(table, Column::ProcessName)),
                                   QString::fromStdString(analysis::QueryExpression::quoted(name->toStdString())));
            continue;
        }
        conditions
            << QStringLiteral("[%1]:=%2").arg(toQString(analysis::columnName(table, column)), valueText(*path[i]));
    }
    return conditions.join(QStringLiteral(" AND "));
}

/// The row in the path that is the group of a label, if any.
const TableRow* labelledRow(const std::vector<const TableRow*>& path) {
    const auto found = std::find_if(path.begin(), path.end(), [](const auto* row) {
        return row->step.column == Column::Annotation && row->step.key != 0;
    });
    return found == path.end() ? nullptr : *found;
}

/// The position after all rules with conditions: a rule for the remaining rows stays last.
std::size_t placeBeforeFallback(const analysis::Annotations& annotations) {
    const auto rest = std::find_if(annotations.begin(), annotations.end(),
                                   [](const auto& annotation) { return annotation.query.isEmpty(); });
    return static_cast<std::size_t>(rest - annotations.begin());
}

/// A reused pid was formerly written with the start time of its process, "app.exe (42) @1.5", and now with a number,
/// "app.exe (42) #2". A query cannot determine which process it was, so it matches all with that pid.
QString withCurrentPidKeys(QString query) {
    const auto replace = [&query](const char* operators, const QString& by) {
        const QRegularExpression condition(
            QStringLiteral(R"((?<![~:<>=])(%1)(\s*"(?:[^"]|"")* \(\d+\)) @[0-9.e+-]+")").arg(QLatin1String(operators)));
        query.replace(condition, by);
    };
    replace(":<>|<>", QStringLiteral(R"(:~!\2")"));
    replace(":=|=", QStringLiteral(R"(:~<\2")"));
    replace(":~=|:~~|:~!|:~<|:~>|:~|:", QStringLiteral(R"(\1\2")"));
    return query;
}

} // namespace

std::vector<AnnotationRule> rulesOf(const analysis::Annotations& annotations) {
    std::vector<AnnotationRule> rules;
    for (const auto& annotation : annotations)
        rules.push_back({QString::fromStdString(annotation.label), QString::fromStdString(annotation.text)});
    return rules;
}

std::optional<RuleTrouble> troubleOf(Table table, const std::vector<AnnotationRule>& rules) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (rules[i].isBlank()) continue;
        if (const auto trouble = queryTrouble(table, rules[i].query)) return RuleTrouble{i, false, *trouble};
        if (const auto sentence = labelTrouble(rules[i].label); !sentence.isEmpty())
            return RuleTrouble{i, true, {sentence, 0, static_cast<int>(rules[i].label.size())}};
    }
    if (rules.size() <= analysis::kMostAnnotations) return std::nullopt;
    const auto sentence =
        QStringLiteral("The list has too many labels. The maximum is %1.").arg(analysis::kMostAnnotations);
    return RuleTrouble{analysis::kMostAnnotations, true, {sentence, 0, 0}};
}

analysis::Annotations annotationsOf(Table table, const std::vector<AnnotationRule>& rules) {
    analysis::Annotations annotations;
    for (const auto& rule : rules) {
        if (rule.isBlank()) continue;
        auto made = analysis::makeAnnotation(table, rule.label.toStdString(), rule.query.toStdString());
        if (made.hasValue()) annotations.push_back(std::move(made).value());
    }
    return annotations;
}

QJsonArray annotationsToJson(const analysis::Annotations& annotations) {
    QJsonArray json;
    for (const auto& rule : rulesOf(annotations))
        json << QJsonObject{{"label", rule.label}, {"query", rule.query}};
    return json;
}

analysis::Annotations annotationsFromJson(Table table, const QJsonArray& json, QStringList& unread) {
    std::vector<AnnotationRule> rules;
    for (const auto& entry : json) {
        AnnotationRule rule{entry.toObject()["label"].toString(),
                            withCurrentPidKeys(entry.toObject()["query"].toString())};
        const bool isUsable = !rule.isBlank() && !troubleOf(table, {rule}) && rules.size() < analysis::kMostAnnotations;
        if (isUsable)
            rules.push_back(std::move(rule));
        else
            unread << rule.label;
    }
    return annotationsOf(table, rules);
}

bool dependOnNames(const analysis::Annotations& annotations) {
    return std::any_of(annotations.begin(), annotations.end(),
                       [](const auto& annotation) { return dependsOnNames(annotation.query); });
}

ProposedRule proposedRule(const TableLayout& layout, const std::vector<std::vector<const TableRow*>>& rows) {
    ProposedRule proposed{{}, placeBeforeFallback(layout.annotations), {}};
    QStringList queries;
    bool isRest = false;
    for (const auto& path : rows) {
        const auto* labelled = labelledRow(path);
        if (labelled) proposed.place = 0;
        const auto query = conditionsOf(layout.table, path);
        if (query.isEmpty() && labelled) {
            proposed.refusal = tr("The selection contains all rows with the label “%1”. Change the label in the list.")
                                   .arg(labelled->text);
            return proposed;
        }
        isRest = isRest || query.isEmpty();
        if (!queries.contains(query)) queries << query;
    }
    if (isRest) return proposed;
    for (auto& query : queries) {
        if (queries.size() > 1 && query.contains(QStringLiteral(" AND "))) query = QStringLiteral("(%1)").arg(query);
    }
    proposed.query = queries.join(QStringLiteral(" OR "));
    if (proposed.query.size() > kLongestProposal)
        proposed.refusal =
            tr("Too many rows are selected for one query. Select fewer rows, or write a query in the list.");
    return proposed;
}

} // namespace highwater::ui
