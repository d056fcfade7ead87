#include "core/source/generated_code/perf_map.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::source;

namespace {

/// Lines as text, in the order in which they came.
class Lines {
  public:
    void take(std::string_view bytes) {
        reader.take(bytes, [this](const PerfMapLine& line) {
            text +=
                QString::asprintf("%llx+%x ", static_cast<unsigned long long>(line.start), line.size).toStdString() +
                std::string(line.name) + "\n";
        });
    }
    PerfMapReader reader;
    std::string text;
};

} // namespace

/// Lines of perf maps, arriving in pieces of any size.
class PerfMapTest : public QObject {
    Q_OBJECT
  private slots:
    void linesInPieces_data() {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 2, 7, 1000})
            QTest::newRow(std::to_string(piece).c_str()) << piece;
    }
    void linesInPieces() {
        QFETCH(int, piece);
        const std::string map = "7f3381fc6980 e4 JS:^leak /tmp/a b.js:3:14\n"
                                "0x00007fc7f0ecad40 0x0000000000001190 void Leaky.leak(int)\r\n"
                                "\n"
                                "4055ffd0 7c Leaky:Main ()\n"
                                "4055ffd0 7c not yet at its e";
        Lines lines;
        for (std::size_t at = 0; at < map.size(); at += static_cast<std::size_t>(piece))
            lines.take(std::string_view(map).substr(at, static_cast<std::size_t>(piece)));
        QCOMPARE(lines.text, std::string("7f3381fc6980+e4 JS:^leak /tmp/a b.js:3:14\n"
                                         "7fc7f0ecad40+1190 void Leaky.leak(int)\n"
                                         "4055ffd0+7c Leaky:Main ()\n"));
        QCOMPARE(lines.reader.garbage(), std::uint64_t{0});
        lines.take("nd\n");
        QVERIFY(lines.text.ends_with("4055ffd0+7c not yet at its end\n"));
        lines.take("4055ffd0 7c cut");
        lines.reader.finish();
        QCOMPARE(lines.reader.garbage(), std::uint64_t{1});
    }

    void whatIsNoLineIsCounted_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"no line", "7f00 10", "7f00 10 ", "7f00 zz name", "7f00", " 7f00 10 name", "-7f00 10 name",
              "7f00 0 of no size", "7f00 100000000 too large", "ffffffffffffffff 10 beyond the end",
              "123456789abcdef01 10 too many digits", "0x 10 name"})
            QTest::newRow(line) << QByteArray(line);
    }
    void whatIsNoLineIsCounted() {
        QFETCH(QByteArray, line);
        Lines lines;
        lines.take(line.toStdString() + "\n10 10 good\n");
        QCOMPARE(lines.text, std::string("10+10 good\n"));
        QCOMPARE(lines.reader.garbage(), std::uint64_t{1});
    }

    void aLineWithoutEndIsPassedOver() {
        Lines lines;
        for (int i = 0; i < 1000; ++i)
            lines.take(std::string(10'000, '7'));
        lines.take("\n10 10 good\n");
        QCOMPARE(lines.text, std::string("10+10 good\n"));
        QCOMPARE(lines.reader.garbage(), std::uint64_t{1});
    }

    void aFileThatBeginsAnewEndsTheLineAtHand() {
        Lines lines;
        lines.take("10 10 half");
        lines.reader.restart();
        lines.take("20 10 whole\n");
        QCOMPARE(lines.text, std::string("20+10 whole\n"));
    }
};
HIGHWATER_TEST(PerfMapTest);
#include "perf_map_test.moc"
