#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

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

/// One program in every form of ELF and DWARF that a compiler makes: the same names, or a plain word why not.
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
        }
        QTest::newRow("clang, packed by zstd") << clang_ << QStringList{"-gz=zstd"} << Rva{0};
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
            // llvm-symbolizer lets the nearest name reach over everything behind it; a wrong name is worse than none.
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

    void saysThatSplitDwarfIsNotRead_data() {
        QTest::addColumn<QString>("version");
        QTest::newRow("DWARF 4") << "-gdwarf-4";
        QTest::newRow("DWARF 5") << "-gdwarf-5";
    }
    void saysThatSplitDwarfIsNotRead() {
        QFETCH(QString, version);
        QVERIFY(build(clang_, {"-gsplit-dwarf", version}, "split"));
        const auto file = openSymbolFile(path("split").toStdString());
        QVERIFY(file.hasValue());
        QCOMPARE(file.value()->remark(),
                 std::string("inlined calls are missing: they are in .dwo files, which are not read"));
        // Functions, files and lines are here.
        std::size_t withLine = 0;
        for (const auto& frames : ask("split")) {
            QVERIFY(frames.size() <= 1);
            if (frames.empty()) continue;
            QVERIFY(!frames[0].function.empty());
            if (frames[0].file.ends_with("exercise2.cpp") && frames[0].line != 0) ++withLine;
        }
        QVERIFY(withLine > 250);
    }
    void hasNoRemarkOtherwise() {
        QVERIFY(build(clang_, {"-gdwarf-5"}, "whole"));
        const auto file = openSymbolFile(path("whole").toStdString());
        QVERIFY(file.hasValue() && file.value()->remark().empty());
    }

    void readsWhatDwzMovedOut() {
        const auto dwz = QStandardPaths::findExecutable("dwz");
        if (dwz.isEmpty()) QSKIP("dwz is not installed (installer/packages-test.txt)");
        // As in Debian's packages of debug files; dwz moves what several files have.
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
        // Another build's file, then none: what is in the file itself is told, and the rest is said to be missing.
        for (const bool isThere : {true, false}) {
            QVERIFY(QFile::remove(path("common.debug")));
            if (isThere) QVERIFY(QFile::copy(path("two"), path("common.debug")));
            const auto file = openSymbolFile(path("one").toStdString());
            QVERIFY(file.hasValue());
            QCOMPARE(file.value()->remark(), std::string("some inlined calls are missing: their names are in "
                                                         "common.debug, which is not there or not looked at"));
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
        QVERIFY2(object.error().message.ends_with("Object files are not read: their code has no addresses yet."),
                 object.error().message.c_str());
    }
    /// 100,000 functions that all name the same 300,000 ranges, 2,000 units that all name the same abbreviations: read
    /// one by one it would take hours and more memory than there is.
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
        QCOMPARE(big.error().message, std::string("ELF files of big-endian machines are not read."));
    }

  private:
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
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        process.start(compiler, arguments);
        const bool isDone = process.waitForFinished(60'000) && process.exitCode() == 0;
        if (!isDone) qWarning().noquote() << QString::fromUtf8(process.readAllStandardError()).left(500);
        return isDone;
    }

    QTemporaryDir folder_;
    QString clang_;
};
HIGHWATER_TEST(DebugFormatsTest);
#include "debug_formats_test.moc"
