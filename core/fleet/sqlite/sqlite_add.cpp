#include "core/fleet/sqlite/sqlite_add.h"

#include "core/fleet/questions/stack_bytes.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/fleet/sqlite/sqlite_frames.h"
#include "core/fleet/sqlite/sqlite_memory.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace highwater::fleet {
namespace {

using sqlite::SqliteStatement;

/// Writes one run to the tables. Maps numbers of the summary to ids of the database.
class RunWriter {
  public:
    RunWriter(sqlite::SqliteConnection& connection, const summary::RunSummary& run)
        : connection_(connection), run_(run), frames_(run.frames.size()) {}

    void write() {
        writeRun();
        writeMemory(connection_, run_.facts);
        writeWindows();
        const auto processes = idsOfProcesses();
        const auto stacks = idsOfStacks();
        writeProcesses(processes);
        writeSamples(processes, stacks);
    }

  private:
    [[nodiscard]] bool hasFailed() const { return connection_.error().has_value(); }

    void writeRun() {
        const auto& facts = run_.facts;
        const auto stored = storedFacts(run_);
        SqliteStatement insert(connection_, "INSERT INTO runs VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        insert.addText(facts.run).addText(facts.trace).add(asSigned(facts.bytes));
        facts.recordedAt ? insert.add(*facts.recordedAt) : insert.addNull();
        insert.add(facts.duration).addText(facts.recorder).addText(facts.system);
        insert.add(asSigned(facts.eventsLost)).add(asSigned(facts.buffersLost)).add(asSigned(facts.stacksUnresolved));
        insert.add(facts.isWhole ? 1 : 0).addText(facts.build).addText(facts.machine).addText(facts.scenario);
        insert.add(stored.addedAt).add(asSigned(run_.samples.size())).add(stored.inuseSpace);
        insert.add(asSigned(stored.framesUnnamed)).runOnce();
        id_ = frameRows_.lastId();
        SqliteStatement label(connection_, "INSERT INTO labels VALUES(?,?,?,?)");
        std::int64_t position = 0;
        for (const auto& [name, value] : facts.labels)
            label.add(id_).add(position++).addText(name).addText(value).runOnce();
        SqliteStatement health(connection_, "INSERT INTO health VALUES(?,?,?)");
        position = 0;
        for (const auto& sentence : facts.health)
            health.add(id_).add(position++).addText(sentence).runOnce();
    }

    void writeWindows() {
        SqliteStatement insert(connection_, "INSERT INTO windows VALUES(?,?,?,?,?,?)");
        const auto names = windowNames(run_);
        for (std::size_t i = 0; i < run_.windows.size(); ++i) {
            const auto& window = run_.windows[i];
            insert.add(id_).add(asSigned(i)).add(static_cast<std::int64_t>(window.kind)).addText(names[i]);
            insert.add(window.start).add(window.end).runOnce();
        }
    }

    std::vector<std::int64_t> idsOfProcesses() {
        SqliteStatement find(connection_, "SELECT id FROM processes WHERE name = ?");
        SqliteStatement insert(connection_, "INSERT INTO processes VALUES(NULL, ?)");
        std::vector<std::int64_t> ids;
        for (const auto& name : run_.processes) {
            find.addText(name);
            auto id = numberFrom(find);
            if (!id) {
                insert.addText(name).runOnce();
                id = frameRows_.lastId();
            }
            ids.push_back(*id);
        }
        return ids;
    }

    std::vector<std::int64_t> idsOfStacks() {
        SqliteStatement find(connection_, "SELECT id FROM stacks WHERE key = ?");
        SqliteStatement insert(connection_, "INSERT INTO stacks VALUES(NULL, ?, ?, ?)");
        SqliteStatement frame(connection_, "INSERT INTO stack_frames VALUES(?, ?, ?)");
        std::vector<std::int64_t> ids;
        for (const auto& stack : run_.stacks) {
            const auto key = bytesOf(stack.key);
            find.addBytes(key);
            auto id = numberFrom(find);
            if (!id && !hasFailed()) {
                insert.addBytes(key);
                (stack.frames.empty() ? insert.addNull() : insert.add(idOfFrame(stack.owner)));
                insert.add(isNamed(run_, stack) ? 1 : 0).runOnce();
                id = frameRows_.lastId();
                std::int64_t position = 0;
                for (const auto number : stack.frames)
                    frame.add(*id).add(position++).add(idOfFrame(number)).runOnce();
            }
            ids.push_back(id.value_or(0));
        }
        return ids;
    }

    std::int64_t idOfFrame(std::uint32_t number) {
        if (frames_[number] == 0) frames_[number] = frameRows_.idOf(run_.frames[number]);
        return frames_[number];
    }

    void writeProcesses(const std::vector<std::int64_t>& processes) {
        SqliteStatement insert(connection_, "INSERT INTO run_processes VALUES(?,?,?)");
        for (const auto& [window, process] : processesOfWindows(run_))
            insert.add(id_).add(window).add(processes[process]).runOnce();
    }

    void writeSamples(const std::vector<std::int64_t>& processes, const std::vector<std::int64_t>& stacks) {
        SqliteStatement insert(connection_, "INSERT INTO samples VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        // In the order of the table, so that the file grows at its end.
        auto samples = samplesInOrder(run_);
        std::ranges::sort(samples, {}, [&](const auto* s) {
            return std::tuple(s->window, stacks[s->stack], processes[s->process], s->table);
        });
        for (const auto* s : samples) {
            if (hasFailed()) return;
            insert.add(id_).add(s->window).add(stacks[s->stack]).add(processes[s->process]);
            insert.add(static_cast<std::int64_t>(s->table)).add(s->allocSpace).add(s->allocObjects);
            insert.add(s->inuseSpace).add(s->inuseObjects).add(s->freed).add(s->peak).add(s->impacting);
            insert.add(s->slope).add(s->first).add(s->last).runOnce();
        }
    }

    sqlite::SqliteConnection& connection_;
    const summary::RunSummary& run_;
    std::vector<std::int64_t> frames_; ///< 0: not looked up yet
    std::int64_t id_ = 0;
    SqliteFrames frameRows_{connection_};
};

} // namespace

void addRunToSqlite(sqlite::SqliteConnection& connection, const summary::RunSummary& run) {
    RunWriter(connection, run).write();
}

} // namespace highwater::fleet
