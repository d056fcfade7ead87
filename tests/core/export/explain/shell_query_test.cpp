#include "core/export/explain/shell_query.h"

#include "core/analysis/query/query_expression.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::exports;

class ShellQueryTest : public QObject {
    Q_OBJECT
  private slots:
    void textsAreInQuotesThatTheShellKeeps_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("forWindows");
        QTest::newRow("none") << "Size:>20MB"
                              << "Size:>20MB";
        QTest::newRow("text") << "[Process]:=\"a (1)\""
                              << "[Process]:='a (1)'";
        QTest::newRow("both") << "[Process]:=\"a\" AND 'b \"c\"'"
                              << "[Process]:='a' AND 'b \"c\"'";
        QTest::newRow("single quote in it") << "\"f::'lambda'\""
                                            << "'f::''lambda'''";
        QTest::newRow("double quote in it") << "\"operator\"\"\"\" _s\""
                                            << "'operator\"\" _s'";
        QTest::newRow("single quote in a word") << "it's OR \"b\""
                                                << "it's OR 'b'";
        QTest::newRow("behind a bracket") << "([Stack]:~\"a!*\")"
                                          << "([Stack]:~'a!*')";
        QTest::newRow("not understood") << "[Gone]:=\"a\""
                                        << "[Gone]:=\"a\"";
        QTest::newRow("no end") << "\"a"
                                << "\"a";
        QTest::newRow("would be one word") << "a\"b\""
                                           << "a\"b\"";
    }
    void textsAreInQuotesThatTheShellKeeps() {
        QFETCH(const QString, query);
        QFETCH(const QString, forWindows);
        using analysis::QueryExpression, analysis::Table;
        QCOMPARE(queryFor(Shell::Posix, Table::Heap, query.toStdString()), query.toStdString());
        const auto written = queryFor(Shell::Windows, Table::Heap, query.toStdString());
        QCOMPARE(QString::fromStdString(written), forWindows);
        const auto before = QueryExpression::parse(Table::Heap, query.toStdString());
        const auto after = QueryExpression::parse(Table::Heap, written);
        QCOMPARE(after.hasValue(), before.hasValue());
        if (after.hasValue()) QVERIFY(after.value() == before.value());
    }
};

HIGHWATER_TEST(ShellQueryTest);
#include "shell_query_test.moc"
