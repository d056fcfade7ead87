#include "ui/state/table/filter_step.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <algorithm>
#include <string>

namespace highwater::ui {

bool areTheSame(const FilterStep& a, const FilterStep& b) { return a.clause == b.clause && a.query == b.query; }

bool suits(const FilterStep& step, analysis::Table table) {
    const auto isKnown = [table](const analysis::KeyStep& key) { return analysis::hasColumn(table, key.column); };
    return std::all_of(step.clause.anyOf.begin(), step.clause.anyOf.end(),
                       [&](const analysis::KeyPath& path) { return std::all_of(path.begin(), path.end(), isKnown); });
}

QString labelOf(const analysis::RowFilter::Clause& clause, const QString& firstRow) {
    auto words = firstRow;
    if (clause.anyOf.size() > 1) words += tr(" (+%1 more)").arg(clause.anyOf.size() - 1);
    return clause.mode == analysis::RowFilter::Clause::Mode::Remove ? tr("not %1").arg(words) : words;
}

QString nothingMatches(const std::vector<FilterStep>& steps) {
    constexpr qsizetype kMostLetters = 80;
    QStringList quoted;
    for (const auto& step : steps) {
        const auto text = lineText(step.text);
        quoted << QStringLiteral("“%1”").arg(text.size() <= kMostLetters ? text : text.left(kMostLetters) + u'…');
    }
    if (quoted.size() == 1) return tr("Nothing in this interval matches the filter %1.").arg(quoted.front());
    return tr("Nothing in this interval matches all of these filters: %1.").arg(quoted.join(QStringLiteral(", ")));
}

QString labelOf(const FilterChange& change) {
    switch (change.kind) {
    case FilterChange::Kind::Taken:
        return change.step.text;
    case FilterChange::Kind::Removed:
        return tr("without %1").arg(change.step.text);
    case FilterChange::Kind::Cleared:
        return tr("no filter");
    case FilterChange::Kind::Undone:
        break;
    }
    return tr("filter undone");
}

void renameStep(std::vector<FilterStep>& steps, const FilterStep& step, const QString& text) {
    for (auto& other : steps) {
        if (other == step) other.text = text;
    }
}

bool dependsOnNames(const analysis::QueryExpression& query) {
    const auto columns = analysis::columnsOf(query.table());
    return std::any_of(columns.begin(), columns.end(),
                       [&](auto column) { return showsNames(column) && query.columns().contains(column); });
}

bool isAboutGroups(const analysis::QueryExpression& query) {
    const auto columns = analysis::columnsOf(query.table());
    return std::any_of(columns.begin(), columns.end(),
                       [&](auto column) { return analysis::isAggregate(column) && query.columns().contains(column); });
}

Result<analysis::RowFilter> rowFilterOf(analysis::Table table, const std::vector<FilterStep>& steps) {
    analysis::RowFilter filter;
    std::string joined;
    for (const auto& step : steps) {
        if (!step.query) {
            filter.clauses.push_back(step.clause);
            continue;
        }
        // A filter has a single query, so several are joined as text, each in parentheses.
        joined += (joined.empty() ? "(" : " AND (") + step.query->toString() + ')';
        filter.query = step.query;
        if (const auto refusal = filter.refusal(table)) return *refusal;
    }
    const auto parsed = analysis::QueryExpression::parse(table, joined);
    if (!parsed.hasValue()) return Error{ErrorKind::Usage, parsed.error().sentence};
    if (filter.query) filter.query = parsed.value();
    return filter;
}

} // namespace highwater::ui
