#include "tests/app/cli/cli_runner.h"
#include "tests/app/cli/pictured_file.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Names = std::set<QString>;

/// A table of docs/command-line.md: its titles and its rows, cell by cell.
struct DocTable {
    QStringList titles;
    std::vector<QStringList> rows;
};

/// The text below one heading, up to the next one.
struct DocSection {
    QString text;
    std::vector<DocTable> tables;
};

QStringList cellsOf(QString line) {
    line.replace("\\|", "\x01"); // a bar that is text
    auto cells = line.trimmed().mid(1).chopped(1).split('|');
    for (auto& cell : cells)
        cell = cell.trimmed().replace('\x01', '|');
    return cells;
}

/// By heading: "table/JSON" is "### JSON" below "## table".
std::map<QString, DocSection> documentSections() {
    QFile file(HIGHWATER_DOCS "/command-line.md");
    std::map<QString, DocSection> sections;
    if (!file.open(QIODevice::ReadOnly)) return sections;
    QString chapter, name;
    bool isInTable = false;
    while (!file.atEnd()) {
        const auto line = QString::fromUtf8(file.readLine());
        if (line.startsWith("## ")) name = chapter = line.mid(3).trimmed();
        if (line.startsWith("### ")) name = chapter + "/" + line.mid(4).trimmed();
        auto& section = sections[name];
        section.text += line;
        const bool isRow = line.startsWith('|');
        if (isRow && !isInTable) section.tables.push_back({cellsOf(line), {}});
        if (isRow && isInTable && !line.startsWith("|---")) section.tables.back().rows.push_back(cellsOf(line));
        isInTable = isRow;
    }
    return sections;
}

/// The rows of the tables whose first title this is.
std::vector<QStringList> rowsOf(const DocSection& section, const QString& title) {
    std::vector<QStringList> rows;
    for (const auto& table : section.tables) {
        if (table.titles.value(0) == title) rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    }
    return rows;
}

/// All text between backticks.
QStringList codeIn(const QString& cell) {
    QStringList found;
    static const QRegularExpression kCode("`([^`]+)`");
    for (auto matches = kCode.globalMatch(cell); matches.hasNext();)
        found << matches.next().captured(1);
    return found;
}

Names optionsIn(const QString& text) {
    Names names;
    static const QRegularExpression kOption("(?<![\\w-])(--?[a-z][a-z-]*)");
    for (auto matches = kOption.globalMatch(text); matches.hasNext();)
        names.insert(matches.next().captured(1));
    return names;
}

/// The options in a command's chapter (synopsis and table), and those of all commands.
Names documentedOptions(const QString& command) {
    auto sections = documentSections();
    Names names{"--help"};
    const auto synopsis = sections[command].text.section("```", 1, 1);
    names.merge(optionsIn(synopsis.section("-- PROGRAM", 0, 0) + synopsis.section("-- PROGRAM", 1)));
    static const QStringList kWriteCsv{"table",     "timeline", "leaks",   "generations", "diff",
                                       "histogram", "heaps",    "holders", "balance",     "fleet"};
    const bool readsTraces = command != "record" && command != "picture" && command != "cleanup";
    const auto ofAll = QStringList{command, "The log"} +
                       (readsTraces ? QStringList{"Memory and indexes"} : QStringList{}) +
                       (kWriteCsv.contains(command) ? QStringList{"Formulas in CSV"} : QStringList{});
    for (const auto& name : ofAll) {
        const auto* section = &sections[name];
        for (const auto& row : rowsOf(*section, "Option")) {
            for (const auto& code : codeIn(row[0]))
                names.merge(optionsIn(code));
        }
    }
    return names;
}

Names printedOptions(const QString& command) {
    Names names;
    static const QRegularExpression kLine("^\\s+(?:(-\\w),)?(--[a-z-]+)");
    const auto lines = QString::fromStdString(runCliProgram({command.toStdString(), "--help"}).answers).split('\n');
    for (const auto& line : lines) {
        const auto match = kLine.match(line);
        if (!match.hasMatch()) continue;
        for (const int i : {1, 2}) {
            if (!match.captured(i).isEmpty()) names.insert(match.captured(i));
        }
    }
    names.erase("-h");
    return names;
}

/// The members in the tables of a section: their paths, and those whose own members are arbitrary ("object of").
struct Members {
    Names paths;
    Names open;

    void read(const DocSection& section, const QString& prefix = {}) {
        for (const auto& row : rowsOf(section, "Field")) {
            for (const auto& code : codeIn(row[0])) {
                paths.insert(prefix + code);
                if (row.value(1).startsWith("object of")) open.insert(prefix + code);
            }
        }
    }
};

/// The paths of all members, in the form of the document: "rows[].key". Rows inside rows count as rows.
void collect(const Json& json, const QString& path, const Names& open, Names& found) {
    if (json.is_array()) {
        for (const auto& element : json)
            if (element.is_object()) collect(element, path + "[]", open, found);
    } else if (json.is_object() && !open.contains(path)) {
        for (const auto& [name, value] : json.items()) {
            auto member = path + (path.isEmpty() ? "" : ".") + QString::fromStdString(name);
            found.insert(member);
            if (member == "rows[].rows") member = "rows";
            collect(value, member, open, found);
        }
    }
}

QString difference(const Names& a, const Names& b) {
    QStringList only;
    for (const auto& name : a)
        if (!b.contains(name)) only << name;
    return only.join(", ");
}

/// Blocks of a few bytes, each alone on its page.
constexpr std::uint64_t kHoldingBlocks = 300, kFirstHeldPage = 256;
constexpr Address kSampledHeap = 0x7F000000;

/// Samples a heap whose first page and whose pages with these blocks are in RAM.
ResidentSample residentSample() {
    ResidentSample sample;
    sample.time = fixtures::seconds(26);
    sample.pid = fixtures::exercise2::kPid;
    sample.names = {"[heap]"};
    Mapping heap;
    heap.begin = kSampledHeap;
    heap.end = heap.begin + (kFirstHeldPage + kHoldingBlocks) * kResidentPageBytes;
    heap.resident = (1 + kHoldingBlocks) * kResidentPageBytes;
    heap.flags = mapping_flag::kRead | mapping_flag::kWrite | mapping_flag::kPages;
    heap.pages.append(0, 1);
    heap.pages.append(kFirstHeldPage - 1, kHoldingBlocks);
    sample.mappings.push_back(heap);
    return sample;
}

/// A trace that fills every member of the answers.
/// A picture in which a variable holds a block.
MemoryPicture pictureOfAVariable() {
    MemoryPicture picture;
    picture.time = fixtures::seconds(26);
    picture.pid = fixtures::exercise2::kPid;
    picture.names = {"app!g_cache"};
    picture.roots.push_back({});
    PictureBlock block;
    block.address = kSampledHeap + kFirstHeldPage * kResidentPageBytes;
    block.bytes = 64;
    block.reachability = Reachability::Reachable;
    block.holder = 1;
    picture.blocks.push_back(block);
    return picture;
}

std::string richTrace() {
    static const auto path = [] {
        auto file = temporaryPath("rich.etl");
        auto trace = fixtures::exercise2Trace({.dropBuffer = 3});
        trace.mark(fixtures::seconds(3), "begin");
        trace.snapshot(fixtures::seconds(4));
        trace.residentSample(residentSample());
        trace.picture(pictureOfAVariable());
        trace.processMemory({{fixtures::seconds(26), fixtures::exercise2::kPid, 4096, 8192}});
        for (std::uint64_t i = 0; i < kHoldingBlocks; ++i)
            trace.heapAlloc({fixtures::seconds(24), fixtures::exercise2::kPid, fixtures::exercise2::kTid}, 0x1D0000,
                            {kSampledHeap + (kFirstHeldPage + i) * kResidentPageBytes, 64});
        for (int i = 0; i < 2; ++i) // a block is allocated again without a free
            trace.heapAlloc({fixtures::seconds(25 + i), fixtures::exercise2::kPid, fixtures::exercise2::kTid}, 0x1D0000,
                            {kSampledHeap, 64});
        auto bytes = trace.bytes().value();
        constexpr std::size_t kEventsLost = 72 + 32 + 48; // offset in the trace header
        bytes[kEventsLost] = std::byte{5};
        std::ofstream out(file, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return out.flush() ? file : std::string();
    }();
    return path;
}

std::vector<Json> answersTo(const QString& command) {
    std::vector<std::string> arguments;
    for (const auto& word : command.split(' '))
        arguments.push_back(word == "TRACE" ? richTrace() : word == "PICTURE" ? pictureOnlyFile() : word.toStdString());
    const auto answer = runCli(arguments);
    std::vector<Json> answers;
    if (const auto whole = answer.json(); whole.is_object()) return {whole};
    std::istringstream lines(answer.answers);
    for (std::string line; std::getline(lines, line);)
        answers.push_back(Json::parse(line, nullptr, false));
    return answers;
}

} // namespace

/// docs/command-line.md names every option and every member of an answer, and no others.
class DocumentationTest : public QObject {
    Q_OBJECT
  private slots:
    void namesEveryOption_data() {
        QTest::addColumn<QString>("command");
        for (const auto* command :
             {"info",      "table",   "timeline", "leaks",   "generations", "explain", "diff",   "flames",
              "histogram", "callers", "heaps",    "holders", "balance",     "address", "crop",   "pprof",
              "sqlite",    "report",  "fleet",    "check",   "record",      "picture", "cleanup"})
            QTest::newRow(command) << command;
    }
    void namesEveryOption() {
        QFETCH(QString, command);
        const auto printed = printedOptions(command), documented = documentedOptions(command);
        QVERIFY(printed.contains("--log-level"));
        QCOMPARE(difference(printed, documented), QString());
        QCOMPARE(difference(documented, printed), QString());
    }

    void namesEveryMember_data() {
        QTest::addColumn<QString>("section");
        QTest::addColumn<QStringList>("commands");
        QTest::newRow("info") << "info" << QStringList{"info TRACE --json --processes --modules"};
        const QString table = "table TRACE --table heap --by Process,Stack --no-symbols --columns Count,AllocTime ";
        QTest::newRow("table as JSON") << "table/JSON"
                                       << QStringList{table + "--format json", table + "--format json --leaves"};
        QTest::newRow("table as NDJSON") << "table/NDJSON"
                                         << QStringList{table + "--format ndjson", table + "--format ndjson --leaves"};
        QTest::newRow("timeline") << "timeline"
                                  << QStringList{"timeline TRACE --table heap --by Process --format json"};
        const QString leaks = "leaks TRACE --no-symbols --format json";
        QTest::newRow("leaks") << "leaks"
                               << QStringList{leaks, leaks + " --wrapper MemoryTestApp.exe!+0x1620",
                                              "leaks PICTURE --no-symbols --format json"};
        QTest::newRow("generations") << "generations" << QStringList{"generations TRACE --no-symbols --format json"};
        const QString diff = "diff TRACE --range :17 --with-range 17: --no-symbols --format ";
        const QString ofSnapshots = "diff TRACE --snapshots 1:2 --snapshot 14 --snapshot 16 --no-symbols --format ";
        QTest::newRow("diff as JSON") << "diff/JSON of diff" << QStringList{diff + "json", ofSnapshots + "json"};
        QTest::newRow("diff as NDJSON") << "diff/NDJSON of diff"
                                        << QStringList{diff + "ndjson", ofSnapshots + "ndjson"};
        QTest::newRow("explain") << "explain"
                                 << QStringList{"explain TRACE --no-symbols --format json",
                                                "explain PICTURE --no-symbols --format json"};
        const QString histogram = "histogram TRACE --table heap --format json ";
        QTest::newRow("histogram") << "histogram" << QStringList{histogram + "--exact 2", histogram + "--of lifetime"};
        const QString callers = "callers TRACE --no-symbols --top 1 --format json --function ";
        QTest::newRow("callers") << "callers"
                                 << QStringList{callers + "ntdll.dll!+0x1520", callers + "ntdll.dll!+0x1020"};
        QTest::newRow("heaps") << "heaps" << QStringList{"heaps TRACE --no-symbols --format json"};
        QTest::newRow("holders") << "holders" << QStringList{"holders TRACE --no-symbols --format json"};
        QTest::newRow("balance") << "balance"
                                 << QStringList{"balance TRACE --by mapping --format json",
                                                "balance TRACE --by module --format json",
                                                "balance TRACE --by owner --format json",
                                                "balance TRACE --course --format json"};
        QTest::newRow("address") << "address" << QStringList{"address TRACE 0x7f000000 --no-symbols --format json"};
    }
    void namesEveryMember() {
        QFETCH(QString, section);
        QFETCH(QStringList, commands);
        auto sections = documentSections();
        Members documented;
        documented.read(sections[section]);
        documented.read(sections["Health"], "health[].");
        Names printed;
        for (const auto& command : commands) {
            const auto answers = answersTo(command);
            QVERIFY2(!answers.empty(), qPrintable(command));
            for (const auto& answer : answers) {
                QVERIFY2(answer.is_object(), qPrintable(command));
                collect(answer, {}, documented.open, printed);
            }
        }
        QVERIFY(printed.contains("health[].what"));
        QCOMPARE(difference(printed, documented.paths), QString());
        QCOMPARE(difference(documented.paths, printed), QString());
    }

    void namesEveryColumnOfCsv() {
        const auto csv =
            runCli({"table", richTrace(), "--table", "heap", "--by", "Process", "--format", "csv"}).answers;
        const auto section = documentSections()["table/CSV"].text;
        const auto titles = QString::fromStdString(csv).section('\n', 0, 0);
        QCOMPARE(titles, QString("Process,Count,Impacting Size,Size,Level"));
        QVERIFY(section.contains("`Level`"));
        QVERIFY(documentSections()["timeline"].text.contains("start_s,"));
        QVERIFY(runCli({"timeline", richTrace(), "--table", "heap", "--points", "1"}).answers.starts_with("start_s,"));
    }

    void aMemberThatIsNotNamedIsFound() {
        Members documented;
        documented.paths = {"a", "b", "b.c"};
        documented.open = {"b"};
        Names printed;
        collect(Json{{"a", {{{"x", 1}}}}, {"b", {{"anything", 2}}}}, {}, documented.open, printed);
        QCOMPARE(difference(printed, documented.paths), QString("a[].x"));
        QCOMPARE(difference(documented.paths, printed), QString("b.c"));
    }
};
HIGHWATER_TEST(DocumentationTest);
#include "documentation_test.moc"
