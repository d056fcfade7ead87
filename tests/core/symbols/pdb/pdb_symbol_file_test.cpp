#include "core/symbols/pdb/pdb_symbol_file.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

Result<std::unique_ptr<SymbolFile>> openPdb(std::vector<std::byte> bytes) {
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return PdbSymbolFile::open(*owner, owner);
}

} // namespace

/// A PDB as a source of names.
class PdbSymbolFileTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        bytes_ = bytesOfFile(BuiltPrograms::instance().path("exercise2.pdb"));
    }

    void answersInTheOrderOfTheQuestions() {
        auto file = openPdb(bytes_);
        QVERIFY(file.hasValue());
        QVERIFY(file.value()->hasPrivateSymbols());
        const auto sorted = allAddresses();
        const auto inOrder = askReader(*file.value(), sorted);
        auto reversed = sorted;
        std::reverse(reversed.begin(), reversed.end());
        auto backwards = askReader(*file.value(), reversed);
        std::reverse(backwards.begin(), backwards.end());
        QVERIFY(backwards == inOrder);
        QVERIFY(std::any_of(inOrder.begin(), inOrder.end(), [](const auto& frames) { return frames.size() == 3; }));
    }
    void answersTheSameAddressTwice() {
        auto file = openPdb(bytes_);
        const auto answers = askReader(*file.value(), {0x1000, 0x1000});
        QVERIFY(!answers[0].empty());
        QVERIFY(answers[0] == answers[1]);
    }
    void saysNothingOfAddressesOutside() {
        auto file = openPdb(bytes_);
        const std::vector<Rva> outside{0, Rva{1} << 40, ~Rva{0}};
        const auto found = file.value()->resolve(outside, {});
        QCOMPARE(found.addressCount(), std::size_t{3});
        QVERIFY(found.frames.empty());
        QCOMPARE(file.value()->resolve({}, {}).addressCount(), std::size_t{0});
    }
    void givesNoNamesOnceItIsStopped() {
        auto file = openPdb(bytes_);
        std::stop_source stop;
        stop.request_stop();
        const auto addresses = allAddresses();
        const auto found = file.value()->resolve(addresses, stop.get_token());
        QCOMPARE(found.addressCount(), addresses.size());
        QVERIFY(found.frames.empty());
        QVERIFY(!file.value()->resolve(addresses, {}).frames.empty()); // and can be queried again
    }
    void refusesOtherFiles() {
        for (const auto& bytes : {std::vector<std::byte>{}, std::vector<std::byte>(4096),
                                  std::vector<std::byte>(bytes_.begin(), bytes_.begin() + 40)}) {
            const auto file = openPdb(bytes);
            QVERIFY(!file.hasValue());
            QVERIFY(!file.error().message.empty());
        }
    }

  private:
    std::vector<std::byte> bytes_;
};
HIGHWATER_TEST(PdbSymbolFileTest);
#include "pdb_symbol_file_test.moc"
