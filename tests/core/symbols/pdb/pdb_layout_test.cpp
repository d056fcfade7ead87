#include "core/symbols/pdb/pdb_layout.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr Rva kCodeBegin = 0x1000; ///< in the first section, where linkers put the code

} // namespace

/// The layout of a small program's PDB.
class PdbLayoutTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        bytes_ = bytesOfFile(BuiltPrograms::instance().path("exercise2.pdb"));
    }

    void saysWhichImageItBelongsTo() {
        const auto layout = read();
        QVERIFY(layout.identity().hasPdb());
        QVERIFY(layout.identity() == openProgram("exercise2.pdb")->identity());
        QVERIFY(!layout.is32Bit());
    }
    void listsTheObjectFiles() {
        const auto layout = read();
        const auto& modules = layout.modules();
        const auto linkers = std::count_if(modules.begin(), modules.end(),
                                           [](const auto& module) { return module.name == "* Linker *"; });
        QCOMPARE(linkers, std::ptrdiff_t{1});
        QVERIFY(modules.size() > 1); // and the compiled units
        for (const auto& module : modules)
            QVERIFY(!module.name.empty());
        QVERIFY(layout.namesStream() != 0);
        QVERIFY(layout.symbolRecordStream() != 0xFFFF);
    }
    void turnsPlacesInSectionsIntoAddressesAndBack() {
        const auto layout = read();
        QCOMPARE(layout.toRva(1, 0).value_or(0), kCodeBegin);
        QCOMPARE(layout.toRva(1, 0x10).value_or(0), kCodeBegin + 0x10);
        QVERIFY(!layout.toRva(0, 0));
        QVERIFY(!layout.toRva(0x7FFF, 0));
        QCOMPARE(int{layout.segmentOf(kCodeBegin)}, 1);
        QCOMPARE(int{layout.segmentOf(0)}, 0); // the headers
        QCOMPARE(int{layout.segmentOf(Rva{1} << 40)}, 0);
    }
    void knowsWhichModuleMadeTheCode() {
        const auto layout = read();
        const auto* code = layout.contributionAt(kCodeBegin);
        QVERIFY(code != nullptr);
        QVERIFY(code->begin <= kCodeBegin && kCodeBegin < code->end);
        QVERIFY(code->module < layout.modules().size());
        QVERIFY(layout.contributionAt(code->end - 1) == code);
        QVERIFY(layout.contributionAt(code->end) != code);
        QVERIFY(layout.contributionAt(0) == nullptr);
        QVERIFY(layout.contributionAt(~Rva{0}) == nullptr);
    }
    void leavesAddressesOfAnImageThatWasNotRearranged() {
        const auto layout = read();
        for (const Rva address : {Rva{0}, kCodeBegin, kCodeBegin + 1})
            QCOMPARE(layout.toLinked(address).value_or(~Rva{0}), address);
    }
    void refusesAFileWithoutItsStreams() {
        std::size_t refused = 0;
        for (const auto stream : {1, 3}) { // identity, and everything else
            auto damaged = bytes_;
            shorten(damaged, stream);
            const auto msf = MsfFile::open(damaged);
            QVERIFY(msf.hasValue());
            const auto layout = PdbLayout::read(msf.value());
            refused += layout.hasValue() ? 0 : 1;
            if (!layout.hasValue()) QVERIFY(!layout.error().message.empty());
        }
        QCOMPARE(refused, std::size_t{2});
    }

  private:
    [[nodiscard]] PdbLayout read() const {
        const auto msf = MsfFile::open(bytes_);
        if (!msf.hasValue()) qFatal("%s", msf.error().message.c_str());
        auto layout = PdbLayout::read(msf.value());
        if (!layout.hasValue()) qFatal("%s", layout.error().message.c_str());
        return std::move(layout).value();
    }
    /// Sets the length of a stream to 0, in the directory of the container (one block here, because the file is small).
    static void shorten(std::vector<std::byte>& file, int stream) {
        const auto number = [&](std::size_t at) { return loadUnchecked<std::uint32_t>(file.data() + at); };
        const auto blockBytes = number(32);
        const auto directory = std::size_t{number(std::size_t{number(52)} * blockBytes)} * blockBytes;
        // Streams before it keep their block numbers, its own are no longer used, and those of later streams no longer
        // match, so only it and the streams before it are read.
        std::memset(file.data() + directory + 4 + static_cast<std::size_t>(stream) * 4, 0, 4);
    }

    std::vector<std::byte> bytes_;
};
HIGHWATER_TEST(PdbLayoutTest);
#include "pdb_layout_test.moc"
