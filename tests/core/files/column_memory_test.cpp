#include "core/files/column_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

using namespace highwater;

namespace {

constexpr std::uint64_t kLater = 20; ///< a chunk that only large traces have

/// Sets a memory budget for a test, and restores the usual one at its end.
struct Budget {
    explicit Budget(ByteCount bytes) { setColumnMemoryBudget(bytes); }
    ~Budget() { setColumnMemoryBudget(0); }
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;
};

std::vector<ColumnChunk> take(std::size_t count, std::uint64_t number = kLater) {
    std::vector<ColumnChunk> chunks;
    for (std::size_t i = 0; i < count; ++i)
        chunks.push_back(allocateColumnChunk(number));
    return chunks;
}

bool isAll(const ColumnChunk& chunk, int value) {
    const std::span bytes(chunk.get(), kHugePageBytes);
    return std::ranges::all_of(bytes, [&](std::byte byte) { return byte == static_cast<std::byte>(value); });
}

bool isInFile(const ColumnChunk& chunk) { return chunk.get_deleter().place != ColumnChunkDeleter::kAnonymous; }

} // namespace

class ColumnMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    void usuallyTakesHalfOfTheMachinesMemoryAtMost() {
        QCOMPARE(columnMemory().budget, machineMemoryBytes().value() / 2);
        const auto chunks = take(3);
        QVERIFY(std::ranges::none_of(chunks, isInFile));
        QCOMPARE(columnMemory().anonymousBytes, ByteCount{3 * kHugePageBytes});
        QCOMPARE(describe(columnMemory()), std::string());
    }
    void goesOnInAFile() {
        const Budget budget(2 * kHugePageBytes);
        auto chunks = take(6);
        QCOMPARE(std::ranges::count_if(chunks, isInFile), 4);
        QCOMPARE(columnMemory().anonymousBytes, ByteCount{2 * kHugePageBytes});
        QCOMPARE(columnMemory().fileBytes, ByteCount{4 * kHugePageBytes});
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            QVERIFY(isAll(chunks[i], 0));
            std::memset(chunks[i].get(), static_cast<int>(i) + 1, kHugePageBytes);
        }
        for (std::size_t i = 0; i < chunks.size(); ++i)
            QVERIFY(isAll(chunks[i], static_cast<int>(i) + 1));
        const auto said = describe(columnMemory());
        QVERIFY2(said.starts_with("8.0 MB of the rows"), said.c_str());
        QVERIFY2(said.find(columnMemory().folder.string()) != std::string::npos, said.c_str());

        chunks.clear();
        QCOMPARE(columnMemory().anonymousBytes, ByteCount{0});
        QCOMPARE(columnMemory().fileBytes, ByteCount{0});
        QCOMPARE(describe(columnMemory()), std::string());
    }
    void givesOutWhatWasGivenBack() {
        const Budget budget(1);
        auto chunks = take(3);
        std::memset(chunks[1].get(), 7, kHugePageBytes);
        const auto place = chunks[1].get_deleter().place;
        chunks[1].reset();
        const auto again = allocateColumnChunk(kLater);
        QCOMPARE(again.get_deleter().place, place);
        QVERIFY(isAll(again, 0));
    }
    void leavesTheBeginOfColumnsInMemory() {
        const Budget budget(1);
        QVERIFY(!isInFile(allocateColumnChunk(0)));
    }
};
HIGHWATER_TEST(ColumnMemoryTest);
#include "column_memory_test.moc"
