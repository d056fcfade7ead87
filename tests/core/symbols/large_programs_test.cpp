#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr std::size_t kLargeProgramAddresses = 10'000;

/// Random bytes of pages with named code.
std::vector<Rva> randomAddresses(SymbolFile& file) {
    std::vector<Rva> coarse;
    for (Rva address = 0x1000; address < (Rva{1} << 28); address += 4096)
        coarse.push_back(address);
    const auto names = file.resolve(coarse);
    std::vector<Rva> pages;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        if (names.firstFrame[i] != names.firstFrame[i + 1]) pages.push_back(coarse[i]);
    }
    std::vector<Rva> addresses;
    if (pages.empty()) return addresses;
    std::mt19937_64 random(4711);
    for (std::size_t i = 0; i < kLargeProgramAddresses; ++i)
        addresses.push_back(pages[random() % pages.size()] + random() % 4096);
    return addresses;
}

/// The reason why our answer may differ from llvm-symbolizer's; "" if the difference is an error.
std::string explanation(const TextFrames& ours, const TextFrames& theirs) {
    if (ours.empty() && theirs.back().line == 0)
        return "llvm-symbolizer lets the nearest name reach over bytes that no function covers";
    if (ours.size() != theirs.size()) return {}; // also: no answer for a line that llvm-symbolizer has
    bool sameNames = true, sameLines = true;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        sameNames = sameNames && ours[i].function == theirs[i].function;
        sameLines = sameLines && ours[i].line == theirs[i].line && ours[i].file == theirs[i].file;
    }
    bool sameInner = true;
    for (std::size_t i = 0; i + 1 < ours.size(); ++i)
        sameInner = sameInner && ours[i].function == theirs[i].function;
    if (sameNames && ours.size() == 1 && ours[0].line == 0 && ours[0].file.empty())
        return "code without lines: llvm-symbolizer takes the file from the symbol table";
    if (!sameNames && sameInner && sameLines) return "one of several names that the linker has for the same bytes";
    return {};
}

} // namespace

/// The programs of 200 MB that symbols_benchmark is measured with, and any others, compared with llvm-symbolizer by
/// function, inlined call, file and line. It runs only on request, because it takes minutes:
///    HIGHWATER_LARGE_PROGRAMS=folder of large_programs, HIGHWATER_SYMBOL_FILES=more files, separated by ':'
class LargeProgramsTest : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithLlvmSymbolizer_data() {
        QTest::addColumn<QString>("path");
        const auto folder = qEnvironmentVariable("HIGHWATER_LARGE_PROGRAMS");
        auto files = qEnvironmentVariable("HIGHWATER_SYMBOL_FILES").split(':', Qt::SkipEmptyParts);
        for (const auto* name : {"/large.elf", "/large4.elf", "/large.pdb"}) {
            if (!folder.isEmpty() && QFileInfo::exists(folder + name)) files += folder + name;
        }
        for (const auto& file : files)
            QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
        if (files.isEmpty()) QTest::newRow("none") << QString();
    }
    void agreesWithLlvmSymbolizer() {
        QFETCH(QString, path);
        if (path.isEmpty()) QSKIP("HIGHWATER_LARGE_PROGRAMS names no folder of the target large_programs");
        if (llvmTool("llvm-symbolizer").isEmpty()) QSKIP("llvm-19 is not installed (installer/packages-test.txt)");
        const auto file = openSymbolFile(path.toStdString());
        QVERIFY2(file.hasValue(), file.hasValue() ? "" : file.error().message.c_str());
        const auto addresses = randomAddresses(*file.value());
        QCOMPARE(addresses.size(), kLargeProgramAddresses);
        const auto ours = askReader(*file.value(), addresses);
        const auto theirs = askSymbolizer(QString(path).replace(".pdb", ".exe"), addresses);
        QCOMPARE(theirs.size(), ours.size());
        std::size_t inlined = 0, same = 0;
        std::map<std::string, std::size_t> explained;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (ours[i].size() > 1) ++inlined;
            if (ours[i] == theirs[i]) {
                ++same;
                continue;
            }
            const auto why = explanation(ours[i], theirs[i]);
            const auto message = QString("0x%1: ").arg(addresses[i], 0, 16) + QString::fromStdString(toText(ours[i])) +
                                 " but llvm-symbolizer: " + QString::fromStdString(toText(theirs[i]));
            if (why.empty() && explained[why] < 40) qWarning().noquote() << message;
            ++explained[why];
        }
        qInfo("%zu of %zu are the same, %zu with inlined calls", same, ours.size(), inlined);
        for (const auto& [why, count] : explained)
            qInfo("%zu: %s", count, why.empty() ? "not explained" : why.c_str());
        QCOMPARE(explained[""], std::size_t{0});
        QVERIFY(same * 100 >= kLargeProgramAddresses * 90);
        QVERIFY(inlined > kLargeProgramAddresses / 20);
    }
};
HIGHWATER_TEST(LargeProgramsTest);
#include "large_programs_test.moc"
