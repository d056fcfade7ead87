#include "tests/support/test_registry.h"
#include "ui/format/byte_format.h"

#include <QTest>

#include <limits>

using namespace highwater::ui;

class ByteFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsThousandsAndUsesATrueMinus() {
        QCOMPARE(formatCount(0), "0");
        QCOMPARE(formatCount(999), "999");
        QCOMPARE(formatCount(1204), "1,204");
        QCOMPARE(formatCount(-1234567), "−1,234,567");
        QCOMPARE(formatCount(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
    }
    void choosesTheUnit_data() {
        QTest::addColumn<qlonglong>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0LL << "0 B";
        QTest::newRow("below a KB") << 1023LL << "1,023 B";
        QTest::newRow("a KB") << 1024LL << "1.0 KB";
        QTest::newRow("heap of the exercise") << 133120LL << "130.0 KB";
        QTest::newRow("window of the exercise") << 12760LL << "12.5 KB";
        QTest::newRow("commits of the exercise") << 132120576LL << "126.0 MB";
        QTest::newRow("just below a MB") << 1048575LL << "1.0 MB";
        QTest::newRow("grouped") << 1073688576LL - 51200 << "1,023.9 MB";
        QTest::newRow("negative") << -10485760LL << "−10.0 MB";
        QTest::newRow("GB") << 13714722816LL << "12.8 GB";
    }
    void choosesTheUnit() {
        QFETCH(qlonglong, bytes);
        QTEST(formatBytes(bytes), "text");
    }
    void showsTheSignOfADifference() {
        QCOMPARE(formatByteDelta(10485760), "+10.0 MB");
        QCOMPARE(formatByteDelta(-1024), "−1.0 KB");
        QCOMPARE(formatByteDelta(0), "0 B");
    }
    void showsEveryByte() { QCOMPARE(formatExactBytes(132120576), "132,120,576 B"); }
};
HIGHWATER_TEST(ByteFormatTest);
#include "byte_format_test.moc"
