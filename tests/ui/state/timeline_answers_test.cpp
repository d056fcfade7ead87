#include "ui/state/timeline_answers.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

struct Asked {
    SmallTrace trace;
    TimelineRequest request;

    Asked() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400200, 0x400100});
        trace.commit(300, 2, 0x90000, 10 * kPage, {0x400300, 0x400100});
        request.trace = trace.publish(1000);
        request.labels = std::make_shared<analysis::FrameLabels>();
        request.query.table = Table::VirtualAlloc;
        request.query.interval = {ms(0), ms(1000)};
        request.query.points = 10;
        request.query.by = Column::Process;
        request.known = std::make_shared<TimelineAnswers>();
    }
    [[nodiscard]] bool isKnown() const { return request.known->find(request).has_value(); }
};

} // namespace

/// Lines that are queried again.
class TimelineAnswersTest : public QObject {
    Q_OBJECT
  private slots:
    void theSameQuestionHasTheSameAnswer() {
        Asked asked;
        QVERIFY(!asked.isKnown());
        const auto first = answerTimelineCached(asked.request, {}).value();
        QVERIFY(asked.isKnown());
        const auto again = answerTimelineCached(asked.request, {}).value();
        QCOMPARE(again.timeline.series.size(), first.timeline.series.size());
        for (std::size_t i = 0; i < first.timeline.series.size(); ++i)
            QCOMPARE(again.timeline.series[i].peaks, first.timeline.series[i].peaks);
    }
    void differentQueriesAreComputed() {
        Asked asked;
        (void)answerTimelineCached(asked.request, {});
        const auto isOther = [&](const auto& change) {
            const auto before = asked.request;
            change(asked.request);
            const bool isKnown = asked.isKnown();
            asked.request = before;
            return !isKnown && asked.isKnown();
        };
        QVERIFY(isOther([](auto& r) { r.query.interval.end = ms(900); }));
        QVERIFY(isOther([](auto& r) { r.query.points = 11; }));
        QVERIFY(isOther([](auto& r) { r.query.by = Column::Thread; }));
        QVERIFY(isOther([](auto& r) { r.query.maxSeries = 1; }));
        QVERIFY(isOther([](auto& r) { r.query.measure = analysis::TimelineMeasure::Count; }));
        QVERIFY(isOther([](auto& r) { r.query.processExitFreesHeap = true; }));
        QVERIFY(isOther([](auto& r) { r.query.opening.withTotal = true; }));
        QVERIFY(isOther([](auto& r) { r.query.filter.clauses.push_back({{}, {{{Column::Process, 1}}}}); }));
        QVERIFY(isOther([](auto& r) { r.withTotal = true; }));
        QVERIFY(isOther([](auto& r) { r.withLifetimes = true; }));
        QVERIFY(isOther([](auto& r) { r.query.marks = std::make_shared<const std::vector<Mark>>(); }));
    }
    void anotherPublicationIsAnotherQuestion() {
        Asked asked;
        (void)answerTimelineCached(asked.request, {});
        asked.request.trace = asked.trace.publish(1000);
        QVERIFY(!asked.isKnown());
    }
    void roughOnesAreOnlyForUnknownAnswers() {
        Asked asked;
        QVERIFY(answerCoarselyUnlessCached(asked.request, {}).value());
        (void)answerTimelineCached(asked.request, {});
        QVERIFY(!answerCoarselyUnlessCached(asked.request, {}).value());
        asked.request.known = nullptr;
        QVERIFY(answerCoarselyUnlessCached(asked.request, {}).value());
    }
    void theLastFewAreKept() {
        Asked asked;
        for (std::uint32_t points = 1; points <= TimelineAnswers::kMost + 1; ++points) {
            asked.request.query.points = points;
            (void)answerTimelineCached(asked.request, {});
        }
        QVERIFY(asked.isKnown());
        asked.request.query.points = 2;
        QVERIFY(asked.isKnown());
        asked.request.query.points = 1;
        QVERIFY(!asked.isKnown());
        asked.request.query.points = TimelineAnswers::kMostPoints; // more than all may have
        (void)answerTimelineCached(asked.request, {});
        QVERIFY(!asked.isKnown());
    }
};
HIGHWATER_TEST(TimelineAnswersTest);
#include "timeline_answers_test.moc"
