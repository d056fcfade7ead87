#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;
using highwater::tests::kindName;

namespace {

struct ScriptedEvent {
    char what = 'A'; // Alloc, Free, Realloc, Create, Destroy, eXec
    std::uint32_t process = 0;
    std::uint32_t tid = 0;
    Address heap = 0;
    Address address = 0;
    Address oldAddress = 0;
    ByteCount size = 0;
};

/// The pairing rules in a second implementation that looks back over all events instead of keeping state.
class HeapModel {
  public:
    struct Row {
        Address address = 0;
        ByteCount size = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0; // 0: outstanding
        std::string kind;
        bool realloc = false;
        std::uint32_t tid = 0;
        bool temporary = false;
        std::uint32_t process = 0;
    };
    std::vector<Row> rows;
    std::map<std::string, std::uint64_t> losses;

    void add(const ScriptedEvent& event) {
        events_.push_back(event);
        wants_.emplace_back();
        isEcho_.push_back(false);
        begun_.emplace_back();
        const auto now = static_cast<std::int64_t>(events_.size());
        if (event.what == 'X') return execute(event, now);
        if (findEcho(event)) {
            isEcho_.back() = true;
            return;
        }
        if (event.what == 'C') seen_.insert({event.process, event.heap});
        if (event.what == 'D') destroy(event, now);
        if (event.address == 0) return;
        if (event.what == 'A') begin(event, now, false);
        if (event.what == 'F') free(event, now);
        if (event.what == 'R') realloc(event, now);
    }

  private:
    using Key = std::tuple<std::uint32_t, Address, Address>;
    static Key key(const ScriptedEvent& event, Address address) { return {event.process, event.heap, address}; }

    /// The realloc whose echo this may be: the thread's last event, or the last but one if the last is an echo itself.
    bool findEcho(const ScriptedEvent& event) {
        int passed = 0;
        for (auto i = events_.size() - 1; i-- > 0;) {
            const auto& before = events_[i];
            if (before.tid != event.tid || before.process != event.process) continue;
            if (before.what == 'R' && !isEcho_[i]) {
                const bool matches =
                    before.heap == event.heap &&
                    ((event.what == 'A' && event.address == before.address && event.size == before.size) ||
                     (event.what == 'F' && event.address == before.oldAddress));
                return matches && wants_[i].erase(event.what) == 1;
            }
            if (!isEcho_[i] || ++passed == 2) return false;
        }
        return false;
    }
    /// Whether the thread's previous event started this row.
    bool wasBegunJustBefore(std::size_t row) {
        for (auto i = events_.size() - 1; i-- > 0;) {
            const auto& before = events_[i];
            if (before.tid != events_.back().tid || isEcho_[i]) continue;
            if (before.what == 'C' || (before.what != 'D' && before.address == 0)) continue;
            return begun_[i] == row;
        }
        return false;
    }
    void end(std::size_t row, std::int64_t now, const char* kind) {
        rows[row].end = now;
        rows[row].kind = kind;
    }
    void begin(const ScriptedEvent& event, std::int64_t now, bool realloc) {
        seen_.insert({event.process, event.heap});
        const auto at = key(event, event.address);
        if (blocks_.count(at) != 0) {
            end(blocks_[at], now, "FreeLost");
            ++losses["frees lost"];
        }
        blocks_[at] = rows.size();
        begun_.back() = rows.size();
        rows.push_back({event.address, event.size, now, 0, "", realloc, event.tid, false, event.process});
    }
    void free(const ScriptedEvent& event, std::int64_t now) {
        frees_.push_back(event);
        const auto found = blocks_.find(key(event, event.address));
        if (found == blocks_.end()) {
            ++losses["unmatched frees"];
            return;
        }
        rows[found->second].temporary = wasBegunJustBefore(found->second);
        end(found->second, now, "Free");
        blocks_.erase(found);
    }
    bool endOld(const ScriptedEvent& event, std::int64_t now) {
        const auto found = blocks_.find(key(event, event.oldAddress));
        if (found == blocks_.end()) return false;
        rows[found->second].temporary = wasBegunJustBefore(found->second);
        end(found->second, now, "ReAlloc");
        blocks_.erase(found);
        return true;
    }
    bool wasFreedJustBefore(const ScriptedEvent& event) {
        const auto first = frees_.size() < 16 ? 0 : frees_.size() - 16;
        for (auto i = first; i < frees_.size(); ++i) {
            auto& f = frees_[i];
            if (f.what != 'F' || f.address != event.oldAddress || f.heap != event.heap) continue;
            if (f.tid != event.tid || f.process != event.process) continue;
            f.what = 'x';
            return true;
        }
        return false;
    }
    void realloc(const ScriptedEvent& event, std::int64_t now) {
        const bool inPlace = event.address == event.oldAddress;
        const auto logged = blocks_.find(key(event, event.address));
        const bool isLogged = !inPlace && logged != blocks_.end() && rows[logged->second].size == event.size &&
                              rows[logged->second].tid == event.tid;
        if (isLogged) rows[logged->second].realloc = true;
        if (isLogged) begun_.back() = logged->second;
        bool freedBefore = false;
        if (!endOld(event, now)) {
            freedBefore = wasFreedJustBefore(event);
            if (!freedBefore) ++losses["reallocs of unknown blocks"];
        }
        if (!isLogged) begin(event, now, true);
        if (inPlace) return;
        if (!isLogged) wants_.back().insert('A');
        if (!freedBefore) wants_.back().insert('F');
    }
    void execute(const ScriptedEvent& event, std::int64_t now) {
        std::erase_if(seen_, [&](const auto& heap) { return heap.first == event.process; });
        for (const auto& [at, row] : blocks_)
            if (std::get<0>(at) == event.process) end(row, now, "Exec");
        std::erase_if(blocks_, [&](const auto& block) { return std::get<0>(block.first) == event.process; });
    }
    void destroy(const ScriptedEvent& event, std::int64_t now) {
        if (seen_.erase({event.process, event.heap}) == 0) ++losses["unknown heaps destroyed"];
        for (auto it = blocks_.begin(); it != blocks_.end();) {
            const bool here = std::get<0>(it->first) == event.process && std::get<1>(it->first) == event.heap;
            if (here) end(it->second, now, "HeapDestroy");
            it = here ? blocks_.erase(it) : std::next(it);
        }
    }

    std::vector<ScriptedEvent> events_;
    std::vector<std::set<char>> wants_; ///< per event: echoes that a realloc is still waiting for
    std::vector<bool> isEcho_;
    std::vector<std::optional<std::size_t>> begun_; ///< per event: the row that it made
    std::vector<ScriptedEvent> frees_;
    std::map<Key, std::size_t> blocks_;
    std::set<std::pair<std::uint32_t, Address>> seen_;
};

std::string temporaryRows(const HeapModel& model) {
    std::string text;
    for (std::size_t row = 0; row < model.rows.size(); ++row) {
        if (model.rows[row].temporary) text += (text.empty() ? "" : " ") + std::to_string(row);
    }
    return text;
}

std::string print(const HeapModel& model) {
    std::string text;
    for (const auto& row : model.rows) {
        if (!text.empty()) text += "\n";
        text += tests::hex(row.address) + "+" + tests::hex(row.size) + " " + std::to_string(row.begin) + "..";
        if (row.end != 0) text += std::to_string(row.end) + " " + row.kind;
        if (row.realloc) text += " realloc";
    }
    return text;
}

std::string lossesOf(HeapModel& model) {
    std::string losses;
    for (const auto* name :
         {"unmatched frees", "frees lost", "reallocs of unknown blocks", "unknown heaps destroyed"}) {
        if (model.losses[name] == 0) continue;
        losses += (losses.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(model.losses[name]);
    }
    return losses;
}

ScriptedEvent randomEvent(std::mt19937& random, const ScriptedEvent& last) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    ScriptedEvent event;
    event.what = "AAAAAFFFFFRRRRCDX"[below(17)];
    if (event.what == 'D' && below(4) != 0) event.what = 'A';
    event.process = below(6) == 0 ? 2 : 1;
    event.tid = 1 + below(3);
    event.heap = below(5) == 0 ? 0x20000 : 0x10000;
    event.address = 0x1000 * below(7);
    event.oldAddress = 0x1000 * below(7);
    event.size = 1 + below(2);
    // A realloc is often followed by its echo.
    if (last.what == 'R' && below(2) == 0) {
        event = last;
        event.what = "AF"[below(2)];
        if (event.what == 'F') event.address = last.oldAddress;
    }
    if (event.what == 'D' || event.what == 'C') event.address = 0;
    if (event.what == 'X') event.tid = 0; // without a thread
    return event;
}

} // namespace

class HeapModelTest : public QObject {
    Q_OBJECT
  private slots:
    void pairsAsTheModelDoes() {
        for (unsigned seed = 0; seed < tests::kModelSeeds; ++seed) {
            std::mt19937 random(seed);
            HeapModel model;
            EventScript script;
            ScriptedEvent last;
            ScriptedEvent realloc;
            const auto events = 2 + seed % 60;
            for (unsigned i = 0; i < events; ++i) {
                last = randomEvent(random, random() % 2 == 0 ? realloc : last);
                if (last.what == 'R') realloc = last;
                model.add(last);
                feed(script, last);
            }
            const auto losses = lossesOf(model);
            const auto where = "seed " + std::to_string(seed);
            QVERIFY2(script.heapRows() == print(model),
                     (where + "\n" + script.heapRows() + "\n---\n" + print(model)).c_str());
            QVERIFY2(script.temporaryRows() == temporaryRows(model),
                     (where + ": " + script.temporaryRows() + " --- " + temporaryRows(model)).c_str());
            QVERIFY2(script.losses() == losses, (where + ": " + script.losses() + " --- " + losses).c_str());
            // The counts match the rows.
            const auto trace = script.publish();
            QCOMPARE(trace->health[Loss::UnmatchedFrees], trace->heap.unmatchedFrees);
            std::uint64_t lost = 0;
            for (RowId row = 0; row < trace->heap.rows; ++row)
                lost += trace->heap.end(row) != kNever && kindName(trace->heap.endSite(row)) == "FreeLost" ? 1 : 0;
            QCOMPARE(trace->health[Loss::FreesLost], lost);
        }
    }
    /// Without rows: the same row counts, bytes of each process, and losses.
    void countsAsTheModelDoes() {
        for (unsigned seed = 0; seed < tests::kModelSeeds; ++seed) {
            std::mt19937 random(seed);
            HeapModel model;
            EventScript script(BlockRows::Counted);
            ScriptedEvent last;
            ScriptedEvent realloc;
            std::map<std::uint32_t, ByteCount> most;
            const auto events = 2 + seed % 60;
            for (unsigned i = 0; i < events; ++i) {
                last = randomEvent(random, random() % 2 == 0 ? realloc : last);
                if (last.what == 'R') realloc = last;
                if (last.what == 'A' && seed % 3 == 0) last.size += 0xFFFFFFFEu; // some are of 4 GB
                model.add(last);
                feed(script, last);
                std::map<std::uint32_t, ByteCount> outstanding;
                for (const auto& row : model.rows)
                    outstanding[row.process] += row.end == 0 ? row.size : 0;
                for (const auto& [process, bytes] : outstanding)
                    most[process] = std::max(most[process], bytes);
            }
            ByteCount all = 0;
            for (const auto& row : model.rows)
                all += row.end == 0 ? row.size : 0;
            const auto where = "seed " + std::to_string(seed) + "\n" + print(model);
            QVERIFY2(script.store.heapAllocations() == model.rows.size(), where.c_str());
            QVERIFY2(script.store.heapBytesOutstanding() == static_cast<SignedByteCount>(all), where.c_str());
            for (const std::uint32_t process : {1u, 2u}) {
                const auto bytes = static_cast<SignedByteCount>(most[process]);
                QVERIFY2(script.store.mostHeapBytesOutstanding(process) == bytes, where.c_str());
            }
            QVERIFY2(script.losses() == lossesOf(model), (script.losses() + " in " + where).c_str());
            QCOMPARE(script.publish()->heap.rows, 0u);
        }
    }
    void findsEveryBlockAmongMany() {
        // Growth, clusters and gaps of the look-up table.
        std::mt19937_64 random(1);
        BlockMap map;
        std::map<Address, RowId> model;
        for (int i = 0; i < 400'000; ++i) {
            const Address address = (1 + random() % 30'000) << (4 + random() % 2 * 12);
            if (random() % 100 < (i / 50'000 % 2 == 0 ? 60u : 40u)) {
                auto* block = map.findOrAdd(address);
                QVERIFY(block != nullptr);
                QCOMPARE(block->row == BlockMap::kNoRow, model.count(address) == 0);
                block->row = static_cast<RowId>(i);
                model[address] = static_cast<RowId>(i);
            } else {
                const auto known = model.find(address);
                QCOMPARE(map.find(address) != nullptr, known != model.end());
                QCOMPARE(map.take(address).row, known == model.end() ? BlockMap::kNoRow : known->second);
                if (known != model.end()) model.erase(known);
            }
        }
        auto rows = map.rows();
        QCOMPARE(rows.size(), model.size());
        std::set<RowId> expected;
        for (const auto& [address, row] : model)
            expected.insert(row);
        QVERIFY(std::set<RowId>(rows.begin(), rows.end()) == expected);
    }

  private:
    static void feed(EventScript& script, const ScriptedEvent& event) {
        script.inProcess(event.process).inHeap(event.heap).onThread(event.tid);
        switch (event.what) {
        case 'A':
            script.alloc(event.address, event.size);
            break;
        case 'F':
            script.free(event.address);
            break;
        case 'R':
            script.realloc(event.oldAddress, event.address, event.size);
            break;
        case 'X':
            script.process(Occasion::Executed);
            break;
        case 'C':
            script.create();
            break;
        default:
            script.destroy();
            break;
        }
    }
};
HIGHWATER_TEST(HeapModelTest);
#include "heap_model_test.moc"
