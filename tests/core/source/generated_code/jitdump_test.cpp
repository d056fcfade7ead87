#include "core/source/generated_code/jitdump.h"

#include "tests/core/source/generated_code/jitdump_file.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

class Codes {
  public:
    void take(ByteSpan bytes) {
        reader.take(bytes, [this](const JitdumpCode& code) {
            text += QString::asprintf("%lld %llx+%x from %llx ", static_cast<long long>(code.timeNs),
                                      static_cast<unsigned long long>(code.start), code.size,
                                      static_cast<unsigned long long>(code.movedFrom))
                        .toStdString() +
                    std::string(code.name) + "\n";
        });
    }
    void take(const JitdumpFile& file) { take(std::as_bytes(std::span(file.bytes))); }
    JitdumpReader reader;
    std::string text;
};

} // namespace

/// Records of jitdump files, arriving in pieces of any size.
class JitdumpTest : public QObject {
    Q_OBJECT
  private slots:
    void recordsInPieces_data() {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 5, 64, 100'000})
            QTest::newRow(std::to_string(piece).c_str()) << piece;
    }
    void recordsInPieces() {
        QFETCH(int, piece);
        JitdumpFile file;
        file.load(1000, 0x7000, 0x40, "JS:*leak /app.js:3:1").debugInfo(0x7000).load(1001, 0x8000, 3000, "big");
        file.move(2000, 0x7000, 0x9000, 0x40).other(4, 100).close().load(3000, 0xA000, 1, "behind the end");
        Codes codes;
        for (std::size_t at = 0; at < file.bytes.size(); at += static_cast<std::size_t>(piece))
            codes.take(
                std::as_bytes(std::span(file.bytes))
                    .subspan(at, std::min<std::size_t>(static_cast<std::size_t>(piece), file.bytes.size() - at)));
        QCOMPARE(codes.text, std::string("1000 7000+40 from 0 JS:*leak /app.js:3:1\n"
                                         "1001 8000+bb8 from 0 big\n"
                                         "2000 9000+40 from 7000 \n"));
        QCOMPARE(codes.reader.garbage(), std::uint64_t{0});
        QVERIFY(codes.reader.isOver());
    }

    void aProcessorsOwnClockTellsNoTime() {
        JitdumpFile file(1);
        file.load(1000, 0x7000, 0x40, "f");
        Codes codes;
        codes.take(file);
        QCOMPARE(codes.text, std::string("0 7000+40 from 0 f\n"));
    }

    void whatIsNoFileIsCountedOnceAndLeftAlone() {
        Codes codes;
        const std::string text(100, 'x');
        codes.take(std::as_bytes(std::span(text)));
        codes.take(std::as_bytes(std::span(text)));
        QCOMPARE(codes.reader.garbage(), std::uint64_t{1});
        QVERIFY(codes.reader.isOver());
    }

    void aRecordThatIsNoneEndsTheFile() {
        JitdumpFile file;
        file.load(1, 0x7000, 0x40, "good").other(0, 20).load(2, 0x8000, 0x40, "nobody knows where this begins");
        Codes codes;
        codes.take(file);
        QCOMPARE(codes.text, std::string("1 7000+40 from 0 good\n"));
        QCOMPARE(codes.reader.garbage(), std::uint64_t{1});
    }

    void impossibleCodeIsCounted() {
        JitdumpFile file;
        file.load(1, 0x7000, 0, "of no size").load(1, ~std::uint64_t{0}, 0x40, "beyond the end");
        file.load(1, 0x7000, std::uint64_t{1} << 40, "huge", 0).move(1, 0, 0x7000, 4).load(2, 0x8000, 1, "good");
        Codes codes;
        codes.take(file);
        QCOMPARE(codes.text, std::string("2 8000+1 from 0 good\n"));
        QCOMPARE(codes.reader.garbage(), std::uint64_t{4});
    }
};
HIGHWATER_TEST(JitdumpTest);
#include "jitdump_test.moc"
