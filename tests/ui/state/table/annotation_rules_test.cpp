#include "ui/state/table/annotation_rules.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/rows/key_reader.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/table/table_answer.h"

#include <QJsonObject>
#include <QTest>

#include <functional>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

using RowPath = std::vector<const TableRow*>;

/// Two processes, stacks with a frame in common, freed and not freed, sizes that differ.
std::shared_ptr<const store::PublishedTrace> someTrace(SmallTrace& trace) {
    trace.process(1, "a \"quoted\".exe").process(2, "b.exe").threadName(5, 1, "worker");
    trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
    trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
    trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
    return trace.publish(1000);
}

TableRequest askedFor(const std::shared_ptr<const store::PublishedTrace>& trace, std::vector<Column> keys) {
    TableRequest asked{trace, std::make_shared<analysis::FrameLabels>(), {}, {}};
    asked.query.interval = {ms(0), ms(1000)};
    asked.query.keys = std::move(keys);
    asked.query.columns = {Column::Count};
    return asked;
}

std::int64_t rowsIn(const TableRow& row) { return std::get<std::int64_t>(row.values.front()); }

void forEachPath(const TableRow& row, RowPath path, const std::function<void(const RowPath&)>& visit) {
    for (const auto& child : row.rows) {
        path.push_back(&child);
        visit(path);
        forEachPath(child, path, visit);
        path.pop_back();
    }
}

const TableRow* rowNamed(const TableRow& row, const QString& text) {
    for (const auto& candidate : row.rows)
        if (candidate.text == text) return &candidate;
    return nullptr;
}

} // namespace

/// Labels: typed, stored, and suggested for rows.
class AnnotationRulesTest : public QObject {
    Q_OBJECT
  private slots:
    void errorsPointAtTheirPlace() {
        QVERIFY(!troubleOf(Table::Heap, {{"a", "Size:>1MB"}, {" ", ""}, {"rest", ""}}));
        const auto query = troubleOf(Table::Heap, {{"a", "Size:>1"}, {"ü", "Process:ü AND [Siez]:>1"}});
        QVERIFY(query && query->rule == 1 && !query->isOfLabel);
        QVERIFY(query->trouble.sentence.contains("no column \"Siez\""));
        QCOMPARE(query->trouble.position, 14); // characters, not bytes
        QCOMPARE(query->trouble.length, 6);
        const auto label = troubleOf(Table::Heap, {{"", "Size:>1"}});
        QVERIFY(label && label->isOfLabel && label->trouble.sentence == "The label is missing.");
        QVERIFY(troubleOf(Table::Heap, {{QString(200, QChar(0xFC)), ""}})); // 400 bytes
        QVERIFY(troubleOf(Table::Heap, std::vector<AnnotationRule>(257, {"a", "x"})));
        QVERIFY(!troubleOf(Table::Heap, std::vector<AnnotationRule>(256, {"a", "x"})));
    }
    void areTheSameAfterTheyWereStored() {
        const std::vector<AnnotationRule> rules{{"<b>cache</b> & \"more\"", "Process:~=\"a\" AND Size > 1MB"},
                                                {QString(256, 'x'), "Type:=AIFO"},
                                                {"名前", "Process:名前"},
                                                {"(none)", "ntdll"},
                                                {"rest", ""}};
        const auto annotations = annotationsOf(Table::Heap, rules);
        QCOMPARE(annotations.size(), rules.size());
        QVERIFY(rulesOf(annotations) == rules);
        QStringList unread;
        QVERIFY(annotationsFromJson(Table::Heap, annotationsToJson(annotations), unread) == annotations);
        QVERIFY(unread.isEmpty());
        // Rules of another table or version: unusable ones are left out, and named.
        QVERIFY(annotationsFromJson(Table::Frees, annotationsToJson(annotations), unread).size() == 4);
        QCOMPARE(unread, QStringList{QString(256, 'x')}); // Frees has no Type
        unread.clear();
        const QJsonArray odd{1, "text", QJsonObject{{"label", "a\nb"}, {"query", "x"}}, QJsonObject{{"label", "ok"}}};
        QCOMPARE(annotationsFromJson(Table::Heap, odd, unread).size(), std::size_t{1});
        QCOMPARE(unread, (QStringList{"", "", "a\nb"}));
    }
    /// Older versions wrote the start of a process with a reused pid: "name (pid) @seconds".
    void readsProcessesAsTheyWereCalledBefore_data() {
        QTest::addColumn<QString>("stored");
        QTest::addColumn<QString>("meant");
        QTest::newRow("is") << R"q([Process]:="git (25075) @0.043128467000000004")q"
                            << R"q([Process]:~<"git (25075)")q";
        QTest::newRow("bare") << R"q(Process = "git (25075) @1.5" AND Size>1MB)q"
                              << R"q(Process :~< "git (25075)" AND Size>1MB)q";
        QTest::newRow("is not") << R"q(NOT [Process]:<>"git (7) @12")q"
                                << R"q(NOT [Process]:~!"git (7)")q";
        QTest::newRow("contains") << R"q([Process]:~="git (7) @12")q"
                                  << R"q([Process]:~="git (7)")q";
        QTest::newRow("several") << R"q(([Process]:="a (1) @2.5") OR ([Process]:="say ""b"" (2) @1e-05"))q"
                                 << R"q(([Process]:~<"a (1)") OR ([Process]:~<"say ""b"" (2)"))q";
        QTest::newRow("as now") << R"q([Process]:="git (7) #2")q"
                                << R"q([Process]:="git (7) #2")q";
        QTest::newRow("another thing") << R"q([Stack]:="f @12")q"
                                       << R"q([Stack]:="f @12")q";
    }
    void readsProcessesAsTheyWereCalledBefore() {
        QFETCH(QString, stored);
        QFETCH(QString, meant);
        QStringList unread;
        const QJsonArray json{QJsonObject{{"label", "it"}, {"query", stored}}};
        const auto read = rulesOf(annotationsFromJson(Table::Heap, json, unread));
        QCOMPARE(unread, QStringList());
        QCOMPARE(read.size(), std::size_t{1});
        QCOMPARE(read[0].query, meant);
    }
    void labelTheRowsThatTheyWereProposedFor_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        for (const auto first : analysis::columnsOf(Table::VirtualAlloc)) {
            if (analysis::isAggregate(first) || first == Column::Annotation) continue;
            const auto name = std::string(analysis::columnName(Table::VirtualAlloc, first));
            QTest::newRow(name.c_str()) << int(first) << int(Column::Process);
        }
        QTest::newRow("below others") << int(Column::Process) << int(Column::Stack);
    }
    void labelTheRowsThatTheyWereProposedFor() {
        QFETCH(int, first);
        QFETCH(int, second);
        SmallTrace small;
        const auto trace = someTrace(small);
        std::vector<Column> keys{static_cast<Column>(first)};
        if (first != second) keys.push_back(static_cast<Column>(second));
        const auto asked = askedFor(trace, keys);
        const auto answer = answerTable(asked, {}).value();
        const auto opened = openRows(*answer, {.mode = OpenMode::Levels}, {}).value();
        TableLayout layout;
        forEachPath(opened, {}, [&](const RowPath& path) {
            const auto proposed = proposedRule(layout, {path});
            QVERIFY2(proposed.refusal.isEmpty(), qPrintable(proposed.refusal));
            QVERIFY2(!troubleOf(Table::VirtualAlloc, {{"x", proposed.query}}), qPrintable(proposed.query));
            auto labelled = askedFor(trace, {Column::Annotation});
            labelled.query.annotations = std::make_shared<const analysis::Annotations>(
                annotationsOf(Table::VirtualAlloc, {{"x", proposed.query}}));
            const auto groups = openRows(*answerTable(labelled, {}).value(), {.mode = OpenMode::Levels}, {}).value();
            const auto* group = rowNamed(groups, "x");
            QVERIFY2(group, qPrintable(proposed.query));
            QVERIFY2(rowsIn(*group) == rowsIn(*path.back()), qPrintable(proposed.query));
        });
    }
    void takeSeveralRowsTogether() {
        SmallTrace small;
        const auto asked = askedFor(someTrace(small), {Column::Process, Column::Stack});
        const auto opened = openRows(*answerTable(asked, {}).value(), {.mode = OpenMode::Levels}, {}).value();
        const auto* b = rowNamed(opened, "b.exe (2)");
        const auto* a = &opened.rows.front() == b ? &opened.rows.back() : &opened.rows.front();
        TableLayout layout;
        const auto proposed = proposedRule(layout, {{b}, {a, &a->rows.front()}, {b}});
        QCOMPARE(proposed.query, "[Process Name]:=\"b.exe\" OR ([Process Name]:=\"a \"\"quoted\"\".exe\" AND "
                                 "[Commit Stack]:=\"0x400100\")");
        QCOMPARE(proposed.place, std::size_t{0});
        layout.annotations = annotationsOf(Table::VirtualAlloc, {{"a", "Size:>1"}, {"rest", ""}});
        QCOMPARE(proposedRule(layout, {{b}}).place, std::size_t{1}); // before the rule that takes the rest
        auto endless = *b;
        endless.text = QString(4000, 'x');
        QVERIFY(proposedRule(layout, {{&endless}}).refusal.contains("Too many rows"));
    }
    void holdInTheNextTraceWhereAFunctionIsKnown() {
        SmallTrace small;
        const auto asked =
            askedFor(someTrace(small), {Column::Process, Column::Pid, Column::ImpactingType, Column::Stack});
        const auto opened = openRows(*answerTable(asked, {}).value(), {.mode = OpenMode::Levels}, {}).value();
        int proposals = 0;
        forEachPath(opened, {}, [&](const RowPath& path) {
            if (path.back()->step.column != Column::Stack) return;
            const auto query = proposedRule({}, {path}).query;
            QVERIFY2(!query.contains("Impacting") && !query.contains("[PID]", Qt::CaseInsensitive) &&
                         !query.contains("(1)") && query.startsWith("[Process Name]:=") && query.contains("Stack]:="),
                     qPrintable(query));
            ++proposals;
        });
        QVERIFY(proposals > 0);
    }
    /// The number of a process differs in the next trace, and also its number among those with one pid.
    void holdInTheNextTraceForAProcess() {
        SmallTrace small;
        const auto asked = askedFor(someTrace(small), {Column::Process, Column::Thread});
        const auto opened = openRows(*answerTable(asked, {}).value(), {.mode = OpenMode::Levels}, {}).value();
        const auto* b = rowNamed(opened, "b.exe (2)");
        QCOMPARE(proposedRule({}, {{b}}).query, "[Process Name]:=\"b.exe\"");
        QVERIFY(proposedRule({}, {{b, &b->rows.front()}}).query.startsWith("[Process Name]:=\"b.exe\" AND "));
        auto second = *b;
        second.text = "b.exe (2) #2";
        QCOMPARE(proposedRule({}, {{b}, {&second}}).query, "[Process Name]:=\"b.exe\"");
        second.text = "Unknown (9)"; // has no name
        QCOMPARE(proposedRule({}, {{&second}}).query, "[Process]:=\"Unknown (9)\"");
    }
    void knowTheLabelsThatRowsHave() {
        SmallTrace small;
        auto asked = askedFor(someTrace(small), {Column::Annotation, Column::Process});
        TableLayout layout;
        layout.annotations = annotationsOf(Table::VirtualAlloc, {{"b", "Process:b.exe"}});
        asked.query.annotations = std::make_shared<const analysis::Annotations>(layout.annotations);
        const auto opened = openRows(*answerTable(asked, {}).value(), {.mode = OpenMode::Levels}, {}).value();
        const auto* none = rowNamed(opened, "(none)");
        const auto* b = rowNamed(opened, "b");
        QCOMPARE(proposedRule(layout, {{none, &none->rows.front()}}).place, std::size_t{1});
        QCOMPARE(proposedRule(layout, {{b, &b->rows.front()}}).place, std::size_t{0}); // otherwise "b" would decide
        QCOMPARE(proposedRule(layout, {{none}}).query, QString());                     // everything that is left
        QVERIFY(proposedRule(layout, {{none}}).refusal.isEmpty());
        QVERIFY(proposedRule(layout, {{b}}).refusal.contains("label “b”"));
    }
};
HIGHWATER_TEST(AnnotationRulesTest);
#include "annotation_rules_test.moc"
