#pragma once

#include "ui/state/query_planner.h"
#include "ui/state/query_runner.h"
#include "ui/state/table/query_trouble.h"
#include "ui/state/table/table_find.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace highwater::ui {

/// Looks for a query in the table that a planner asks for, in all of its rows whether they are open or not: counts the
/// matches and goes from one to the next. Follows the table: when that is asked something else, or the trace grows, it
/// counts anew. The old number stays until the new one is there. GUI thread only; the runner's workers do the search.
class TableFinder : public QObject {
    Q_OBJECT
  public:
    using Direction = analysis::TableSearch::Direction;
    using Hits = analysis::TableSearch::Hits;

    /// Both must outlive it.
    TableFinder(QueryRunner& runner, QueryPlanner& planner, QObject* parent = nullptr);

    /// Matches are counted only while someone wants to see their number.
    void setCounting(bool counting);
    /// A text with a mistake in it, or an empty one, is not looked for.
    void setText(const QString& text);
    /// To the match behind (before) this row, else round to the first (last): found() or nothing; changed() in any
    /// case. Asking again for the step that is under way changes nothing.
    void find(Direction direction, const analysis::KeyPath& from);
    /// All matches, of the table as it is asked now: collected(), unless something else is looked for meanwhile.
    void collect();
    /// The trace is gone.
    void forgetTrace();

    /// Why the text cannot be looked for.
    [[nodiscard]] const std::optional<QueryTrouble>& trouble() const { return trouble_; }
    /// Nothing: the text is empty or in trouble.
    [[nodiscard]] const std::optional<analysis::QueryExpression>& expression() const { return expression_; }
    [[nodiscard]] bool isSearching() const;
    [[nodiscard]] const std::optional<Hits>& hits() const { return hits_; }
    /// More may be found when they are there: then it counts anew, and goes to what a step has not found.
    [[nodiscard]] bool waitsForNames() const;

  signals:
    void changed();
    /// What is looked for may be the name of a function.
    void namesWanted();
    /// The groups of all matches, none of them below another; nothing: more than kMostFoundGroups. Where there are
    /// none, hits() tell how many rows match by themselves.
    void collected(const std::optional<std::vector<highwater::analysis::KeyPath>>& groups);
    void found(const highwater::analysis::KeyPath& row, highwater::ui::TableFinder::Direction direction,
               bool wentRound);

  private:
    void stop();
    void followTable();
    /// False: the session that is there fits.
    bool renewSession();
    void askCount();
    void take(const FindRequest& request, const FindAnswer& answer);
    void takeStep(const FindAnswer& answer);
    void askForNames();
    void askGroups();
    void followNaming();
    [[nodiscard]] bool isOfThis(const FindSession& session) const;

    QueryRunner& runner_;
    QueryPlanner& planner_;
    bool counting_ = false;
    std::optional<QueryTrouble> trouble_;
    std::optional<analysis::QueryExpression> expression_;
    std::shared_ptr<FindSession> session_;
    std::uint64_t namesRevision_ = 0; ///< QueryPlanner's, of session_
    std::optional<FindStep> step_;    ///< under way
    std::optional<FindStep> missed_;  ///< has found nothing yet, and names are still coming
    std::optional<Hits> hits_;
    bool counted_ = false;    ///< hits_ are those of session_
    bool countAsked_ = false; ///< the count of session_ is under way
    bool collects_ = false;   ///< all matches are under way
};

} // namespace highwater::ui
