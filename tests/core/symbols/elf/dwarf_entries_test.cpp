#include "core/symbols/elf/dwarf_entries.h"

#include "core/symbols/elf/elf_contents.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

/// The entries of the unit that exercise2.cpp was compiled to.
class DwarfEntriesTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        bytes_ = bytesOfFile(BuiltPrograms::instance().path("exercise2.elf"));
        contents_ = std::move(ElfContents::open(bytes_)).value();
        QVERIFY(contents_->dwarf() != nullptr);
        units_ = std::make_unique<DwarfUnits>(*contents_->dwarf());
        scopes_ = std::make_unique<DwarfScopesOfUnits>();
        for (const auto& symbol : contents_->symbols())
            if (symbol.name == "plainC") plainC_ = symbol;
        QVERIFY(plainC_.bytes > 0);
    }

    void findsTheUnitThatMadeTheCode() {
        const auto* unit = units_->withCodeAt(plainC_.begin);
        QVERIFY(unit != nullptr);
        QVERIFY(units_->withCodeAt(plainC_.begin + plainC_.bytes - 1) == unit);
        QVERIFY(units_->withCodeAt(0) == nullptr);
        QVERIFY(units_->withCodeAt(~std::uint64_t{0}) == nullptr);
        QVERIFY(units_->supplement() == nullptr);
    }
    void findsAFunctionFromItsFirstToItsLastByte() {
        const auto* unit = units_->withCodeAt(plainC_.begin);
        DwarfEntries entries(*units_, *unit, *scopes_);
        const std::vector<std::uint64_t> addresses{plainC_.begin, plainC_.begin + plainC_.bytes - 1};
        const auto found = entries.framesAt(addresses);
        QCOMPARE(found.innermost.size(), addresses.size());
        for (const auto link : found.innermost) {
            QVERIFY(link != DwarfFrames::kNone);
            const auto& frame = found.frames[found.links[link].frame];
            QVERIFY(!frame.isInlined);
            QCOMPARE(frame.begin, plainC_.begin);
            QCOMPARE(entries.functionName(frame.entry, texts_), std::string_view("plainC"));
            QVERIFY(units_->prepareAt(frame.entry) == unit);
        }
    }
    void listsInlinedCallsFromTheInside() {
        const auto* unit = units_->withCodeAt(plainC_.begin);
        DwarfEntries entries(*units_, *unit, *scopes_);
        std::vector<std::uint64_t> addresses;
        for (const auto& symbol : contents_->symbols()) {
            if (symbol.name.find("ManipulateTemporaryBuffer") == std::string_view::npos) continue;
            for (std::uint64_t i = 0; i < symbol.bytes; ++i)
                addresses.push_back(symbol.begin + i);
            break;
        }
        QVERIFY(!addresses.empty());
        const auto found = entries.framesAt(addresses);
        std::string deepest;
        for (auto link : found.innermost) {
            std::string names;
            for (; link != DwarfFrames::kNone; link = found.links[link].outer) {
                const auto& frame = found.frames[found.links[link].frame];
                names += std::string(entries.functionName(frame.entry, texts_)) + (frame.isInlined ? " < " : "");
                QCOMPARE(frame.isInlined, frame.callLine != 0);
            }
            if (names.size() > deepest.size()) deepest = names;
        }
        const auto inner = deepest.find("addOne"), middle = deepest.find("addTwo");
        QVERIFY2(inner != std::string::npos && middle != std::string::npos && inner < middle, deepest.c_str());
        QVERIFY2(deepest.find("ManipulateTemporaryBuffer") > middle, deepest.c_str());
    }
    void saysNothingOfWhatIsNotThere() {
        DwarfEntries entries(*units_, *units_->withCodeAt(plainC_.begin), *scopes_);
        const std::vector<std::uint64_t> nowhere{0, ~std::uint64_t{0}};
        for (const auto link : entries.framesAt(nowhere).innermost)
            QCOMPARE(link, DwarfFrames::kNone);
        QVERIFY(entries.framesAt({}).innermost.empty());
        QVERIFY(entries.functionName(~std::uint64_t{0}, texts_).empty());
        QVERIFY(units_->prepareAt(~std::uint64_t{0}) == nullptr);
        QVERIFY(units_->textAt(~std::uint64_t{0}).empty());
    }

  private:
    std::vector<std::byte> bytes_;
    std::unique_ptr<ElfContents> contents_;
    std::unique_ptr<DwarfUnits> units_;
    ElfSymbol plainC_;
    StringIds texts_;
    std::unique_ptr<DwarfScopesOfUnits> scopes_;
};
HIGHWATER_TEST(DwarfEntriesTest);
#include "dwarf_entries_test.moc"
