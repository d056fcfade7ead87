#include "core/symbols/pdb/pdb_module.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr Rva kModuleCodeEnd = 0x3000;

} // namespace

/// Functions, lines and inlined calls of the object file that exercise2.cpp was compiled to.
class PdbModuleTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        bytes_ = bytesOfFile(BuiltPrograms::instance().path("exercise2.pdb"));
        msf_.emplace(std::move(MsfFile::open(bytes_)).value());
        layout_.emplace(std::move(PdbLayout::read(*msf_)).value());
        for (const auto& entry : layout_->modules()) {
            module_ = std::make_unique<PdbModule>(*msf_, *layout_, entry);
            if (functionOf("plainC") != nullptr) return;
        }
        QFAIL("no module has plainC");
    }

    void findsAFunctionFromItsFirstToItsLastByte() {
        const auto* function = functionOf("plainC");
        QVERIFY(function->begin < function->end);
        QVERIFY(module_->functionAt(function->begin) == function);
        QVERIFY(module_->functionAt(function->end - 1) == function);
        QVERIFY(module_->functionAt(function->end) != function);
        QVERIFY(module_->functionAt(function->begin - 1) != function);
        QVERIFY(module_->functionAt(0) == nullptr);
        QVERIFY(module_->functionAt(~Rva{0}) == nullptr);
    }
    void knowsTheLinesOfAFunction() {
        const auto* function = functionOf("InnerLoopOperation");
        QVERIFY(function != nullptr);
        bool isLineThere = false;
        for (auto address = function->begin; address < function->end; ++address) {
            const auto* line = module_->lineAt(address);
            QVERIFY(line != nullptr);
            QVERIFY(line->begin <= address);
            isLineThere = isLineThere || line->line == 40;
            QVERIFY(module_->fileName(line->file).has_value());
        }
        QVERIFY(isLineThere);
        QVERIFY(module_->lineAt(0) == nullptr);
        QVERIFY(!module_->fileName(0xFFFFFFF0u));
    }
    void listsCallersBeforeWhatTheyInline() {
        const auto* function = functionOf("ManipulateTemporaryBuffer");
        QVERIFY(function != nullptr);
        const auto sites = module_->inlineSites(*function);
        QVERIFY(sites.size() >= 2); // addTwo, and addOne in it
        bool isNested = false;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            QVERIFY(sites[i].parent <= i);
            isNested = isNested || sites[i].parent != 0;
            for (const auto& range : sites[i].ranges) {
                QVERIFY(range.begin < range.end);
                QVERIFY(function->begin <= range.begin && range.end <= function->end);
            }
        }
        QVERIFY(isNested);
        QVERIFY(module_->inlineSites(*functionOf("plainC")).empty());
    }
    void hasNothingOfOtherModules() {
        // Compiled without link-time code generation, so ids are the PDB's own.
        QVERIFY(!module_->foreignId(0x1000));
        QVERIFY(module_->exportedIds().empty());
    }
    void aModuleWithoutSymbolsHasNone() {
        const PdbModule none(*msf_, *layout_, PdbModuleEntry{});
        QVERIFY(none.functionAt(0x1000) == nullptr);
        QVERIFY(none.lineAt(0x1000) == nullptr);
        PdbModuleEntry outside;
        outside.stream = 0x7000;
        outside.symbolBytes = outside.lineBytes = 0xFFFFFFF0u;
        QVERIFY(PdbModule(*msf_, *layout_, outside).functionAt(0x1000) == nullptr);
    }

  private:
    [[nodiscard]] const PdbFunction* functionOf(const std::string& name) const {
        for (Rva address = 0x1000; address < kModuleCodeEnd; ++address) {
            const auto* function = module_->functionAt(address);
            if (function != nullptr && function->name.substr(0, name.size()) == name) return function;
        }
        return nullptr;
    }

    std::vector<std::byte> bytes_;
    std::optional<MsfFile> msf_;
    std::optional<PdbLayout> layout_;
    std::unique_ptr<PdbModule> module_;
};
HIGHWATER_TEST(PdbModuleTest);
#include "pdb_module_test.moc"
