#include "core/formats/sqlite/sqlite_writer.h"

#include "core/formats/calls/call_catalog.h"
#include "core/formats/sqlite/sqlite_database.h"
#include "core/formats/sqlite/sqlite_resident.h"
#include "core/formats/sqlite/sqlite_rows.h"

#include <array>
#include <fmt/format.h>

namespace highwater::formats {
namespace {

using analysis::Table;

constexpr std::array kTablesOfRows{Table::Heap, Table::VirtualAlloc, Table::Managed, Table::GcHeap};

/// Schema except for the row tables. Times are nanoseconds from the start of the trace.
constexpr auto kSchema = R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE losses(id TEXT NOT NULL, count INTEGER NOT NULL, severity TEXT NOT NULL, sentence TEXT NOT NULL);
CREATE TABLE marks(time_ns INTEGER NOT NULL, name TEXT);
CREATE TABLE snapshots(number INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, pid INTEGER);
CREATE TABLE processes(id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, instance INTEGER NOT NULL, name TEXT,
    label TEXT NOT NULL, parent_pid INTEGER NOT NULL, start_ns INTEGER, end_ns INTEGER, command_line TEXT);
CREATE TABLE images(process INTEGER NOT NULL, module INTEGER NOT NULL, base INTEGER NOT NULL, size INTEGER NOT NULL,
    loaded_ns INTEGER, unloaded_ns INTEGER);
CREATE TABLE modules(id INTEGER PRIMARY KEY, name TEXT, path TEXT, build_id TEXT);
CREATE TABLE heaps(id INTEGER PRIMARY KEY, process INTEGER NOT NULL, handle INTEGER NOT NULL);
CREATE TABLE stack_frames(stack INTEGER NOT NULL, position INTEGER NOT NULL, frame INTEGER NOT NULL,
    PRIMARY KEY(stack, position)) WITHOUT ROWID;
CREATE TABLE frames(id INTEGER PRIMARY KEY, function TEXT NOT NULL, is_inlined INTEGER NOT NULL, module INTEGER,
    address INTEGER, offset INTEGER, file TEXT, line INTEGER, linkage_name TEXT);
CREATE VIEW stacks AS SELECT stack AS id, count(*) AS depth, group_concat(function, ';') AS text FROM
    (SELECT stack, function FROM stack_frames JOIN frames ON frames.id = frame ORDER BY stack, position DESC)
    GROUP BY stack;
)sql";

class SqliteWriter {
  public:
    SqliteWriter(const store::PublishedTrace& trace, analysis::FrameLabels& labels, SqliteDatabase& database)
        : trace_(trace), database_(database), labels_(labels), rows_(trace, labels, database) {}

    void writeSchema() {
        // "HgWt", which identifies the type of the file.
        database_.run(fmt::format("PRAGMA user_version={}; PRAGMA application_id=1214732148;", kSqliteSchemaVersion));
        database_.run(kSchema + sqlOfResidentTables() + sqlOfRowTables());
    }
    Result<std::size_t> writeRows(const SqliteQuery& query, const std::stop_token& stop,
                                  const exports::ExportProgress& progress) {
        std::size_t count = 0;
        for (const auto table : kTablesOfRows) {
            if (query.table && *query.table != table) continue;
            const auto written =
                TRY(rows_.write({table, query.interval, query.filter, query.processExitFreesHeap}, stop, progress));
            count += written;
        }
        return count;
    }
    void writeFacts(const SqliteFacts& facts) {
        SqliteInsert meta(database_, "meta", 2);
        meta.addWord("schema_version").add(kSqliteSchemaVersion).insert();
        for (const auto& [name, value] : facts.meta)
            meta.addWord(name).addText(value).insert();
        SqliteInsert losses(database_, "losses", 4);
        for (const auto& entry : facts.health.entries())
            losses.addText(entry.id)
                .add(static_cast<std::int64_t>(entry.count))
                .addWord(entry.severity == Severity::Bound ? "bound" : "note")
                .addText(entry.text())
                .insert();
        SqliteInsert marks(database_, "marks", 2);
        for (const auto& mark : facts.marks)
            marks.add(mark.time.ns).addText(mark.name).insert();
        if (trace_.snapshots == nullptr) return;
        SqliteInsert snapshots(database_, "snapshots", 3);
        for (const auto& snapshot : *trace_.snapshots)
            snapshots.add(snapshot.number)
                .add(snapshot.time.ns)
                .addIf(snapshot.pid != kAllProcesses, snapshot.pid)
                .insert();
    }
    void writeProcesses() {
        const auto& table = *trace_.processes;
        SqliteInsert processes(database_, "processes", 9);
        SqliteInsert images(database_, "images", 6);
        for (std::uint32_t i = 0; i < table.processes().size(); ++i) {
            const auto& process = table.processes()[i];
            processes.add(std::int64_t{i} + 1)
                .add(process.pid)
                .add(process.instance)
                .addText(process.name)
                .addText(table.key(ProcessIndex{i}))
                .add(process.parentPid)
                .addIf(process.start != kBeforeTrace, process.start.ns)
                .addIf(process.end != kNever, process.end.ns)
                .addText(process.commandLine)
                .insert();
            for (const auto& image : process.images)
                images.add(std::int64_t{i} + 1)
                    .add(std::int64_t{image.module.value} + 1)
                    .add(static_cast<std::int64_t>(image.base))
                    .add(static_cast<std::int64_t>(image.size))
                    .addIf(image.loaded != kBeforeTrace, image.loaded.ns)
                    .addIf(image.unloaded != kNever, image.unloaded.ns)
                    .insert();
        }
        SqliteInsert modules(database_, "modules", 4);
        for (std::size_t i = 0; i < table.modules().size(); ++i) {
            const auto& module = table.modules()[i];
            modules.add(static_cast<std::int64_t>(i) + 1)
                .addText(module.name)
                .addText(table.dosPath(module.path))
                .addText(buildIdText(module.identity))
                .insert();
        }
        writeHeaps();
    }
    /// Writes the stacks of the written rows. False: stopped.
    bool writeStacks(const std::stop_token& stop) {
        CallCatalog calls(trace_, labels_);
        SqliteInsert stacks(database_, "stack_frames", 3);
        const auto& used = rows_.usedStacks();
        for (std::uint32_t stack = 0; stack < used.size(); ++stack) {
            if (!used[stack]) continue;
            if (stop.stop_requested()) return false;
            std::int64_t position = 0;
            for (const auto number : calls.callsOf(StackId{stack})) {
                const auto& call = calls.calls()[number];
                for (std::uint32_t line = 0; line < call.lineCount; ++line)
                    stacks.add(stack)
                        .add(position++)
                        .add(static_cast<std::int64_t>(call.firstLine + line) + 1)
                        .insert();
            }
        }
        writeFrames(calls);
        return true;
    }

  private:
    void writeHeaps() {
        SqliteInsert heaps(database_, "heaps", 3);
        const auto& table = trace_.columns->heaps;
        std::vector<bool> isKnown;
        // Only heaps of rows: others may be newer than the published trace.
        const auto& view = trace_.heap;
        for (std::uint32_t i = 0; i < view.sites; ++i) {
            const auto heap = view.columns->sites[SiteId{i}].heap.value;
            if (isKnown.size() <= heap) isKnown.resize(heap + std::size_t{1});
            isKnown[heap] = true;
        }
        for (std::uint32_t i = 0; i < isKnown.size(); ++i) {
            if (!isKnown[i]) continue;
            heaps.add(i)
                .add(static_cast<std::int64_t>(table[i].process.value) + 1)
                .add(static_cast<std::int64_t>(table[i].handle))
                .insert();
        }
    }
    void writeFrames(const CallCatalog& calls) {
        SqliteInsert frames(database_, "frames", 9);
        for (const auto& call : calls.calls()) {
            const bool hasImage = call.image != CallCatalog::kNone;
            const auto image = hasImage ? calls.images()[call.image] : CallCatalog::Image{};
            const auto lines = calls.linesOf(call);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                const auto& function = calls.functions()[lines[i].function];
                frames.add(static_cast<std::int64_t>(call.firstLine + i) + 1)
                    .addText(function.name)
                    .add(lines[i].isInlined ? 1 : 0)
                    .addIf(hasImage, std::int64_t{image.module.value} + 1)
                    .addIf(call.address != 0, static_cast<std::int64_t>(call.address))
                    .addIf(hasImage, static_cast<std::int64_t>(call.address - image.base))
                    .addText(function.file == CallCatalog::kNone ? std::string() : calls.files()[function.file])
                    .addIf(lines[i].line != 0, lines[i].line)
                    .addText(function.linkageName)
                    .insert();
            }
        }
    }

    const store::PublishedTrace& trace_;
    SqliteDatabase& database_;
    analysis::FrameLabels& labels_;
    SqliteRows rows_;
};

} // namespace

Result<std::size_t> writeSqlite(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                const SqliteQuery& query, const SqliteFacts& facts, const std::filesystem::path& file,
                                const std::stop_token& stop, const exports::ExportProgress& progress) {
    const auto database = TRY(SqliteDatabase::open(file));
    SqliteWriter writer(trace, labels, *database);
    writer.writeSchema();
    const auto rows = TRY(writer.writeRows(query, stop, progress));
    writer.writeFacts(facts);
    writer.writeProcesses();
    TRY(writeResident(trace, query.interval, *database, stop));
    if (!writer.writeStacks(stop)) return Error{ErrorKind::Cancelled, "The export was cancelled."};
    TRY(database->finish());
    return rows;
}

} // namespace highwater::formats
