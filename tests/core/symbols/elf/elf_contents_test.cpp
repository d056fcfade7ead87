#include "core/symbols/elf/elf_contents.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

/// One of BuiltPrograms, with its contents.
struct ReadElf {
    explicit ReadElf(const QString& name) : bytes(bytesOfFile(BuiltPrograms::instance().path(name))) {
        auto opened = ElfContents::open(bytes);
        if (!opened.hasValue()) qFatal("%s", opened.error().message.c_str());
        contents = std::move(opened).value();
    }
    [[nodiscard]] const ElfSymbol* symbol(std::string_view name) {
        symbols = contents->symbols();
        const auto found =
            std::find_if(symbols.begin(), symbols.end(), [&](const auto& one) { return one.name == name; });
        return found == symbols.end() ? nullptr : &*found;
    }
    std::vector<std::byte> bytes;
    std::unique_ptr<ElfContents> contents;
    std::vector<ElfSymbol> symbols;
};

} // namespace

/// The parts of a Linux program: whole, stripped, and the stripped-off debug file.
class ElfContentsTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
    }

    void allPartsOfAProgramHaveItsBuildId() {
        const ReadElf whole("exercise2.elf"), stripped("stripped.elf"), debug("stripped.debug");
        QVERIFY(!whole.contents->buildId().empty());
        QCOMPARE(stripped.contents->buildId(), debug.contents->buildId());
        QVERIFY(whole.contents->buildId() == openProgram("exercise2.elf")->identity().buildId);
    }
    void listsTheSymbolsOfCode() {
        ReadElf whole("exercise2.elf");
        const auto* symbol = whole.symbol("plainC");
        QVERIFY(symbol != nullptr);
        QVERIFY(symbol->begin > whole.contents->linkedBase());
        QVERIFY(symbol->bytes > 0);
        ReadElf stripped("stripped.elf");
        QVERIFY(stripped.symbol("main") == nullptr);
    }
    void tellsWhatKindOfFileItIs() {
        const ReadElf whole("exercise2.elf");
        QVERIFY(whole.contents->isLinked());
        QVERIFY(!whole.contents->altLink());
        QVERIFY(!whole.contents->mayBeSplit());
    }
    void hasDebugInformationWhereItWasNotStrippedOff() {
        if (!kHasLlvm) QSKIP("DWARF is not read on this system");
        const ReadElf whole("exercise2.elf"), stripped("stripped.elf"), debug("stripped.debug");
        QVERIFY(whole.contents->hasDwarf());
        QVERIFY(!stripped.contents->hasDwarf());
        QVERIFY(debug.contents->hasDwarf());
        QVERIFY(whole.contents->dwarf() != nullptr);
        QVERIFY(stripped.contents->dwarf() == nullptr);
    }
    void refusesWhatItCannotRead() {
        auto bytes = bytesOfFile(BuiltPrograms::instance().path("exercise2.elf"));
        const auto refusal = [](const std::vector<std::byte>& file) {
            const auto contents = ElfContents::open(file);
            return contents.hasValue() ? std::string() : contents.error().message;
        };
        QVERIFY(refusal(bytes).empty());
        QVERIFY(!refusal({}).empty());
        QVERIFY(!refusal({bytes.begin(), bytes.begin() + 20}).empty());
        bytes[5] = std::byte{2}; // big-endian
        QVERIFY(!refusal(bytes).empty());
    }
};
HIGHWATER_TEST(ElfContentsTest);
#include "elf_contents_test.moc"
