#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

using Bytes = std::vector<std::byte>;

/// Of the damages that could be tried.
constexpr std::size_t kOneIn = HIGHWATER_DAMAGES;

/// Opens and asks, as if nothing were wrong. Whatever comes back is fine, as long as it comes back.
void use(Bytes bytes, Rva codeEnd) {
    const auto file = SymbolFile::fromMemory(std::move(bytes));
    if (!file.hasValue()) {
        QVERIFY(!file.error().message.empty());
        return;
    }
    std::vector<Rva> addresses{0, 1, ~Rva{0}, Rva{1} << 40};
    for (Rva address = 0x1000; address < codeEnd; address += std::max<Rva>(1, (codeEnd - 0x1000) / 64))
        addresses.push_back(address);
    const auto found = file.value()->resolve(addresses);
    QCOMPARE(found.addressCount(), addresses.size());
    for (const auto& frame : found.frames) {
        QVERIFY(frame.function < found.functions.size());
        QVERIFY(frame.file == kNoFile || frame.file < found.files.size());
    }
}

} // namespace

class DamagedSymbolsTest : public QObject {
    Q_OBJECT
  private slots:
    void survivesFlippedBytes_data() { files(); }
    void survivesFlippedBytes() {
        const auto whole = load();
        if (whole.empty()) QSKIP("the file is not there: shared traces or clang-19 and lld-19 are missing");
        QFETCH(Rva, codeEnd);
        QFETCH(int, step);
        // Each alone, then many at once.
        for (std::size_t at = 0; at < whole.size(); at += kOneIn * static_cast<std::size_t>(step)) {
            for (const auto change : {std::byte{0xFF}, std::byte{0x01}}) {
                auto bytes = whole;
                bytes[at] ^= change;
                use(std::move(bytes), codeEnd);
            }
        }
        for (std::size_t first = 0; first < 1000; first += 37) {
            auto bytes = whole;
            for (auto at = first; at < bytes.size(); at += 1000)
                bytes[at] ^= std::byte{0xFF};
            use(std::move(bytes), codeEnd);
        }
    }

    void survivesBeingCutOff_data() { files(); }
    void survivesBeingCutOff() {
        const auto whole = load();
        if (whole.empty()) QSKIP("the file is not there: shared traces or clang-19 and lld-19 are missing");
        QFETCH(Rva, codeEnd);
        for (std::size_t part = 0; part < 200; ++part) {
            const auto bytes = whole.size() * part / 200;
            use({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)}, codeEnd);
        }
        for (std::size_t bytes = 0; bytes < std::min<std::size_t>(whole.size(), 300); ++bytes)
            use({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)}, codeEnd);
    }

  private:
    static void files() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<Rva>("codeEnd");
        QTest::addColumn<int>("step");
        const auto folder = QString::fromStdString(sharedTracesFolder()) + "/symbols/";
        const auto& programs = BuiltPrograms::instance();
        // The small ones densely: their bytes matter more.
        QTest::newRow("PDB") << programs.path("exercise2.pdb") << Rva{0x1200} << 53;
        QTest::newRow("ELF") << programs.path("exercise2.elf") << Rva{0x1600} << 3;
        QTest::newRow("image") << programs.path("exercise2.exe") << Rva{0x1600} << 3;
        QTest::newRow("PDB of clang") << folder + "softokn3.pdb" << Rva{0x34000} << 1000;
        QTest::newRow("PDB of MSVC") << folder + "crash.pdb" << Rva{0x3900} << 1000;
        QTest::newRow("library with exports") << folder + "softokn3.dll" << Rva{0x34000} << 1000;
    }
    static Bytes load() {
        QFETCH(QString, path);
        return bytesOfFile(path);
    }
};
HIGHWATER_TEST(DamagedSymbolsTest);
#include "damaged_symbols_test.moc"
