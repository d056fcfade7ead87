#include "core/analysis/query/annotations.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

/// Labels and their queries, as the user types them.
class AnnotationsTest : public QObject {
    Q_OBJECT
  private slots:
    void keepWhatWasTyped() {
        const auto made = makeAnnotation(Table::Heap, "  My <b>cache</b> ", "  Process:app  AND Size > 1MB ");
        QVERIFY(made.hasValue());
        QCOMPARE(made.value().label, std::string("My <b>cache</b>"));
        QCOMPARE(made.value().text, std::string("Process:app  AND Size > 1MB"));
        QVERIFY(made.value().query == QueryExpression::parse(Table::Heap, "Process:app AND Size:>1MB").value());
        QVERIFY(makeAnnotation(Table::Heap, "Rest", " ").value().query.isEmpty());
    }
    void refuseLabelsThatAreNone() {
        QCOMPARE(makeAnnotation(Table::Heap, " ", "x").error().message, std::string("The label is missing."));
        QCOMPARE(labelRefusal("two\nlines"), std::string("A label must be a single line of text."));
        QCOMPARE(labelRefusal(std::string("nul\0", 4)), std::string("A label must be a single line of text."));
        QVERIFY(labelRefusal(std::string(kLongestLabel, 'x')).empty());
        QCOMPARE(labelRefusal(std::string(kLongestLabel + 1, 'x')),
                 std::string("The label is too long. The limit is 256 bytes."));
        QVERIFY(labelRefusal("(none)").empty());
    }
    void refuseQueriesAsFiltersDo() {
        for (const auto* wrong : {"[Proces]:=x", "Size:>", "(Size:>1", "[Slope]:>1", "[Peak Time]:>1"}) {
            const auto filter = QueryExpression::parse(Table::Heap, wrong);
            const auto label = parseAnnotationQuery(Table::Heap, wrong);
            QVERIFY2(!filter.hasValue() && !label.hasValue(), wrong);
            QCOMPARE(label.error().sentence, filter.error().sentence);
            QCOMPARE(label.error().position, filter.error().position);
            QCOMPARE(makeAnnotation(Table::Heap, "x", wrong).error().message, filter.error().sentence);
        }
        QVERIFY(
            parseAnnotationQuery(Table::Heap, "[Series Name]:=Process").error().sentence.starts_with("[Series Name]"));
        QVERIFY(parseAnnotationQuery(Table::Heap, "NOT [Annotation]:=x")
                    .error()
                    .sentence.starts_with("The query of a label cannot use [Annotation]"));
        QVERIFY(parseAnnotationQuery(Table::Heap, "ntdll").hasValue()); // looks for no label
    }
    void refuseThoseOfAnotherTableAndTooMany() {
        const auto heap = makeAnnotation(Table::Heap, "x", "Handle:=0x1").value();
        QVERIFY(!refusalOf(Annotations{heap}, Table::Heap));
        QVERIFY(refusalOf(Annotations{heap}, Table::Frees)->message.starts_with("A label for the table \"Heap"));
        QVERIFY(!refusalOf(Annotations(kMostAnnotations, heap), Table::Heap));
        QVERIFY(refusalOf(Annotations(kMostAnnotations + 1, heap), Table::Heap)->kind == ErrorKind::Usage);
    }
    void tellWhetherTheyDependOnTheInterval() {
        const Annotations ofRows{makeAnnotation(Table::Heap, "x", "Process:a Size:>1").value()};
        const Annotations ofInterval{ofRows.front(), makeAnnotation(Table::Heap, "y", "Type:=AIFO").value()};
        QVERIFY(!isOfInterval(Column::Annotation, ofRows) && isOfInterval(Column::Annotation, ofInterval));
        QVERIFY(isOfInterval(Column::Type, ofRows) && !isOfInterval(Column::Process, ofInterval));
        QVERIFY(columnsOf(ofInterval) == (ColumnSet{Column::Process, Column::Size, Column::Type}));
    }
};
HIGHWATER_TEST(AnnotationsTest);
#include "annotations_test.moc"
