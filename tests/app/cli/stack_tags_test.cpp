#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;

namespace {

std::string fileOf(const char* name, const QByteArray& bytes) {
    const auto path = temporaryPath(name);
    QFile file(QString::fromStdString(path));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    return path;
}

Answer heapBy(const std::string& keys, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"table", exercise2File("plain"), "--table",  "heap", "--by",
                                       keys,    "--no-symbols",         "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
}

std::string programTags() {
    return fileOf("program.stacktags",
                  "<Tag Name=''><Tag Name='Program'><Entrypoint Module='memorytestapp.exe'/></Tag>"
                  "<Tag Name='Start' Priority='-1'><Entrypoint Module='kernel32.dll'/></Tag></Tag>");
}

Json leaksWith(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"leaks", exercise2File("plain"), "--no-symbols", "--format", "json", "--top",
                                       "30"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments).json();
}

} // namespace

class StackTagsOptionTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsByTheTagsOfAFile() {
        const auto tagged = heapBy("Stack Tag", {"--stack-tags", programTags()}).json();
        const auto plain = heapBy("Process", {"--filter", "[Stack]:~<\"MemoryTestApp.exe!\""}).json();
        QCOMPARE(rowAt(tagged, {"Program"})["values"]["Count"],
                 rowAt(plain, {"MemoryTestApp.exe (4242)"})["values"]["Count"]);
        QCOMPARE(rowAt(tagged, {"Program"})["values"]["Size"],
                 rowAt(plain, {"MemoryTestApp.exe (4242)"})["values"]["Size"]);
    }

    void framesWithoutATagKeepTheirNames() {
        const auto tagged = heapBy("Stack (Frame Tags)", {"--stack-tags", programTags()}).json();
        QVERIFY(!rowAt(tagged, {"ntdll.dll!+0x1020", "Start", "Program", "ucrtbase.dll!+0x1020"}).is_null());
    }

    void queriesAskForTags() {
        const auto tags = programTags();
        const auto filtered = heapBy("Process", {"--stack-tags", tags, "--filter", "[Stack Tag]:=Program"}).json();
        const auto tagged = heapBy("Stack Tag", {"--stack-tags", tags}).json();
        QCOMPARE(rowAt(filtered, {"MemoryTestApp.exe (4242)"})["values"]["Count"],
                 rowAt(tagged, {"Program"})["values"]["Count"]);
    }

    void theBuiltInTagsAreUsual() {
        const auto usual = heapBy("Stack Tag", {}).json();
        QCOMPARE(heapBy("Stack Tag", {"--stack-tags", "built-in"}).json()["rows"], usual["rows"]);
        const auto both = heapBy("Stack Tag", {"--stack-tags", programTags(), "--stack-tags", "built-in"}).json();
        QVERIFY(!rowAt(both, {"Program"}).is_null());
    }

    void aDamagedFileIsRefusedWithItsLine() {
        const auto path = fileOf("damaged.stacktags", "<Tag Name='a'>\n<Tag Priority='x'/></Tag>");
        const auto answer = heapBy("Stack Tag", {"--stack-tags", path});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "Cannot read stack tags from ") &&
                     has(answer.messages, "damaged.stacktags: line 2: Priority=\"x\" is not a number."),
                 answer.messages.c_str());
        const auto missing = heapBy("Stack Tag", {"--stack-tags", path + ".missing"});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY(has(missing.messages, "Cannot read"));
    }

    void meaninglessLinesAreReported() {
        const auto path = fileOf("odd.stacktags", "<Tag Name='a' Colour='red'><Entrypoint Module='x'/></Tag>");
        const auto answer = heapBy("Stack Tag", {"--stack-tags", path});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.messages, "line 1: Colour of <Tag> is unknown and ignored."));
    }

    void suppressedLeaksAreCountedInOneRow() {
        const auto all = leaksWith({});
        QCOMPARE(all["suppressed"], (Json{{"stacks", 0}, {"kept_count", 0}, {"kept_bytes", 0}}));
        const auto path = fileOf("known.supp", "# known\nleak:MemoryTestApp.exe$\nnonsense\n");
        const auto rest = leaksWith({"--suppressions", path});
        std::uint64_t stacks = 0;
        std::uint64_t bytes = 0;
        std::uint64_t count = 0;
        for (const auto& suspect : all["suspects"]) {
            const auto frames = suspect["stack"].get<std::vector<std::string>>();
            const bool isKnown = std::any_of(frames.begin(), frames.end(),
                                             [](const auto& frame) { return frame.starts_with("MemoryTestApp.exe!"); });
            if (!isKnown) continue;
            ++stacks;
            bytes += suspect["kept_bytes"].get<std::uint64_t>();
            count += suspect["kept_count"].get<std::uint64_t>();
        }
        QVERIFY(stacks > 0);
        QCOMPARE(rest["suppressed"], (Json{{"stacks", stacks}, {"kept_count", count}, {"kept_bytes", bytes}}));
        QCOMPARE(rest["stacks"].get<std::uint64_t>() + stacks, all["stacks"].get<std::uint64_t>());
        QCOMPARE(rest["kept_bytes"].get<std::uint64_t>() + bytes, all["kept_bytes"].get<std::uint64_t>());
        for (const auto& suspect : rest["suspects"])
            QVERIFY(!suspect["owner"].get<std::string>().starts_with("MemoryTestApp.exe!"));
    }

    void suppressionsAreReportedInEveryFormat() {
        const auto path = fileOf("all.supp", "leak:*\nnonsense\n");
        const auto text = runCli({"leaks", exercise2File("plain"), "--no-symbols", "--suppressions", path});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(has(text.messages, "all.supp is not a suppression: \"nonsense\". Write leak:PATTERN."));
        QVERIFY(has(text.answers, "\nsuppressed: "));
        QVERIFY(!has(text.messages, "No memory that was allocated"));
        const auto csv =
            runCli({"leaks", exercise2File("plain"), "--no-symbols", "--suppressions", path, "--format", "csv"});
        QVERIFY(has(csv.answers, "\n,(suppressed: "));
        const auto page = runCli({"explain", exercise2File("plain"), "--no-symbols", "--suppressions", path});
        QVERIFY(has(page.answers, "All stacks that keep memory are suppressed."));
        QVERIFY(has(page.answers, "--suppressions"));
        QCOMPARE(runCli({"leaks", exercise2File("plain"), "--suppressions", path + ".missing"}).exitCode, 2);
    }

    void untaggedStacksAreFilteredByTheirText() {
        const auto path = fileOf("one.stacktags", "<Tag Name='T'><Entrypoint Module='MemoryTestApp.exe'/></Tag>");
        const auto ask = [&](const std::string& query) {
            return runCli({"table", exercise2File("plain"), "--table", "virtualalloc", "--by", "Stack Tag",
                           "--stack-tags", path, "--no-symbols", "--format", "csv", "--filter", query});
        };
        const auto shown = ask("[Stack Tag]:=\"n/a\"");
        QCOMPARE(shown.exitCode, 0);
        QVERIFY2(has(shown.answers, "\nn/a,"), shown.answers.c_str());
        QVERIFY(!has(shown.answers, "\nT,"));
        QCOMPARE(ask("[Stack Tag]:=[]").answers, shown.answers);
    }

    void suppressionFilesWithoutEffectAreReported() {
        const auto path = fileOf("no.supp", "leak:no_such_function\n");
        for (const auto* command : {"leaks", "explain"}) {
            const auto answer = runCli({command, exercise2File("plain"), "--no-symbols", "--suppressions", path});
            QVERIFY2(has(answer.answers, "suppressed: no stack\n"), answer.answers.c_str());
        }
    }

    void commandsOfAnExplanationSuppressTheSame() {
        const auto path = fileOf("no.supp", "leak:no_such_function\n");
        const auto page = runCli({"explain", exercise2File("plain"), "--no-symbols", "--suppressions", path});
        const auto commands = page.answers.substr(page.answers.find("COMMANDS FOR DETAILS"));
        QVERIFY2(has(commands, "# suspect 1") || has(commands, "rem suspect 1"), commands.c_str());
        QVERIFY2(has(commands, "--suppressions") && has(commands, "no.supp"), commands.c_str());
    }
};
HIGHWATER_TEST(StackTagsOptionTest);
#include "stack_tags_test.moc"
