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

/// Searches the table of a planner, in all rows whether open or not: counts the matches and moves between them. When
/// the table's query changes or the trace grows, it counts again; the old number stays until the new one arrives. GUI
/// thread only; the runner's workers search.
class TableFinder : public QObject {
    Q_OBJECT
  public:
    using Direction = analysis::TableSearch::Direction;
    using Hits = analysis::TableSearch::Hits;

    /// Both must outlive this object.
    TableFinder(QueryRunner& runner, QueryPlanner& planner, QObject* parent = nullptr);

    /// Matches are counted only while their number is shown.
    void setCounting(bool counting);
    /// Invalid and empty texts are not searched.
    void setText(const QString& text);
    /// Moves to the match after (before) this row, or wraps around: emits found() if there is one, and changed() in any
    /// case. Requesting the pending step again has no effect.
    void find(Direction direction, const analysis::KeyPath& from);
    /// Collects all matches of the current table: emits collected(), unless the search changes meanwhile.
    void collect();
    /// The trace is gone.
    void forgetTrace();

    /// The error in the text, if any.
    [[nodiscard]] const std::optional<QueryTrouble>& trouble() const { return trouble_; }
    /// Nothing: the text is empty or invalid.
    [[nodiscard]] const std::optional<analysis::QueryExpression>& expression() const { return expression_; }
    [[nodiscard]] bool isSearching() const;
    [[nodiscard]] const std::optional<Hits>& hits() const { return hits_; }
    /// Whether names that are still loading may bring more matches. Then it counts again, and repeats a step that found
    /// nothing.
    [[nodiscard]] bool waitsForNames() const;

  signals:
    void changed();
    /// The text may be a function name.
    void namesWanted();
    /// The groups of all matches, none of them inside another; nothing: more than kMostFoundGroups. If it is empty,
    /// hits() contains the number of single rows that match.
    void collected(const std::optional<std::vector<highwater::analysis::KeyPath>>& groups);
    void found(const highwater::analysis::KeyPath& row, highwater::ui::TableFinder::Direction direction,
               bool wentRound);

  private:
    void stop();
    void followTable();
    /// False: the existing session is still valid.
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
    std::uint64_t namesRevision_ = 0; ///< the QueryPlanner's, for session_
    std::optional<FindStep> step_;    ///< pending
    std::optional<FindStep> missed_;  ///< found nothing while names were loading
    std::optional<Hits> hits_;
    bool counted_ = false;    ///< hits_ belong to session_
    bool countAsked_ = false; ///< the count of session_ is pending
    bool isCollecting_ = false; ///< a request for all matches is pending
};

} // namespace highwater::ui
