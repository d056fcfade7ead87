#include "app/cli/arguments/mark_arguments.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::cli;

namespace {

constexpr TimeRange kTenSeconds{TraceTime{0}, TraceTime{10'000'000'000}};

} // namespace

class MarkArgumentsTest : public QObject {
    Q_OBJECT
  private slots:
    void readsTimesAndNames() {
        const auto marks = parseMarks({"2.5=full", " 3 = a=b ", "0"}, kTenSeconds);
        QVERIFY(marks.hasValue());
        QCOMPARE(marks.value().size(), std::size_t{3});
        QCOMPARE(marks.value()[0].time, TraceTime{2'500'000'000});
        QCOMPARE(marks.value()[0].name, std::string("full"));
        QCOMPARE(marks.value()[1].time, TraceTime{3'000'000'000});
        QCOMPARE(marks.value()[1].name, std::string("a=b"));
        QCOMPARE(marks.value()[2].name, std::string("0 s"));
    }
    void refusesInvalidMarks() {
        for (const auto* text : {"", "=", "=name", "x=1", "2.5=", "2.5= ", "1e99", "nan", "2 s"}) {
            const auto marks = parseMarks({text}, kTenSeconds);
            QVERIFY2(!marks.hasValue(), text);
            QCOMPARE(marks.error().kind, ErrorKind::Usage);
        }
        for (const auto* text : {"10", "-1", "10.5=late"}) {
            const auto marks = parseMarks({text}, kTenSeconds);
            QVERIFY2(!marks.hasValue(), text);
            QVERIFY2(marks.error().message.find("outside the trace") != std::string::npos, text);
        }
        // Errors that are reported before the trace is read are the same for any trace.
        QVERIFY(parseMarks({"10"}, {TraceTime{0}, kNever}).hasValue());
        QVERIFY(!parseMarks({"-1"}, {TraceTime{0}, kNever}).hasValue());
    }
    void standAmongThoseOfTheTrace() {
        TraceNotes notes;
        notes.marks = {{7, TraceTime{5'000'000'000}, "own"}};
        const auto marks = marksOf(notes, {"6=after", "1=before"}, kTenSeconds);
        QVERIFY(marks.hasValue());
        std::string names;
        for (const auto& mark : *marks.value())
            names += mark.name + " ";
        QCOMPARE(names, std::string("before own after "));
        QVERIFY(!marksOf(notes, {"20"}, kTenSeconds).hasValue());
    }
};
HIGHWATER_TEST(MarkArgumentsTest);
#include "mark_arguments_test.moc"
