#include "core/analysis/frames/code_locations.h"

#include "core/event/code_events.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

CodeEvent codeEvent(CodeEvent::Kind kind, Occasion occasion, Address start, std::uint32_t size, std::string name) {
    CodeEvent event;
    event.kind = kind;
    event.occasion = occasion;
    event.pid = EventScript::kPid;
    event.start = start;
    event.size = size;
    event.module = 1 + start % 3;
    event.name = std::move(name);
    return event;
}

void allocateUnder(EventScript& script, std::vector<Address> frames, std::size_t number) {
    script.stack = {.kind = EventStack::Kind::Frames, .frames = frames};
    script.alloc(0x500000 + 16 * number, 16);
}

/// All values of a place as text.
std::string textOf(const CodeLocations& locations, std::size_t place) {
    const auto& found = locations.places()[place];
    std::string text = std::to_string(found.module.value) + (found.isStub ? " stub" : "");
    if (!found.isGenerated()) return text;
    return text + ' ' + locations.generated().moduleName(found.code) + '!' + locations.generated().function(found.code);
}

std::vector<std::string> textsOf(const CodeLocations& locations) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < locations.places().size(); ++i)
        texts.push_back(textOf(locations, i));
    return texts;
}

} // namespace

/// The code locations of frames, while a trace grows.
class CodeLocationsTest : public QObject {
    Q_OBJECT
  private slots:
    /// Updating with every publication gives the same places as updating with the last one only, and each publication
    /// reports every place that changed.
    void whatGrowsIsWhatIsReadAtOnce() {
        for (unsigned seed = 1; seed <= kModelSeeds / 3; ++seed) {
            std::mt19937 random(seed);
            EventScript script;
            CodeLocations growing;
            std::vector<std::string> before;
            for (int step = 0; step < 80; ++step) {
                const auto start = Address{0x1000} + 8 * (random() % 16);
                const auto size = static_cast<std::uint32_t>(4 + random() % 20);
                const auto name = "f" + std::to_string(step);
                switch (random() % 6) {
                case 0:
                case 1:
                    allocateUnder(script, {0x1000 + random() % 150, 0x1000 + random() % 150, 0x1000 + random() % 150},
                                  static_cast<std::size_t>(step));
                    break;
                case 2:
                    script.store.onCode(codeEvent(CodeEvent::Kind::Range, Occasion::Start, start, size, name));
                    break;
                case 3: {
                    constexpr std::array kOccasions{Occasion::RundownEnd, Occasion::RundownStart, Occasion::End};
                    script.store.onCode(codeEvent(CodeEvent::Kind::Range, kOccasions[random() % 3], start, size, name));
                    break;
                }
                case 4:
                    script.store.onCode(codeEvent(CodeEvent::Kind::Module, Occasion::Start, start, 0, name + ".js"));
                    break;
                default:
                    if (random() % 8 == 0)
                        script.store.onCode(codeEvent(CodeEvent::Kind::Runtime, Occasion::Start, 0, 0, {}));
                    break;
                }
                if (random() % 3 != 0) continue;
                const auto moved = growing.update(*script.publish());
                const auto now = textsOf(growing);
                for (std::uint32_t i = 0; !moved.isAny && i < before.size(); ++i) {
                    const bool isSaid =
                        std::find(moved.ofGenerated.begin(), moved.ofGenerated.end(), i) != moved.ofGenerated.end();
                    if (before[i] != now[i] && !isSaid)
                        QFAIL(qPrintable(QString("seed %1, step %2: %3 became %4 in silence")
                                             .arg(seed)
                                             .arg(step)
                                             .arg(QString::fromStdString(before[i]), QString::fromStdString(now[i]))));
                }
                before = now;
            }
            const auto trace = script.publish();
            (void)growing.update(*trace);
            CodeLocations atOnce;
            (void)atOnce.update(*trace);
            for (std::uint32_t node = 0; node < trace->nodeCount; ++node) {
                const auto one = growing.placeOfNode()[node];
                const auto other = atOnce.placeOfNode()[node];
                QCOMPARE(one == CodeLocations::kNoPlace, other == CodeLocations::kNoPlace);
                if (one != CodeLocations::kNoPlace) QCOMPARE(textOf(growing, one), textOf(atOnce, other));
            }
        }
    }

    /// A runtime generates code all the time, and most frames are elsewhere.
    void newCodeConcernsOnlyThePlacesInIt() {
        EventScript script;
        constexpr std::size_t kStacks = 3000;
        for (std::size_t i = 0; i < kStacks; ++i)
            allocateUnder(script, {0x10000 + 0x100 * i, 0x8000000 + 0x10 * i}, i);
        script.store.onCode(codeEvent(CodeEvent::Kind::Range, Occasion::Start, 0x10000, 0x80, "first"));
        CodeLocations locations;
        (void)locations.update(*script.publish());
        for (std::size_t i = 1; i < 50; ++i) {
            script.store.onCode(
                codeEvent(CodeEvent::Kind::Range, Occasion::Start, 0x10000 + 0x100 * i, 0x80, std::to_string(i)));
            const auto moved = locations.update(*script.publish());
            QCOMPARE(moved.ofGenerated.size(), std::size_t{1});
            QCOMPARE(locations.places()[moved.ofGenerated[0]].address, Address{0x10000 + 0x100 * i});
        }
    }

    /// The byte after a function's last call may not belong to the function any more.
    void aReturnAddressBelongsToTheByteBeforeIt() {
        EventScript script;
        allocateUnder(script, {0x2000, 0x3010, 0x4000}, 1); // the first function returns to the second address
        script.store.onCode(codeEvent(CodeEvent::Kind::Range, Occasion::Start, 0x1FF0, 0x10, "ends before the leaf"));
        CodeLocations locations;
        (void)locations.update(*script.publish());
        script.store.onCode(codeEvent(CodeEvent::Kind::Range, Occasion::Start, 0x3000, 0x10, "ends with its call"));
        const auto moved = locations.update(*script.publish());
        QCOMPARE(moved.ofGenerated.size(), std::size_t{1});
        QCOMPARE(locations.places()[moved.ofGenerated[0]].address, Address{0x3010});
        QVERIFY(std::none_of(locations.places().begin(), locations.places().end(),
                             [](const CodeLocation& place) { return place.address == 0x2000 && place.isGenerated(); }));
    }
};
HIGHWATER_TEST(CodeLocationsTest);
#include "code_locations_test.moc"
