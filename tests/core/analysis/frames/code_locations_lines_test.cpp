#include "core/analysis/frames/code_locations.h"

#include "core/event/il_map.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <memory>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr Address kImage = 0x400000;

CodeEvent methodAt(Address start, std::uint64_t method, std::string name) {
    CodeEvent event;
    event.pid = EventScript::kPid;
    event.start = start;
    event.size = 0x100;
    event.module = 7;
    event.method = method;
    event.token = 0x06000000 + static_cast<std::uint32_t>(method);
    event.name = std::move(name);
    return event;
}

CodeEvent moduleWithPdb() {
    CodeEvent event;
    event.kind = CodeEvent::Kind::Module;
    event.pid = EventScript::kPid;
    event.module = 7;
    event.name = "App.dll";
    auto files = std::make_shared<CodeFiles>();
    files->path = "C:\\app\\App.dll";
    files->pdb = {Guid{1, 2, 3, {}}, 1, "App.pdb", 0, 0};
    event.files = std::move(files);
    return event;
}

CodeEvent mapOf(std::uint64_t method) {
    auto event = methodAt(0, method, {});
    event.kind = CodeEvent::Kind::IlMap;
    std::vector<IlMapEntry> entries{{0, 0}, {0x10, 4}};
    event.ilMap = packIlMap(entries);
    return event;
}

/// A program whose image contains an entry point and a precompiled function, and two functions outside of it.
struct Story {
    Story() {
        script.process(Occasion::RundownStart);
        ImageEvent image;
        image.pid = EventScript::kPid;
        image.base = kImage;
        image.size = 0x10000;
        image.path = "lib.dll";
        script.store.onImage(image);
        auto entry = methodAt(kImage + 0x2000, 1, "Entry");
        entry.kind = CodeEvent::Kind::EntryPoint;
        script.store.onCode(entry);
        auto precompiled = methodAt(kImage + 0x3000, 2, "Precompiled");
        precompiled.isPrecompiled = true;
        script.store.onCode(precompiled);
        script.store.onCode(methodAt(kImage + 0x1000, 3, "Stale"));
        script.store.onCode(methodAt(0x10000, 4, "Mapped"));
        script.store.onCode(methodAt(0x20000, 5, "Unmapped"));
    }
    /// The code location of a leaf at this address.
    CodeLocation at(Address address) {
        const std::array<Address, 1> frames{address};
        script.stack = {.kind = EventStack::Kind::Frames, .frames = frames};
        script.alloc(0x900000 + 16 * allocations++, 16);
        const auto trace = script.publish();
        (void)locations.update(*trace);
        const auto leaf = trace->leaf(trace->heap.site(static_cast<RowId>(trace->heap.rows - 1)).stack);
        return locations.places()[locations.placeOfNode()[leaf.value]];
    }

    EventScript script;
    CodeLocations locations;
    std::uint64_t allocations = 0;
};

} // namespace

/// The images and functions of frames, and the line lookups for them.
class CodeLocationsLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void codeOfImages() {
        Story story;
        const auto plain = story.at(kImage + 0x800);
        QVERIFY(plain.isInModule() && !plain.isGenerated());
        QCOMPARE(plain.asked()->address, symbols::Rva{0x800});
        const auto stale = story.at(kImage + 0x1010); // generated code is in no image
        QVERIFY(!stale.isGenerated());
        QCOMPARE(stale.asked()->address, symbols::Rva{0x1010});
        const auto entered = story.at(kImage + 0x2100);
        QVERIFY(entered.isGenerated() && entered.isBehindEntry);
        QVERIFY(!entered.asked().has_value());
        const auto precompiled = story.at(kImage + 0x3010);
        QVERIFY(precompiled.isGenerated() && !precompiled.isBehindEntry);
        QVERIFY(!precompiled.asked().has_value());
    }
    /// As soon as module and map are known, in any order.
    void generatedCodeIsAskedForItsLines() {
        Story story;
        const auto nameOnly = story.at(0x10012);
        QVERIFY(nameOnly.isGenerated() && !nameOnly.asked());
        story.script.store.onCode(moduleWithPdb());
        QVERIFY(!story.at(0x10012).asked());
        story.script.store.onCode(mapOf(4));
        const auto mapped = story.at(0x10012);
        QVERIFY(mapped.asked().has_value() && !mapped.isLineUncertain);
        QCOMPARE(mapped.asked()->address, symbols::ilAddress({0x06000004, 4}));
        QVERIFY(story.script.publish()->processes->module(mapped.asked()->module).isIl);
        QVERIFY(!story.at(0x20012).asked());
        // The same method at another address: its map may belong to either.
        story.script.store.onCode(methodAt(0x30000, 4, "Mapped"));
        QVERIFY(story.at(0x10012).isLineUncertain);
        QVERIFY(story.at(0x30012).isLineUncertain);
        QCOMPARE(story.at(0x30005).asked()->address, symbols::ilAddress({0x06000004, 0}));
    }
    void returnAddressesLieBehindTheirCalls() {
        CodeLocation place;
        place.address = 0x1000;
        QCOMPARE(place.codeAddress(), Address{0x1000});
        place.isReturnAddress = true;
        QCOMPARE(place.codeAddress(), Address{0xFFF});
        place.address = 0;
        QCOMPARE(place.codeAddress(), Address{0});
    }
};
HIGHWATER_TEST(CodeLocationsLinesTest);
#include "code_locations_lines_test.moc"
