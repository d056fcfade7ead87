#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A folded line: its path, and the numbers after it.
struct FoldedLine {
    std::string path;
    std::vector<std::int64_t> amounts;
};

std::vector<FoldedLine> foldedLines(const std::string& text, std::size_t amounts = 1) {
    std::vector<FoldedLine> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        FoldedLine folded;
        for (std::size_t i = 0; i < amounts; ++i) {
            const auto blank = line.rfind(' ');
            folded.amounts.insert(folded.amounts.begin(), std::stoll(line.substr(blank + 1)));
            line.resize(blank);
        }
        folded.path = line;
        lines.push_back(folded);
    }
    return lines;
}

std::int64_t sumOf(const std::vector<FoldedLine>& lines) {
    std::int64_t sum = 0;
    for (const auto& line : lines)
        sum += line.amounts.back();
    return sum;
}

} // namespace

/// highwater-cli flames.
class FlamesCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;

    Answer run(std::vector<std::string> more) const {
        more.insert(more.begin(), {"flames", exercise_, "--no-symbols"});
        return runCli(more);
    }
    /// A number in the table's last row, which sums up all rows.
    std::int64_t total(const std::vector<std::string>& more, const char* column) const {
        std::vector<std::string> arguments{"table",    exercise_, "--by",      "Process", "--no-symbols",
                                           "--format", "json",    "--columns", column};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto answer = runCli(arguments).json();
        std::int64_t sum = 0;
        for (const auto& row : answer["rows"])
            sum += row["values"][column].get<std::int64_t>();
        return sum;
    }

  private slots:
    void initTestCase() { exercise_ = exercise2File("plain"); }

    void linesAddUpToTheTable() {
        for (const auto table : {"heap", "virtualalloc", "frees"}) {
            for (const auto measure : {"Size", "Count"}) {
                const auto answer = run({"--table", table, "--range", "12:22", "--measure", measure});
                QCOMPARE(answer.exitCode, 0);
                QCOMPARE(sumOf(foldedLines(answer.answers)), total({"--table", table, "--range", "12:22"}, measure));
            }
        }
    }
    void speedscopeHasTheSamePaths() {
        const std::vector<std::string> rows{"--table", "heap", "--range", "12:22", "--measure", "Size"};
        auto asked = rows;
        asked.insert(asked.end(), {"--format", "speedscope"});
        const auto file = run(asked).json();
        std::map<std::string, std::int64_t> paths, folded;
        const auto& profile = file["profiles"][0];
        for (std::size_t i = 0; i < profile["samples"].size(); ++i) {
            std::string path;
            for (const auto& frame : profile["samples"][i])
                path += (path.empty() ? "" : ";") +
                        file["shared"]["frames"][frame.get<std::size_t>()]["name"].get<std::string>();
            paths[path] += profile["weights"][i].get<std::int64_t>();
        }
        for (const auto& line : foldedLines(run(rows).answers))
            folded[line.path] += line.amounts.back();
        QVERIFY(folded.size() > 3);
        QVERIFY(paths == folded);
        QCOMPARE(file["name"], Json("Heap Allocations, 12 s to 22 s"));
    }
    void decreasesAreReportedBesideTheLines() {
        const auto answer = run({"--table", "virtualalloc", "--range", "20:34"});
        const auto grew = sumOf(foldedLines(answer.answers));
        const auto changed = total({"--table", "virtualalloc", "--range", "20:34"}, "Impacting Size");
        QVERIFY(grew > changed);
        QVERIFY2(has(answer.messages, "Decreases have no width: -"), answer.messages.c_str());
    }
    void aPeakIsThatOfTheWhole() {
        const std::vector<std::string> filter{"--table", "heap", "--filter",
                                              "[Process]:=\"" + std::string(kProcess) + "\""};
        auto asked = filter;
        asked.insert(asked.end(), {"--measure", "peak size"});
        const auto answer = run(asked);
        QCOMPARE(sumOf(foldedLines(answer.answers)), total(filter, "Peak Size"));
        QVERIFY(has(answer.messages, "outstanding at the peak of the total, at "));
    }
    void stacksStandOnTheirRootOrOnTheirLeaf() {
        const auto lines = [&](std::vector<std::string> more) {
            more.insert(more.end(), {"--range", "16:18", "--filter", "[Process]:=\"" + std::string(kProcess) + "\""});
            return foldedLines(run(more).answers);
        };
        const auto down = lines({});
        QVERIFY(!down.empty());
        QVERIFY2(down.front().path.starts_with(std::string(kProcess) + ";ntdll.dll!"), down.front().path.c_str());
        const auto up = lines({"--bottom-up"});
        QVERIFY2(up.front().path.starts_with(std::string(kProcess) + ";MemoryTestApp.exe!"), up.front().path.c_str());
        QCOMPARE(sumOf(up), sumOf(down));
    }
    void framesAreGroupsOfAnyColumns() {
        const auto lines = foldedLines(run({"--table", "heap", "--by", "Handle,Thread", "--measure", "Size"}).answers);
        QVERIFY2(lines.front().path.starts_with("0x"), lines.front().path.c_str());
        QCOMPARE(sumOf(lines), total({"--table", "heap"}, "Size"));
        const auto turned = foldedLines(run({"--table", "heap", "--by", "Stack,Thread", "--measure", "Size"}).answers);
        QVERIFY(std::isdigit(static_cast<unsigned char>(turned.front().path[turned.front().path.rfind(';') + 1])) != 0);
    }
    void comparesTwoIntervals() {
        const auto answer =
            run({"--table", "virtualalloc", "--range", "16:18", "--before", "14:16", "--measure", "Size"});
        const auto lines = foldedLines(answer.answers, 2);
        std::int64_t before = 0;
        for (const auto& line : lines)
            before += line.amounts.front();
        QCOMPARE(sumOf(lines), total({"--table", "virtualalloc", "--range", "16:18"}, "Size"));
        QCOMPARE(before, total({"--table", "virtualalloc", "--range", "14:16"}, "Size"));
        QVERIFY(has(answer.messages, "Red frames grew, blue ones shrank"));
    }
    void drawsOneSelfContainedFile() {
        const auto answer = run({"--format", "svg", "--table", "heap", "--measure", "Size"});
        QCOMPARE(answer.exitCode, 0);
        QXmlStreamReader reader(QByteArray::fromStdString(answer.answers));
        int frames = 0;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement() && reader.name() == QLatin1String("title")) ++frames;
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(frames > 10);
        QVERIFY(has(answer.answers, "Heap Allocations, 0 s to 34 s"));
        QVERIFY(!has(answer.answers, "href") && !has(answer.answers, "<script"));
    }
    void saysWhyThereIsNothing() {
        const auto answer = run({"--filter", "[Process]:=nobody"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(answer.answers.empty());
        QVERIFY(!answer.messages.empty());
    }
    void refusesWrongWords() {
        const auto wrong = [&](const std::vector<std::string>& more, const char* message) {
            const auto answer = run(more);
            return answer.exitCode == 1 && has(answer.messages, message);
        };
        QVERIFY(
            wrong({"--measure", "Slope"}, "--measure for heap must be one of Impacting Size, Size, Count, Peak Size"));
        QVERIFY(
            wrong({"--table", "frees", "--measure", "Peak Size"}, "--measure for frees must be one of Size, Count"));
        QVERIFY(wrong({"--by", "Nothing"}, "Nothing"));
        QVERIFY(wrong({"--before", "x"}, "x"));
        QVERIFY(wrong({"--before", "50:60"}, "50"));
        QVERIFY(wrong({"--format", "png"}, "--format"));
        QVERIFY(wrong({"--filter", "[Nothing]:=1"}, "Nothing"));
    }
    /// Each row would be a frame of its own: this is refused with a message.
    void columnsOfSingleRowsAreRefused() {
        for (const std::string column :
             {"Generation", "Survived Marks", "AllocTime", "FreeTime", "LifeTime", "Address", "Allocation Size"}) {
            for (const auto& more : {std::vector<std::string>{}, {"--with", exercise_}}) {
                std::vector<std::string> asked{"--table", "heap", "--by", "Process," + column};
                asked.insert(asked.end(), more.begin(), more.end());
                const auto answer = run(asked);
                QCOMPARE(answer.exitCode, 1);
                QVERIFY(answer.answers.empty());
                QVERIFY2(has(answer.messages, "\"" + column + "\"") ||
                             has(answer.messages, column + " cannot be compared"),
                         answer.messages.c_str());
                QVERIFY2(has(answer.messages, "Process, ") && has(answer.messages, "Stack (bottom-up)"),
                         answer.messages.c_str());
            }
        }
        QVERIFY(has(run({"--by", "Commit Time", "--table", "virtualalloc"}).messages, "Commit Stack (bottom-up)"));
        QVERIFY(has(run({"--by", "generation"}).messages, "highwater-cli generations"));
        // All suggestions are accepted.
        const auto answer = run({"--table", "heap", "--by", "AllocTime"});
        const auto from = answer.messages.find("Use ") + 4;
        const auto names = answer.messages.substr(from, answer.messages.find(" instead.") - from);
        QCOMPARE(run({"--table", "heap", "--annotate", "A=", "--by", names}).exitCode, 0);
    }

    /// Two intervals of one file have the same names: the result equals that of --before, except for pids.
    void twoTracesAreComparedByNames() {
        for (const std::string measure : {"Impacting Size", "Size", "Count", "Peak Size", "Allocated"}) {
            const auto two =
                foldedLines(runCli({"flames", exercise_, "--no-symbols", "--table", "heap", "--range", "2:12", "--with",
                                    exercise_, "--with-range", "12:30", "--by", "Process Name", "--measure", measure})
                                .answers,
                            2);
            const auto one = foldedLines(run({"--table", "heap", "--before", "2:12", "--range", "12:30", "--by",
                                              "Process Name", "--measure", measure})
                                             .answers,
                                         2);
            const auto sorted = [](const std::vector<FoldedLine>& lines) {
                std::vector<std::string> texts;
                for (const auto& line : lines)
                    texts.push_back(line.path + " " + std::to_string(line.amounts[0]) + " " +
                                    std::to_string(line.amounts[1]));
                std::sort(texts.begin(), texts.end());
                return texts;
            };
            QVERIFY(one.size() > 3);
            QCOMPARE(sorted(two), sorted(one));
        }
    }

    void twoTracesShowOutstandingBytes() {
        const std::vector<std::string> command{"flames", exercise_, "--no-symbols", "--range", "0:17",
                                               "--with", exercise_, "--with-range", "17:34"};
        std::int64_t before = 0, now = 0;
        for (const auto& line : foldedLines(runCli(command).answers, 2)) {
            before += line.amounts[0];
            now += line.amounts[1];
        }
        QCOMPARE(before, 174'120);
        QCOMPARE(now, 243'360);
        auto drawn = command;
        drawn.insert(drawn.end(), {"--format", "svg"});
        const auto svg = runCli(drawn).answers;
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(has(svg, "Heap Allocations; before: ") && has(svg, "Outstanding 237.7 KB in "));
    }

    void wrongComparisonsAreRefused() {
        const auto refused = [&](const std::vector<std::string>& more, const char* why) {
            const auto answer = run(more);
            QCOMPARE(answer.exitCode, 1);
            QVERIFY2(has(answer.messages, why), answer.messages.c_str());
        };
        refused({"--with", exercise_, "--before", "0:1"}, "--before");
        refused({"--with-range", "0:1"}, "--with");
        refused({"--rename", "a=b"}, "compare two traces");
        refused({"--with", exercise_, "--measure", "Freed"}, "--measure for two traces");
        refused({"--with", exercise_, "--by", "PID"}, "PID cannot be compared between traces");
        refused({"--with", exercise_, "--table", "frees"}, "virtualalloc or heap");
        refused({"--with", exercise_, "--rename", "nothing"}, "--rename expects OLD=NEW");
        QCOMPARE(run({"--with", temporaryPath("missing.etl")}).exitCode, 2);
    }
};
HIGHWATER_TEST(FlamesCommandTest);
#include "flames_command_test.moc"
