#include "core/export/csv_formulas.h"

#include "core/export/csv_text.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <sstream>
#include <string>

using namespace highwater;
using namespace highwater::exports;

namespace {

std::string quoted(const std::string& csv) {
    std::ostringstream out;
    {
        FormulaQuotingStream stream(out);
        for (const char c : csv)
            stream << c; // in pieces of any size
    }
    std::ostringstream atOnce;
    {
        FormulaQuotingStream stream(atOnce);
        stream << csv;
    }
    return atOnce.str() == out.str() ? out.str() : "differs";
}

} // namespace

/// Texts that a spreadsheet would evaluate.
class CsvFormulasTest : public QObject {
    Q_OBJECT
  private slots:
    void knowsFormulas_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("is");
        for (const auto* formula : {"=1+1",
                                    "=cmd|' /C calc'!A0",
                                    "+1+1",
                                    "-1+1",
                                    "@SUM(1)",
                                    "=",
                                    "-",
                                    "+",
                                    "@",
                                    " =1+1",
                                    "-5%",
                                    "+cmd",
                                    "-1e",
                                    "-.5+1",
                                    "\uFF1D1+1",
                                    "\uFF0B1+1",
                                    "\uFF0D1+1",
                                    "\uFF201",
                                    "main;=1+1",
                                    "main; @x",
                                    "-[NSObject init]",
                                    "+0x10",
                                    "-1.2.3",
                                    "=-5"})
            QTest::newRow(formula) << QString::fromUtf8(formula) << true;
        for (const auto* other :
             {"", "0", "-5", "+5", "-1.25", "-0.000000001", "+1e+20", "-1E-7", "5-3", "a=b", "main;foo",
              "app!main+0x10", "'=1+1", "12:30", "-5 MB", "+2.0 KB", "-9223372036854775808"})
            QTest::newRow(qPrintable("no " + QString(other))) << QString::fromUtf8(other) << false;
    }
    void knowsFormulas() {
        QFETCH(QString, text);
        QFETCH(bool, is);
        QCOMPARE(isFormula(text.toStdString()), is);
    }
    void quotesFormulasAndNothingElse() {
        QCOMPARE(quoted("Process,Size\n=1+1,-5\n\"=cmd|\"\" /C\"\"\",+3\na;=b,12\n"),
                 std::string("Process,Size\n'=1+1,-5\n\"'=cmd|\"\" /C\"\"\",+3\na;'=b,12\n"));
        QCOMPARE(quoted("a,b\n"), std::string("a,b\n"));
        QCOMPARE(quoted("\"two\nlines, =1\",@x"), std::string("\"two\nlines, =1\",'@x")); // without a line end
        QCOMPARE(quoted(""), std::string());
        QCOMPARE(quoted(",,\n"), std::string(",,\n"));
    }
    /// Each field is unchanged except for the added ': no field is cut or joined.
    void keepsFieldsApart() {
        for (const std::string name : {"=1,2", "=\"a\"", "@\"\",=x", "-;+;=", "plain"}) {
            const auto line = csvField(name) + ",7\n";
            const auto out = quoted(line);
            QVERIFY2(out.ends_with(",7\n"), out.c_str());
            std::string without = out;
            std::erase(without, '\'');
            QCOMPARE(without, line);
        }
    }
};
HIGHWATER_TEST(CsvFormulasTest);
#include "csv_formulas_test.moc"
