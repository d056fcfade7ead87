#include "core/fleet/sqlite/sqlite_name.h"

#include "core/fleet/questions/stack_bytes.h"
#include "core/fleet/questions/stack_naming.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/fleet/sqlite/sqlite_frames.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace highwater::fleet {
namespace {

using sqlite::SqliteConnection, sqlite::SqliteStatement;

class FleetNamer {
  public:
    FleetNamer(SqliteConnection& connection, const PlumbingTest& isPlumbing)
        : connection_(connection), isPlumbing_(isPlumbing), frames_(connection) {}

    std::size_t name(const std::vector<NamedFrame>& frames) {
        writeFrames(frames);
        if (renamed_.empty()) return 0;
        renameStacks();
        if (!merged_.empty()) mergeSamples();
        removeWhatWasRenamed();
        countUnnamed();
        return stacks_;
    }

  private:
    [[nodiscard]] bool hasFailed() const { return connection_.error().has_value(); }

    /// Finds the unnamed functions and writes their new names.
    void writeFrames(const std::vector<NamedFrame>& frames) {
        SqliteStatement find(connection_, "SELECT id FROM frames WHERE name = ? AND is_named = 0 AND build_id = ?");
        for (const auto& frame : frames) {
            if (hasFailed()) return;
            find.addText(frame.name).addText(frame.buildId);
            const auto id = numberFrom(find);
            if (!id || frame.functions.empty()) continue;
            auto& rows = renamed_[*id];
            for (const auto& function : frame.functions)
                rows.push_back({function.name, {}, true, frames_.idOf(function)});
        }
    }

    void renameStacks() {
        std::vector<std::pair<std::int64_t, std::int64_t>> unnamed; // with their owners
        SqliteStatement stacks(connection_, "SELECT id, owner FROM stacks WHERE is_named = 0");
        while (stacks.next())
            unnamed.emplace_back(stacks.integer(0), stacks.integer(1));
        for (const auto& [stack, owner] : unnamed)
            if (!hasFailed()) renameStack(stack, owner);
    }

    void renameStack(std::int64_t stack, std::int64_t owner) {
        CalledStack called;
        std::optional<std::size_t> ownerAt;
        readFrames_.add(stack);
        while (readFrames_.next()) {
            called.frames.push_back({std::string(readFrames_.text(1)), std::string(readFrames_.text(2)),
                                     readFrames_.integer(3) != 0, readFrames_.integer(0)});
            if (called.frames.back().id == owner && !ownerAt) ownerAt = called.frames.size() - 1;
        }
        readFrames_.reset();
        called.owner = ownerAt.value_or(0);
        const auto namesNow = [&](const CalledFrame& frame) {
            const auto names = renamed_.find(frame.id);
            return names == renamed_.end() ? nullptr : &names->second;
        };
        const auto now = renamed(called, namesNow, isPlumbing_);
        if (now && !hasFailed()) writeStack(stack, *now);
    }

    void writeStack(std::int64_t stack, const CalledStack& now) {
        ++stacks_;
        const auto key = bytesOf(keyOf(now.frames));
        findStack_.addBytes(key);
        if (const auto same = numberFrom(findStack_)) {
            merged_[stack] = *same;
            return;
        }
        const bool isNamed = std::ranges::all_of(now.frames, [](const auto& frame) { return frame.isNamed; });
        updateStack_.addBytes(key).add(now.frames[now.owner].id).add(isNamed ? 1 : 0).add(stack).runOnce();
        removeFrames_.add(stack).runOnce();
        std::int64_t position = 0;
        for (const auto& frame : now.frames)
            insertFrame_.add(stack).add(position++).add(frame.id).runOnce();
    }

    /// Run by run, which limits the memory.
    void mergeSamples() {
        std::vector<std::int64_t> runs;
        SqliteStatement read(connection_, "SELECT id FROM runs");
        while (read.next())
            runs.push_back(read.integer(0));
        connection_.run("CREATE TEMP TABLE merged (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)");
        {
            SqliteStatement insert(connection_, "INSERT INTO temp.merged VALUES(?,?)");
            for (const auto& [old, now] : merged_)
                insert.add(old).add(now).runOnce();
            for (const auto run : runs)
                if (!hasFailed()) mergeSamplesOf(run);
        }
        connection_.run("DROP TABLE temp.merged");
    }

    void mergeSamplesOf(std::int64_t run) {
        constexpr auto kConcerned =
            "run = ?1 AND (stack IN (SELECT old FROM temp.merged) OR stack IN (SELECT new FROM temp.merged))";
        std::map<std::array<std::int64_t, 4>, SampleNumbers> samples; // by window, stack, process and table
        {
            SqliteStatement read(connection_, std::string("SELECT window, stack, process, row_table, alloc_space, "
                                                          "alloc_objects, inuse_space, inuse_objects, freed, peak, "
                                                          "impacting, slope, first, last FROM samples WHERE ") +
                                                  kConcerned);
            read.add(run);
            while (read.next()) {
                const auto stack = merged_.find(read.integer(1));
                const std::array key{read.integer(0), stack == merged_.end() ? read.integer(1) : stack->second,
                                     read.integer(2), read.integer(3)};
                SampleNumbers numbers;
                for (std::size_t i = 0; i < numbers.values.size(); ++i)
                    numbers.values[i] = read.integer(static_cast<int>(4 + i));
                const auto [entry, isNew] = samples.try_emplace(key, numbers);
                if (!isNew) entry->second.add(numbers);
            }
        }
        if (samples.empty() || hasFailed()) return;
        SqliteStatement remove(connection_, std::string("DELETE FROM samples WHERE ") + kConcerned);
        remove.add(run).runOnce();
        SqliteStatement insert(connection_, "INSERT INTO samples VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        for (const auto& [key, numbers] : samples) {
            insert.add(run).add(key[0]).add(key[1]).add(key[2]).add(key[3]);
            for (const auto number : numbers.values)
                insert.add(number);
            insert.runOnce();
        }
        SqliteStatement count(connection_,
                              "UPDATE runs SET sample_count = (SELECT count(*) FROM samples WHERE run = ?1) "
                              "WHERE id = ?1");
        count.add(run).runOnce();
    }

    void removeWhatWasRenamed() {
        SqliteStatement stack(connection_, "DELETE FROM stacks WHERE id = ?");
        for (const auto& [old, now] : merged_) {
            removeFrames_.add(old).runOnce();
            stack.add(old).runOnce();
        }
        SqliteStatement frame(connection_, "DELETE FROM frames WHERE id = ?");
        for (const auto& [old, names] : renamed_)
            frame.add(old).runOnce();
    }

    void countUnnamed() {
        connection_.run("UPDATE runs SET frames_unnamed = (SELECT count(DISTINCT f.id) FROM "
                        "(SELECT DISTINCT stack FROM samples WHERE run = runs.id) s JOIN stacks k ON k.id = s.stack "
                        "AND k.is_named = 0 "
                        "JOIN stack_frames sf ON sf.stack = k.id JOIN frames f ON f.id = sf.frame AND f.is_named = 0) "
                        "WHERE frames_unnamed > 0");
    }

    SqliteConnection& connection_;
    const PlumbingTest& isPlumbing_;
    SqliteFrames frames_;
    std::unordered_map<std::int64_t, std::vector<CalledFrame>> renamed_; ///< by unnamed frame
    std::map<std::int64_t, std::int64_t> merged_;                        ///< stacks that became equal to another one
    std::size_t stacks_ = 0;
    SqliteStatement readFrames_{connection_,
                                "SELECT f.id, f.name, f.build_id, f.is_named FROM stack_frames s JOIN frames f "
                                "ON f.id = s.frame WHERE s.stack = ? ORDER BY s.position"};
    SqliteStatement findStack_{connection_, "SELECT id FROM stacks WHERE key = ?"};
    SqliteStatement updateStack_{connection_, "UPDATE stacks SET key = ?, owner = ?, is_named = ? WHERE id = ?"};
    SqliteStatement removeFrames_{connection_, "DELETE FROM stack_frames WHERE stack = ?"};
    SqliteStatement insertFrame_{connection_, "INSERT INTO stack_frames VALUES(?, ?, ?)"};
};

} // namespace

std::size_t nameInSqlite(SqliteConnection& connection, const std::vector<NamedFrame>& frames,
                         const PlumbingTest& isPlumbing) {
    return FleetNamer(connection, isPlumbing).name(frames);
}

} // namespace highwater::fleet
