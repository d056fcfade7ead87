#include "ui/state/table_finder.h"

#include "ui/state/table/filter_step.h"

#include <utility>

namespace highwater::ui {

TableFinder::TableFinder(QueryRunner& runner, QueryPlanner& planner, QObject* parent)
    : QObject(parent), runner_(runner), planner_(planner) {
    connect(&runner_, &QueryRunner::findAnswered, this, &TableFinder::take);
    connect(&planner_, &QueryPlanner::tableReady, this, [this] {
        if (counting_ || step_ || isCollecting_)
            followTable();
        else
            session_.reset(); // no step is pending: the next one creates a new session
    });
    connect(&planner_.shown(), &TraceOnScreen::changed, this, [this](auto changes) {
        if (changes.testFlag(TraceOnScreen::NewTrace) && counting_) askForNames();
        if (changes.testFlag(TraceOnScreen::Naming)) followNaming();
    });
}

bool TableFinder::isSearching() const {
    return step_.has_value() || isCollecting_ || (counting_ && session_ && !counted_);
}

void TableFinder::setCounting(bool counting) {
    if (counting == std::exchange(counting_, counting)) return;
    if (counting) {
        askForNames();
        followTable();
    } else if (!step_ && !isCollecting_) {
        missed_.reset(); // not needed any more
        runner_.cancelFind();
        countAsked_ = false;
    }
    emit changed();
}

void TableFinder::setText(const QString& text) {
    const auto bytes = text.toUtf8();
    const auto table = planner_.tableQuery().table;
    const auto parsed = analysis::QueryExpression::parse(table, {bytes.constData(), std::size_t(bytes.size())});
    auto trouble = parsed.hasValue() ? std::nullopt : std::optional(troubleOf(parsed.error(), bytes));
    std::optional<analysis::QueryExpression> expression;
    if (parsed.hasValue() && !parsed.value().isEmpty()) expression = parsed.value();
    trouble_ = std::move(trouble);
    if (expression != expression_) {
        stop();
        expression_ = std::move(expression);
        if (counting_) {
            askForNames();
            followTable();
        }
    }
    emit changed();
}

bool TableFinder::waitsForNames() const {
    return expression_ && planner_.shown().areNamesComing() && dependsOnNames(*expression_);
}

void TableFinder::askForNames() {
    if (expression_ && planner_.trace() && dependsOnNames(*expression_)) emit namesWanted();
}

/// The latest names are in the pending table and its results.
void TableFinder::followNaming() {
    if (!waitsForNames() && namesRevision_ == planner_.namesRevision()) missed_.reset();
    emit changed();
}

void TableFinder::stop() {
    runner_.cancelFind();
    session_.reset();
    step_.reset();
    missed_.reset();
    hits_.reset();
    counted_ = countAsked_ = isCollecting_ = false;
}

void TableFinder::collect() {
    if (!expression_ || !planner_.trace()) return;
    askForNames();
    step_.reset();
    missed_.reset();
    renewSession();
    askGroups();
    emit changed();
}

void TableFinder::askGroups() {
    isCollecting_ = true;
    countAsked_ = false; // cancelled by this request
    runner_.askFind({session_, {}, FindRequest::All::Groups}, Urgency::Now);
}

void TableFinder::forgetTrace() {
    stop();
    emit changed();
}

bool TableFinder::renewSession() {
    auto query = planner_.tableQuery();
    const bool fits = session_ && session_->subject().trace == planner_.trace() &&
                      asksTheSame(session_->subject().query, query) && session_->subject().expression == *expression_ &&
                      namesRevision_ == planner_.namesRevision();
    if (fits) return false;
    session_ =
        std::make_shared<FindSession>(FindSubject{planner_.trace(), planner_.labels(), std::move(query), *expression_});
    namesRevision_ = planner_.namesRevision();
    counted_ = countAsked_ = false;
    return true;
}

void TableFinder::followTable() {
    if (!expression_ || !planner_.trace()) return;
    if (missed_ && namesRevision_ != planner_.namesRevision()) step_ = std::exchange(missed_, std::nullopt);
    // A trace that grows several times a second must not stop a running search.
    const bool isNew = renewSession();
    if (isNew && step_) runner_.askFind({session_, step_, {}}, Urgency::WhenIdle);
    if (isNew && isCollecting_) askGroups();
    askCount();
    emit changed();
}

/// Runs after a step, for which the user is waiting.
void TableFinder::askCount() {
    if (!session_ || !counting_ || counted_ || step_ || isCollecting_ || std::exchange(countAsked_, true)) return;
    runner_.askFind({session_, {}, {}}, Urgency::WhenIdle);
}

void TableFinder::find(Direction direction, const analysis::KeyPath& from) {
    const FindStep step{from, direction};
    if (!expression_ || !planner_.trace() || step == step_) return;
    askForNames();
    missed_.reset();
    renewSession();
    step_ = step;
    isCollecting_ = false;
    countAsked_ = false; // cancelled by the step
    runner_.askFind({session_, step_, {}}, Urgency::Now);
    emit changed();
}

bool TableFinder::isOfThis(const FindSession& session) const {
    return expression_ && session.subject().expression == *expression_ && session.subject().labels == planner_.labels();
}

void TableFinder::take(const FindRequest& request, const FindAnswer& answer) {
    if (!isOfThis(*request.session)) return;
    if (request.all == FindRequest::All::Groups) {
        if (request.session != session_ || !std::exchange(isCollecting_, false)) return;
        if (answer.hits) hits_ = answer.hits;
        emit collected(answer.groups);
    } else if (!request.step) {
        // Hits of a trace that has grown since, or of the previous table, are better than none.
        hits_ = answer.hits;
        counted_ = request.session == session_;
    } else if (step_ && request.step == step_) {
        // In a table with other keys, the row has another path or none.
        if (request.session->subject().query.keys != planner_.tableQuery().keys) return followTable();
        takeStep(answer);
    }
    askCount();
    emit changed();
}

void TableFinder::takeStep(const FindAnswer& answer) {
    const auto step = *std::exchange(step_, std::nullopt);
    if (answer.row) {
        emit found(*answer.row, step.direction, answer.wentRound);
        return;
    }
    hits_ = Hits{};
    if (waitsForNames() || namesRevision_ != planner_.namesRevision()) missed_ = step;
}

} // namespace highwater::ui

#include "moc_table_finder.cpp"
