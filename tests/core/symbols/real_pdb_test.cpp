#include "core/symbols/answers/resolved_addresses.h"
#include "core/symbols/pe/pe_image.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/pdbutil_listing.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr std::size_t kPdbAddresses = 4000;

std::vector<Rva> randomAddresses(Rva begin, Rva end) {
    std::mt19937_64 random(20240607);
    std::uniform_int_distribution<Rva> any(begin, end - 1);
    std::vector<Rva> addresses;
    for (std::size_t i = 0; i < kPdbAddresses; ++i)
        addresses.push_back(any(random));
    return addresses;
}

/// "ns::Class::f" is f; a name that pdbutil cannot resolve (of another module) matches any.
bool isSameFunction(const std::string& qualified, const std::string& name) {
    if (name.ends_with("...")) return qualified.find(name.substr(0, name.size() - 3)) != std::string::npos;
    return name.empty() || qualified == name || qualified.ends_with("::" + name);
}

/// The frames are those of one of the functions that llvm-pdbutil lists at the address.
bool isAsListed(const PdbutilListing& listing, Rva address, const TextFrames& frames) {
    const auto functions = listing.functionsAt(address);
    return std::any_of(functions.begin(), functions.end(), [&](const auto* function) {
        const auto inlined = listing.inlinedAt(*function, address);
        if (inlined.size() + 1 != frames.size()) return false;
        for (std::size_t i = 0; i < inlined.size(); ++i) {
            if (!isSameFunction(frames[i].function, inlined[i].first)) return false;
            if (frames[i].line != inlined[i].second) return false;
        }
        const auto lines = listing.linesAt(address);
        const auto line = frames.back().line;
        return lines.empty() ? line == 0 : line == 0 || std::find(lines.begin(), lines.end(), line) != lines.end();
    });
}

QString describe(Rva address, const TextFrames& frames) {
    return QString("0x%1: ").arg(address, 0, 16) + QString::fromStdString(toText(frames));
}

QString describe(const PdbutilListing& listing, Rva address) {
    QString text = " but llvm-pdbutil:";
    for (const auto* function : listing.functionsAt(address)) {
        for (const auto& [name, line] : listing.inlinedAt(*function, address))
            text += QString(" %1:%2 <").arg(QString::fromStdString(name)).arg(line);
        text += QString(" %1, lines").arg(QString::fromStdString(function->name));
        for (const auto line : listing.linesAt(address))
            text += QString(" %1").arg(line);
    }
    return text;
}

} // namespace

/// PDBs from other sources, against the two tools of LLVM. Where those differ from each other, llvm-pdbutil's listing
/// of the records decides: llvm-symbolizer 19 loses inlined calls of MSVC, mixes the lines of folded functions, extends
/// public names over code that is not theirs, and crashes on link-time generated code.
class RealPdbTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { // not initTestCase: a skip there makes Qt Test skip the classes that follow as well
        if (sharedTracesFolder().empty()) QSKIP("the shared traces are not there (HIGHWATER_SHARED_TRACES)");
        if (llvmTool("llvm-pdbutil").isEmpty()) QSKIP("llvm-19 is not installed (installer/packages-test.txt)");
    }

    void belongsToItsImage_data() { pairs(); }
    void belongsToItsImage() {
        const auto pdb = openSymbolFile(path("pdb"));
        const auto bytes = bytesOfFile(QString::fromStdString(path("image")));
        const auto image = PeImage::open(bytes);
        QVERIFY(pdb.hasValue() && image.hasValue());
        // WriteArgument.pdb: the age of the PDB's own header is 2, that of the DBI stream and of the image 1.
        QCOMPARE(toString(pdb.value()->identity()), toString(image.value().identity()));
        QCOMPARE(pdb.value()->identity().pdbAge, 1u);
        QFETCH(QString, pdbName);
        QCOMPARE(QString::fromStdString(image.value().pdbName()), pdbName);
    }

    void agreesWithLlvmPdbutil_data() { pairs(); }
    void agreesWithLlvmPdbutil() {
        PdbutilListing listing;
        QVERIFY(listing.read(QString::fromStdString(path("pdb"))));
        const auto file = openSymbolFile(path("pdb"));
        QVERIFY(file.hasValue());
        QFETCH(Rva, codeEnd);
        const auto addresses = randomAddresses(0x1000, codeEnd);
        const auto ours = askReader(*file.value(), addresses);
        std::size_t inFunctions = 0, inlined = 0;
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            if (listing.functionsAt(addresses[i]).empty()) continue;
            ++inFunctions;
            if (ours[i].size() > 1) ++inlined;
            QVERIFY2(isAsListed(listing, addresses[i], ours[i]),
                     qPrintable(describe(addresses[i], ours[i]) + describe(listing, addresses[i])));
        }
        QFETCH(int, leastInlined);
        QVERIFY2(inFunctions > kPdbAddresses / 2, qPrintable(QString::number(inFunctions)));
        QVERIFY2(inlined > static_cast<std::size_t>(leastInlined), qPrintable(QString::number(inlined)));
    }

    void agreesWithLlvmSymbolizer_data() { pairs(); }
    void agreesWithLlvmSymbolizer() {
        PdbutilListing listing;
        QVERIFY(listing.read(QString::fromStdString(path("pdb"))));
        const auto file = openSymbolFile(path("pdb"));
        QVERIFY(file.hasValue());
        QFETCH(Rva, codeEnd);
        QFETCH(int, batch);
        auto addresses = randomAddresses(0x1000, codeEnd);
        if (batch < 100) addresses.resize(400); // one process per batch
        std::size_t asked = 0, same = 0;
        for (std::size_t first = 0; first < addresses.size(); first += static_cast<std::size_t>(batch)) {
            const auto end = std::min(addresses.size(), first + static_cast<std::size_t>(batch));
            const std::vector<Rva> some(addresses.begin() + static_cast<std::ptrdiff_t>(first),
                                        addresses.begin() + static_cast<std::ptrdiff_t>(end));
            const auto ours = askReader(*file.value(), some);
            const auto theirs = askSymbolizer(QString::fromStdString(path("image")), some);
            if (theirs.size() != some.size()) continue; // it crashed
            for (std::size_t i = 0; i < some.size(); ++i) {
                ++asked;
                if (ours[i] == theirs[i]) {
                    ++same;
                    continue;
                }
                const bool isExplained = isAsListed(listing, some[i], ours[i]) || ours[i].empty();
                QVERIFY2(isExplained, qPrintable(describe(some[i], ours[i]) +
                                                 " but llvm-symbolizer: " + QString::fromStdString(toText(theirs[i])) +
                                                 describe(listing, some[i])));
            }
        }
        QFETCH(int, leastSamePercent);
        QVERIFY(asked > addresses.size() / 2);
        QVERIFY2(same * 100 >= asked * static_cast<std::size_t>(leastSamePercent),
                 qPrintable(QString("%1 of %2").arg(same).arg(asked)));
    }

    void fallsBackToExports() {
        const auto folder = sharedTracesFolder() + "/symbols/";
        const auto image = openSymbolFile(folder + "softokn3.dll");
        const auto pdb = openSymbolFile(folder + "softokn3.pdb");
        QVERIFY(image.hasValue() && pdb.hasValue());
        const auto addresses = randomAddresses(0x1000, 0x34000);
        const auto exported = image.value()->resolve(addresses);
        const auto ours = askReader(*pdb.value(), addresses);
        std::size_t named = 0;
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            if (exported.firstFrame[i] == exported.firstFrame[i + 1]) continue;
            ++named;
            const auto& function = exported.functions[exported.frames[exported.firstFrame[i]].function];
            QCOMPARE(function.origin, NameOrigin::Export);
            // Never the name of another function.
            if (!ours[i].empty()) QCOMPARE(function.linkageName, ours[i].back().function);
        }
        QVERIFY2(named > 10, qPrintable(QString::number(named)));
    }

  private:
    static void pairs() {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QString>("pdb");
        QTest::addColumn<QString>("pdbName");
        QTest::addColumn<Rva>("codeEnd");
        QTest::addColumn<int>("leastInlined");
        QTest::addColumn<int>("leastSamePercent");
        QTest::addColumn<int>("batch");
        const auto folder = QString::fromStdString(sharedTracesFolder()) + "/symbols/";
        QTest::newRow("clang, x64") << folder + "softokn3.dll" << folder + "softokn3.pdb"
                                    << "softokn3.pdb" << Rva{0x34000} << 1000 << 95 << 4000;
        QTest::newRow("MSVC with LTCG, x86") << folder + "crash.exe" << folder + "crash.pdb"
                                             << "crash.pdb" << Rva{0x3900} << 800 << 60 << 4;
        QTest::newRow("MSVC and lld, x64") << folder + "WriteArgument.exe" << folder + "WriteArgument.pdb"
                                           << "WriteArgument.pdb" << Rva{0x1D00} << 200 << 90 << 4000;
    }
    static std::string path(const char* column) {
        return (*static_cast<QString*>(QTest::qData(column, qMetaTypeId<QString>()))).toStdString();
    }
};
HIGHWATER_TEST(RealPdbTest);
#include "real_pdb_test.moc"
