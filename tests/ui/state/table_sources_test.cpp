#include "ui/state/table_sources.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

#include <random>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Aggregation;
using analysis::Column;
using analysis::SortKey;
using analysis::Table;

namespace {

SmallTrace traceOfSixProcesses() {
    SmallTrace trace;
    std::mt19937 random(3);
    for (std::uint32_t process = 1; process <= 6; ++process) {
        trace.process(process, "app" + std::to_string(process % 4) + ".exe");
        for (std::uint32_t i = 0; i < 12; ++i) {
            const Address stack = 0x400000 + 0x100 * (random() % 5);
            trace.commit(100 + 20 * process + i, process, 0x10000 + 0x10000ull * i, (1 + random() % 9) * kPage,
                         {stack, 0x500000 + 0x100 * (random() % 3), 0x600000});
        }
    }
    return trace;
}

TableRequest requestToBeKept(SmallTrace& trace, const std::shared_ptr<TableSources>& known) {
    TableRequest request{trace.publish(1000), std::make_shared<analysis::FrameLabels>(), {}, {}, known};
    request.query.interval = {ms(0), ms(1000)};
    request.query.keys = {Column::Process, Column::Stack};
    request.query.columns = {Column::Count,
                             Column::ImpactingSize,
                             Column::PeakSize,
                             {Column::LifeTime, Aggregation::Max},
                             {Column::RowSize, Aggregation::Min}};
    request.query.sort = {{Column::Size, true}};
    return request;
}

bool isSameRow(const TableRow& a, const TableRow& b) {
    if (a.step != b.step || a.text != b.text || a.values != b.values || a.rows.size() != b.rows.size()) return false;
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        if (!isSameRow(a.rows[i], b.rows[i])) return false;
    }
    return true;
}

std::shared_ptr<const TableAnswer> keptAnswerOf(const TableRequest& request) {
    return answerTableCached(request, {}).value();
}

} // namespace

/// Tables that are queried again.
class TableSourcesTest : public QObject {
    Q_OBJECT
  private slots:
    void anotherOrderIsThatOfANewQuestion() {
        auto trace = traceOfSixProcesses();
        const auto known = std::make_shared<TableSources>();
        auto request = requestToBeKept(trace, known);
        const auto first = keptAnswerOf(request);
        for (const auto& row : first->total().rows)
            request.kept.expanded.push_back({row.step});
        const std::vector<std::vector<SortKey>> orders{
            {{Column::Count, false}},
            {{Column::PeakSize, true}, {Column::Process, false}},
            {{Column::Process, true}},
            {{Column::LifeTime, true, Aggregation::Max}, {Column::Count, true}},
            {{Column::RowSize, false, Aggregation::Min}, {Column::Stack, true}},
            {{Column::Size, true}},
            {}};
        for (const auto& order : orders) {
            request.query.sort = order;
            const auto again = keptAnswerOf(request);
            QVERIFY(again->source() == first->source());
            auto afresh = request;
            afresh.known = nullptr;
            QVERIFY(isSameRow(again->total(), keptAnswerOf(afresh)->total()));
            QVERIFY(again->query().sort == order);
        }
    }
    void anOrderByAnotherColumnIsAnotherQuery() {
        auto trace = traceOfSixProcesses();
        auto request = requestToBeKept(trace, std::make_shared<TableSources>());
        const auto first = keptAnswerOf(request);
        request.query.sort = {{Column::BeginTime, true, Aggregation::Max}};
        const auto second = keptAnswerOf(request);
        QVERIFY(second->source() != first->source());
        request.known = nullptr;
        QVERIFY(isSameRow(second->total(), keptAnswerOf(request)->total()));
    }
    /// Rows are opened in the order of their own answer, whatever was queried last.
    void answersThatShareATableKeepTheirOrder() {
        auto trace = traceOfSixProcesses();
        auto request = requestToBeKept(trace, std::make_shared<TableSources>());
        request.query.sort = {{Column::Count, true}, {Column::Size, true}};
        const auto falling = keptAnswerOf(request);
        request.query.sort = {{Column::Size, false}};
        const auto rising = keptAnswerOf(request);
        QVERIFY(falling->source() == rising->source());
        for (const auto& answer : {falling, rising, falling}) {
            const auto opened = openRows(*answer, answer->total().rows[0].node, OpenMode::ToNextFork, {}).value();
            auto afresh = request;
            afresh.known = nullptr;
            afresh.query.sort = answer->query().sort;
            const auto expected = keptAnswerOf(afresh);
            QVERIFY(isSameRow(opened,
                              openRows(*expected, expected->total().rows[0].node, OpenMode::ToNextFork, {}).value()));
        }
    }
    void theLastFewAreKept() {
        auto trace = traceOfSixProcesses();
        auto request = requestToBeKept(trace, std::make_shared<TableSources>());
        const auto first = keptAnswerOf(request);
        const auto askUpTo = [&](std::int64_t end) {
            request.query.interval.end = ms(end);
            return keptAnswerOf(request)->source();
        };
        const auto second = askUpTo(500);
        QVERIFY(askUpTo(1000) == first->source());
        QVERIFY(askUpTo(500) == second);
        for (std::int64_t end = 600; end < 600 + static_cast<std::int64_t>(TableSources::kMost); ++end)
            (void)askUpTo(end);
        QVERIFY(askUpTo(1000) != first->source());
    }
    void anotherPublicationIsAnotherQuestion() {
        auto trace = traceOfSixProcesses();
        const auto known = std::make_shared<TableSources>();
        auto request = requestToBeKept(trace, known);
        const auto first = keptAnswerOf(request);
        const std::weak_ptr<const store::PublishedTrace> before = request.trace;
        request.trace = trace.publish(1000);
        QVERIFY(keptAnswerOf(request)->source() != first->source());
        known->clear();
        QVERIFY(known->find(request) == nullptr);
    }
};
HIGHWATER_TEST(TableSourcesTest);
#include "table_sources_test.moc"
