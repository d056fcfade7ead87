#include "tests/ui/support/test_answer.h"

#include <utility>

namespace highwater::tests {

using analysis::Column;

ui::TableRow row(std::uint32_t key, const QString& text, std::int64_t count, std::int64_t size,
                 std::vector<ui::TableRow> rows) {
    ui::TableRow made;
    made.node = key;
    made.step = {Column::Process, key};
    made.text = text;
    made.values = {count, size};
    made.hasChildren = !rows.empty();
    made.isOpen = !rows.empty();
    made.rows = std::move(rows);
    return made;
}

ui::TableRow keyRow(Column column, std::uint32_t key, const QString& text, std::vector<ui::TableRow> rows) {
    auto made = row(key, text, 1, key, std::move(rows));
    made.step.column = column;
    return made;
}

ui::TableRow closedRow(std::uint32_t key, const QString& text) {
    auto made = row(key, text, 1, 1);
    made.hasChildren = true;
    return made;
}

namespace {

std::shared_ptr<const ui::TableAnswer> makeAnswer(std::vector<Column> keys, std::vector<ui::TableRow> rows) {
    analysis::Query query;
    query.keys = std::move(keys);
    query.columns = {Column::Count, Column::Size};
    query.sort = {{Column::Size, true}};
    ui::TableRow total;
    total.hasChildren = true;
    total.isOpen = true;
    total.values = {std::int64_t{0}, std::int64_t{0}};
    total.rows = std::move(rows);
    return std::make_shared<ui::TableAnswer>(std::move(query), nullptr, std::move(total));
}

} // namespace

std::shared_ptr<const ui::TableAnswer> answerOf(std::vector<ui::TableRow> rows) {
    return makeAnswer({Column::Process, Column::ImpactingType}, std::move(rows));
}

std::shared_ptr<const ui::TableAnswer> stackAnswerOf(std::vector<ui::TableRow> rows) {
    return makeAnswer({Column::Process, Column::ImpactingType, Column::Stack}, std::move(rows));
}

std::shared_ptr<const ui::TimelineAnswer> spikyTimeline(std::int64_t bytes) {
    auto answer = std::make_shared<ui::TimelineAnswer>();
    auto* timeline = &answer->timeline;
    timeline->interval = {TraceTime{0}, TraceTime{1'000'000'000}};
    analysis::TimelineSeries series;
    series.name = "app.exe (1)";
    series.isGroup = true;
    series.path = {{Column::Process, 0}};
    for (int i = 0; i < 100; ++i) {
        timeline->starts.push_back(TraceTime{i * 10'000'000});
        series.peaks.push_back(i == 50 ? bytes * 2 : bytes);
    }
    timeline->series.push_back(std::move(series));
    answer->query.interval = timeline->interval;
    answer->query.by = Column::Process;
    return answer;
}

} // namespace highwater::tests
