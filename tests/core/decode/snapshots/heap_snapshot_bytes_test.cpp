#include "core/decode/snapshots/heap_snapshot_bytes.h"
#include "tests/core/decode/snapshots/snapshot_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <string>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

using Bytes = std::vector<std::byte>;

/// A copy of exactly that size, so that ASan detects a read beyond it.
struct ExactBytes {
    explicit ExactBytes(ByteSpan from) : size(from.size()), bytes(new std::byte[from.size()]) {
        std::copy(from.begin(), from.end(), bytes.get());
    }
    [[nodiscard]] ByteSpan span() const { return {bytes.get(), size}; }
    std::size_t size;
    std::unique_ptr<std::byte[]> bytes;
};

std::optional<HeapSnapshotFacts> read(ByteSpan bytes) {
    const ExactBytes exact(bytes);
    return readHeapSnapshot(exact.span());
}

std::string textOf(Address heap, Address address, ByteCount size, std::span<const Address> frames) {
    auto text = fmt::format("{:x}: {:x}+{:x} by", heap, address, size);
    for (const auto frame : frames)
        text += fmt::format(" {:x}", frame);
    return text;
}

std::vector<std::string> blocksIn(ByteSpan bytes) {
    std::vector<std::string> blocks;
    (void)readHeapSnapshot(bytes, [&](const HeapSnapshotBlock& block) {
        blocks.push_back(textOf(block.heap, block.address, block.size, block.frames));
    });
    return blocks;
}

std::vector<std::string> blocksOf(const std::vector<WrittenHeap>& heaps) {
    std::vector<std::string> blocks;
    for (const auto& heap : heaps)
        for (const auto& block : heap.blocks)
            blocks.push_back(textOf(heap.handle, block.address, block.size, block.frames));
    return blocks;
}

std::vector<WrittenHeap> randomHeaps(std::mt19937_64& random, unsigned pointerBytes) {
    const auto upTo = [&](std::uint64_t most) { return random() % (most + 1); };
    const std::uint64_t end = pointerBytes == 8 ? std::uint64_t{1} << 47 : std::uint64_t{1} << 32;
    const auto address = [&] { return 0x10000 + upTo(end - 0x10001); };
    std::vector<WrittenHeap> heaps(upTo(4));
    for (auto& heap : heaps) {
        heap.handle = std::max<std::uint64_t>(address() & ~std::uint64_t{0xFFF}, 0x10000);
        heap.blocks.resize(upTo(20));
        for (auto& block : heap.blocks) {
            block.address = address() & ~std::uint64_t{7};
            block.size = upTo(end - block.address);
            block.flags = static_cast<std::uint32_t>(upTo(0xFFFF));
            block.frames.resize(upTo(9) == 0 ? 192 : upTo(12));
            for (auto& frame : block.frames)
                frame = address();
        }
    }
    return heaps;
}

std::vector<WrittenHeap> twoHeaps() {
    return {{0x1D0000, {{0x1D1000, 24, {0x401000, 0x402000}}, {0x1D2000, 0, {}}}},
            {0x2E0000, {{0x2E1000, 64, {0x401000}}}}};
}

void put(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
    std::memcpy(bytes.data() + at, &value, size);
}

} // namespace

class HeapSnapshotBytesTest : public QObject {
    Q_OBJECT

  private slots:
    void readsWhatWasWritten_data() {
        QTest::addColumn<unsigned>("pointerBytes");
        QTest::addRow("32-bit") << 4u;
        QTest::addRow("64-bit") << 8u;
    }
    void readsWhatWasWritten() {
        QFETCH(unsigned, pointerBytes);
        std::mt19937_64 random(1);
        for (int round = 0; round < 500; ++round) {
            const auto heaps = randomHeaps(random, pointerBytes);
            const auto bytes = SnapshotWriter(pointerBytes).write(heaps);
            const auto facts = read(bytes);
            QVERIFY(facts.has_value());
            QCOMPARE(facts->heaps, static_cast<std::uint32_t>(heaps.size()));
            QCOMPARE(facts->pointerBytes, heaps.empty() ? 0u : pointerBytes);
            QCOMPARE(blocksIn(bytes), blocksOf(heaps));
            QCOMPARE(facts->blocks, std::uint64_t{blocksOf(heaps).size()});
        }
    }

    void isRefusedWhereverItEndsTooEarly_data() { readsWhatWasWritten_data(); }
    void isRefusedWhereverItEndsTooEarly() {
        QFETCH(unsigned, pointerBytes);
        const auto whole = SnapshotWriter(pointerBytes).write(twoHeaps());
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY2(!read(ByteSpan(whole).first(length)), fmt::format("{} bytes", length).c_str());
        auto longer = whole;
        longer.push_back({});
        QVERIFY(!read(longer));
    }

    void framesHaveALimit() {
        auto heaps = twoHeaps();
        heaps[0].blocks[0].frames.assign(192, 0x401000);
        QVERIFY(read(SnapshotWriter(8).write(heaps)));
        heaps[0].blocks[0].frames.assign(193, 0x401000);
        QVERIFY(!read(SnapshotWriter(8).write(heaps)));
    }

    void isRefusedWhereAFieldMakesNoSense() {
        const auto whole = SnapshotWriter(8).write(twoHeaps());
        constexpr std::size_t kHeader = 12, kBlock = kHeader + 32, kFrames = kBlock + 24;
        struct Change {
            const char* what;
            std::size_t at;
            std::uint64_t value;
            std::size_t size;
        };
        const Change changes[] = {
            {"version", kHeader, 1, 2},
            {"pointer size", kHeader + 2, 4, 2},
            {"pointer size of no machine", kHeader + 2, 16, 2},
            {"heap below all memory", kHeader + 8, 0x1000, 8},
            {"heap in the kernel", kHeader + 8, 0xFFFF800000000000, 8},
            {"heap within a page", kHeader + 8, 0x1D0010, 8},
            {"more committed than reserved", kHeader + 16, 0x200000, 8},
            {"more reserved than there is", kHeader + 24, ~std::uint64_t{0}, 8},
            {"block at 0", kBlock, 0, 8},
            {"block in the kernel", kBlock, 0xFFFF800000000000, 8},
            {"block at an odd address", kBlock, 0x1D1001, 8},
            {"flags", kBlock + 8, 0x10000, 8},
            {"block beyond all memory", kBlock + 16, std::uint64_t{1} << 47, 8},
            {"size that wraps", kBlock + 16, ~std::uint64_t{0}, 8},
            {"frame in the kernel", kFrames, 0xFFFF800000000000, 8},
            {"terminator without its end", whole.size() - 8, 0, 8},
            {"terminator of another number", whole.size() - 24, 0x1234CDE8, 8},
        };
        for (const auto& change : changes) {
            auto bytes = whole;
            put(bytes, change.at, change.value, change.size);
            QVERIFY2(!read(bytes), change.what);
        }
        auto otherCounts = whole;
        put(otherCounts, 0, 3, 4);
        QVERIFY(read(otherCounts)); // the other of the two counts is the number of heaps
        put(otherCounts, 4, 3, 4);
        QVERIFY(!read(otherCounts));
    }

    void changedBytesAreReadWithinThem() {
        std::mt19937_64 random(2);
        for (int round = 0; round < 3000; ++round) {
            auto bytes = SnapshotWriter(round % 2 == 0 ? 4 : 8).write(twoHeaps());
            for (std::uint64_t i = 0; i <= random() % 4; ++i)
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            bytes.resize(bytes.size() - random() % 3);
            const auto facts = read(bytes);
            QVERIFY(!facts || facts->blocks < bytes.size());
        }
    }

    void nothingIsNoSnapshot() {
        QVERIFY(!read({}));
        QCOMPARE(read(Bytes(12)), std::optional(HeapSnapshotFacts{})); // a process without heaps
        QVERIFY(!read(Bytes(4096)));
        QVERIFY(!read(Bytes(4096, std::byte{0xFF})));
    }
};

HIGHWATER_TEST(HeapSnapshotBytesTest);
#include "heap_snapshot_bytes_test.moc"
