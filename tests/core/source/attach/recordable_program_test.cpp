#include "core/source/attach/recordable_program_linux.h"

#include "core/source/agent/agent_channel_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr mode_t kMayRun = 0700;

/// The reason why a program is refused; empty: it is not.
QString refusal(const QString& program) {
    const auto checked = checkRecordable(program.toStdString(), findAgentLibrary());
    return checked.hasValue() ? QString() : QString::fromStdString(checked.error().message);
}

/// Files for one test.
class Files {
  public:
    QString make(const QString& name, const QByteArray& content, mode_t mode = kMayRun) const {
        const auto path = folder_.filePath(name);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(content);
        file.close();
        ::chmod(path.toLocal8Bit(), mode);
        return path;
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    /// A program that a compiler builds; empty: there is no such compiler, or it failed.
    [[nodiscard]] QString compile(const QString& compiler, const QStringList& options,
                                  const QByteArray& code = kCode) const {
        const auto source = make("program.c", code, 0600);
        const auto program = folder_.filePath("compiled");
        QFile::remove(program);
        if (QStandardPaths::findExecutable(compiler).isEmpty()) return {};
        QProcess process;
        process.start(compiler, QStringList{"-g", "-o", program, source} + options);
        process.waitForFinished(-1);
        return process.exitCode() == 0 && QFile::exists(program) ? program : QString();
    }
    static constexpr const char* kCode = "#include <stdlib.h>\nint main(void) { return malloc(10) == 0; }\n";

  private:
    QTemporaryDir folder_;
};

/// /bin/true with other bytes in its header.
QByteArray changedElf(const std::function<void(Elf64_Ehdr&)>& change) {
    QFile file("/bin/true");
    auto bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    Elf64_Ehdr header{};
    std::memcpy(&header, bytes.constData(), sizeof header);
    change(header);
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

} // namespace

/// Each reason for which a program is refused before it is started, as docs/agent.md lists them.
class RecordableProgramTest : public QObject {
    Q_OBJECT

    const Files files_;

  private slots:
    void ordinaryProgramsAndScriptsAreNotRefused() {
        QCOMPARE(refusal("/bin/true"), QString());
        QCOMPARE(refusal("true"), QString());
        QCOMPARE(refusal(files_.make("script", "#!/bin/sh\nexit 0\n")), QString());
        QCOMPARE(refusal(files_.make("chain", ("#! " + files_.path("script") + " word\n").toLocal8Bit())), QString());
        QCOMPARE(refusal(files_.make("text", "echo 1\n")), QString()); // the system reports it at the start
        QCOMPARE(refusal("/lib64/ld-linux-x86-64.so.2"), QString());   // loads the given program, with the agent
        const auto undefined = files_.compile("gcc", {"-fsanitize=undefined"});
        if (!undefined.isEmpty()) QCOMPARE(refusal(undefined), QString());
    }

    void whatTheSystemDoesNotStartIsRefusedWithItsReason_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("reason");
        QTest::newRow("missing") << "/nowhere/at/all"
                                 << "/nowhere/at/all cannot be started because it does not exist.";
        QTest::newRow("missing in PATH") << "no-such-program"
                                         << "No program no-such-program was found on the PATH.";
        QTest::newRow("a folder") << "/usr"
                                  << "it is a folder";
        QTest::newRow("a device") << "/dev/null"
                                  << "it is not a regular file";
        QTest::newRow("no right") << files_.make("plain", "#!/bin/sh\n", 0600)
                                  << "you have no permission to execute it";
        QTest::newRow("no interpreter") << files_.make("lost", "#!/nowhere/sh -e\n")
                                        << "names the interpreter /nowhere/sh, which does not exist";
        QTest::newRow("a carriage return") << files_.make("windows", "#!/bin/sh\r\nexit 0\r\n")
                                           << "the interpreter /bin/sh followed by a carriage return";
        QTest::newRow("an interpreter's interpreter")
            << files_.make("outer", ("#!" + files_.make("inner", "#!/nowhere/sh\n")).toLocal8Bit() + "\n")
            << "/nowhere/sh, which does not exist";
        QTest::newRow("an interpreter without right")
            << files_.make("closed", ("#!" + files_.make("plain2", "x", 0600)).toLocal8Bit() + "\n")
            << "its interpreter cannot be started";
        QTest::newRow("an object file") << files_.make("object", changedElf([](auto& h) { h.e_type = ET_REL; }))
                                        << "an ELF file, but not a program";
        QTest::newRow("a core dump") << files_.make("core", changedElf([](auto& h) { h.e_type = ET_CORE; }))
                                     << "an ELF file, but not a program";
    }
    void whatTheSystemDoesNotStartIsRefusedWithItsReason() {
        QFETCH(QString, program);
        QFETCH(QString, reason);
        QVERIFY2(refusal(program).contains(reason), qPrintable(refusal(program)));
    }

    // Wherever the file ends: after the magic number, in the header, in the segment table, in loaded data.
    void aProgramThatIsCutOffIsSaidToBe_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {4, 16, 19, 20, 63, 64, 100, 500, 4096, 20'000})
            QTest::addRow("%d bytes", bytes) << bytes;
    }
    void aProgramThatIsCutOffIsSaidToBe() {
        QFETCH(const int, bytes);
        const auto whole = changedElf([](auto&) {});
        QVERIFY(whole.size() > 20'000);
        const auto reason = refusal(files_.make("cut", whole.left(bytes)));
        QVERIFY2(reason.contains("it is an ELF file that is cut off"), qPrintable(reason));
        const auto script = files_.make("of cut", ("#!" + files_.path("cut") + "\n").toLocal8Bit());
        QVERIFY2(refusal(script).contains("is cut off"), qPrintable(refusal(script)));
        QCOMPARE(refusal(files_.make("cut", whole)), QString());
    }

    void whatTheSystemRefusesIsNamed_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << QByteArray() << "it is an empty file.";
        QTest::newRow("text") << QByteArray("echo 1\n") << "it is a text file whose first line";
        QTest::newRow("text of another language") << QByteArray("gr\xC3\xBC\xC3\x9F\n") << "it is a text file whose";
        QTest::newRow("no interpreter") << QByteArray("#!\n") << "does not name an interpreter";
        QTest::newRow("a mark before it") << QByteArray("\xEF\xBB\xBF#!/bin/sh\n") << "a byte order mark";
        QTest::newRow("of Windows") << QByteArray("MZ\x90\0\3\0", 6) << "for Windows or DOS";
        QTest::newRow("of macOS") << QByteArray("\xCF\xFA\xED\xFE\7\0\0\1", 8) << "for macOS";
        QTest::newRow("an archive") << QByteArray("PK\3\4\0\0", 6) << "archive (ZIP or JAR)";
        QTest::newRow("WebAssembly") << QByteArray("\0asm\1\0\0\0", 8) << "WebAssembly";
        QTest::newRow("anything") << QByteArray("\1\2\3\0\xFF", 5) << "neither an ELF file nor a text";
    }
    void whatTheSystemRefusesIsNamed() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, reason);
        const auto file = files_.make("refused", content);
        const QString found = QString::fromStdString(systemReasonFor(file.toStdString()));
        QVERIFY2(found.contains(reason), qPrintable(found));
        QCOMPARE(found.contains("record sh with this file"), reason.contains("text file whose"));
        const auto launched = record({file, {}});
        QVERIFY2(launched.problem.contains("cannot be started because " + found), qPrintable(launched.problem));
        const auto script = files_.make("of refused", ("#!" + file + "\n").toLocal8Bit());
        const auto byScript = QString::fromStdString(systemReasonFor(script.toStdString()));
        QVERIFY2(byScript.contains("its interpreter is " + file + ", and "), qPrintable(byScript));
    }

    void otherProcessorsAreNamed() {
        const auto arm = files_.make("arm", changedElf([](auto& h) { h.e_machine = EM_AARCH64; }));
        QVERIFY2(refusal(arm).contains("for 64-bit ARM (aarch64) processors"), qPrintable(refusal(arm)));
        const auto big = files_.make("s390", changedElf([](auto& h) {
                                         h.e_machine = qToBigEndian<quint16>(EM_S390);
                                         h.e_ident[EI_DATA] = ELFDATA2MSB;
                                     }));
        QVERIFY2(refusal(big).contains("IBM Z"), qPrintable(refusal(big)));
        const auto small = files_.make("i386", changedElf([](auto& h) {
                                           h.e_machine = EM_386;
                                           h.e_ident[EI_CLASS] = ELFCLASS32;
                                       }));
        QVERIFY2(refusal(small).contains("32-bit program"), qPrintable(refusal(small)));
        const auto script = files_.make("of arm", ("#!" + arm + "\n").toLocal8Bit());
        QVERIFY2(refusal(script).contains("its interpreter is " + arm), qPrintable(refusal(script)));
    }

    void whatIsStaticIsSaidToBe() {
        const auto reason = refusal(targetPath("agent_static"));
        QVERIFY2(reason.contains("statically linked"), qPrintable(reason));
        const auto pie = files_.compile("gcc", {"-static-pie"});
        if (!pie.isEmpty()) QVERIFY2(refusal(pie).contains("statically linked"), qPrintable(refusal(pie)));
        const auto library = files_.compile("gcc", {"-shared", "-fPIC"});
        if (!library.isEmpty()) QVERIFY2(refusal(library).contains("shared library"), qPrintable(refusal(library)));
        QFile file(targetPath("agent_static"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto image = file.readAll();
        image.replace(8, 3, "AI\x02");
        const auto app = refusal(files_.make("Some.AppImage", image));
        QVERIFY2(app.contains("--appimage-extract"), qPrintable(app));
    }

    void anotherLibcIsNamed() {
        const auto musl = files_.compile("musl-gcc", {});
        if (musl.isEmpty()) QSKIP("musl-gcc (musl-tools) is not installed");
        QVERIFY2(refusal(musl).contains("linked against musl"), qPrintable(refusal(musl)));
        QVERIFY2(!refusal(musl).contains("statically"), qPrintable(refusal(musl)));
    }

    // By the contents of the file, not by its name.
    void aLinkerOfAnotherLibcWithTheNameOfGlibcsIsNotGlibcs() {
        const auto other = files_.make("ld-linux-x86-64.so.2", changedElf([](auto& h) { h.e_phnum = 0; }));
        const auto program = files_.compile("gcc", {"-Wl,--dynamic-linker=" + other});
        if (program.isEmpty()) QSKIP("gcc is not installed");
        QVERIFY2(refusal(program).contains("not linked against glibc"), qPrintable(refusal(program)));
    }

    void aMissingDynamicLinkerIsNamed() {
        const auto program = files_.compile("gcc", {"-Wl,--dynamic-linker=/nowhere/ld-linux-x86-64.so.2"});
        if (program.isEmpty()) QSKIP("gcc is not installed");
        QVERIFY2(refusal(program).contains("/nowhere/ld-linux-x86-64.so.2, does not exist"),
                 qPrintable(refusal(program)));
    }

    void anOldGlibcIsRefused() {
        const auto folder = files_.path("old");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy("/lib64/ld-linux-x86-64.so.2", folder + "/ld-linux-x86-64.so.2"));
        const auto versions = files_.make("versions", "GLIBC_2.17 { global: *; };\n", 0600);
        const auto libc = files_.compile("gcc", {"-shared", "-fPIC", "-nostdlib", "-Wl,--version-script=" + versions},
                                         "int oldFunction(void) { return 1; }\n");
        if (libc.isEmpty()) QSKIP("gcc is not installed");
        QVERIFY(QFile::copy(libc, folder + "/libc.so.6"));
        QCOMPARE(glibcVersionIn((folder + "/libc.so.6").toStdString()), 17u);
        const auto program = files_.compile("gcc", {"-Wl,--dynamic-linker=" + folder + "/ld-linux-x86-64.so.2"});
        QVERIFY2(refusal(program).contains("it uses glibc 2.17"), qPrintable(refusal(program)));
        QVERIFY(glibcVersionIn(findAgentLibrary()) >= 17);
    }

    void sanitizersThatReplaceTheAllocatorAreNamed_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("name");
        QTest::newRow("gcc, address") << "gcc" << QStringList{"-fsanitize=address"} << "AddressSanitizer (__asan_init)";
        QTest::newRow("gcc, thread") << "gcc" << QStringList{"-fsanitize=thread"} << "ThreadSanitizer";
        QTest::newRow("gcc, leak") << "gcc" << QStringList{"-fsanitize=leak"} << "LeakSanitizer";
        QTest::newRow("clang, address") << "clang" << QStringList{"-fsanitize=address"} << "AddressSanitizer";
        QTest::newRow("clang, memory") << "clang" << QStringList{"-fsanitize=memory"} << "MemorySanitizer";
        QTest::newRow("clang, thread") << "clang" << QStringList{"-fsanitize=thread"} << "ThreadSanitizer";
        QTest::newRow("clang, leak") << "clang" << QStringList{"-fsanitize=leak"} << "LeakSanitizer";
    }
    void sanitizersThatReplaceTheAllocatorAreNamed() {
        QFETCH(QString, compiler);
        QFETCH(QStringList, options);
        QFETCH(QString, name);
        const auto program = files_.compile(compiler, options);
        if (program.isEmpty()) QSKIP("this compiler has no such sanitizer here");
        QVERIFY2(refusal(program).contains("built with " + name), qPrintable(refusal(program)));
    }

    // The dynamic linker ignores LD_PRELOAD only if the user who starts the program has other rights than the program
    // gets.
    void rightsOfItsOwnAreThoseThatTheStarterHasNot() {
        if (::geteuid() != 0) QSKIP("only root can make such files");
        QFile original("/bin/true");
        QVERIFY(original.open(QIODevice::ReadOnly));
        const auto program = files_.make("with rights", original.readAll());
        const auto path = program.toLocal8Bit();
        const auto give = [&path](uid_t user, gid_t group, mode_t mode) {
            return ::chown(path, user, group) == 0 && ::chmod(path, mode) == 0;
        };
        QVERIFY(give(65534, 0, 04755));
        QVERIFY2(refusal(program).contains("setuid"), qPrintable(refusal(program)));
        QVERIFY(give(0, 65534, 02755));
        QVERIFY2(refusal(program).contains("setuid"), qPrintable(refusal(program)));
        QVERIFY(give(0, 65534, 02744)); // has another meaning
        QCOMPARE(refusal(program), QString());
        QVERIFY(give(0, 0, 06755)); // root's own
        QCOMPARE(refusal(program), QString());
        QCOMPARE(record({program, {}}).problem, QString());
        const auto script = files_.make("script with rights", "#!/bin/sh\nexit 0\n");
        QCOMPARE(::chown(script.toLocal8Bit(), 65534, 0), 0);
        QCOMPARE(::chmod(script.toLocal8Bit(), 04755), 0); // Linux ignores it for scripts
        QCOMPARE(refusal(script), QString());
    }

    void aFileSystemThatStartsNothingIsNamed() {
        const auto folder = files_.path("noexec");
        QVERIFY(QDir().mkpath(folder));
        const QStringList words{"-t", "tmpfs", "-o", "noexec", "tmpfs", folder};
        if (::geteuid() != 0 || QProcess::execute("mount", words) != 0) QSKIP("nothing can be mounted here");
        QFile::copy("/bin/true", folder + "/true");
        const auto reason = refusal(folder + "/true");
        QProcess::execute("umount", {folder});
        QVERIFY2(reason.contains("mounted with \"noexec\""), qPrintable(reason));
    }
};
HIGHWATER_TEST(RecordableProgramTest);

#include "recordable_program_test.moc"
