#include "core/symbols/elf/mini_debug.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

std::size_t inlinedIn(const std::vector<TextFrames>& answers) {
    std::size_t count = 0;
    for (const auto& frames : answers)
        count += frames.size() > 1 ? 1 : 0;
    return count;
}

} // namespace

/// One program in every form of ELF and DWARF that compilers make: the same names, or a clear reason for their absence.
class DebugFormatsTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { clang_ = llvmTool("clang++"); }
    void init() {
        if (clang_.isEmpty() || llvmTool("ld.lld").isEmpty())
            QSKIP("clang-19 or lld-19 is not installed (installer/packages-test.txt)");
        QVERIFY(folder_.isValid());
    }

    void agreesWithLlvmSymbolizer_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<Rva>("base"); // llvm-symbolizer wants addresses as linked
        for (const auto& compiler : {clang_, QStandardPaths::findExecutable("g++")}) {
            const auto add = [&](const char* name, const QStringList& options, Rva base = 0) {
                QTest::addRow("%s, %s", qPrintable(QFileInfo(compiler).fileName()), name)
                    << compiler << options << base;
            };
            add("DWARF 2", {"-gdwarf-2"});
            add("DWARF 3", {"-gdwarf-3"});
            add("DWARF 4", {"-gdwarf-4"});
            add("DWARF 5", {"-gdwarf-5"});
            add("64-bit DWARF", {"-gdwarf-4", "-gdwarf64"});
            add("64-bit DWARF 5", {"-gdwarf-5", "-gdwarf64"});
            add("type units", {"-fdebug-types-section"});
            add("packed by zlib", {"-gz=zlib"});
            add("no PIE", {"-no-pie", "-fno-pie"}, compiler == clang_ ? 0x200000 : 0x400000);
            add("static PIE", {"-fPIE", "-static-pie"});
            add("shared library", {"-fPIC", "-shared"});
            add("link-time optimization", {"-flto"});
            add("split DWARF 4", {"-gsplit-dwarf", "-gdwarf-4"});
            add("split DWARF 5", {"-gsplit-dwarf", "-gdwarf-5"});
            add("split DWARF 5, packed by zlib", {"-gsplit-dwarf", "-gdwarf-5", "-gz=zlib"});
            add("split DWARF, type units", {"-gsplit-dwarf", "-fdebug-types-section"});
        }
        QTest::newRow("clang, packed by zstd") << clang_ << QStringList{"-gz=zstd"} << Rva{0};
        QTest::newRow("clang, split, packed by zstd") << clang_ << QStringList{"-gsplit-dwarf", "-gz=zstd"} << Rva{0};
        QTest::newRow("clang, 32 bits, split")
            << clang_ << QStringList{"--target=i686-linux-gnu", "-gsplit-dwarf"} << Rva{0};
        QTest::newRow("clang, 32 bits") << clang_ << QStringList{"--target=i686-linux-gnu"} << Rva{0};
        QTest::newRow("clang, ARM64") << clang_
                                      << QStringList{"--target=aarch64-linux-gnu", "-fPIE", "-static-pie",
                                                     "-Wl,-z,max-page-size=4096"}
                                      << Rva{0};
    }
    void agreesWithLlvmSymbolizer() {
        QFETCH(QString, compiler);
        QFETCH(QStringList, options);
        if (compiler.isEmpty()) QSKIP("g++ is not installed");
        if (!build(compiler, options, "program")) QSKIP("this compiler cannot make it");
        const auto answers = ask("program");
        QFETCH(Rva, base);
        auto linked = allAddresses();
        for (auto& address : linked)
            address += base;
        const auto theirs = askSymbolizer(path("program"), linked);
        QCOMPARE(theirs.size(), answers.size());
        std::size_t named = 0;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            // llvm-symbolizer extends the nearest name over everything after it; a wrong name is worse than none.
            if (answers[i].empty()) continue;
            ++named;
            // Two functions with the same bytes: either name is right.
            if (answers[i][0].function.find("Twin(int)") != std::string::npos) continue;
            QVERIFY2(answers[i] == theirs[i],
                     qPrintable(QString("0x%1: ").arg(i, 0, 16) + QString::fromStdString(toText(answers[i])) +
                                " but llvm-symbolizer: " + QString::fromStdString(toText(theirs[i]))));
        }
        QVERIFY2(named > 250, qPrintable(QString::number(named)));
        QVERIFY(inlinedIn(answers) > 10);
    }

    /// As separate objects, in one package, and in the object files: the same answers.
    void readsWhatWasSplitOff_data() {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("compiler");
        for (const auto& compiler : {clang_, QStandardPaths::findExecutable("g++")}) {
            const auto name = QFileInfo(compiler).fileName();
            QTest::addRow("%s, DWARF 4", qPrintable(name)) << "-gdwarf-4" << compiler;
            QTest::addRow("%s, DWARF 5", qPrintable(name)) << "-gdwarf-5" << compiler;
        }
    }
    void readsWhatWasSplitOff() {
        QFETCH(QString, version);
        QFETCH(QString, compiler);
        if (compiler.isEmpty()) QSKIP("g++ is not installed");
        QVERIFY(build(compiler, {version}, "whole"));
        const auto whole = ask("whole");
        QVERIFY(inlinedIn(whole) > 10);
        QVERIFY(buildSplit(compiler, {version}));
        QCOMPARE(remarkOf("split"), std::string());
        QVERIFY(ask("split") == whole);
        const auto objects = QDir(folder_.path()).entryList({"*.dwo"});
        QVERIFY(!objects.isEmpty());

        if (compiler != clang_ && version == "-gdwarf-5")
            QSKIP("llvm-dwp 19 does not end with what g++ makes of version 5");
        QVERIFY(run(llvmTool("llvm-dwp"), {"-e", "split", "-o", "split.dwp"}));
        for (const auto& object : objects)
            QVERIFY(QFile::remove(path(object)));
        QVERIFY(ask("split") == whole);
        QCOMPARE(remarkOf("split"), std::string());
        QVERIFY(QFile::remove(path("split.dwp")));
    }
    void readsWhatWasSplitOffInObjectFiles() {
        QVERIFY(build(clang_, {"-gdwarf-5"}, "whole"));
        QVERIFY(build(clang_, {"-gdwarf-5", "-gsplit-dwarf=single", "-c"}, "single.o"));
        QVERIFY(
            run(clang_, {"-nostdlib", "-Wl,--build-id", "-Wl,-e,entry", "-fuse-ld=lld", "-o", "single", "single.o"}));
        QVERIFY(ask("single") == ask("whole"));
        QCOMPARE(remarkOf("single"), std::string());
    }
    /// Only some units have their .dwo files.
    void saysWhichDwoFilesAreMissing_data() {
        QTest::addColumn<bool>("isOtherBuild");
        QTest::newRow("not there") << false;
        QTest::newRow("another build's") << true;
    }
    void saysWhichDwoFilesAreMissing() {
        QFETCH(bool, isOtherBuild);
        QVERIFY(buildSplit(clang_, {"-fno-inline", "-O0"}));
        const auto object = QDir(folder_.path()).entryList({"*.dwo"}).value(0);
        QVERIFY(QFile::copy(path(object), path("other")));
        QVERIFY(buildSplit(clang_, {}));
        const auto before = ask("split");
        QVERIFY(QFile::remove(path(object)));
        if (isOtherBuild) QVERIFY(QFile::rename(path("other"), path(object)));
        QCOMPARE(remarkOf("split"), "inlined calls are missing; of 1 .dwo file, 1 is absent, skipped or from another "
                                    "build, such as " +
                                        object.toStdString());
        // Functions, files and lines are in the program.
        const auto without = ask("split");
        for (std::size_t i = 0; i < without.size(); ++i) {
            QVERIFY(without[i].size() <= 1);
            QCOMPARE(without[i].empty(), before[i].empty());
            if (without[i].empty()) continue;
            QCOMPARE(without[i][0].function, before[i].back().function);
            QCOMPARE(without[i][0].line, before[i].front().line);
        }
        QFile::remove(path("other"));
        QFile::remove(path(object));
    }
    /// A debug file can contain any path: which paths are searched depends on the file's origin.
    void looksForDwoFilesWherePermitted() {
        using Reach = LinkedFiles::Reach;
        QTemporaryDir elsewhere;
        QVERIFY(buildSplit(clang_, {}));
        const auto object = QDir(folder_.path()).entryList({"*.dwo"}).value(0);
        const auto copy = elsewhere.filePath("split"), beside = elsewhere.filePath(object);
        QVERIFY(QFile::copy(path("split"), copy));
        const auto finds = [&](const LinkedFiles& linked) {
            const auto file = openSymbolFile(copy.toStdString(), linked);
            return file.hasValue() && file.value()->remark().empty();
        };
        const LinkedFiles below{Reach::Below, elsewhere.path().toStdString()};
        QVERIFY(finds({Reach::Local})); // where it was compiled
        QVERIFY(!finds({Reach::SameStore}));
        QVERIFY(!finds(below));
        QVERIFY(QFile::copy(path(object), beside));
        QVERIFY(finds({Reach::SameStore}));
        QVERIFY(finds(below));
        QVERIFY(QFile::remove(beside) && QFile::link(path(object), beside));
        QVERIFY(!finds({Reach::SameStore}));
        QVERIFY(!finds(below));
        QVERIFY(QFile::remove(beside));
        const auto inMemory = openSymbolFileInMemory(bytesOfFile(path("split")));
        QVERIFY(inMemory.hasValue() && inMemory.value()->remark().starts_with("inlined calls are missing"));
        QFile::remove(path(object));
    }
    void survivesDamagedDwoFiles_data() {
        QTest::addColumn<bool>("isPackage");
        QTest::addColumn<QString>("version");
        for (const auto* version : {"-gdwarf-4", "-gdwarf-5"}) {
            QTest::addRow("object, %s", version) << false << version;
            QTest::addRow("package, %s", version) << true << version;
        }
    }
    void survivesDamagedDwoFiles() {
        QFETCH(bool, isPackage);
        QFETCH(QString, version);
        QVERIFY(buildSplit(clang_, {version}));
        const auto object = QDir(folder_.path()).entryList({"*.dwo"}).value(0);
        if (isPackage) QVERIFY(run(llvmTool("llvm-dwp"), {"-e", "split", "-o", "split.dwp"}));
        const auto whole = bytesOfFile(path(isPackage ? "split.dwp" : object));
        QFile::remove(path(object));
        QVERIFY(!whole.empty());
        std::vector<Rva> addresses;
        for (Rva address = 0x1000; address < 0x1800; address += 16)
            addresses.push_back(address);
        for (std::size_t at = 0; at < whole.size(); at += 5) {
            auto bytes = whole;
            bytes[at] ^= at % 2 == 0 ? std::byte{0xFF} : std::byte{0x01};
            writeFile(path("split.dwp"),
                      {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())});
            const auto file = openSymbolFile(path("split").toStdString());
            QVERIFY(file.hasValue());
            QCOMPARE(file.value()->resolve(addresses).addressCount(), addresses.size());
        }
        QFile::remove(path("split.dwp"));
    }

    /// The debug data that Fedora's packages leave in a stripped program, made as its tools make it.
    void readsMiniDebugInfo() {
        if (!build(clang_, {"-fno-inline", "-fPIC", "-shared"}, "whole.so")) QSKIP("this compiler cannot make it");
        const auto isMade = run("/bin/sh", {"-c", R"(set -e
            nm -D whole.so --format=posix --defined-only | awk '{print $1}' | sort > dynamic
            nm whole.so --format=posix --defined-only | awk '$2 == "T" || $2 == "t" {print $1}' | sort > functions
            comm -13 dynamic functions > kept
            objcopy --only-keep-debug whole.so debug
            objcopy -S --remove-section .comment --keep-symbols=kept debug mini
            cp whole.so tabled.so; strip -g tabled.so
            cp whole.so stripped.so; strip --strip-all -R .comment stripped.so
            xz -kf mini
            objcopy --add-section .gnu_debugdata=mini.xz stripped.so packed.so
            head -c 200 mini.xz > cut.xz
            objcopy --add-section .gnu_debugdata=cut.xz stripped.so damaged.so)"});
        if (!isMade) QSKIP("binutils or xz is not installed (installer/packages-test.txt)");
        const auto wanted = ask("tabled.so"), exported = ask("stripped.so"), packed = ask("packed.so");
        const auto named = [](const auto& answers) {
            return std::count_if(answers.begin(), answers.end(), [](const auto& frames) { return !frames.empty(); });
        };
        QVERIFY(named(exported) < named(wanted));
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(packed[i] == wanted[i],
                     qPrintable(QString::fromStdString(toText(packed[i]) + " for " + toText(wanted[i]))));
        QCOMPARE(remarkOf("packed.so"), std::string());
        QCOMPARE(remarkOf("stripped.so"), std::string("public names only"));
        QVERIFY(ask("damaged.so") == exported);
        QCOMPARE(remarkOf("damaged.so"), std::string("its MiniDebugInfo is damaged or too large; public names only"));

        const auto packedBytes = bytesOfFile(path("mini.xz"));
        const auto bytes = bytesOfFile(path("mini")).size();
        QVERIFY(unpackMiniDebugInfo(packedBytes, bytes));
        QVERIFY(!unpackMiniDebugInfo(packedBytes, bytes - 1));
        QVERIFY(!unpackMiniDebugInfo({}, bytes));
    }
    void hasNoRemarkOtherwise() {
        QVERIFY(build(clang_, {"-gdwarf-5"}, "whole"));
        const auto file = openSymbolFile(path("whole").toStdString());
        QVERIFY(file.hasValue() && file.value()->remark().empty());
    }

    void readsWhatDwzMovedOut() {
        const auto dwz = QStandardPaths::findExecutable("dwz");
        if (dwz.isEmpty()) QSKIP("dwz is not installed (installer/packages-test.txt)");
        // As in Debian's debug packages: dwz moves data that several files share.
        QVERIFY(build(clang_, {"-gdwarf-4"}, "one") && build(clang_, {"-gdwarf-4", "-DOTHER"}, "two"));
        const auto before = ask("one");
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(dwz, {"-m", "common.debug", "-M", "common.debug", "one", "two"});
        QVERIFY(process.waitForFinished() && process.exitCode() == 0);
        QVERIFY(inlinedIn(before) > 10);
        QVERIFY(QFile::exists(path("common.debug")));
        QVERIFY(ask("one") == before);
        const auto whole = openSymbolFile(path("one").toStdString());
        QVERIFY(whole.hasValue() && whole.value()->remark().empty());
        // Another build's file, then none: the file's own information is used, and the missing part is reported.
        for (const bool isThere : {true, false}) {
            QVERIFY(QFile::remove(path("common.debug")));
            if (isThere) QVERIFY(QFile::copy(path("two"), path("common.debug")));
            const auto file = openSymbolFile(path("one").toStdString());
            QVERIFY(file.hasValue());
            QCOMPARE(file.value()->remark(), std::string("some inlined calls are missing because their names are in "
                                                         "common.debug, which is absent or skipped"));
            const auto without = ask("one");
            for (std::size_t i = 0; i < without.size(); ++i) {
                QCOMPARE(without[i].empty(), before[i].empty());
                if (!without[i].empty()) QCOMPARE(without[i].back().function, before[i].back().function);
            }
        }
    }

    void survivesFlippedBytes_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("DWARF 2") << QStringList{"-gdwarf-2"};
        QTest::newRow("DWARF 4") << QStringList{"-gdwarf-4"};
        QTest::newRow("64-bit DWARF 5") << QStringList{"-gdwarf-5", "-gdwarf64"};
        QTest::newRow("type units") << QStringList{"-fdebug-types-section"};
        QTest::newRow("split DWARF") << QStringList{"-gsplit-dwarf"};
        QTest::newRow("packed by zlib") << QStringList{"-gz=zlib"};
        QTest::newRow("packed by zstd") << QStringList{"-gz=zstd"};
        QTest::newRow("32 bits") << QStringList{"--target=i686-linux-gnu"};
    }
    void survivesFlippedBytes() {
        QFETCH(QStringList, options);
        QVERIFY(build(clang_, options, "damaged"));
        const auto whole = bytesOfFile(path("damaged"));
        std::vector<Rva> addresses{0, 1, ~Rva{0}};
        for (Rva address = 0x1000; address < 0x1800; address += 16)
            addresses.push_back(address);
        for (std::size_t at = 0; at < whole.size(); at += 3) {
            auto bytes = whole;
            bytes[at] ^= at % 2 == 0 ? std::byte{0xFF} : std::byte{0x01};
            const auto file = openSymbolFileInMemory(std::move(bytes));
            if (!file.hasValue()) continue;
            const auto found = file.value()->resolve(addresses);
            QCOMPARE(found.addressCount(), addresses.size());
            for (const auto& frame : found.frames) {
                QVERIFY(frame.function < found.functions.size());
                QVERIFY(frame.file == kNoFile || frame.file < found.files.size());
            }
        }
    }

    void refusesWhatHasNoAddresses() {
        QVERIFY(build(clang_, {"-c"}, "object.o"));
        const auto object = openSymbolFile(path("object.o").toStdString());
        QVERIFY(!object.hasValue());
        QVERIFY2(
            object.error().message.ends_with("Object files are not supported because their code has no addresses yet."),
            object.error().message.c_str());
    }
    /// 100,000 functions that all refer to the same 300,000 ranges, 2,000 units that all refer to the same
    /// abbreviations: reading them one by one would take hours and more memory than there is.
    void readsDamagedListsOnlySoOften() {
        QFile source(path("endless.s"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write(R"(
.section .debug_abbrev,"",@progbits
 .byte 1,17,1, 0x55,0x17, 0,0,  2,46,0, 0x55,0x17, 0,0
 .set code,3
 .rept 60000
  .uleb128 code
  .byte 46,0, 0,0
  .set code,code+1
 .endr
 .byte 0
.section .debug_ranges,"",@progbits
 .rept 300000
  .quad 0x201000,0x202000
 .endr
 .quad 0,0
.section .debug_info,"",@progbits
 .long end-begin
begin: .short 4; .long 0; .byte 8
 .byte 1; .long 0
 .rept 100000
  .byte 2; .long 0
 .endr
 .byte 0
end:
 .rept 2000
  .long 12; .short 4; .long 0; .byte 8; .byte 1; .long 0
 .endr
.text
.globl entry
entry: .fill 4096,1,0xc3
)");
        source.close();
        const QStringList arguments{"-nostdlib", "-static", "-fuse-ld=lld", "-Wl,-e,entry",
                                    "-o",        "endless", "endless.s"};
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(clang_, arguments);
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const auto file = openSymbolFile(path("endless").toStdString());
        QVERIFY(file.hasValue());
        std::vector<Rva> addresses;
        for (Rva address = 0; address < 0x3000; ++address)
            addresses.push_back(address);
        QCOMPARE(file.value()->resolve(addresses).addressCount(), addresses.size());
    }
    void refusesBigEndianFiles() {
        QVERIFY(build(clang_, {}, "little"));
        auto bytes = bytesOfFile(path("little"));
        constexpr std::size_t kByteOrder = 5;
        bytes.at(kByteOrder) = std::byte{2};
        const auto big = openSymbolFileInMemory(std::move(bytes));
        QVERIFY(!big.hasValue());
        QCOMPARE(big.error().message, std::string("Big-endian ELF files are not supported."));
    }

  private:
    /// A program compiled with split debug data, and only its .dwo file.
    bool buildSplit(const QString& compiler, const QStringList& options) const {
        for (const auto& old : QDir(folder_.path()).entryList({"*.dwo", "*.dwp"}))
            QFile::remove(path(old));
        return build(compiler, QStringList{"-gsplit-dwarf"} + options, "split");
    }
    bool run(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(program, arguments);
        const bool isDone = process.waitForFinished(60'000) && process.exitCode() == 0;
        if (!isDone) qWarning().noquote() << QString::fromUtf8(process.readAllStandardError()).left(500);
        return isDone;
    }
    std::string remarkOf(const QString& name) const {
        const auto file = openSymbolFile(path(name).toStdString());
        return file.hasValue() ? file.value()->remark() : file.error().message;
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    std::vector<TextFrames> ask(const QString& name) const {
        const auto file = openSymbolFile(path(name).toStdString());
        if (!file.hasValue()) return {};
        return askReader(*file.value(), allAddresses());
    }
    bool build(const QString& compiler, const QStringList& options, const QString& name) const {
        QStringList arguments{"-O1",      "-g", "-ffunction-sections", "-fno-exceptions", "-fno-stack-protector",
                              "-Wno-main"};
        arguments += options;
        arguments +=
            {"-nostdlib", "-Wl,--build-id", "-Wl,-e,entry", "-o", name, HIGHWATER_SYMBOL_PROGRAMS "/exercise2.cpp"};
        if (compiler == clang_) arguments += {"-fuse-ld=lld", "-Wno-unused-command-line-argument"};
        return run(compiler, arguments);
    }

    QTemporaryDir folder_;
    QString clang_;
};
HIGHWATER_TEST(DebugFormatsTest);
#include "debug_formats_test.moc"
