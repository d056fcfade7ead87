#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <map>
#include <random>

using namespace highwater;
using namespace highwater::store;
using highwater::tests::EventScript;

namespace {

constexpr int kPages = 40;
constexpr ByteCount kPageBytes = 4096;

/// The rules of committed pages in a second implementation, page by page.
class CommitModel {
  public:
    struct Row {
        Address address = 0;
        int pages = 0;
        int left = 0;
        std::string begin;
        std::string end;
        std::vector<std::string> parts;
    };
    std::vector<Row> rows;
    std::uint64_t decommitsOfUnknown = 0;
    std::uint64_t reservationsUnknown = 0;
    ByteCount unknownBytes = 0;

    void alloc(std::int64_t now, Address address, ByteCount size, bool reserve, bool commit) {
        if (reserve) reserveRange(address, size, true);
        if (!commit) return;
        add(
            address, std::to_string(now), [&](int page) { return touches(page, address, size); }, kPages);
    }
    void rundown(Address address, ByteCount size, ByteCount committed) {
        bool free = true;
        int mapped = 0;
        int pages = 0;
        for (int p = 0; p < kPages; ++p) {
            if (!touches(p, address, size)) continue;
            ++pages;
            free = free && reserved_[p].id == 0;
            if (owner_[p] >= 0) ++mapped;
        }
        if (free) reserveRange(address, size, false);
        int wanted = 0;
        if (committed > 0 && committed <= size) {
            for (int p = 0; p < kPages; ++p)
                wanted += touches(p, address, committed) ? 1 : 0;
        } else {
            wanted = pages;
        }
        if (wanted > mapped) {
            add(
                address, "old", [&](int page) { return touches(page, address, size); }, wanted - mapped);
        }
    }
    void free(std::int64_t now, Address address, ByteCount size, bool release) {
        std::array<bool, kPages> chosen{};
        for (int p = 0; p < kPages; ++p)
            chosen[p] = touches(p, address, size);
        if (size == 0 && !chooseRegion(static_cast<int>(address / kPageBytes), chosen)) return;
        int unknown = 0;
        bool anyReserved = false;
        bool anyMapped = false;
        for (int p = 0; p < kPages; ++p) {
            if (!chosen[p]) continue;
            anyReserved = anyReserved || reserved_[p].id != 0;
            anyMapped = anyMapped || owner_[p] >= 0;
            if (owner_[p] < 0 && !(reserved_[p].id != 0 && reserved_[p].seenMade)) ++unknown;
        }
        if (!release && unknown > 0) {
            ++decommitsOfUnknown;
            unknownBytes += static_cast<ByteCount>(unknown) * kPageBytes;
        }
        if (release && !anyReserved && !anyMapped) ++reservationsUnknown;
        endChosen(now, chosen, release ? "Release" : "Decommit");
        for (int p = 0; p < kPages; ++p) {
            if (release && chosen[p]) reserved_[p] = {};
        }
    }
    void endSpace(std::int64_t now, const char* kind) {
        std::array<bool, kPages> chosen{};
        chosen.fill(true);
        endChosen(now, chosen, kind);
        reserved_.fill({});
    }

  private:
    struct Reserved {
        int id = 0;
        bool seenMade = false;
    };

    static bool touches(int page, Address address, ByteCount size) {
        const auto first = static_cast<Address>(page) * kPageBytes;
        return size > 0 && address < first + kPageBytes && address + size > first;
    }
    bool startsReservation(int page) const {
        return reserved_[page].id != 0 && (page == 0 || reserved_[page - 1].id != reserved_[page].id);
    }
    bool chooseRegion(int base, std::array<bool, kPages>& chosen) {
        if (startsReservation(base)) {
            for (int p = base; p < kPages && reserved_[p].id == reserved_[base].id; ++p)
                chosen[p] = true;
            return true;
        }
        ++reservationsUnknown;
        for (int p = base; p < kPages && owner_[p] >= 0 && (p == base || !startsReservation(p)); ++p)
            chosen[p] = true;
        return chosen[base];
    }
    void reserveRange(Address address, ByteCount size, bool seenMade) {
        ++lastId_;
        for (int p = 0; p < kPages; ++p) {
            if (!touches(p, address, size)) continue;
            const auto old = reserved_[p].id;
            for (int q = p; old != 0 && q < kPages && reserved_[q].id == old; ++q)
                reserved_[q] = {};
            for (int q = p - 1; old != 0 && q >= 0 && reserved_[q].id == old; --q)
                reserved_[q] = {};
        }
        for (int p = 0; p < kPages; ++p) {
            if (touches(p, address, size)) reserved_[p] = {lastId_, seenMade};
        }
    }
    template <typename Touched>
    void add(Address address, const std::string& begin, Touched touched, int atMost) {
        int added = 0;
        for (int p = 0; p < kPages; ++p) {
            if (!touched(p) || owner_[p] >= 0 || added == atMost) continue;
            owner_[p] = static_cast<int>(rows.size());
            ++added;
        }
        if (added > 0) rows.push_back({address, added, added, begin, "", {}});
    }
    void endChosen(std::int64_t now, const std::array<bool, kPages>& chosen, const std::string& kind) {
        std::map<int, int> lost;
        for (int p = 0; p < kPages; ++p) {
            if (!chosen[p] || owner_[p] < 0) continue;
            ++lost[owner_[p]];
            owner_[p] = -1;
        }
        for (const auto& [row, pages] : lost) {
            auto& r = rows[static_cast<std::size_t>(row)];
            r.left -= pages;
            const auto when = std::to_string(now);
            if (r.left == 0) r.end = when + " " + kind;
            if (r.left == 0 && pages == r.pages) continue;
            r.parts.push_back("(-" + tests::hex(static_cast<ByteCount>(pages) * kPageBytes) + "@" + when + " " + kind +
                              ")");
        }
    }

    std::array<int, kPages> owner_ = [] {
        std::array<int, kPages> none{};
        none.fill(-1);
        return none;
    }();
    std::array<Reserved, kPages> reserved_{};
    int lastId_ = 0;
};

std::string print(const CommitModel& model) {
    std::string text;
    for (const auto& row : model.rows) {
        if (!text.empty()) text += "\n";
        text += tests::hex(row.address) + "+" + tests::hex(static_cast<ByteCount>(row.pages) * kPageBytes) + " " +
                row.begin + ".." + row.end;
        for (std::size_t i = 0; i < row.parts.size(); ++i)
            text += (i == 0 ? " " : "") + row.parts[i];
    }
    return text;
}

} // namespace

class CommitModelTest : public QObject {
    Q_OBJECT
  private slots:
    void pairsAsThePageByPageModelDoes() {
        for (unsigned seed = 0; seed < tests::kModelSeeds; ++seed) {
            std::mt19937 random(seed);
            CommitModel model;
            EventScript script;
            bool hasEnded = false;
            const auto events = 2 + seed % 40;
            for (unsigned i = 0; i < events; ++i)
                step(random, model, script, hasEnded);
            const auto where = "seed " + std::to_string(seed);
            QVERIFY2(script.commitRows() == print(model),
                     (where + "\n" + script.commitRows() + "\n---\n" + print(model)).c_str());
            QCOMPARE(script.losses(Loss::DecommitsOfUnknown), model.decommitsOfUnknown);
            QCOMPARE(script.losses(Loss::ReservationsUnknown), model.reservationsUnknown);
            const auto trace = script.publish();
            ByteCount unknown = 0;
            for (std::uint64_t f = 0; f < trace->virtualAlloc.unmatchedFrees; ++f) {
                unknown += trace->columns->virtualAlloc.unmatchedFrees[f].bytes;
            }
            QCOMPARE(unknown, model.unknownBytes);
        }
    }

  private:
    static void step(std::mt19937& random, CommitModel& model, EventScript& script, bool& hasEnded) {
        const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        // Often whole pages at few places, sometimes odd bytes.
        Address address = below(3) == 0 ? below(36) * kPageBytes : below(9) * 4 * kPageBytes;
        ByteCount size = (1 + below(3) + (below(3) == 0 ? 4u : 0u)) * kPageBytes;
        if (below(6) == 0) {
            address += below(4096);
            size -= below(4096);
        }
        size = std::min<ByteCount>(size, kPages * kPageBytes - address);
        const auto now = script.now + 1;
        switch (below(12)) {
        case 0:
        case 1:
            model.alloc(now, address, size, true, false), script.reserve(address, size);
            break;
        case 2:
        case 3:
            model.alloc(now, address, size, true, true), script.reserveAndCommit(address, size);
            break;
        case 4:
        case 5:
        case 6:
            model.alloc(now, address, size, false, true), script.commit(address, size);
            break;
        case 7:
            model.free(now, address, size, false), script.decommit(address, size);
            break;
        case 8:
            model.free(now, address, 0, false), script.decommit(address, 0);
            break;
        case 9:
            model.free(now, address, 0, true), script.release(address, 0);
            break;
        case 10:
            model.free(now, address, size, true), script.release(address, size);
            break;
        default:
            if (const auto what = below(6); what == 0) {
                model.endSpace(now, "ProcessExit"), script.process(Occasion::End);
                hasEnded = true;
            } else if (what == 1 && !hasEnded) { // a process that executes after its end is another one
                model.endSpace(now, "Exec"), script.process(Occasion::Executed);
            } else {
                const auto committed = below(3) * kPageBytes;
                model.rundown(address, size, committed), script.rundown(address, size, committed);
            }
        }
    }
};
HIGHWATER_TEST(CommitModelTest);
#include "commit_model_test.moc"
