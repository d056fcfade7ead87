#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

using Bytes = std::vector<std::byte>;

/// One of this many possible damages is tried.
constexpr std::size_t kOneIn = HIGHWATER_DAMAGES;

/// Opens and queries the file as if it were valid. Any result is fine, as long as it returns.
void use(Bytes bytes, Rva codeEnd) {
    const auto file = openSymbolFileInMemory(std::move(bytes));
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

/// Little-endian, one after the other.
class ByteWriter {
  public:
    template <typename... Numbers>
    ByteWriter& put(Numbers... numbers) {
        (append(numbers), ...);
        return *this;
    }
    void padTo(std::size_t size) { bytes.resize(size); }
    Bytes bytes;

  private:
    template <typename Number>
    void append(Number number) {
        for (std::size_t i = 0; i < sizeof(number); ++i)
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (8 * i)));
    }
};

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

void putSection(ByteWriter& out, u32 type, u64 address, u64 offset, u64 bytes, u32 link, u64 entryBytes) {
    out.put(u32{0}, type, u64{0}, address, offset, bytes, link, u32{1}, u64{8}, entryBytes);
}

constexpr Rva kFirstFunction = 0x1000, kFunctionBytes = 16;

/// A Linux library with functions whose names are suffixes of one long text.
Bytes elfWithNamesInEachOther(u32 functions, u32 letters) {
    constexpr u64 kHeaderBytes = 64, kSymbolBytes = 24;
    const u64 texts = kHeaderBytes, symbols = (texts + letters + 1 + 7) / 8 * 8;
    const u64 symbolBytes = (functions + 1) * kSymbolBytes, sections = symbols + symbolBytes;
    ByteWriter out;
    out.put(u32{0x464C457F}, u32{0x00010102}, u64{0}); // 64 bits, little-endian
    out.put(u16{3}, u16{62}, u32{1}, u64{0}, u64{0}, sections, u32{0}, u16{64}, u16{56}, u16{0}, u16{64}, u16{4},
            u16{2});
    out.bytes.insert(out.bytes.end(), letters, std::byte{'a'});
    out.padTo(symbols + kSymbolBytes); // the first symbol is reserved
    for (u32 i = 0; i < functions; ++i)
        out.put(i, u16{0x12}, u16{3}, kFirstFunction + i * kFunctionBytes, kFunctionBytes); // global functions of .text
    putSection(out, 0, 0, 0, 0, 0, 0);
    putSection(out, 2, 0, symbols, symbolBytes, 2, kSymbolBytes);
    putSection(out, 3, 0, texts, letters + 1, 0, 0);
    putSection(out, 8, kFirstFunction, 0, functions * kFunctionBytes, 0, 0); // its bytes are not in the file
    return std::move(out.bytes);
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

    void namesInEachOtherTakeNoMoreThanTheirFile() {
        constexpr u32 kFunctions = 20'000, kLetters = 400'000, kAsked = 2'000;
        auto bytes = elfWithNamesInEachOther(kFunctions, kLetters);
        const auto fileBytes = bytes.size();
        const auto file = openSymbolFileInMemory(std::move(bytes));
        QVERIFY2(file.hasValue(), file.hasValue() ? "" : file.error().message.c_str());
        std::vector<Rva> addresses;
        for (u32 i = 0; i < kAsked; ++i)
            addresses.push_back(kFirstFunction + i * kFunctionBytes);
        const auto found = file.value()->resolve(addresses);
        QVERIFY(!found.functions.empty());
        std::size_t letters = 0;
        for (const auto& function : found.functions)
            letters += function.linkageName.size();
        QVERIFY2(letters < 8 * fileBytes, std::to_string(letters).c_str());
    }

  private:
    static void files() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<Rva>("codeEnd");
        QTest::addColumn<int>("step");
        const auto folder = QString::fromStdString(sharedTracesFolder()) + "/symbols/";
        const auto& programs = BuiltPrograms::instance();
        // The small files densely: their bytes matter more.
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
