#include "core/symbols/elf/elf_symbol_file.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

Result<std::unique_ptr<SymbolFile>> openElf(std::vector<std::byte> bytes) {
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return ElfSymbolFile::open(*owner, owner, {}, {});
}
Result<std::unique_ptr<SymbolFile>> openElf(const QString& name) {
    return openElf(bytesOfFile(BuiltPrograms::instance().path(name)));
}

bool isNamed(const std::vector<TextFrames>& answers, const std::string& function) {
    return std::any_of(answers.begin(), answers.end(), [&](const auto& frames) {
        return !frames.empty() && frames.front().function.starts_with(function);
    });
}

} // namespace

/// A Linux program, or its debug file, as a source of names.
class ElfSymbolFileTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
    }

    void namesWhatTheFileKnows() {
        auto whole = openElf("exercise2.elf");
        QVERIFY(whole.hasValue());
        QVERIFY(isNamed(askReader(*whole.value(), allAddresses()), "plainC"));
        QCOMPARE(whole.value()->hasPrivateSymbols(), kHasLlvm);
        auto stripped = openElf("stripped.elf");
        QVERIFY(stripped.hasValue());
        QVERIFY(!stripped.value()->hasPrivateSymbols());
        QCOMPARE(stripped.value()->remark(), std::string(kOnlyExportsRemark));
        QVERIFY(whole.value()->remark() != kOnlyExportsRemark);
        QVERIFY(!isNamed(askReader(*stripped.value(), allAddresses()), "plainC"));
    }
    void aDebugFileAnswersForItsProgram() {
        if (!kHasLlvm) QSKIP("DWARF is not read on this system");
        auto debug = openElf("stripped.debug");
        QVERIFY(debug.hasValue());
        QVERIFY(debug.value()->hasPrivateSymbols());
        QVERIFY(debug.value()->remark() != kOnlyExportsRemark);
        QVERIFY(isNamed(askReader(*debug.value(), allAddresses()), "plainC"));
        QVERIFY(debug.value()->identity() == openElf("stripped.elf").value()->identity());
    }
    void answersInTheOrderOfTheQuestions() {
        auto file = openElf("exercise2.elf");
        auto addresses = allAddresses();
        const auto inOrder = askReader(*file.value(), addresses);
        std::reverse(addresses.begin(), addresses.end());
        auto backwards = askReader(*file.value(), addresses);
        std::reverse(backwards.begin(), backwards.end());
        QVERIFY(backwards == inOrder);
    }
    void saysNothingOfAddressesOutsideOrOnceItIsStopped() {
        auto file = openElf("exercise2.elf");
        QVERIFY(file.value()->resolve(std::vector<Rva>{~Rva{0}, Rva{1} << 40}, {}).frames.empty());
        std::stop_source stop;
        stop.request_stop();
        const auto addresses = allAddresses();
        const auto found = file.value()->resolve(addresses, stop.get_token());
        QCOMPARE(found.addressCount(), addresses.size());
    }
    void knowsItsKind() {
        auto bytes = bytesOfFile(BuiltPrograms::instance().path("exercise2.elf"));
        QVERIFY(ElfSymbolFile::isElf(bytes));
        QVERIFY(!ElfSymbolFile::isElf({}));
        QVERIFY(!ElfSymbolFile::isElf(bytesOfFile(BuiltPrograms::instance().path("exercise2.pdb"))));
        bytes.resize(20);
        const auto cut = openElf(bytes);
        QVERIFY(!cut.hasValue());
        QVERIFY(!cut.error().message.empty());
    }
};
HIGHWATER_TEST(ElfSymbolFileTest);
#include "elf_symbol_file_test.moc"
