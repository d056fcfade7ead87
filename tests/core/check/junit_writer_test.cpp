#include "core/check/junit_writer.h"
#include "tests/core/check/made_check.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <QXmlStreamReader>

#include <sstream>

using namespace highwater::check;
using namespace highwater::tests;

namespace {

class JunitWriterTest : public QObject {
    Q_OBJECT

    static QString written(const CheckResult& result) {
        std::ostringstream out;
        writeJunit(result, out);
        return QString::fromStdString(out.str());
    }

  private slots:
    void everyTestIsThere() {
        QXmlStreamReader reader(written(madeResult()));
        QStringList tests, failures;
        QString totals;
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement()) continue;
            const auto attributes = reader.attributes();
            if (reader.name() == QLatin1String("testsuite"))
                totals = attributes.value("tests").toString() + " " + attributes.value("failures").toString();
            if (reader.name() == QLatin1String("testcase")) tests << attributes.value("name").toString();
            if (reader.name() == QLatin1String("failure"))
                failures << attributes.value("message").toString() + "|" + reader.readElementText();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(totals, QString("3 2"));
        QCOMPARE(tests, (QStringList{"outstanding 1KB stack a<b>&\"c\"", "peak 1MB",
                                     QString::fromUtf8("app!operator<<\uFFFD of app")}));
        QCOMPARE(failures.size(), 2);
        QCOMPARE(failures[0], QString("outstanding is 2.0 KB, more than 1.0 KB|line 3 of the budget"));
        QVERIFY(failures[1].contains("keeps 2.0 KB more: 1,000 B before, 2.9 KB after (p 0.01)"));
        QVERIFY(failures[1].contains("libc.so!malloc\n"));
        QVERIFY(failures[1].contains("<script>"));
    }
    void nothingThatGrewIsATestThatPassed() {
        CheckResult result;
        result.tracesBefore = {"old.etl"};
        const auto text = written(result);
        QVERIFY(text.contains("tests=\"1\" failures=\"0\""));
        QVERIFY(text.contains("name=\"No stack grew\""));
    }
    void nothingIsSaidOfStacksWithoutRunsBefore() {
        const auto text = written(CheckResult());
        QVERIFY(text.contains("tests=\"0\" failures=\"0\""));
        QVERIFY(!text.contains("No stack grew"));
    }
    /// Readers of reports keep one test per name.
    void namesAreUnique() {
        auto result = madeResult();
        result.grown.push_back(result.grown.front());
        result.grown.back().key = {3, 4};
        result.budgets.push_back(result.budgets.back());
        result.budgets.back().rule.line = 9;
        const auto text = written(result);
        QVERIFY(text.contains(" of app (00000000000000010000000000000002)\""));
        QVERIFY(text.contains(" of app (00000000000000030000000000000004)\""));
        QVERIFY(text.contains("\"peak 1MB (line 4)\"") && text.contains("\"peak 1MB (line 9)\""));
    }
    void aLineThatMatchesNothingIsSkipped() {
        auto result = madeResult();
        result.budgets.back().matchesNothing = true;
        const auto text = written(result);
        QVERIFY(text.contains("skipped=\"1\""));
        QVERIFY(text.contains("<skipped message=\"the line matches nothing in any run\"/>"));
    }
};

HIGHWATER_TEST(JunitWriterTest);

} // namespace

#include "junit_writer_test.moc"
