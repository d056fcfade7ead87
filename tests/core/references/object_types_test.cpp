#include "core/references/object_types.h"

#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr auto kObjects = FakeProcess::kHeap;
constexpr Address kTables = 0x7F10'0000'0000; ///< of the first module
constexpr ByteCount kTablesBytes = 0x40000;

/// Modules with tables of virtual functions.
FakeProcess processWithTables() {
    FakeProcess process;
    process.mapping(kTables, kTables + kTablesBytes, kReadOnly | mapping_flag::kFile, "/usr/lib/libtypes.so");
    return process;
}

/// "": unknown.
std::string typeAt(const MemoryPicture& picture, Address address) {
    const auto type = picture.blocks[numberAt(picture, address)].type;
    return type == 0 ? std::string() : picture.types[type - 1];
}

/// Blocks that begin with address points, with words beside these, and with others.
class RandomObjects {
  public:
    explicit RandomObjects(std::uint64_t seed) : random_(seed), process(processWithTables()) {
        for (int i = 0; i < 4; ++i)
            process.mapping(kTables + (i + 1) * kApart, kTables + (i + 1) * kApart + kTablesBytes,
                            kReadOnly | mapping_flag::kFile, fmt::format("/usr/lib/libother{}.so", i));
        Address address = kTables;
        for (auto tables = random_() % 300; tables > 0; --tables)
            addTable(address);
        address = kObjects;
        for (auto blocks = 1 + random_() % 500; blocks > 0; --blocks)
            addBlock(address);
    }

  private:
    static constexpr Address kApart = 0x1000'0000;

    void addTable(Address& address) {
        const auto inModule = (address - kTables) % kApart;
        if (inModule > kTablesBytes - 0x1000) address += kApart - inModule;
        if (address > kTables + 4 * kApart) return;
        const ByteCount bytes = 24 + 8 * (random_() % 30);
        const auto type = fmt::format("Type{}", random_() % 60);
        const bool isStored = random_() % 5 == 0;
        const auto point = address + (isStored ? 24 : 16);
        process.virtualTable(address, bytes, isStored ? address + bytes : point, type, isStored);
        if (isStored) process.word(address + bytes, point);
        types_[point] = type;
        address += bytes + 8 + 8 * (random_() % 4000 == 0 ? 0x4000 : random_() % 20);
    }
    void addBlock(Address& address) {
        const ByteCount bytes = random_() % 50 == 0 ? 3 << 20 : random_() % 200;
        if (address + bytes > kObjects + FakeProcess::kHeapBytes) return;
        process.block(address, bytes);
        const auto word = firstWord();
        if (bytes >= 8) process.word(address, word);
        const auto known = types_.find(word);
        expected[address] = bytes >= 8 && known != types_.end() ? known->second : "";
        address += (bytes + 31) / 16 * 16;
    }
    std::uint64_t firstWord() {
        const auto any = types_.empty() ? types_.end() : std::next(types_.begin(), random_() % types_.size());
        if (any == types_.end() || random_() % 3 == 0)
            return random_() % 2 == 0 ? kObjects + random_() % 4096 : random_();
        return random_() % 3 == 0 ? any->first + 8 * (random_() % 5) - 16 : any->first;
    }

    std::mt19937_64 random_;
    std::map<Address, std::string> types_; ///< by address point

  public:
    FakeProcess process;
    std::map<Address, std::string> expected; ///< by address of the block
};

} // namespace

class ObjectTypesTest : public QObject {
    Q_OBJECT

  private slots:
    void onlyAnAddressPointHasAType() {
        auto process = processWithTables();
        process.virtualTable(kTables + 0x100, 40, kTables + 0x110, "Session");
        const std::vector<Address> words{
            kTables + 0x100, kTables + 0x108, kTables + 0x110, kTables + 0x111, kTables + 0x118, kTables, 0,
            ~Address{0}};
        for (std::size_t i = 0; i < words.size(); ++i)
            process.block(kObjects + 64 * i, 32).word(kObjects + 64 * i, words[i]);
        const auto picture = process.picture();
        QCOMPARE(picture.types, std::vector<std::string>{"Session"});
        for (std::size_t i = 0; i < words.size(); ++i)
            QCOMPARE(typeAt(picture, kObjects + 64 * i), std::string(i == 2 ? "Session" : ""));
    }
    void onlyTheFirstWordOfABlockCounts() {
        auto process = processWithTables();
        process.virtualTable(kTables, 40, kTables + 16, "Session");
        process.block(kObjects, 32).word(kObjects + 8, kTables + 16);
        process.block(kObjects + 64, 7).word(kObjects + 64, kTables + 16);
        process.block(kObjects + 128, 8).word(kObjects + 128, kTables + 16);
        const auto picture = process.picture();
        QCOMPARE(typeAt(picture, kObjects) + typeAt(picture, kObjects + 64), std::string());
        QCOMPARE(typeAt(picture, kObjects + 128), std::string("Session"));
    }
    void aClassInSeveralModulesIsOneType() {
        auto process = processWithTables();
        process.virtualTable(kTables, 40, kTables + 16, "Session");
        process.virtualTable(kTables + 0x30000, 40, kTables + 0x30010, "Session");
        process.virtualTable(kTables + 0x20000, 40, kTables + 0x20010, "Unused");
        process.block(kObjects, 32).word(kObjects, kTables + 16);
        process.block(kObjects + 64, 32).word(kObjects + 64, kTables + 0x30010);
        const auto picture = process.picture();
        QCOMPARE(picture.types, std::vector<std::string>{"Session"});
        QCOMPARE(picture.blocks[0].type, picture.blocks[1].type);
    }
    void ofTablesAtOneAddressTheShortestNameCounts() {
        auto process = processWithTables();
        for (const auto* name : {"Longer", "Bb", "Aa"})
            process.virtualTable(kTables, 40, kTables + 16, name);
        process.block(kObjects, 32).word(kObjects, kTables + 16);
        QCOMPARE(typeAt(process.picture(), kObjects), std::string("Aa"));
    }
    void aStoredAddressPointMustBeInItsTable() {
        auto process = processWithTables();
        process.virtualTable(kTables, 48, kTables + 0x100, "Stream", true).word(kTables + 0x100, kTables + 24);
        process.virtualTable(kTables + 0x200, 48, kTables + 0x300, "Outside", true)
            .word(kTables + 0x300, kTables + 0x238);
        process.virtualTable(kTables + 0x400, 48, 0x1000, "Unreadable", true);
        process.block(kObjects, 32).word(kObjects, kTables + 24);
        process.block(kObjects + 64, 32).word(kObjects + 64, kTables + 0x238);
        const auto picture = process.picture();
        QCOMPARE(picture.types, std::vector<std::string>{"Stream"});
        QCOMPARE(typeAt(picture, kObjects), std::string("Stream"));
    }
    void unreadableBlocksHaveNoType() {
        auto process = processWithTables();
        process.virtualTable(kTables, 40, kTables + 16, "Session");
        process.block(kObjects, 32).word(kObjects, kTables + 16).unreadable(kObjects);
        QVERIFY(process.picture().types.empty());
    }
    void randomBlocksHaveTheirTypes() {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const RandomObjects objects(seed);
            const auto picture = objects.process.picture();
            QCOMPARE(picture.blocks.size(), objects.expected.size());
            for (const auto& [address, type] : objects.expected)
                QVERIFY2(typeAt(picture, address) == type, fmt::format("{}, {:x}: {}", seed, address, type).c_str());
            auto names = picture.types;
            std::ranges::sort(names);
            QVERIFY(std::ranges::adjacent_find(names) == names.end());
        }
    }
};

HIGHWATER_TEST(ObjectTypesTest);
#include "object_types_test.moc"
