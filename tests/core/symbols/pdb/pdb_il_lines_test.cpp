#include "core/symbols/pdb/pdb_il_lines.h"

#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/random_lines.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

/// Source lines of managed methods from the PDBs that compilers wrote before portable PDBs.
class PdbIlLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void everyPlaceHasItsLine() {
        for (unsigned seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed);
            const auto lines = randomLines(random, 1 + random() % 20);
            const auto file = openSymbolFileInMemory(fixtures::managedWindowsPdb(lines, 1 + seed % 4));
            QVERIFY2(file.hasValue(), qPrintable(QString("seed %1").arg(seed)));
            QVERIFY(file.value()->knowsIl() && file.value()->hasPrivateSymbols());
            QVERIFY(file.value()->isOf({lines.guid, 1, {}}) && !file.value()->isOf({lines.guid, 2, {}}));
            const auto difference = firstDifference(*file.value(), lines, random);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(difference)));
        }
    }
    void damagedOnes() {
        std::mt19937 random(5);
        const auto lines = randomLines(random, 5);
        std::vector<Rva> asked{0x1000};
        for (std::uint32_t i = 0; i < 60; ++i)
            asked.push_back(ilAddress({0x06000001 + i / 10, i % 10 * 7}));
        const auto whole = fixtures::managedWindowsPdb(lines);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (whole[i] == std::byte{} && i % 7 != 0) continue; // mostly padding
            auto damaged = whole;
            damaged[i] ^= static_cast<std::byte>(1u << (random() % 8));
            if (i % 3 == 0) damaged[i] = std::byte{0xFF};
            if (i % 5 == 0) damaged.resize(i);
            const auto file = openSymbolFileInMemory(damaged);
            if (!file.hasValue()) continue;
            QCOMPARE(file.value()->resolve(asked).addressCount(), asked.size());
        }
    }
};
HIGHWATER_TEST(PdbIlLinesTest);
#include "pdb_il_lines_test.moc"
