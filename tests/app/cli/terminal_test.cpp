#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace highwater;
using namespace highwater::tests;

namespace {

// Characters that must never reach a terminal: C0 and C1, DEL, those that reorder or hide text, invalid UTF-8.
const std::string kHostile = "e\x1B[31m\x07\x7F\xC2\x9B"
                             "X\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x8B\xD8\x9C\xEF\xBB\xBF\xFFZ";

/// The first character that a terminal obeys, hides or cannot read; according to Unicode's ranges, not the program's
/// own. Empty if there is none.
std::string firstHostile(const std::string& text) {
    const auto decoded = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    const auto isReplaced = decoded.toUtf8().toStdString() != text; // for invalid UTF-8
    for (const auto c : decoded.toUcs4()) {
        const auto isIn = [c](uint first, uint last) { return c >= first && c <= last; };
        const bool isHostile = (c < 0x20 && c != '\n' && c != '\t') || isIn(0x7F, 0x9F) || c == 0xAD || c == 0x61C ||
                               isIn(0x200B, 0x200F) || isIn(0x2028, 0x202E) || isIn(0x2060, 0x206F) || c == 0xFEFF ||
                               isIn(0xE0000, 0xE0FFF);
        if (isHostile) return QString("U+%1").arg(c, 4, 16).toStdString();
    }
    return isReplaced ? "no UTF-8" : "";
}

std::string bytesOfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replaceAll(std::string& bytes, const std::string& before, const std::string& after) {
    for (auto at = bytes.find(before); at != std::string::npos; at = bytes.find(before, at + before.size()))
        bytes.replace(at, before.size(), after);
}

std::string utf16(const QString& text) {
    return {reinterpret_cast<const char*>(text.utf16()), static_cast<std::size_t>(text.size()) * 2};
}

/// The Exercise 2 trace with other names of its process and modules, in a file that has such a name as well.
std::string hostileTrace(const QTemporaryDir& folder) {
    auto bytes = bytesOfFile(exercise2File("plain"));
    const QString name = "MemoryTestApp.exe";
    const QString hostile = QString::fromUtf8("Mem\x1B[31m\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x8B\x07.exe");
    if (hostile.size() != name.size()) qFatal("%d", static_cast<int>(hostile.size()));
    replaceAll(bytes, utf16(name), utf16(hostile));
    replaceAll(bytes, name.toStdString(), std::string("Mem\x1B[31m\xC2\x9B\xFF\xFE\x07\x7F\x05.exe", 17));
    const auto path = (std::filesystem::path(folder.path().toStdString()) / (kHostile + ".etl")).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

/// Functions with such names, with such files.
std::string hostileProfile(const QTemporaryDir& folder) {
    const auto path = (std::filesystem::path(folder.path().toStdString()) / (kHostile + ".heapprofile")).string();
    const std::string hostile = "\\u001b[31m\\u009b\\u202e\\u2066\\u200b\\u0007";
    const auto frame = [](const std::string& function, const std::string& url) {
        return "\"callFrame\":{\"functionName\":\"" + function + "\",\"scriptId\":\"1\",\"url\":\"" + url +
               "\",\"lineNumber\":1,\"columnNumber\":1}";
    };
    std::ofstream(path, std::ios::binary) << "{\"head\":{" << frame("(root)", "") << ",\"selfSize\":0,\"id\":1,"
                                          << "\"children\":[{" << frame("f" + hostile, "file:///a" + hostile + ".js")
                                          << ",\"selfSize\":4096,\"id\":2,\"children\":[]}]},\"samples\":[]}";
    return path;
}

/// All queries on a trace, each as a command with its options; T: the trace.
std::vector<std::vector<std::string>> terminalQuestions() {
    std::vector<std::vector<std::string>> all{{"info", "T"},
                                              {"info", "T", "--processes", "--modules"},
                                              {"info", "T", "--json", "--processes", "--modules"},
                                              {"explain", "T"},
                                              {"explain", "T", "--format", "json"},
                                              {"report", "T"},
                                              {"report", "T", "--by", "Process,Module"},
                                              {"pprof", "T"},
                                              {"address", "T", "0x1d0000"},
                                              {"address", "T", kHostile}};
    const auto addFormats = [&](std::vector<std::string> words, std::initializer_list<const char*> formats) {
        for (const auto* format : formats) {
            all.push_back(words);
            all.back().insert(all.back().end(), {"--format", format});
        }
    };
    for (const auto* table : {"heap", "virtualalloc", "managed"}) {
        addFormats({"table", "T", "--table", table, "--by", "Process,Stack"}, {"text", "csv", "json", "ndjson"});
        addFormats({"table", "T", "--table", table, "--by", "Process,Stack", "--leaves"}, {"text", "csv", "json"});
        addFormats({"timeline", "T", "--table", table, "--by", "Process", "--points", "5"}, {"csv", "json"});
        addFormats({"flames", "T", "--table", table}, {"folded", "svg", "speedscope"});
        addFormats({"histogram", "T", "--table", table}, {"text", "csv", "json"});
    }
    addFormats({"leaks", "T"}, {"text", "csv", "json"});
    addFormats({"generations", "T", "--mark", "5=" + kHostile}, {"text", "csv", "json"});
    addFormats({"heaps", "T"}, {"text", "csv", "json"});
    addFormats({"holders", "T"}, {"text", "csv", "json"});
    addFormats({"callers", "T", "--function", "main"}, {"text", "json"});
    addFormats({"diff", "T", "--range", "0:9", "--with-range", "9:"}, {"text", "csv", "json", "ndjson"});
    addFormats({"diff", "T", "--with", "T", "--timeline", "4"}, {"text", "csv", "json"});
    addFormats({"check", "T", "--with", "T"}, {"text", "json"});
    return all;
}

/// Wrong commands and options, with such words.
std::vector<std::vector<std::string>> terminalMistakes() {
    const auto& h = kHostile;
    std::vector<std::vector<std::string>> all{
        {h},
        {"info", h},
        {"info", "T", "--" + h},
        {"info", "T", "--log-level", h},
        {"table", "T", "--table", h, "--by", "Process"},
        {"table", "T", "--table", "heap", "--by", h},
        {"table", "T", "--table", "heap", "--by", "Process", "--columns", h},
        {"table", "T", "--table", "heap", "--by", "Process", "--sort", h},
        {"table", "T", "--table", "heap", "--by", "Process", "--filter", h},
        {"table", "T", "--table", "heap", "--by", "Process", "--range", h},
        {"table", "T", "--table", "heap", "--by", "Process", "--format", h},
        {"table", "T", "--preset", h},
        {"table", "T", "--table", "heap", "--by", "Stack", "--allocator-frames", h},
        {"table", "T", "--table", "heap", "--by", "Stack", "--stack-tags", h},
        {"table", "T", "--table", "heap", "--by", "Stack", "--symbols", h},
        {"table", "T", "--table", "heap", "--by", "Annotation", "--annotate", h},
        {"leaks", "T", "--suppressions", h},
        {"diff", "T", "--with", h},
        {"diff", "T", "--with", "T", "--renames", h},
        {"diff", "T", "--with", "T", "--rename", h},
        {"check", "T", "--with", "T", "--budget", h},
        {"callers", "T", "--function", h},
        {"crop", "T", "--range", "1:2", "-o", "/nonexistent/" + h},
        {"crop", "T", "--process", h, "-o", "OUT"},
        {"sqlite", "T", "-o", "/nonexistent/" + h},
        {"report", "T", "-o", "/nonexistent/" + h},
        {"pprof", "T", "-o", "/nonexistent/" + h},
        {"fleet", "runs", h},
        {"fleet", h, h},
        {"fleet", "runs", "clickhouse://" + h + "/x"},
        {"record", "-o", "/nonexistent/" + h, "--", "/bin/true"},
        {"record", "-o", "OUT", "--", "/nonexistent/" + h},
        {"record", "-o", "OUT", "--keep-last", h, "--", "/bin/true"},
        {"record", "-o", "OUT", "--picture-on-growth", h, "--", "/bin/true"},
        {"picture", h},
        {"picture", "1", "--on-growth", h}};
    for (const auto* command :
         {"table", "timeline", "leaks", "generations", "explain", "diff", "flames", "histogram", "callers", "heaps",
          "balance", "holders", "address", "crop", "pprof", "sqlite", "report", "check"})
        all.push_back({command, h});
    return all;
}

} // namespace

/// Names in traces, file names and typed words cannot control a terminal, in any command.
class TerminalTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string trace_, profile_;
    std::set<std::string> tried_;

    Answer ask(std::vector<std::string> words, const std::string& trace) {
        tried_.insert(words.front());
        for (auto& word : words) {
            if (word == "T") word = trace;
            if (word == "OUT") word = folder_.filePath("out.etl").toStdString();
        }
        return runCli(words);
    }
    void check(const std::vector<std::string>& words, const std::string& trace) {
        const auto answer = ask(words, trace);
        auto asked = QStringList();
        for (const auto& word : words)
            asked << QString::fromStdString(word == kHostile ? "HOSTILE" : word);
        const auto in = asked.join(' ').toStdString();
        if (words.front() != "pprof")
            QVERIFY2(firstHostile(answer.answers).empty(), (in + ": " + answer.answers).c_str());
        QVERIFY2(firstHostile(answer.messages).empty(), (in + ": " + answer.messages).c_str());
    }

  private slots:
    void initTestCase() {
        trace_ = hostileTrace(folder_);
        profile_ = hostileProfile(folder_);
        QVERIFY(std::filesystem::exists(trace_) && std::filesystem::exists(profile_));
        QCOMPARE(firstHostile(kHostile).empty(), false);
    }
    /// Otherwise this test would check nothing.
    void theTraceHasSuchNames() {
        const auto info = ask({"info", "T", "--json", "--processes", "--modules"}, trace_);
        QVERIFY(has(info.answers, "Mem\\u001b[31m\\u009b\\u202e\\u2066\\u200b\\u0007.exe"));
        QVERIFY(has(ask({"table", "T", "--table", "heap", "--by", "Process,Stack"}, profile_).answers,
                    "f\xEF\xBF\xBD[31m"));
    }
    void noAnswerSteersATerminal() {
        for (const auto& question : terminalQuestions())
            for (const auto& trace : {trace_, profile_})
                check(question, trace);
    }
    void noMessageSteersATerminal() {
        for (const auto& mistake : terminalMistakes()) {
            check(mistake, trace_);
            auto verbose = mistake;
            verbose.emplace_back("-v");
            if (mistake.front() != "record") check(verbose, trace_);
        }
        check({"cleanup"}, trace_);
    }
    void noFleetSteersATerminal() {
        const auto fleet = folder_.filePath("fleet").toStdString() + kHostile;
        check({"fleet", "init", fleet}, trace_);
        for (const auto* build : {"1", "2", "3"})
            check({"fleet", "add", fleet, "T", "--update", "--label", "build=" + std::string(build), "--label",
                   "machine=" + kHostile, "--label", "scenario=s\x1B[1m", "--label", "n\x1Bx=" + kHostile},
                  trace_);
        for (const auto* format : {"text", "csv", "json"}) {
            check({"fleet", "runs", fleet, "--format", format}, trace_);
            check({"fleet", "health", fleet, "--format", format}, trace_);
            check({"fleet", "slope", fleet, "--build", "3", "--format", format}, trace_);
            check({"fleet", "grew", fleet, "--from", "1", "--to", "3", "--format", format}, trace_);
        }
        check({"fleet", "runs", fleet, "--build", kHostile}, trace_);
        check({"fleet", "remove", fleet, kHostile}, trace_);
        check({"fleet", "name", fleet}, trace_);
    }
    /// Also files that are written for reading.
    void noReportSteersATerminal() {
        const auto out = [&](const char* name) { return folder_.filePath(name).toStdString(); };
        check(
            {"check", "T", "--with", "T", "--junit", out("a.xml"), "--sarif", out("a.sarif"), "--html", out("a.html")},
            trace_);
        check({"report", "T", "-o", out("b.html")}, trace_);
        check({"sqlite", "T", "-o", out(("c" + kHostile).c_str())}, trace_);
        check({"pprof", "T", "-o", out(("d" + kHostile).c_str())}, trace_);
        check({"crop", "T", "--range", "3:9", "-o", out(("e" + kHostile).c_str())}, trace_);
        for (const auto* name : {"a.xml", "a.sarif", "a.html", "b.html"}) {
            QVERIFY(std::filesystem::exists(out(name)));
            QVERIFY2(firstHostile(bytesOfFile(out(name))).empty(), name);
        }
    }
    void everyCommandWasTried() {
        const auto help = runCli({"--help"}).answers;
        auto list =
            QString::fromStdString(help.substr(help.find("Subcommands:\n") + 13)).split('\n', Qt::SkipEmptyParts);
        QVERIFY(list.size() > 15);
        for (const auto& line : list) {
            const auto command = line.trimmed().section(' ', 0, 0).toStdString();
            if (line.startsWith("  ") && line.size() > 2 && line[2] != ' ')
                QVERIFY2(tried_.contains(command), command.c_str());
        }
    }
};
HIGHWATER_TEST(TerminalTest);
#include "terminal_test.moc"
