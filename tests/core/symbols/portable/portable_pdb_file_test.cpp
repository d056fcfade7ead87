#include "core/symbols/portable/portable_pdb_file.h"

#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/random_lines.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

/// Source lines of managed methods from portable PDBs.
class PortablePdbFileTest : public QObject {
    Q_OBJECT
  private slots:
    void everyPlaceHasItsLine() {
        for (unsigned seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed);
            const auto lines = randomLines(random, seed == 300 ? 30000 : 1 + random() % 20); // the last has large heaps
            const auto file = openSymbolFileInMemory(fixtures::portablePdb(lines));
            QVERIFY2(file.hasValue(), qPrintable(QString("seed %1").arg(seed)));
            QVERIFY(file.value()->knowsIl() && file.value()->hasPrivateSymbols());
            const auto difference = firstDifference(*file.value(), lines, random);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(difference)));
        }
    }
    void manyDocuments() {
        fixtures::ManagedLines lines;
        lines.guid = Guid{1, 2, 3, {}};
        for (int i = 0; i < 70000; ++i)
            lines.documents.push_back("/src/" + std::to_string(i) + ".cs");
        lines.methods = {{{0, 1, 70000}}, {{0, 2, 1}}};
        const auto file = openSymbolFileInMemory(fixtures::portablePdb(lines));
        const auto names = file.value()->resolve(std::vector{ilAddress({0x06000001, 5}), ilAddress({0x06000002, 0})});
        QCOMPARE(lineAt(names, 0), std::string("/src/69999.cs:1"));
        QCOMPARE(lineAt(names, 1), std::string("/src/0.cs:2"));
    }
    /// Modules specify age 1, and servers no age.
    void theGuidAloneSaysWhichItIs() {
        fixtures::ManagedLines lines;
        lines.guid = Guid{1, 2, 3, {}};
        lines.methods = {{}};
        const auto file = openSymbolFileInMemory(fixtures::portablePdb(lines));
        QVERIFY(file.value()->isOf({lines.guid, 1, {}}));
        QVERIFY(file.value()->isOf({lines.guid, 7, {}}));
        QVERIFY(!file.value()->isOf({Guid{1, 2, 4, {}}, 1, {}}));
        QCOMPARE(portablePdbKey(file.value()->identity()), std::string("00000001000200030000000000000000FFFFFFFF"));
    }
    void insideOfTheirModule() {
        std::mt19937 random(1);
        const auto lines = randomLines(random, 50);
        auto module = fixtures::moduleWithPdb(lines);
        const auto file = openSymbolFileInMemory(module);
        QVERIFY(file.hasValue());
        QVERIFY(file.value()->isOf({lines.guid, 1, {}}));
        QVERIFY(firstDifference(*file.value(), lines, random).isEmpty());
        module.resize(module.size() - 40); // cuts the packed data
        QVERIFY(!openSymbolFileInMemory(module).hasValue());
    }
    /// Each byte and each length: less is known, and nothing else happens.
    void damagedOnes() {
        std::mt19937 random(5);
        const auto lines = randomLines(random, 6);
        std::vector<Rva> asked;
        for (std::uint32_t i = 0; i < 60; ++i)
            asked.push_back(ilAddress({0x06000001 + i / 10, i % 10 * 7}));
        for (const auto& whole : {fixtures::portablePdb(lines), fixtures::moduleWithPdb(lines)}) {
            for (std::size_t i = 0; i < whole.size(); ++i) {
                auto damaged = whole;
                damaged[i] ^= static_cast<std::byte>(1u << (random() % 8));
                if (i % 3 == 0) damaged[i] = std::byte{0xFF};
                if (i % 5 == 0) damaged.resize(i);
                const auto file = openSymbolFileInMemory(damaged);
                if (!file.hasValue()) continue;
                QCOMPARE(file.value()->resolve(asked).addressCount(), asked.size());
            }
        }
    }
    /// All methods share the same megabytes of lines, which are read a few times only, not for each method.
    void linesThatAllMethodsShareAreNotReadForEach() {
        fixtures::ManagedLines lines;
        lines.guid = Guid{1, 2, 3, {}};
        lines.documents = {"a.cs"};
        std::vector<fixtures::LinePoint> many;
        for (std::uint32_t i = 0; i < 1000000; ++i)
            many.push_back({i, 1 + i % 60});
        lines.methods = std::vector(5000, std::vector<fixtures::LinePoint>{});
        lines.methods[0] = many;
        auto bytes = fixtures::portablePdb(lines);
        const auto rows = std::search(bytes.begin(), bytes.end(), std::begin(kFirstRow), std::end(kFirstRow));
        QVERIFY(rows != bytes.end());
        std::vector<Rva> asked;
        for (std::uint32_t i = 0; i < 5000; ++i) { // the first row for all
            std::copy_n(rows, 6, rows + i * 6);
            asked.push_back(ilAddress({0x06000001 + i, 500000}));
        }
        const auto file = openSymbolFileInMemory(std::move(bytes));
        const auto names = file.value()->resolve(asked);
        QCOMPARE(lineAt(names, 0), std::string("a.cs:21"));
        std::size_t answered = 0;
        for (std::size_t i = 0; i < asked.size(); ++i)
            answered += lineAt(names, i).empty() ? 0 : 1;
        QVERIFY2(answered < 10, qPrintable(QString::number(answered)));
    }

  private:
    /// Document 1 in 2 bytes, then the offset of the lines in the heap: after the 7 bytes of names.
    static constexpr std::byte kFirstRow[] = {std::byte{1}, std::byte{0}, std::byte{9},
                                              std::byte{0}, std::byte{0}, std::byte{0}};
};
HIGHWATER_TEST(PortablePdbFileTest);
#include "portable_pdb_file_test.moc"
