#include "core/analysis/query/annotations.h"

#include "core/analysis/columns/column_specs.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

Error refused(std::string sentence) { return {ErrorKind::Usage, std::move(sentence)}; }

/// Why it cannot select rows.
std::string refusalOf(const QueryExpression& query) {
    if (query.columns().contains(Column::Annotation))
        return "The query of a label cannot use [Annotation] because labels define that column.";
    return query.refusalForRows();
}

bool isControl(unsigned char c) { return c < 0x20 || c == 0x7F; }

} // namespace

ParsedQuery parseAnnotationQuery(Table table, std::string_view text) {
    auto parsed = TRY(QueryExpression::parse(table, text));
    auto refusal = refusalOf(parsed);
    if (refusal.empty()) return parsed;
    return QueryError{std::move(refusal), 0, text.size()};
}

std::string labelRefusal(std::string_view label) {
    if (label.empty()) return "The label is missing.";
    if (label.size() > kLongestLabel)
        return fmt::format("The label is too long. The limit is {} bytes.", kLongestLabel);
    if (std::any_of(label.begin(), label.end(), isControl)) return "A label must be a single line of text.";
    return {};
}

Result<Annotation> makeAnnotation(Table table, std::string_view label, std::string_view text) {
    label = trimmed(label);
    text = trimmed(text);
    if (auto refusal = labelRefusal(label); !refusal.empty()) return refused(std::move(refusal));
    const auto parsed = parseAnnotationQuery(table, text);
    if (!parsed.hasValue()) return refused(parsed.error().sentence);
    return Annotation{std::string(label), std::string(text), parsed.value()};
}

std::optional<Error> refusalOf(const Annotations& annotations, Table table) {
    if (annotations.size() > kMostAnnotations)
        return refused(fmt::format("There are too many labels. The limit is {}.", kMostAnnotations));
    for (const auto& annotation : annotations) {
        if (annotation.query.table() != table) {
            return refused(fmt::format("A label for the table \"{}\" cannot be used with the table \"{}\".",
                                       tableTitle(annotation.query.table()), tableTitle(table)));
        }
        if (auto refusal = refusalOf(annotation.query); !refusal.empty()) return refused(std::move(refusal));
    }
    return std::nullopt;
}

ColumnSet columnsOf(const Annotations& annotations) {
    ColumnSet columns;
    for (const auto& annotation : annotations)
        columns.add(annotation.query.columns());
    return columns;
}

bool isOfInterval(Column column, const Annotations& annotations) {
    if (column != Column::Annotation) return specOf(column).isOfInterval;
    const auto asked = columnsOf(annotations);
    return std::any_of(kColumnSpecs.begin(), kColumnSpecs.end(),
                       [&](const auto& spec) { return spec.isOfInterval && asked.contains(spec.column); });
}

} // namespace highwater::analysis
