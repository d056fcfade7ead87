#include "core/store/published/code_index.h"

#include "core/event/code_events.h"
#include "core/event/il_map.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace highwater;
using namespace highwater::store;
using namespace highwater::tests;

namespace {

CodeEvent rangeOf(Occasion occasion, Address start, std::uint32_t size, std::string name) {
    CodeEvent event;
    event.occasion = occasion;
    event.pid = EventScript::kPid;
    event.start = start;
    event.size = size;
    event.module = 1;
    event.name = std::move(name);
    return event;
}

/// A single list of all events, searched from its end for each look-up. An event after which an address has another
/// meaning starts an epoch. Code that replaces nothing counts for the whole epoch, because its name may come after its
/// first call.
class Recount {
  public:
    void take(const CodeEvent& event) {
        const auto same = [&](const CodeEvent& live) { return live.start == event.start && live.size == event.size; };
        const auto overlaps = [&](const CodeEvent& live) {
            return live.start < event.start + event.size && event.start < live.start + live.size;
        };
        const bool isKnown = std::any_of(live_.begin(), live_.end(), same);
        const bool isFree = std::none_of(live_.begin(), live_.end(), overlaps);
        if (event.occasion == Occasion::Start) {
            epoch_ += isFree ? 0 : 1;
            std::erase_if(live_, overlaps);
            live_.push_back(event);
            said_.push_back({epoch_, event});
        } else if (event.occasion == Occasion::End) {
            if (!isKnown) earlier_.push_back(event);
            std::erase_if(live_, same);
            auto gone = event;
            gone.name.clear();
            said_.push_back({++epoch_, gone});
        } else if (!isKnown) {
            earlier_.push_back(event);
            if (isFree) live_.push_back(event);
        }
    }
    [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
    [[nodiscard]] std::string at(std::uint32_t epoch, Address address) const {
        const auto covers = [&](const CodeEvent& event) {
            return address >= event.start && address - event.start < event.size;
        };
        for (auto i = said_.size(); i-- > 0;)
            if (said_[i].epoch <= epoch && covers(said_[i].event)) return said_[i].event.name;
        for (auto i = earlier_.size(); i-- > 0;)
            if (covers(earlier_[i])) return earlier_[i].name;
        return {};
    }

  private:
    struct Said {
        std::uint32_t epoch;
        CodeEvent event;
    };
    std::vector<CodeEvent> live_, earlier_;
    std::vector<Said> said_;
    std::uint32_t epoch_ = 0;
};

struct ReportedEntry {
    CodeEvent event;
    std::uint32_t epoch = 0;
};

/// The nearest entry point before the address that was reported while the image containing both was loaded.
std::string nearestEntry(const PublishedTrace& trace, const std::vector<ReportedEntry>& told, StackRoot root,
                         Address address) {
    const auto* image = trace.processes->findImage(root, address);
    const ReportedEntry* nearest = nullptr;
    for (const auto& one : told) {
        const bool isBefore = one.event.start <= address && address - one.event.start < kFarFromEntryPoint;
        const auto* of = trace.processes->findImage({root.process, one.epoch}, one.event.start);
        if (!isBefore || of == nullptr || of != image) continue;
        if (nearest == nullptr || nearest->event.start <= one.event.start) nearest = &one;
    }
    return nearest == nullptr ? std::string() : nearest->event.name;
}

/// Number of traces for tests in which each trace covers many cases.
constexpr unsigned kFewSeeds = kModelSeeds / 10;

struct Taken {
    std::uint32_t epoch = 0;
    Address address = 0;
};

} // namespace

/// The function of generated code at an address when a stack was taken.
class CodeIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void findsWhatARecountFinds() {
        for (unsigned seed = 1; seed <= kModelSeeds; ++seed) {
            std::mt19937 random(seed);
            EventScript script;
            Recount recount;
            std::vector<Taken> taken;
            CodeIndex index;
            for (int step = 0; step < 60; ++step) {
                if (random() % 2 == 0) {
                    const std::array<Address, 1> frames{0x1000 + random() % 120};
                    script.stack = {.kind = EventStack::Kind::Frames, .frames = frames};
                    script.alloc(0x500000 + 16 * taken.size(), 16);
                    taken.push_back({recount.epoch(), frames[0]});
                } else {
                    constexpr Occasion kOccasions[] = {Occasion::Start, Occasion::Start, Occasion::End,
                                                       Occasion::RundownStart, Occasion::RundownEnd};
                    const auto event =
                        rangeOf(kOccasions[random() % 5], 0x1000 + 10 * (random() % 10),
                                static_cast<std::uint32_t>(5 + random() % 20), "f" + std::to_string(step));
                    script.store.onCode(event);
                    recount.take(event);
                }
                if (random() % 5 != 0) continue; // it grows with the trace, with look-ups in between
                (void)index.update(*script.publish());
                (void)index.find({ProcessIndex{0}, recount.epoch()}, 0x1000 + random() % 120);
            }
            const auto trace = script.publish();
            (void)index.update(*trace);
            QCOMPARE(trace->heap.rows, taken.size());
            for (RowId row = 0; row < trace->heap.rows; ++row) {
                const auto& leaf = trace->columns->stacks.node(trace->leaf(trace->heap.site(row).stack));
                const auto root = unpackRoot(trace->columns->stacks.node(leaf.parent));
                QCOMPARE(leaf.address, taken[row].address);
                const auto found = index.find(root, leaf.address);
                const auto name = found ? index.function(*found) : std::string();
                if (name != recount.at(taken[row].epoch, leaf.address))
                    QFAIL(qPrintable(
                        QString("seed %1, row %2: %3").arg(seed).arg(row).arg(QString::fromStdString(name))));
            }
        }
    }
    void namesOfModulesMayComeLast() {
        EventScript script;
        auto event = rangeOf(Occasion::Start, 0x1000, 16, "Type.Method");
        event.signature = "(int32)";
        script.store.onCode(event);
        CodeIndex index;
        QVERIFY(index.update(*script.publish()));
        const StackRoot root{ProcessIndex{0}, 0};
        const auto code = index.find(root, 0x100F);
        QVERIFY(code.has_value());
        QCOMPARE(index.moduleName(*code), std::string("[dynamic]"));
        QCOMPARE(index.function(*code), std::string("Type.Method"));
        QCOMPARE(index.arguments(*code), std::string("(int32)"));
        CodeEvent module;
        module.kind = CodeEvent::Kind::Module;
        module.pid = EventScript::kPid;
        module.module = 1;
        module.name = "My.dll";
        script.store.onCode(module);
        QVERIFY(index.update(*script.publish()));
        QVERIFY(!index.update(*script.publish()));
        QCOMPARE(index.moduleName(*code), std::string("My.dll"));
        QVERIFY(!index.find(root, 0x1010));
        QVERIFY(!index.find({ProcessIndex{1}, 0}, 0x1000));
    }
    /// Code that moves while no stack is taken does not create new stack trees.
    void epochsThatNobodySawGoOn() {
        EventScript script;
        for (int i = 0; i < 100; ++i)
            script.store.onCode(rangeOf(Occasion::Start, 0x1000, 16, "f" + std::to_string(i)));
        script.alloc(0x500000, 16);
        script.store.onCode(rangeOf(Occasion::Start, 0x1000, 16, "last"));
        script.store.onCode(rangeOf(Occasion::End, 0x1000, 16, "last"));
        const auto trace = script.publish();
        QCOMPARE((*trace->processes)[ProcessIndex{0}].epoch, std::uint32_t{1});
    }
    /// Methods that are compiled again, in parts and versions; maps come before and after their code, some twice.
    void findsTheMapOfCode() {
        std::size_t certain = 0, uncertain = 0;
        for (unsigned seed = 1; seed <= kFewSeeds; ++seed) {
            std::mt19937 random(seed);
            EventScript script;
            using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint8_t>;
            std::map<Key, std::vector<Address>> starts;
            std::map<Key, std::vector<std::uint32_t>> maps; // the IL of all of the code
            std::map<Address, Key> codeAt;
            CodeIndex index;
            for (int step = 0; step < 40; ++step) {
                const Key key{1 + random() % 5, random() % 2, static_cast<std::uint8_t>(random() % 2)};
                auto event = rangeOf(Occasion::Start, 0x10000 + 0x100 * (random() % 30), 0x100, "f");
                std::tie(event.method, event.version, event.part) = key;
                event.token = 0x06000000 + static_cast<std::uint32_t>(event.method);
                auto& known = starts[key];
                if (random() % 2 == 0) {
                    event.kind = CodeEvent::Kind::IlMap;
                    const auto il = static_cast<std::uint32_t>(random() % 20);
                    std::vector<IlMapEntry> entries{{8, static_cast<std::int32_t>(il)}};
                    event.ilMap = packIlMap(entries);
                    if (std::ranges::find(maps[key], il) == maps[key].end()) maps[key].push_back(il);
                } else {
                    if (std::ranges::find(known, event.start) == known.end()) known.push_back(event.start);
                    codeAt[event.start] = key;
                }
                script.store.onCode(event);
                if (random() % 10 == 0) (void)index.update(*script.publish());
            }
            (void)index.update(*script.publish());
            for (const auto& [start, key] : codeAt) {
                const auto entry = index.find({ProcessIndex{0}, 0}, start);
                QVERIFY(entry.has_value());
                QVERIFY(!index.ilOrigin(*entry, start + 7)); // the prolog
                const auto found = index.ilOrigin(*entry, start + 8);
                QCOMPARE(found.has_value(), !maps[key].empty());
                if (!found) continue;
                const auto which =
                    static_cast<std::size_t>(std::ranges::find(starts[key], start) - starts[key].begin());
                QCOMPARE(found->offset, maps[key][std::min(which, maps[key].size() - 1)]);
                QCOMPARE(found->token, 0x06000000 + static_cast<std::uint32_t>(std::get<0>(key)));
                QCOMPARE(found->isCertain, starts[key].size() == 1 && maps[key].size() == 1);
                ++(found->isCertain ? certain : uncertain);
            }
        }
        QVERIFY(certain > kFewSeeds / 3 && uncertain > kFewSeeds / 3);
    }
    /// One method that is recompiled forever, and 200,000 that are compiled once.
    void manyMethodsAndMapsAreKeptWithinBounds() {
        EventScript script;
        std::vector<IlMapEntry> entries;
        for (std::uint32_t i = 0; i < 65535; ++i)
            entries.push_back({i * 7, static_cast<std::int32_t>(i * 3)});
        auto map = rangeOf(Occasion::Start, 0, 0, {});
        map.kind = CodeEvent::Kind::IlMap;
        map.method = 1;
        for (std::int32_t i = 0; i < 1000; ++i) {
            entries[0].ilOffset = i;
            map.ilMap = packIlMap(entries);
            script.store.onCode(map);
        }
        entries = {{0, 0}, {5, 2}, {20, 9}};
        for (std::uint64_t i = 0; i < 200000; ++i) {
            auto event = rangeOf(Occasion::RundownEnd, 0x1000000 + 0x100 * i, 0x100, "Namespace.Type.Method");
            event.method = 2 + i;
            event.token = 0x06000001;
            script.store.onCode(event);
            event.kind = CodeEvent::Kind::IlMap;
            event.ilMap = packIlMap(entries);
            script.store.onCode(event);
        }
        const auto trace = script.publish();
        const auto& code = trace->columns->names->code;
        QVERIFY(code.ilMaps.size() < (8u << 20));
        CodeIndex index;
        (void)index.update(*trace);
        const auto entry = index.find({ProcessIndex{0}, 0}, 0x1000000 + 0x100 * 199999 + 6);
        QCOMPARE(index.ilOrigin(*entry, 0x1000000 + 0x100 * 199999 + 6)->offset, 2u);
    }
    /// Images are loaded, and replace others.
    void findsTheNearestEntryPointOfTheImage() {
        std::size_t named = 0;
        for (unsigned seed = 1; seed <= kFewSeeds; ++seed) {
            std::mt19937 random(seed);
            EventScript script;
            std::vector<ReportedEntry> told;
            CodeIndex index;
            for (int step = 0; step < 40; ++step) {
                if (random() % 4 == 0) {
                    ImageEvent image;
                    image.pid = EventScript::kPid;
                    image.base = 0x100000 + 0x3000 * (random() % 6);
                    image.size = 0x8000;
                    image.path = "m" + std::to_string(random() % 3);
                    script.store.onImage(image);
                } else {
                    auto event =
                        rangeOf(Occasion::Start, 0x100000 + 0x800 * (random() % 40), 0, "f" + std::to_string(step));
                    event.kind = CodeEvent::Kind::EntryPoint;
                    event.method = 1 + static_cast<std::uint64_t>(step);
                    script.store.onCode(event);
                    const auto trace = script.publish();
                    told.push_back({event, (*trace->processes)[ProcessIndex{0}].epoch});
                }
                if (random() % 10 == 0) (void)index.update(*script.publish());
            }
            const auto trace = script.publish();
            (void)index.update(*trace);
            const auto epochs = (*trace->processes)[ProcessIndex{0}].epoch + 1;
            for (int question = 0; question < 100; ++question) {
                const StackRoot root{ProcessIndex{0}, static_cast<std::uint32_t>(random() % epochs)};
                const Address address = 0x100000 + 0x400 * (random() % 90) + random() % 2;
                const auto found = index.findEntryPoint(root, address);
                const auto name = found ? index.function(*found) : std::string();
                named += name.empty() ? 0 : 1;
                const auto expected = nearestEntry(*trace, told, root, address);
                if (name != expected)
                    QFAIL(qPrintable(QString("seed %1, %2 in %3: %4, not %5")
                                         .arg(seed)
                                         .arg(address, 0, 16)
                                         .arg(root.epoch)
                                         .arg(QString::fromStdString(name), QString::fromStdString(expected))));
            }
        }
        QVERIFY(named > 3 * kFewSeeds);
    }
    void codeAtTheEndOfAllAddresses() {
        EventScript script;
        script.store.onCode(rangeOf(Occasion::Start, kKernelBit - 8, 100, "high"));
        script.store.onCode(rangeOf(Occasion::Start, ~Address{0} - 4, 100, "highest"));
        CodeIndex index;
        (void)index.update(*script.publish());
        QVERIFY(index.find({ProcessIndex{0}, 0}, kKernelBit - 1).has_value());
        QVERIFY(!index.find({ProcessIndex{0}, 0}, kKernelBit)); // the kernel's, whatever was reported
    }
};
HIGHWATER_TEST(CodeIndexTest);
#include "code_index_test.moc"
