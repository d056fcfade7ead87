#include "core/source/generated_code/code_watch_linux.h"

#include "tests/core/source/generated_code/jitdump_file.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

namespace fs = std::filesystem;

/// A waiting process, perhaps with a file mapped as writers of jitdump files map it.
class Program {
  public:
    explicit Program(const std::string& mapped = {}) : pid_(::fork()) {
        if (pid_ != 0) return;
        const int file = mapped.empty() ? -1 : ::open(mapped.c_str(), O_RDONLY);
        if (file >= 0) (void)::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
        while (true)
            ::pause();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        end();
        fs::remove_all(map());
    }
    void end() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        ended_ = pid_;
        pid_ = 0;
    }
    [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(pid_ > 0 ? pid_ : ended_); }
    [[nodiscard]] std::string map() const { return "/tmp/perf-" + std::to_string(pid()) + ".map"; }
    void write(const std::string& lines, std::ios::openmode mode = std::ios::app) const {
        std::ofstream(map(), std::ios::binary | mode) << lines;
    }

  private:
    pid_t pid_;
    pid_t ended_ = 0;
};

/// The results of a watch as text: "begins f", "was there f", "module m".
class Finds {
  public:
    explicit Finds(Runtime ours = Runtime::Unknown) : watch(ours) {}

    void take() {
        for (const auto& found : watch.take()) {
            const auto& event = found.event;
            const std::string what = event.kind == CodeEvent::Kind::Module ? "module "
                                     : event.occasion == Occasion::Start   ? "begins "
                                                                           : "was there ";
            texts.push_back(what + event.name);
            times.push_back(found.timeNs);
        }
    }
    /// Waits until the text appears.
    [[nodiscard]] bool has(const std::string& text) {
        return QTest::qWaitFor(
            [&] {
                take();
                return std::find(texts.begin(), texts.end(), text) != texts.end();
            },
            10'000);
    }
    /// The time that it took, in ms.
    qint64 finish() {
        QElapsedTimer time;
        time.start();
        watch.finish();
        while (!watch.isOver() && time.elapsed() < 60'000) {
            take();
            QTest::qSleep(5);
        }
        take();
        return time.elapsed();
    }
    [[nodiscard]] std::string remarks() const {
        std::string text;
        for (const auto& [severity, sentence] : watch.remarks())
            text += sentence + "\n";
        return text;
    }

    CodeWatch watch;
    std::vector<std::string> texts;
    std::vector<std::int64_t> times;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string functionLines(std::size_t count, Address from = 0x10000000) {
    std::string lines;
    for (std::size_t i = 0; i < count; ++i)
        lines += QString::asprintf("%llx 20 f%zu\n", static_cast<unsigned long long>(from + 0x20 * i), i).toStdString();
    return lines;
}

} // namespace

/// The files that runtimes write about their code during a recording, and other files in their place.
class CodeWatchTest : public QObject {
    Q_OBJECT
  private slots:
    void linesAreFoundAsTheyCome() {
        const Program program;
        program.write("1000 20 first\n");
        Finds finds;
        finds.watch.begin(program.pid());
        QVERIFY(finds.has("was there first"));
        program.write("2000 20 second\n1010 20 in place of the first\n2000 20 second\n3000 10 half a li");
        QVERIFY(finds.has("begins in place of the first"));
        program.write("ne\n");
        QVERIFY(finds.has("was there half a line"));
        QCOMPARE(finds.texts.size(), std::size_t{4}); // repeated entries are not passed on
        QVERIFY(finds.finish() < 5000);
        QCOMPARE(finds.remarks(), std::string());
    }

    void namesAreThoseOfTheRuntime() {
        const Program program;
        Finds finds;
        finds.watch.begin(program.pid());
        finds.watch.noteModule(program.pid(), "/usr/bin/node", true);
        program.write("7f3381fc6980 e4 JS:*leak /srv/app.js:12:3\n");
        QVERIFY(finds.has("was there leak:12"));
        QCOMPARE(finds.texts[0], std::string("module app.js"));
    }

    void whatIsWrittenAnewIsReadAnew() {
        const Program program;
        program.write("1000 20 first\n2000 20 second\n");
        Finds finds;
        finds.watch.begin(program.pid());
        QVERIFY(finds.has("was there second"));
        program.write("1000 20 first\n2000 20 another\n3000 20 third\n", std::ios::trunc);
        QVERIFY(finds.has("was there third"));
        QVERIFY(finds.has("begins another"));
        QCOMPARE(finds.texts.size(), std::size_t{4});
    }

    void whatAProcessWroteAtItsEndIsRead() {
        Program program;
        Finds finds;
        finds.watch.begin(program.pid());
        program.end();
        program.write("1000 20 at its end\n4000 20 without its line e");
        finds.watch.end(program.pid());
        QVERIFY(finds.has("was there at its end"));
        (void)finds.finish();
        QVERIFY2(contains(finds.remarks(), "1 line of"), finds.remarks().c_str());
        QVERIFY(fs::exists(program.map())); // another tool had it written
    }

    void whatWeHadWrittenIsRemoved() {
        Program program;
        program.write("7f3381fc6980 e4 JS:*leak /srv/app.js:12:3\n");
        const auto log = fs::current_path() / ("isolate-0x1-" + std::to_string(program.pid()) + "-v8.log");
        std::ofstream(log) << "log";
        Finds finds(Runtime::V8);
        finds.watch.begin(program.pid());
        finds.watch.noteModule(program.pid(), "/usr/bin/node", true);
        QVERIFY(finds.has("was there leak:12"));
        finds.watch.end(program.pid());
        (void)finds.finish();
        QVERIFY(!fs::exists(program.map()));
        QVERIFY(!fs::exists(log));
    }

    void aJitdumpFileIsFoundThroughItsMapping() {
        QTemporaryDir folder;
        const auto path = folder.path().toStdString() + "/jit-1.dump";
        JitdumpFile file;
        file.load(1000, 0x7000, 0x40, "made").move(2000, 0x7000, 0x9000, 0x40);
        std::ofstream(path, std::ios::binary) << file.bytes;
        const Program program(path);
        QTest::qSleep(100);
        Finds finds;
        finds.watch.begin(program.pid());
        QVERIFY(finds.has("was there made"));
        QTRY_COMPARE((finds.take(), finds.texts.size()), std::size_t{2});
        QCOMPARE(finds.texts[1], std::string("was there made")); // where it was moved to
        QCOMPARE(finds.times, (std::vector<std::int64_t>{1000, 2000}));
    }

    void aMapOfAnotherUserIsNotRead() {
        if (::geteuid() != 0) QSKIP("Only root can give a file to another user.");
        const Program program;
        program.write("1000 20 planted\n");
        QCOMPARE(::chown(program.map().c_str(), 12345, 12345), 0);
        Finds finds(Runtime::V8);
        finds.watch.begin(program.pid());
        (void)finds.finish();
        QVERIFY(finds.texts.empty());
        QVERIFY2(contains(finds.remarks(), "belongs to another user"), finds.remarks().c_str());
        QVERIFY(fs::exists(program.map()));
    }

    void aPipeInItsPlaceIsNoHang() {
        const Program program;
        QCOMPARE(::mkfifo(program.map().c_str(), 0600), 0);
        Finds finds;
        finds.watch.begin(program.pid());
        QVERIFY(finds.finish() < 5000);
        QVERIFY2(contains(finds.remarks(), "not a regular file"), finds.remarks().c_str());
    }

    void garbageIsCounted() {
        const Program program;
        program.write("garbage\n1000 20 good\n\xFF\xFE\x01\n0 0 none\n2000 20 last\n");
        Finds finds;
        finds.watch.begin(program.pid());
        QVERIFY(finds.has("was there last"));
        (void)finds.finish();
        QVERIFY2(contains(finds.remarks(), "3 lines"), finds.remarks().c_str());
    }

    void aHundredThousandFunctionsAreFound() {
        constexpr std::size_t kFunctions = 200'000;
        const Program program;
        program.write(functionLines(kFunctions));
        Finds finds;
        finds.watch.begin(program.pid());
        QTRY_VERIFY_WITH_TIMEOUT((finds.take(), finds.texts.size()) == kFunctions, 30'000);
        QCOMPARE(std::set<std::string>(finds.texts.begin(), finds.texts.end()).size(), kFunctions);
    }

    /// 500 MB, nearly all of it one line without an end, and growing, while the results are not taken.
    void aHugeMapIsBounded() {
        const Program program;
        program.write(functionLines(300'000));
        fs::resize_file(program.map(), 500u << 20);
        Finds finds;
        finds.watch.begin(program.pid());
        for (int i = 0; i < 20; ++i) {
            program.write(functionLines(100, 0x90000000 + 0x10000 * static_cast<Address>(i)));
            QTest::qSleep(50);
        }
        const auto waiting = finds.watch.take().size();
        QVERIFY2(waiting > 0 && waiting < 300'000, qPrintable(QString::number(waiting))); // the others wait in the file
        const auto took = finds.finish();
        QVERIFY2(finds.watch.isOver(), qPrintable(QString::number(took)));
        QVERIFY2(contains(finds.remarks(), "could not be read") || contains(finds.remarks(), "to its end"),
                 finds.remarks().c_str());
    }

    /// Otherwise a user of Python 3.11 looks for functions that are in no stack.
    void interpretersThatTellNothingAreNamed() {
        Finds finds;
        for (const auto* program : {"/usr/bin/python3.11", "/usr/bin/python3.12", "/usr/bin/perl", "/usr/bin/perl"})
            finds.watch.noteModule(1, program, true);
        finds.watch.noteModule(1, "/usr/lib/liblua5.4.so.0", false);
        finds.finish();
        QCOMPARE(
            finds.remarks(),
            std::string("Functions that Lua runs have no names because Lua does not report them. Stacks show the "
                        "interpreter's own functions instead.\n"
                        "Functions that Perl runs have no names because Perl does not report them. Stacks show the "
                        "interpreter's own functions instead.\n"
                        "Functions that Python 3.11 runs have no names because Python reports them only since version "
                        "3.12. Stacks show the interpreter's own functions instead.\n"));
    }
    void endingWithoutFinishingIsQuick() {
        const Program program;
        program.write(functionLines(300'000));
        QElapsedTimer time;
        {
            Finds finds;
            finds.watch.begin(program.pid());
            QTest::qSleep(300); // it waits until the results are taken
            time.start();
        }
        QVERIFY2(time.elapsed() < 2000, qPrintable(QString::number(time.elapsed())));
    }
};
HIGHWATER_TEST(CodeWatchTest);
#include "code_watch_test_linux.moc"
