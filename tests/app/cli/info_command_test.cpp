#include "core/event/opcodes.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/core/decode/snapshots/snapshot_writer.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

Json infoOf(const std::string& path) { return runCli({"info", path, "--json"}).json(); }

/// The cells of this file's line in the folder's table.
QStringList describedCounts(const QDir& folder, const QString& name) {
    QFile readme(folder.filePath("README.md"));
    if (!readme.open(QIODevice::ReadOnly)) return {};
    while (!readme.atEnd()) {
        auto cells = QString::fromUtf8(readme.readLine()).split('|');
        for (auto& cell : cells) {
            cell = cell.trimmed();
        }
        if (cells.size() > 15 && cells[1] == name) return cells.mid(1);
    }
    return {};
}

/// The number that the independent walker counted: "'Heap': 11347" in its line of counts or headers.
std::uint64_t walked(const QString& report, const QString& what) {
    const auto match = QRegularExpression("'" + QRegularExpression::escape(what) + "': (\\d+)").match(report);
    return match.hasMatch() ? match.captured(1).toULongLong() : 0;
}

/// A mark that was set while recording, this many seconds after time 0 of exampleProperties().
OwnedRecord markRecord(double seconds, std::string_view name) {
    const auto properties = exampleProperties();
    const auto ticks = static_cast<std::int64_t>(seconds * static_cast<double>(properties.ticksPerSecond));
    auto record = classicRecord(etl::HeaderType::Compact64, properties.firstTicks + ticks, 0, 0);
    record.fields.group = group::kPerfInfo;
    record.fields.opcode = perf_info_opcode::kMark;
    for (const char letter : name)
        record.payload.push_back(static_cast<std::byte>(letter));
    record.payload.push_back(std::byte{0});
    return record;
}

/// A record of Windows' provider of heap snapshots, of process 77.
OwnedRecord snapshotRecord(std::uint16_t eventId, std::initializer_list<std::uint32_t> words,
                           const std::vector<std::byte>& bytes = {}) {
    auto record = classicRecord(etl::HeaderType::Event64, exampleProperties().firstTicks + 5000, 0, 0);
    record.fields.kind = etl::RawRecord::Kind::Provider;
    record.fields.eventId = eventId;
    record.fields.version = 1;
    record.fields.pid = 77;
    const auto* guid = reinterpret_cast<const std::byte*>(&kHeapSnapshotProvider);
    record.provider.assign(guid, guid + sizeof(Guid));
    for (const auto word : words) {
        const auto* at = reinterpret_cast<const std::byte*>(&word);
        record.payload.insert(record.payload.end(), at, at + sizeof(word));
    }
    record.payload.insert(record.payload.end(), bytes.begin(), bytes.end());
    return record;
}

/// A readable snapshot, one with unknown content, and one that lacks its end.
std::vector<OwnedRecord> threeSnapshots() {
    const auto known = SnapshotWriter(8).write({{0x1D0000, {{0x1D1000, 40, {0x401000, 0x402000}}}}});
    const std::vector<std::byte> unknown(100, std::byte{7});
    std::vector<OwnedRecord> records;
    const auto add = [&](std::uint32_t instance, const std::vector<std::byte>& bytes) {
        const auto size = static_cast<std::uint32_t>(bytes.size());
        records.push_back(snapshotRecord(heap_snapshot_event::kPiece, {instance, 0, size}, bytes));
        records.push_back(snapshotRecord(heap_snapshot_event::kEnd, {instance, size}));
    };
    add(1, known);
    add(2, unknown);
    add(3, known);
    records.pop_back();
    return records;
}

bool writeFile(const QString& path, const std::vector<std::byte>& bytes) {
    QFile file(path);
    const auto size = static_cast<qint64>(bytes.size());
    return file.open(QIODevice::WriteOnly) && file.write(reinterpret_cast<const char*>(bytes.data()), size) == size;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class InfoCommandTest : public QObject {
    Q_OBJECT
  private slots:
    void describesTheTraceOfExercise2() {
        const auto info = infoOf(exercise2File("plain"));
        // 2 heaps, 6,241 allocations, 1 realloc, 5,003 frees; 100 allocations of another process.
        QCOMPARE(info["heap_events"], Json(2 + 6241 + 1 + 5003 + 100));
        // 12 + 2 + 1 + 10 of the program; 30 and 17 of others.
        QCOMPARE(info["virtual_alloc_events"], Json(25 + 30 + 17));
        // 10 of start-up, 10 + 5 of spikes, 30 of another process.
        QCOMPARE(info["virtual_free_events"], Json(10 + 15 + 30));
        QCOMPARE(info["duration_s"], Json(34.0));
        QCOMPARE(info["unmatched_frees"], Json(2));
        QCOMPARE(info["stacks_unresolved"], Json(0));
        QCOMPARE(info["pointer_bytes"], Json(8));
        QCOMPARE(info["processes"].size(), std::size_t{4});
        for (const auto& process : info["processes"]) {
            if (process["name"] != "MemoryTestApp.exe") continue;
            QCOMPARE(process["pid"], Json(4242));
            QCOMPARE(process["start_s"], Json(2.0));
            QCOMPARE(process["end_s"], Json(32.0));
        }
    }

    void describesTheRecording() {
        const auto info = infoOf(exercise2File("plain"));
        QCOMPARE(info["recorded_at"], Json("2024-01-17T21:20:00.000+00:00"));
        QCOMPARE(info["sessions"], Json::array({"Highwater example"}));
        QCOMPARE(info["circular"], Json(false));
        QCOMPARE(info["processors"], Json(1));
        std::uint64_t buffers = 1; // from the header
        for (const auto& [stream, count] : info["buffers_by_stream"].items())
            buffers += count.get<std::uint64_t>();
        QCOMPARE(Json(buffers), info["buffers"]);
        std::uint64_t events = 0;
        for (const auto& provider : info["providers"])
            events += provider["events"].get<std::uint64_t>();
        QCOMPARE(Json(events), info["events_total"]);
        QCOMPARE(info["providers"][0],
                 Json({{"guid", "222962ab-6180-4b88-a825-346b75f2a24a"}, {"name", "Heap"}, {"events", 11347}}));
        QVERIFY(!info.contains("modules"));
        QVERIFY(!info["processes"][0].contains("images"));
        const auto text = runCli({"info", exercise2File("plain")}).answers;
        QVERIFY2(has(text, "\nsession                 Highwater example\n"), text.c_str());
        QVERIFY2(has(text, "\n       11347  222962ab-6180-4b88-a825-346b75f2a24a  Heap\n"), text.c_str());
        QVERIFY2(!has(text, "null") && !has(text, "streams"), text.c_str());
    }

    void listsProcessesAndModulesInFull() {
        const std::vector<std::string> command{"info", exercise2File("plain"), "--processes", "--modules"};
        auto asJson = command;
        asJson.emplace_back("--json");
        const auto info = runCli(asJson).json();
        const auto& modules = info["modules"];
        const auto named = [](const Json& list, const char* name) {
            for (const auto& entry : list)
                if (entry["name"] == name) return entry;
            return Json();
        };
        const auto ntdll = named(modules, "ntdll.dll");
        QCOMPARE(ntdll["path"], Json("C:\\Windows\\System32\\ntdll.dll"));
        QCOMPARE(ntdll["pdb"], Json("ntdll.pdb"));
        QCOMPARE(ntdll["pdb_age"], Json(1));
        QCOMPARE(ntdll["loads"], Json(4));
        QCOMPARE(ntdll["build_id"], Json(nullptr));
        const auto app = named(info["processes"], "MemoryTestApp.exe");
        QCOMPARE(app["parent_pid"], Json(1200));
        QCOMPARE(app["images"].size(), std::size_t{5});
        QCOMPARE(app["images"][0]["loaded_s"], Json(2.0));
        const auto text = runCli(command).answers;
        QVERIFY2(has(text, " ntdll.pdb") && has(text, "  C:\\Windows\\System32\\ntdll.dll\n"), text.c_str());
        QVERIFY2(has(text, "  MemoryTestApp.exe\n         parent 1200, session 1, 5 images"), text.c_str());
    }

    void reportsWhyItHasNoMemoryEvents() {
        const auto file = temporaryPath("pages.etl");
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        QVERIFY(builder.writeTo(file).hasValue());
        const auto neither = runCli({"info", file, "--strict"});
        QCOMPARE(neither.exitCode, 0);
        QVERIFY2(has(neither.messages, "This trace has no heap or VirtualAlloc events"), neither.messages.c_str());
        builder.virtualAlloc({fixtures::seconds(0.5), 10, 11}, {0x40000000, 0x1000}, 0x3000, "a.exe!main");
        QVERIFY(builder.writeTo(file).hasValue());
        const auto pages = runCli({"info", file}).messages;
        QVERIFY2(has(pages, "This trace has no heap allocations.") && has(pages, "wpr -HeapTracingConfig"),
                 pages.c_str());
        QVERIFY(!has(runCli({"info", exercise2File("plain")}).messages, "This trace has no"));
    }

    void reportsTheTimesOfLosses() {
        const auto file = temporaryPath("gap.etl");
        const fixtures::TraceShape shape{.bufferBytes = 16384, .processors = 4, .shuffleSeed = 5, .dropBuffer = 40};
        QVERIFY(fixtures::exercise2Trace(shape).writeTo(file).hasValue());
        const auto info = infoOf(file);
        QCOMPARE(info["lost_zones"].size(), std::size_t{1});
        const auto& zone = info["lost_zones"][0];
        QCOMPARE(zone["what"], Json("buffers missing"));
        QCOMPARE(zone["count"], Json(1));
        QCOMPARE(zone["counted"], Json("buffers"));
        QCOMPARE(zone["start_is"], Json("the oldest of the processors' last buffers"));
        QCOMPARE(zone["end_is"], Json("the next buffer of every processor"));
        QVERIFY(zone["start_s"].get<double>() > 0 && zone["start_s"] < zone["end_s"]);
        QVERIFY(zone["end_s"] < info["duration_s"]);
        QCOMPARE(info["whole_before_s"], zone["start_s"]);
        const auto told = runCli({"info", file});
        QVERIFY2(has(told.answers, "     start_s        end_s              count  lost\n"), told.answers.c_str());
        QVERIFY2(told.answers.ends_with("           1 buffer  buffers missing: from the oldest of the processors' last "
                                        "buffers to the next buffer of every processor\n"),
                 told.answers.c_str());
        QVERIFY2(has(told.messages, "The number of missing allocations is unknown. Nothing is missing before "),
                 told.messages.c_str());
    }
    /// The first lines contain everything that matters most.
    void lossesAreListedAtTheTopWorstFirst() {
        const auto file = temporaryPath("gap-2.etl");
        const fixtures::TraceShape shape{.bufferBytes = 16384, .processors = 4, .shuffleSeed = 5, .dropBuffer = 40};
        QVERIFY(fixtures::exercise2Trace(shape).writeTo(file).hasValue());
        const auto text = runCli({"info", file}).answers;
        QVERIFY2(has(text, "\nsession                 Highwater example\n"
                           "health                  totals are bounds\n"
                           "                                   1  buffer is missing\n"),
                 text.c_str());
        QVERIFY2(text.find("  frees have no recorded allocation\n") < text.find("\nbytes  "), text.c_str());
        const auto whole = runCli({"info", exercise2File("plain")}).answers;
        QVERIFY2(has(whole, "\nsession                 Highwater example\n"
                            "health                  nothing that affects totals is missing\n"
                            "                                   2  frees have no recorded allocation\n"
                            "bytes  "),
                 whole.c_str());
    }
    /// Before its end nothing is missing.
    void aCompleteTraceIsReportedAsComplete() {
        const auto info = infoOf(exercise2File("plain"));
        QVERIFY(info["lost_zones"].empty());
        QCOMPARE(info["whole_before_s"], info["duration_s"]);
    }
    void aCutTraceHasItsEndAndTheReason() {
        const auto bytes = fixtures::exercise2Trace({}).bytes();
        QVERIFY(bytes.hasValue());
        const auto file = temporaryPath("cut-off.etl");
        QFile cut(QString::fromStdString(file));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(reinterpret_cast<const char*>(bytes.value().data()), static_cast<qint64>(bytes.value().size() / 2));
        cut.close();
        const auto zone = infoOf(file)["lost_zones"][0];
        QCOMPARE(zone["what"], Json("the end of the file"));
        QCOMPARE(zone["counted"], Json("buffers"));
        QCOMPARE(zone["start_is"], Json("the last record of the file"));
        QCOMPARE(zone["end_is"], Json("the end time in the file header"));
        QVERIFY2(has(runCli({"info", file}).answers, " buffers  the end of the file: from the last record of the file "
                                                     "to the end time in the file header\n"),
                 runCli({"info", file}).answers.c_str());
    }

    void listsTheMarks() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("marked.etl");
        const auto bytes =
            writeTrace({markRecord(0.5, "start"), markRecord(2.25, "second round")}, {}, exampleProperties());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
        file.close();
        const auto marks = infoOf(path.toStdString())["marks"];
        const auto expected =
            Json::array({{{"name", "start"}, {"time_s", 0.5}}, {{"name", "second round"}, {"time_s", 2.25}}});
        QCOMPARE(marks, expected);
        QVERIFY(runCli({"info", path.toStdString()})
                    .answers.ends_with("  time_s  mark\n   0.500  start\n"
                                       "   2.250  second round\n"));
        QVERIFY(infoOf(exercise2File("plain"))["marks"].empty());
    }

    /// As recorded by Windows (opcode 125): peaks by process, also after a crop.
    void showsThePeaksOfProcessMemory() {
        using fixtures::seconds;
        constexpr auto kPid = fixtures::exercise2::kPid;
        const auto file = temporaryPath("memory.etl");
        auto trace = fixtures::exercise2Trace();
        trace.processMemory({{seconds(2), kPid, 8192, 40960}, {seconds(2), 999, 4096, 4096}});
        trace.processMemory({{seconds(20.5), kPid, 81920, 20480}, {seconds(20.5), 999, 4096, 4096}});
        trace.processMemory({{seconds(25), kPid, 12288, 12288}});
        QVERIFY(trace.writeTo(file).hasValue());
        const std::string name = "MemoryTestApp.exe (4242)";
        const auto expected = Json::array({{{"process", name},
                                            {"samples", 3},
                                            {"peak_private_bytes", 81920},
                                            {"peak_private_s", 20.5},
                                            {"peak_working_set_bytes", 40960},
                                            {"peak_working_set_s", 2.0}},
                                           {{"process", "Unknown (999)"},
                                            {"samples", 2},
                                            {"peak_private_bytes", 4096},
                                            {"peak_private_s", 2.0},
                                            {"peak_working_set_bytes", 4096},
                                            {"peak_working_set_s", 2.0}}});
        QCOMPARE(infoOf(file)["process_memory"], expected);
        const auto text = runCli({"info", file}).answers;
        QVERIFY2(has(text, "\npeak_private_bytes       peak_s peak_working_set_bytes       peak_s  samples  process\n"
                           "             81920       20.500                  40960        2.000        3  " +
                               name + "\n"),
                 text.c_str());
        const auto part = temporaryPath("memory-part.etl");
        QCOMPARE(runCli({"crop", file, "--range", "15:28", "-o", part}).exitCode, 0);
        const auto cropped = infoOf(part)["process_memory"];
        QCOMPARE(cropped[0]["samples"], Json(2));
        QCOMPARE(cropped[0]["peak_private_bytes"], Json(81920));
        QVERIFY(infoOf(exercise2File("plain"))["process_memory"].empty());
    }

    void countsHeapSnapshotsOfWindows() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("snapshots.etl");
        QVERIFY(writeFile(path, writeTrace(threeSnapshots())));
        const auto info = infoOf(path.toStdString());
        const auto known = SnapshotWriter(8).write({{0x1D0000, {{0x1D1000, 40, {0x401000, 0x402000}}}}}).size();
        const Json expected{{"instances", 3}, {"bytes", 2 * known + 100}, {"decoded", 1}, {"undecoded", 2}};
        QCOMPARE(info["heap_snapshots"], expected);
        QCOMPARE(lossOf(info, "heap snapshots undecoded"), std::uint64_t{1});
        QCOMPARE(lossOf(info, "heap snapshots incomplete"), std::uint64_t{1});
        const auto& listed = info["snapshots"]; // the readable snapshot
        QCOMPARE(listed.size(), std::size_t{1});
        QCOMPARE(listed[0]["number"], Json(1));
        QCOMPARE(listed[0]["pid"], Json(77));
        QCOMPARE(listed[0]["origin"], Json("windows"));
        QVERIFY(listed[0]["time_s"].is_number());
        const auto text = runCli({"info", path.toStdString()});
        QVERIFY2(has(text.answers, "\nsnapshot       time_s        pid  origin\n       1 ") &&
                     has(text.answers, "         77  windows\n"),
                 text.answers.c_str());
        QVERIFY(infoOf(exercise2File("plain"))["snapshots"].empty());
        QVERIFY(has(text.answers, "heap_snapshots                     3  instances\n"));
        QVERIFY(has(text.messages, "1 heap snapshot could not be decoded. Windows heap snapshots"));
        QCOMPARE(infoOf(exercise2File("plain"))["heap_snapshots"]["instances"], Json(0));
        QVERIFY(!has(runCli({"info", exercise2File("plain")}).answers, "heap_snapshots"));
    }

    void savesTheBytesOfHeapSnapshots() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("snapshots.etl");
        QVERIFY(writeFile(path, writeTrace(threeSnapshots())));
        const auto saved = folder.filePath("a/saved");
        const std::vector<std::string> command{"info", path.toStdString(), "--save-snapshots", saved.toStdString()};
        for (const auto* again : {"", ".2"}) { // the existing file stays
            const auto answer = runCli(command);
            QCOMPARE(answer.exitCode, 0);
            QVERIFY(has(answer.messages, "Saved 3 heap snapshots ("));
            QCOMPARE(contents(saved + QString("/heap-snapshot-77-2%1.bin").arg(again)), QByteArray(100, '\7'));
            QVERIFY(QFile::exists(saved + QString("/heap-snapshot-77-1%1.bin").arg(again)));
            QVERIFY(QFile::exists(saved + QString("/heap-snapshot-77-3%1.incomplete.bin").arg(again)));
        }
        QCOMPARE(QDir(saved).entryList(QDir::Files).size(), 6);
        const auto none = runCli({"info", exercise2File("plain"), "--save-snapshots", saved.toStdString()});
        QCOMPARE(none.exitCode, 0);
        QVERIFY(has(none.messages, "The trace has no heap snapshots that Windows took.\n"));
        const auto empty = runCli({"info", path.toStdString(), "--save-snapshots", ""});
        QCOMPARE(empty.exitCode, 1);
        QVERIFY2(empty.answers.empty() && has(empty.messages, "the folder name is empty"), empty.messages.c_str());
        const auto noFolder = runCli({"info", path.toStdString(), "--save-snapshots", path.toStdString()});
        QCOMPARE(noFolder.exitCode, 2);
        QVERIFY(has(noFolder.messages, "Cannot create the folder "));
    }

    void agreesWithTheIndependentWalker_data() {
        QTest::addColumn<QString>("shape");
        for (const auto* shape : {"plain", "32-bit", "keys", "merged", "shuffled-keys", "wow64", "lossy"}) {
            QTest::addRow("%s", shape) << shape;
        }
    }
    void agreesWithTheIndependentWalker() {
        QFETCH(QString, shape);
        const auto walker = QDir(QString::fromStdString(sharedTracesFolder())).filePath("../tools/etlscan.py");
        if (sharedTracesFolder().empty() || !QFile::exists(walker)) QSKIP("The independent walker is not here.");
        const auto path = exercise2File(shape.toStdString());
        const auto scan = runProgram("python3", {walker.toStdString(), path});
        if (scan.exitCode != 0) QSKIP("The independent walker does not run here.");
        const auto report = QString::fromStdString(scan.answers);
        QVERIFY(!report.contains("ERROR"));
        const auto info = infoOf(path);
        const auto events = QRegularExpression("(\\d+) buffers, (\\d+) events, compressed=(\\d+)").match(report);
        QCOMPARE(info["buffers"].get<std::uint64_t>(), events.captured(1).toULongLong());
        QCOMPARE(info["events_total"].get<std::uint64_t>(), events.captured(2).toULongLong());
        QCOMPARE(info["buffers_compressed"].get<std::uint64_t>(), events.captured(3).toULongLong());
        const std::pair<const char*, const char*> pairs[] = {
            {"heap_events", "Heap"},       {"virtual_alloc_events", "VAlloc"}, {"virtual_free_events", "VFree"},
            {"stack_events", "Stack"},     {"image_events", "Image"},          {"image_id_events", "ImageID"},
            {"process_events", "Process"}, {"thread_events", "Thread"}};
        for (const auto& [name, what] : pairs) {
            QCOMPARE(info[name].get<std::uint64_t>(), walked(report, what));
        }
        for (const auto& [header, count] : info["events_by_header"].items()) {
            QCOMPARE(count.get<std::uint64_t>(), walked(report, QString::fromStdString(header)));
        }
    }

    void matchesKnownFactsOfRealTraces_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(QString::fromStdString(sharedTracesFolder()));
        if (sharedTracesFolder().empty()) {
            QTest::addRow("none") << QString();
            return;
        }
        for (const auto& name : folder.entryList({"*.etl"}, QDir::Files)) {
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }
    void matchesKnownFactsOfRealTraces() {
        QFETCH(QString, name);
        if (name.isEmpty()) QSKIP("The real traces are not here.");
        const QDir folder(QString::fromStdString(sharedTracesFolder()));
        const auto known = describedCounts(folder, name);
        if (known.isEmpty()) QSKIP("Nothing is known of this trace.");
        const auto info = infoOf(folder.filePath(name).toStdString());
        const auto number = [&](const char* field) { return QString::number(info[field].get<std::uint64_t>()); };
        QCOMPARE(number("bytes"), known[1]);
        QCOMPARE(QString("%1 (%2)").arg(number("buffers"), number("buffers_compressed")), known[2]);
        QCOMPARE(number("os_build"), known[4]);
        QCOMPARE(info["pointer_bytes"].get<int>() * 8, known[5].toInt());
        QCOMPARE(number("processors"), known[6]);
        QCOMPARE(number("events_total"), known[7]);
        QStringList headers;
        for (const auto& [header, count] : info["events_by_header"].items()) {
            headers << QString("%1:%2").arg(QString::fromStdString(header)).arg(count.get<std::uint64_t>());
        }
        auto knownHeaders = known[8].split(' ');
        headers.sort();
        knownHeaders.sort();
        QCOMPARE(headers, knownHeaders);
        QCOMPARE(QString::number(info["duration_s"].get<double>(), 'f', 2), known[9]);
        QCOMPARE(number("stack_events") + "/" + number("extended_stacks"), known[10]);
        QCOMPARE(number("image_events"), known[11]);
        QCOMPARE(number("image_id_events"), known[12]);
        QCOMPARE(number("process_events"), known[13]);
        QCOMPARE(number("thread_events"), known[14]);
    }
};
HIGHWATER_TEST(InfoCommandTest);
#include "info_command_test.moc"
