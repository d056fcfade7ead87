#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

/// The first address with exactly these functions, innermost first, and its frames.
std::pair<Rva, TextFrames> find(SymbolFile& file, const std::vector<std::string>& functions, unsigned line = 0) {
    const auto addresses = allAddresses();
    const auto answers = askReader(file, addresses);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const bool fits = std::equal(
            answers[i].begin(), answers[i].end(), functions.begin(), functions.end(),
            [](const TextFrame& frame, const std::string& name) { return frame.function.rfind(name, 0) == 0; });
        if (fits && !functions.empty() && (line == 0 || answers[i].front().line == line))
            return {addresses[i], answers[i]};
    }
    return {};
}

constexpr const char* kOnlyTheSymbolTable = "of ELF files only the symbol table is read on this system";

bool isReadWhole(const QString& name) { return kHasLlvm || name.endsWith(".pdb"); }

} // namespace

class BuiltProgramTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
    }

    void findsFunctionsWithFileAndLine_data() { files(); }
    void findsFunctionsWithFileAndLine() {
        QFETCH(QString, name);
        if (!isReadWhole(name)) QSKIP(kOnlyTheSymbolTable);
        const auto file = openProgram(name);
        QVERIFY(file->hasPrivateSymbols());
        for (const auto& [function, line] : {std::pair{"InnerLoopOperation", 40u}, {"hidden", 59u}}) {
            const auto frames = find(*file, {function}, line).second;
            QVERIFY2(frames.size() == 1, function);
            QVERIFY2(frames[0].file.ends_with("exercise2.cpp"), frames[0].file.c_str());
        }
        QCOMPARE(find(*file, {"Operation1"}, 35).second.size(), std::size_t{1});
        QCOMPARE(find(*file, {"plainC"}).second.at(0).function, std::string("plainC"));
        QVERIFY(!find(*file, {"buffers::Ring<long>::push(long)"}).second.empty());
    }

    void showsInlinedCallsWithTheirLines_data() { files(); }
    void showsInlinedCallsWithTheirLines() {
        QFETCH(QString, name);
        if (!isReadWhole(name)) QSKIP(kOnlyTheSymbolTable);
        const auto file = openProgram(name);
        const auto frames = find(*file, {"addOne", "addTwo", "ManipulateTemporaryBuffer"}, 11).second;
        QCOMPARE(frames.size(), std::size_t{3});
        QCOMPARE(frames[1].line, 15u);
        QCOMPARE(frames[2].line, 29u);
        const auto address = find(*file, {"addOne", "addTwo", "ManipulateTemporaryBuffer"}, 11).first;
        const auto found = file->resolve(std::vector<Rva>{address});
        QVERIFY(found.frames[0].isInlined && found.frames[1].isInlined && !found.frames[2].isInlined);
    }

    void agreesWithLlvmSymbolizerOnEveryByte_data() { files(); }
    void agreesWithLlvmSymbolizerOnEveryByte() {
        QFETCH(QString, name);
        if (llvmTool("llvm-symbolizer").isEmpty()) QSKIP("llvm-19 is not installed (installer/packages-test.txt)");
        const auto file = openProgram(name);
        const auto& programs = BuiltPrograms::instance();
        const auto image = name == "exercise2.pdb" ? "exercise2.exe" : name;
        auto addresses = allAddresses();
        const auto ours = askReader(*file, addresses);
        const auto theirs = askSymbolizer(programs.path(image), addresses);
        QCOMPARE(theirs.size(), ours.size());
        std::size_t named = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            // llvm-symbolizer extends the nearest name over everything after it; a wrong name is worse than none.
            if (ours[i].empty()) continue;
            ++named;
            // Folded functions have two names for the same code: either is right.
            if (ours[i][0].function == "firstTwin(int)" || ours[i][0].function == "secondTwin(int)") continue;
            const auto message = QString("0x%1: ").arg(addresses[i], 0, 16) + QString::fromStdString(toText(ours[i])) +
                                 " but llvm-symbolizer: " + QString::fromStdString(toText(theirs[i]));
            QVERIFY2(ours[i] == theirs[i], qPrintable(message));
        }
        QVERIFY(named > 250);
    }

    void saysThatFunctionsWereFolded_data() { files(); }
    void saysThatFunctionsWereFolded() {
        QFETCH(QString, name);
        const auto file = openProgram(name);
        auto address = find(*file, {"firstTwin"}).first;
        if (address == 0) address = find(*file, {"secondTwin"}).first;
        QVERIFY(address != 0);
        const auto found = file->resolve(std::vector<Rva>{address});
        QCOMPARE(found.functions.at(0).foldedWith, 1u);
        const auto alone = file->resolve(std::vector<Rva>{find(*file, {"InnerLoopOperation"}).first});
        QCOMPARE(alone.functions.at(0).foldedWith, 0u);
    }

    void countsOffsetsFromTheFunction() {
        const auto file = openProgram("exercise2.pdb");
        const auto begin = find(*file, {"InnerLoopOperation"}).first;
        const auto found = file->resolve(std::vector<Rva>{begin + 5, begin});
        QCOMPARE(found.frames.at(0).offset, 5u);
        QCOMPARE(found.frames.at(1).offset, 0u);
        QCOMPARE(found.frames.at(0).function, found.frames.at(1).function);
        QCOMPARE(found.functions.size(), std::size_t{1});
    }

    void letsNoNameReachOverItsSection() {
        const auto file = openProgram("exercise2.elf");
        const auto bare = find(*file, {"bare"});
        QVERIFY(bare.first != 0);
        const auto found = file->resolve(std::vector<Rva>{bare.first + 1, bare.first + 0x100000, 0x7FFFFFFF});
        QCOMPARE(found.firstFrame[1], 1u);
        QCOMPARE(found.frames.size(), std::size_t{1});
    }

    void knowsLessOfAStrippedProgram() {
        const auto stripped = openProgram("stripped.elf");
        QVERIFY(!stripped->hasPrivateSymbols());
        QVERIFY(stripped->identity().hasBuildId());
        QCOMPARE(stripped->resolve(std::vector<Rva>{0x1400}).frames.size(), std::size_t{0});
        const auto debug = openMatchingSymbolFile(BuiltPrograms::instance().path("stripped.debug").toStdString(),
                                                  stripped->identity());
        QVERIFY(debug.hasValue());
    }

    void refusesTheFileOfAnotherBuild() {
        const auto wanted = openProgram("exercise2.pdb")->identity();
        const auto& programs = BuiltPrograms::instance();
        const auto pdb = programs.path("exercise2.pdb").toStdString();
        QVERIFY(openMatchingSymbolFile(pdb, wanted).hasValue());
        QVERIFY(openMatchingSymbolFile(programs.path("exercise2.exe").toStdString(), wanted).hasValue());
        auto otherAge = wanted;
        ++otherAge.pdbAge;
        const auto refused = openMatchingSymbolFile(pdb, otherAge);
        QVERIFY(!refused.hasValue());
        QVERIFY2(refused.error().message.find("belongs to another build: it has GUID") != std::string::npos,
                 refused.error().message.c_str());
        auto otherGuid = wanted;
        otherGuid.pdbGuid.data1 ^= 1;
        QVERIFY(!openMatchingSymbolFile(pdb, otherGuid).hasValue());
        QVERIFY(!openMatchingSymbolFile(programs.path("exercise2.elf").toStdString(), wanted).hasValue());
    }

    void refusesWhatIsNoDebugFile() {
        const auto source = openSymbolFile(HIGHWATER_SYMBOL_PROGRAMS "/exercise2.cpp");
        QVERIFY(!source.hasValue());
        QVERIFY2(
            source.error().message.ends_with("exercise2.cpp: The file is not a PDB, an ELF file or a Windows image."),
            source.error().message.c_str());
        QVERIFY(!openSymbolFile("/no/such/file").hasValue());
        QVERIFY(!openSymbolFileInMemory({}).hasValue());
    }

    void stopsWhenAsked() {
        const auto file = openProgram("exercise2.elf");
        std::stop_source stop;
        stop.request_stop();
        const auto found = file->resolve(allAddresses(), stop.get_token());
        QCOMPARE(found.addressCount(), allAddresses().size());
        QVERIFY(found.frames.empty());
    }

  private:
    static void files() {
        QTest::addColumn<QString>("name");
        QTest::newRow("PDB") << "exercise2.pdb";
        QTest::newRow("ELF") << "exercise2.elf";
        QTest::newRow("split debug file") << "stripped.debug";
    }
};
HIGHWATER_TEST(BuiltProgramTest);
#include "built_program_test.moc"
