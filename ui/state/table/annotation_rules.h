#pragma once

#include "core/analysis/query/annotations.h"
#include "ui/state/table/query_trouble.h"
#include "ui/state/table/table_layout.h"
#include "ui/state/table/table_row.h"

#include <QJsonArray>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A label and its query as the user enters them.
struct AnnotationRule {
    QString label;
    QString query; ///< blank: all remaining rows
    [[nodiscard]] bool isBlank() const { return label.trimmed().isEmpty() && query.trimmed().isEmpty(); }
    friend bool operator==(const AnnotationRule&, const AnnotationRule&) = default;
};

[[nodiscard]] std::vector<AnnotationRule> rulesOf(const analysis::Annotations& annotations);

/// An error in one line of the list.
struct RuleTrouble {
    std::size_t rule = 0;
    bool isOfLabel = false; ///< otherwise in the query, at this position
    QueryTrouble trouble;
};
/// The first error; blank lines are valid.
[[nodiscard]] std::optional<RuleTrouble> troubleOf(analysis::Table table, const std::vector<AnnotationRule>& rules);
/// For rules without errors.
[[nodiscard]] analysis::Annotations annotationsOf(analysis::Table table, const std::vector<AnnotationRule>& rules);

/// Labels and queries as entered, so that the JSON can be read and edited.
[[nodiscard]] QJsonArray annotationsToJson(const analysis::Annotations& annotations);
/// unread: labels whose queries cannot be used; they are omitted.
[[nodiscard]] analysis::Annotations annotationsFromJson(analysis::Table table, const QJsonArray& json,
                                                        QStringList& unread);

/// Whether any query depends on function names, which then have to be loaded.
[[nodiscard]] bool dependOnNames(const analysis::Annotations& annotations);

/// A rule that assigns a label, which the user has yet to enter, to some rows.
struct ProposedRule {
    QString query;
    std::size_t place = 0; ///< index among the rules, before those that currently label the rows
    QString refusal;       ///< a sentence: no such rule is possible; empty: it is
};
/// rows: each with its ancestors, outermost first. A frame selects all stacks that contain it.
[[nodiscard]] ProposedRule proposedRule(const TableLayout& layout,
                                        const std::vector<std::vector<const TableRow*>>& rows);

} // namespace highwater::ui
