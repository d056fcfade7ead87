#include "core/source/generated_code/standing_code.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::source;

/// Which reports of a runtime are new.
class StandingCodeTest : public QObject {
    Q_OBJECT
  private slots:
    /// Byte by byte, and line by line from the last: the code at an address, and whether other code was there before.
    void saysWhatARecountSays() {
        struct Piece {
            Address start;
            std::uint32_t size;
            std::string name;
            bool stands = true;
        };
        for (unsigned seed = 1; seed <= 2000; ++seed) {
            std::mt19937 random(seed);
            StandingCode code;
            std::vector<Piece> told;
            for (int step = 0; step < 60; ++step) {
                Piece piece{Address{0x1000} + random() % 60, static_cast<std::uint32_t>(1 + random() % 20),
                            "f" + std::to_string(random() % 5)};
                bool isKnown = false, replaces = false;
                for (auto& before : told) {
                    if (!before.stands) continue;
                    isKnown = isKnown ||
                              (before.start == piece.start && before.size == piece.size && before.name == piece.name);
                    if (before.start >= piece.start + piece.size || piece.start >= before.start + before.size) continue;
                    replaces = true;
                }
                const auto said = code.add(piece.start, piece.size, piece.name);
                QCOMPARE(said.has_value(), !isKnown);
                if (isKnown) continue;
                QVERIFY(*said == (replaces ? Occasion::Start : Occasion::RundownEnd));
                for (auto& before : told)
                    if (before.start < piece.start + piece.size && piece.start < before.start + before.size)
                        before.stands = false;
                told.push_back(piece);
                for (const auto& before : told)
                    if (before.stands) QCOMPARE(code.nameAt(before.start), std::optional(before.name));
            }
        }
    }

    void thereIsAnEnd() {
        StandingCode code(1000);
        for (std::size_t i = 0; i < 1000; ++i)
            if (!code.add(0x1000 + 16 * i, 16, "f")) QFAIL("too early");
        QVERIFY(!code.add(0x10, 16, "one too many"));
        QCOMPARE(code.dropped(), std::uint64_t{1});
        QVERIFY(code.add(0x1000, 16, "in place of another").has_value());
    }

    // Names may be long, and their bytes take the memory.
    void namesAreBoundedByTheirBytes() {
        StandingCode code(1000, 10'000);
        const std::string name(1000, 'n');
        for (std::size_t i = 0; i < 10; ++i)
            QVERIFY(code.add(0x1000 + 16 * i, 16, name).has_value());
        QVERIFY(code.isKnown(0x1000, 16, name));
        QVERIFY(!code.add(0x2000, 16, "x"));
        QCOMPARE(code.dropped(), std::uint64_t{1});
        QVERIFY(code.add(0x1000, 16, "short").has_value()); // in place of a long one, whose bytes are free again
        QVERIFY(code.add(0x2000, 16, std::string(995, 'm')).has_value());
        QVERIFY(!code.add(0x3000, 16, "x"));
    }
};
HIGHWATER_TEST(StandingCodeTest);
#include "standing_code_test.moc"
