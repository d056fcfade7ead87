#include "core/store/published/code_index.h"

#include "core/event/code_events.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <random>
#include <string>
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

/// One list of what was said, searched from its end for each question. An event after which an address means something
/// else begins an epoch; code that replaces nothing counts for all of the epoch, as its name may come after its first
/// call.
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

struct Taken {
    std::uint32_t epoch = 0;
    Address address = 0;
};

} // namespace

/// Which function of generated code stood at an address when a stack was taken.
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
                if (random() % 5 != 0) continue; // it grows with the trace, and is asked in between
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
    /// Code that moves while no stack is taken costs no new trees of stacks.
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
    void codeAtTheEndOfAllAddresses() {
        EventScript script;
        script.store.onCode(rangeOf(Occasion::Start, kKernelBit - 8, 100, "high"));
        script.store.onCode(rangeOf(Occasion::Start, ~Address{0} - 4, 100, "highest"));
        CodeIndex index;
        (void)index.update(*script.publish());
        QVERIFY(index.find({ProcessIndex{0}, 0}, kKernelBit - 1).has_value());
        QVERIFY(!index.find({ProcessIndex{0}, 0}, kKernelBit)); // the kernel's, whoever says what
    }
};
HIGHWATER_TEST(CodeIndexTest);
#include "code_index_test.moc"
