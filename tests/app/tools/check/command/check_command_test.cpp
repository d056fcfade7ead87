#include "tests/app/cli/cli_runner.h"
#include "tests/app/cli/pictured_file.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

class CheckCommandTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
    std::string budget(const char* lines) const {
        QFile file(folder_.filePath("budget.txt"));
        if (file.open(QIODevice::WriteOnly)) file.write(lines);
        return path("budget.txt");
    }
    QByteArray content(const char* name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

  private slots:
    void theSameTraceTwicePasses() {
        const auto trace = exercise2File("plain");
        const auto answer = runCli({"check", trace, "--with", trace, "--no-symbols", "--smallest", "1"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY2(has(answer.answers, "0 of "), answer.answers.c_str());
        QVERIFY(has(answer.messages, "the noise is unknown"));
    }
    void aBrokenBudgetIsExitCode4() {
        const auto file = budget("peak 1KB\npeak 100GB\n");
        const auto answer = runCli({"check", "--with", exercise2File("plain"), "--budget", file, "--no-symbols"});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY(has(answer.answers, "BROKEN  peak 1KB"));
        QVERIFY(has(answer.answers, "kept    peak 100GB"));
    }
    /// Its numbers are those of the table.
    void valuesAreThoseOfTheTable() {
        const auto file = budget("allocated 1TB\npeak 1TB where [Thread]:>0\n");
        const auto json = runCli({"check", "--with", exercise2File("plain"), "--budget", file, "--no-symbols",
                                  "--table", "heap", "--format", "json"})
                              .json();
        const auto total = runCli({"table", exercise2File("plain"), "--table", "heap", "--by", "Process", "--columns",
                                   "Allocated", "--format", "json", "--no-symbols"})
                               .json();
        std::int64_t allocated = 0;
        for (const auto& row : total["rows"])
            allocated += row["values"]["Allocated"].get<std::int64_t>();
        QCOMPARE(json["budget"][0]["value"], Json(allocated));
        QCOMPARE(json["passed"], Json(true));
        QCOMPARE(json["table"], Json("heap"));
    }
    /// The stack of 1000 bytes that nothing refers to.
    void unreachableMemoryIsExitCode4() {
        const auto answer = runCli({"check", picturedFile(), "--unreachable", "0", "--no-symbols"});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY2(has(answer.answers, "LEAKED  server (70): 1 block (1,000 B) is unreachable (picture at 4.00 s), more "
                                     "than 0 B\n"),
                 answer.answers.c_str());
        QVERIFY2(has(answer.answers, ": 1 unreachable block (1,000 B)\n"), answer.answers.c_str());
        const auto enough = runCli({"check", "--with", picturedFile(), "--unreachable", "1KB", "--no-symbols"});
        QCOMPARE(enough.exitCode, 0);
        QVERIFY2(has(enough.answers, "kept    server (70): 1 block"), enough.answers.c_str());
        const auto json =
            runCli({"check", picturedFile(), "--unreachable", "0", "--no-symbols", "--format", "json"}).json();
        QCOMPARE(json["passed"], Json(false));
        QCOMPARE(json["unreachable"][0]["bytes"], Json(1000));
        QCOMPARE(json["unreachable"][0]["stacks"][0]["count"], Json(1));
    }
    void suppressedUnreachableMemoryPasses() {
        QFile file(folder_.filePath("known.supp"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("leak:server\n") > 0);
        file.close();
        const auto answer = runCli(
            {"check", picturedFile(), "--unreachable", "0", "--no-symbols", "--suppressions", path("known.supp")});
        QVERIFY2(has(answer.answers, "suppressed: 1 stack of server (70) with 1 unreachable block (1,000 B)") &&
                     answer.exitCode == 0,
                 answer.answers.c_str());
    }
    void unreachableMemoryNeedsAPicture() {
        const auto answer = runCli({"check", exercise2File("plain"), "--unreachable", "0", "--no-symbols"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "cannot be checked because the trace has no picture") &&
                     has(answer.messages, "--picture-at-exit"),
                 answer.messages.c_str());
        QCOMPARE(runCli({"check", exercise2File("plain"), "--unreachable", "many"}).exitCode, 1);
    }
    void reportsContainUnreachableMemory() {
        const auto answer = runCli({"check", picturedFile(), "--unreachable", "0", "--no-symbols", "--junit",
                                    path("u.xml"), "--sarif", path("u.sarif"), "--html", path("u.html")});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY(
            content("u.xml").contains("<failure type=\"unreachable\" message=\"server (70): 1 block (1,000 B) is "));
        QVERIFY(content("u.sarif").contains("\"ruleId\": \"unreachable-memory\""));
        QVERIFY(content("u.html").contains("<h2>Unreachable memory</h2>"));
        QVERIFY(content("u.html").contains("--unreachable 0"));
    }
    /// A program that failed at once would pass every check.
    void aRunWithoutAnythingIsAnError() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        const auto died = path("died.etl"), full = exercise2File("plain");
        QVERIFY(builder.writeTo(died).hasValue());
        const auto expectNothing = [&](std::vector<std::string> words, const char* sentence) {
            words.insert(words.begin(), "check");
            words.emplace_back("--no-symbols");
            const auto answer = runCli(words);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(has(answer.messages, sentence), answer.messages.c_str());
            QVERIFY2(answer.answers.empty(), answer.answers.c_str());
        };
        const auto file = budget("peak 1KB\n");
        expectNothing({full, "--with", died}, "died.etl has no heap allocations. Check that the program was recorded.");
        expectNothing({full, "--with", full, died}, "died.etl has no heap allocations");
        expectNothing({died, "--with", full}, "died.etl has no heap allocations");
        expectNothing({"--with", died, "--table", "heap", "--budget", file}, "died.etl has no heap allocations");
        expectNothing({"--with", died, "--table", "virtualalloc", "--budget", file}, "has no VirtualAlloc allocations");
        // With only the pages of the process, it counts as a run of another table, but not where others have heaps.
        builder.virtualAlloc({fixtures::seconds(0.5), 10, 11}, {0x40000000, 0x1000}, 0x3000, "a.exe!main");
        const auto pages = path("pages.etl");
        QVERIFY(builder.writeTo(pages).hasValue());
        expectNothing({full, "--with", pages}, "pages.etl has no heap allocations");
        expectNothing({"--with", pages, full, "--budget", file}, "pages.etl has no heap allocations");
        const auto alone = runCli({"check", pages, "--with", pages, "--no-symbols"});
        QCOMPARE(alone.exitCode, 0);
        QVERIFY2(has(alone.answers, "0 of 1 stack of virtualalloc grew."), alone.answers.c_str());
        const auto limits = runCli({"check", "--with", full, "--no-symbols", "--budget", budget("peak 100GB\n")});
        QVERIFY2(has(limits.answers, "0 of 1 line of the budget is broken (table heap)."), limits.answers.c_str());
    }
    void aLineWithoutAMatchIsReported() {
        const auto trace = exercise2File("plain");
        const std::vector<std::string> words{"check",        "--with",   trace,
                                             "--no-symbols", "--budget", budget("PEAK 1GB stack nosuch!*\n")};
        auto strict = words;
        strict.emplace_back("--strict");
        const auto answer = runCli(words);
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.answers, "nothing PEAK 1GB stack nosuch!*"), answer.answers.c_str());
        QVERIFY2(has(answer.messages, "Line 1 of the budget matches nothing"), answer.messages.c_str());
        QCOMPARE(runCli(strict).exitCode, 3);
    }
    void aBudgetMayBeUtf16() {
        const auto trace = exercise2File("plain");
        const auto broken = [&](const std::string& bytes) {
            QFile file(folder_.filePath("wide.txt"));
            if (file.open(QIODevice::WriteOnly)) file.write(bytes.data(), static_cast<qint64>(bytes.size()));
            file.close();
            return runCli({"check", "--with", trace, "--no-symbols", "--budget", path("wide.txt")}).answers;
        };
        using namespace std::string_literals;
        QVERIFY(has(broken("\xFF\xFEp\0e\0a\0k\0 \0"
                           "1\0K\0B\0"s),
                    "BROKEN  peak 1KB"));
        QVERIFY(has(broken("\xFE\xFF\0p\0e\0a\0k\0 \0"
                           "1\0K\0B"s),
                    "BROKEN  peak 1KB"));
    }
    void suppressedStacksDoNotFail() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"a.exe", "b.dll"}});
        builder.virtualAlloc({fixtures::seconds(0.2), 10, 11}, {0x40000000, 0x1000}, 0x3000, "a.exe!main");
        const auto small = path("small.etl"), large = path("large.etl");
        QVERIFY(builder.writeTo(small).hasValue());
        builder.virtualAlloc({fixtures::seconds(0.5), 10, 11}, {0x50000000, 0x100000}, 0x3000,
                             "b.dll!grows;a.exe!main");
        QVERIFY(builder.writeTo(large).hasValue());
        QFile known(folder_.filePath("known.supp"));
        QVERIFY(known.open(QIODevice::WriteOnly));
        known.write("leak:^b.dll$\nnonsense\n");
        known.close();
        const std::vector<std::string> words{"check", small, "--with", large, "--no-symbols"};
        QCOMPARE(runCli(words).exitCode, 4);
        auto suppressed = words;
        suppressed.insert(suppressed.end(), {"--suppressions", path("known.supp"), "--html", path("suppressed.html"),
                                             "--sarif", path("suppressed.sarif")});
        const auto answer = runCli(suppressed);
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY2(has(answer.answers, "1 more stack grew but is suppressed: 1.0 MB."), answer.answers.c_str());
        QVERIFY2(has(answer.messages, "known.supp is not a suppression: \"nonsense\"."), answer.messages.c_str());
        QVERIFY(content("suppressed.html").contains("1 more stack grew but is suppressed: 1.0 MB."));
        QVERIFY(content("suppressed.html").contains("--suppressions"));
        QVERIFY(content("suppressed.sarif").contains("1 more stack grew but is suppressed: 1.0 MB."));
        suppressed.insert(suppressed.end(), {"--format", "json"});
        QCOMPARE(runCli(suppressed).json()["suppressed"], (Json{{"stacks", 1}, {"growth", 0x100000}}));
        auto missing = words;
        missing.insert(missing.end(), {"--suppressions", path("no such file")});
        QCOMPARE(runCli(missing).exitCode, 2);
    }
    /// A program that was rebuilt under another name, and keeps a little more.
    void renamedProgramsAreComparedAsOne() {
        const auto traceOf = [&](const char* file, const std::string& program, std::uint64_t more) {
            fixtures::TraceBuilder builder;
            builder.processRunsAlready({.pid = 10, .name = program, .mainTid = 11, .modules = {program, "b.dll"}});
            builder.virtualAlloc({fixtures::seconds(0.2), 10, 11}, {0x40000000, 0x100000 + more}, 0x3000,
                                 "b.dll!grows;b.dll!main");
            builder.virtualAlloc({fixtures::seconds(0.3), 10, 11}, {0x50000000, 0x100000}, 0x3000, "b.dll!stays");
            if (!builder.writeTo(path(file)).hasValue()) qFatal("no trace");
            return path(file);
        };
        const auto before = traceOf("one.etl", "app.exe", 0), after = traceOf("two.etl", "server.exe", 0x20000);
        std::vector<std::string> words{"check", before, "--with", after, "--no-symbols", "--format", "json"};
        const auto apart = runCli(words);
        QCOMPARE(apart.exitCode, 4);
        QCOMPARE(apart.json()["grown"].size(), std::size_t{2});
        QVERIFY2(has(apart.messages, "If server.exe is app.exe under another name, compare both as one"),
                 apart.messages.c_str());
        words.insert(words.end(), {"--rename", "app.exe=server.exe", "--rename", "nothing.dll=some.dll", "--html",
                                   path("renamed.html")});
        const auto renamed = runCli(words);
        QCOMPARE(renamed.exitCode, 4);
        QCOMPARE(renamed.json()["compared"], Json(2));
        QCOMPARE(renamed.json()["grown"].size(), std::size_t{1});
        QCOMPARE(renamed.json()["grown"][0]["growth"], Json(0x20000));
        QVERIFY2(has(renamed.messages, "The rename nothing.dll = some.dll matches nothing"), renamed.messages.c_str());
        QVERIFY(!has(renamed.messages, "Only the new runs contain"));
        QVERIFY(content("renamed.html").contains("--rename"));
        QCOMPARE(runCli({"check", "--with", after, "--rename", "a.exe=b.exe", "--no-symbols", "--budget",
                         budget("peak 1GB\n")})
                     .exitCode,
                 1);
        const auto wrong = runCli({"check", before, "--with", after, "--rename", "app.exe"});
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY2(has(wrong.messages, "--rename expects OLD=NEW"), wrong.messages.c_str());
        QFile file(folder_.filePath("renames.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# what was called otherwise\napp.exe = server.exe\n");
        file.close();
        const auto byFile = runCli(
            {"check", before, "--with", after, "--no-symbols", "--renames", path("renames.txt"), "--smallest", "1MB"});
        QVERIFY2(byFile.exitCode == 0, byFile.answers.c_str());
    }
    void filesAreWrittenWhole() {
        const auto file = budget("peak 1KB\n");
        const auto trace = exercise2File("plain");
        const auto answer = runCli({"check", trace, "--with", trace, "--budget", file, "--no-symbols", "--junit",
                                    path("junit.xml"), "--sarif", path("check.sarif"), "--html", path("check.html")});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY(content("junit.xml").contains("failures=\"1\""));
        QVERIFY(content("check.html").contains("Repeat this check"));
        const auto sarif = Json::parse(content("check.sarif").toStdString(), nullptr, false);
        QCOMPARE(sarif["runs"][0]["results"].size(), std::size_t{1});
        QCOMPARE(sarif["runs"][0]["results"][0]["ruleId"], Json("broken-budget"));
        const auto into =
            runCli({"check", trace, "--with", trace, "--no-symbols", "--junit", path("no/such/folder.xml")});
        QCOMPARE(into.exitCode, 2);
    }
    /// Counted twice, it would show that nothing changes from run to run.
    void aRecordingCountsOnce() {
        const auto trace = exercise2File("plain");
        const auto copy = path("copy.etl");
        QVERIFY(QFile::copy(QString::fromStdString(trace), QString::fromStdString(copy)));
        const auto twice = runCli({"check", trace, copy, "--with", exercise2File("lossy"), "--no-symbols"});
        QCOMPARE(twice.exitCode, 1);
        QVERIFY2(has(twice.messages, "copy.etl are the same recording"), twice.messages.c_str());
        const auto itself = runCli({"check", trace, "--with", copy, "--no-symbols"});
        QVERIFY2(has(itself.messages, "copy.etl are the same recording; there is nothing to compare."),
                 itself.messages.c_str());
    }
    void outputsMayNotOverwriteInputs() {
        const auto trace = exercise2File("plain");
        const auto limits = budget("peak 100GB\n");
        const auto refuses = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"check", trace, "--with", exercise2File("lossy"), "--budget", limits});
            const auto answer = runCli(words);
            return answer.exitCode == 1 && has(answer.messages, "is already an input or output");
        };
        for (const auto* report : {"--junit", "--sarif", "--html"}) {
            for (const auto& file : {trace, exercise2File("lossy"), limits})
                QVERIFY2(refuses({report, file}), report);
        }
        QVERIFY(refuses({"--junit", path("one.txt"), "--html", path("./one.txt")}));
        QVERIFY(!QFile::exists(folder_.filePath("one.txt")));
        QCOMPARE(content("budget.txt"), QByteArray("peak 100GB\n"));
    }
    void wrongWordsAreTold() {
        const auto trace = exercise2File("plain");
        QCOMPARE(runCli({"check", trace}).exitCode, 1); // nothing to check
        const auto nothing = runCli({"check", "--with", trace});
        QCOMPARE(nothing.exitCode, 1);
        QVERIFY(has(nothing.messages, "There is nothing to check against"));
        QCOMPARE(runCli({"check", trace, "--with", trace, "--table", "frees"}).exitCode, 1);
        const auto wrong = runCli({"check", "--with", trace, "--budget", budget("peak lots\n"), "--no-symbols"});
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY2(has(wrong.messages, "Line 1 of the budget"), wrong.messages.c_str());
        QCOMPARE(runCli({"check", "--with", trace, "--budget", path("no such file")}).exitCode, 2);
        QCOMPARE(runCli({"check", trace, "--with", path("missing.etl")}).exitCode, 2);
    }
};

HIGHWATER_TEST(CheckCommandTest);

} // namespace

#include "check_command_test.moc"
