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

/// A label and its query as the reader writes them.
struct AnnotationRule {
    QString label;
    QString query; ///< blank: all that is left
    [[nodiscard]] bool isBlank() const { return label.trimmed().isEmpty() && query.trimmed().isEmpty(); }
    friend bool operator==(const AnnotationRule&, const AnnotationRule&) = default;
};

[[nodiscard]] std::vector<AnnotationRule> rulesOf(const analysis::Annotations& annotations);

/// What is wrong with one line of the list.
struct RuleTrouble {
    std::size_t rule = 0;
    bool isOfLabel = false; ///< else of the query, at this place
    QueryTrouble trouble;
};
/// The first that is wrong; lines that are blank are none.
[[nodiscard]] std::optional<RuleTrouble> troubleOf(analysis::Table table, const std::vector<AnnotationRule>& rules);
/// Of rules without trouble.
[[nodiscard]] analysis::Annotations annotationsOf(analysis::Table table, const std::vector<AnnotationRule>& rules);

/// Labels and queries as typed, so that a person can read and edit them.
[[nodiscard]] QJsonArray annotationsToJson(const analysis::Annotations& annotations);
/// unread: the labels of those that cannot be used; they are left out.
[[nodiscard]] analysis::Annotations annotationsFromJson(analysis::Table table, const QJsonArray& json,
                                                        QStringList& unread);

/// Whether any query finds rows by names of functions, so that they are to be loaded for it.
[[nodiscard]] bool dependOnNames(const analysis::Annotations& annotations);

/// A rule that gives some rows a label, which is yet to be typed.
struct ProposedRule {
    QString query;
    std::size_t place = 0; ///< among the rules: where it decides before those that the rows have their labels of
    QString refusal;       ///< a sentence: there is no such rule; empty: there is
};
/// rows: each with those that it is below of, from the outside in. Frames stand for all stacks that they are in.
[[nodiscard]] ProposedRule proposedRule(const TableLayout& layout,
                                        const std::vector<std::vector<const TableRow*>>& rows);

} // namespace highwater::ui
