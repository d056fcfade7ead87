#include "core/check/check_page.h"
#include "tests/core/check/made_check.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <QXmlStreamReader>

#include <sstream>

using namespace highwater::check;
using namespace highwater::tests;

namespace {

class CheckPageTest : public QObject {
    Q_OBJECT

    static QString written(const CheckResult& result) {
        std::ostringstream out;
        writeCheckPage(
            result,
            {"budget.txt", {"highwater-cli", "check", "old.etl", "--with", "new one.etl"}, {"highwater-cli", "diff"}},
            out);
        return QString::fromStdString(out.str());
    }

  private slots:
    void isAPageThatNeedsNothingElse() {
        const auto page = written(madeResult());
        QXmlStreamReader reader(page.mid(page.indexOf('\n') + 1)); // after the DOCTYPE
        int scripts = 0, graphs = 0, lines = 0;
        QString text;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isCharacters()) text += reader.text().toString();
            if (!reader.isStartElement()) continue;
            scripts += reader.name() == QLatin1String("script") ? 1 : 0;
            graphs += reader.name() == QLatin1String("svg") ? 1 : 0;
            lines += reader.name() == QLatin1String("path") ? 1 : 0;
            QVERIFY(!reader.attributes().hasAttribute("src"));
            QVERIFY(!reader.attributes().hasAttribute("href"));
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(scripts, 0);
        QCOMPARE(graphs, 1);
        QCOMPARE(lines, 2); // before and after
        QVERIFY(text.contains("1 of 5 stacks grew, 1 of 2 budget lines is broken"));
        QVERIFY(text.contains("<script>alert(1)</script>"));
        QVERIFY(text.contains("A note with <tags>."));
        QVERIFY(text.contains("highwater-cli check old.etl --with 'new one.etl'"));
    }
    void saysThatItPassed() {
        auto result = madeResult();
        result.grown.clear();
        result.budgets.erase(result.budgets.begin());
        const auto page = written(result);
        QVERIFY(page.contains("<p>Passed.</p>"));
        QVERIFY(page.contains("No stack grew."));
    }
    void saysHowManyStacksItLeavesOut() {
        auto result = madeResult();
        result.grown.resize(101, result.grown.front());
        QVERIFY(written(result).contains("<p>1 more stack grew.</p>"));
        result.grown.resize(102, result.grown.front());
        QVERIFY(written(result).contains("<p>2 more stacks grew.</p>"));
    }
};

HIGHWATER_TEST(CheckPageTest);

} // namespace

#include "check_page_test.moc"
