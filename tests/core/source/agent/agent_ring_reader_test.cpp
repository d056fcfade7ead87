#include "core/source/agent/agent_channel_memory_linux.h"
#include "core/source/agent/agent_ring_reader_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>

using namespace highwater;
using namespace highwater::source;
using agent::RecordOp;

namespace {

/// A channel as a thread of a target left it.
struct Channel {
    AgentClock clock;
    AgentChannelMemory memory = AgentChannelMemory::make({.mostBytes = 1 << 20}, clock).value();

    mutable AgentChunks chunks{memory};

    [[nodiscard]] agent::ThreadSlot& thread() const { return memory.view().thread(0); }
    [[nodiscard]] agent::ChunkHeader& chunk(std::uint32_t number) const { return memory.view().chunk(number); }

    /// The thread's first chunk, containing this many frees.
    [[nodiscard]] std::uint32_t begin(std::size_t frees) const {
        thread().state.store(agent::kSlotUsed);
        const auto number = memory.view().takeChunk();
        auto* words = reinterpret_cast<std::uint64_t*>(&chunk(number) + 1);
        for (std::uint64_t i = 0; i < frees; ++i) {
            words[2 * i] = agent::firstWord(agent::RecordOp::Free, i + 1);
            words[2 * i + 1] = 0x1000 + i;
        }
        chunk(number).published.store(static_cast<std::uint32_t>(sizeof(agent::ChunkHeader) + frees * 16));
        thread().firstChunk.store(number + 1);
        return number;
    }
    /// The same, containing these words.
    void begin(std::initializer_list<std::uint64_t> words) const {
        const auto number = begin(std::size_t{0});
        std::ranges::copy(words, reinterpret_cast<std::uint64_t*>(&chunk(number) + 1));
        chunk(number).published.store(static_cast<std::uint32_t>(sizeof(agent::ChunkHeader) + words.size() * 8));
    }
    [[nodiscard]] AgentRingReader looked() const {
        AgentRingReader reader(chunks, 0, {chunks.view().thread(0).pid, chunks.view().thread(0).tid});
        reader.look(clock.now());
        return reader;
    }
};

/// The number of events that can be read now.
std::size_t eventsOf(AgentRingReader& reader) {
    std::deque<AgentDetail> details;
    std::size_t events = 0;
    for (; reader.headTick(); ++events) {
        AgentEvent event;
        reader.take(event, details);
    }
    return events;
}

} // namespace

/// A target may write anywhere, including this memory: complete records are read, and the reader terminates.
class AgentRingReaderTest : public QObject {
    Q_OBJECT
  private slots:
    void takesWhatIsWhole() {
        const Channel channel;
        (void)channel.begin(3);
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u);
        QVERIFY(!reader.isDamaged());
    }

    void aChunkThatIsNoneEndsTheRing() {
        const Channel channel;
        const auto first = channel.begin(3);
        channel.chunk(first).next.store(std::numeric_limits<std::uint32_t>::max());
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u);
        QVERIFY(reader.isDamaged());
    }

    void theHeaderIsBelievedOnce() {
        const Channel channel;
        const auto first = channel.begin(3);
        auto& header = channel.memory.view().header();
        header.chunkCount = std::numeric_limits<std::uint32_t>::max();
        header.chunksAt = std::uint64_t{1} << 40;
        channel.chunk(first).next.store(1u << 30);
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u);
        QVERIFY(reader.isDamaged());
    }

    void aCircleOfEmptyChunksEndsTheRing() {
        const Channel channel;
        const auto first = channel.begin(3);
        const auto second = channel.memory.view().takeChunk();
        channel.chunk(first).next.store(second + 1);
        channel.chunk(second).next.store(second + 1);
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u);
        QVERIFY(reader.isDamaged());
    }

    void bytesThatAreNoRecordEndTheRing() {
        const Channel channel;
        const auto first = channel.begin(3);
        std::memset(reinterpret_cast<std::byte*>(&channel.chunk(first) + 1) + 32, 0xEE, 16); // the third
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 2u);
        QVERIFY(reader.isDamaged());
    }

    // An event may wait there for long, until those of other threads have arrived: its values, once read, must not
    // change.
    void anEventComesAsItWasWhenItWasLookedAt_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<quint64>("length"); // in the third word of a stack, the fourth of a module
        QTest::newRow("a module with a path of 4 GB") << static_cast<int>(RecordOp::Module) << quint64{0xFFFFFFF0};
        QTest::newRow("a stack of 2^60 frames") << static_cast<int>(RecordOp::Stack) << (quint64{1} << 60);
        QTest::newRow("pages") << static_cast<int>(RecordOp::Map) << quint64{1};
        QTest::newRow("a block that moved") << static_cast<int>(RecordOp::Reallocate) << quint64{1};
    }
    void anEventComesAsItWasWhenItWasLookedAt() {
        QFETCH(const int, op);
        QFETCH(const quint64, length);
        const Channel channel;
        const auto first = channel.begin(3);
        auto reader = channel.looked();
        auto* words = reinterpret_cast<std::uint64_t*>(&channel.chunk(first) + 1);
        words[0] = agent::firstWord(static_cast<RecordOp>(op), 77);
        words[1] = 0xBAD;
        words[2] = words[3] = length;
        reader.look(channel.clock.now());
        QCOMPARE(reader.headTick(), std::optional<std::uint64_t>(1));
        AgentEvent event;
        std::deque<AgentDetail> details;
        reader.take(event, details);
        QCOMPARE(event.op, AgentOp::Free);
        QCOMPARE(event.address, Address{0x1000});
        QVERIFY(details.empty());
    }

    // Short records refer to the previous record: its time, and the stack of the last allocation, however that was
    // written.
    void shortRecordsMeanWhatTheyAreShortFor() {
        constexpr Address kHigh = 0x7FFF'FFFF'FFF0;
        constexpr std::uint64_t kMostTicks = 8191;
        const Channel channel;
        channel.begin({agent::firstWord(RecordOp::Allocate, 1000), 0x1008, 24, 5,                //
                       agent::shortWord(RecordOp::AllocateAgain, 0, kHigh), 32,                  //
                       agent::shortWord(RecordOp::FreeShort, kMostTicks, 0x10),                  //
                       agent::shortWord(RecordOp::AllocateShort, 1, 0x20), ~std::uint64_t{0}, 6, //
                       agent::firstWord(RecordOp::Free, 20'000), 0x1008,                         //
                       agent::shortWord(RecordOp::AllocateAgain, 7, 0x30), 0});
        auto reader = channel.looked();
        const auto expect = [&](std::uint64_t tick, AgentOp op, Address address, ByteCount size, std::uint64_t stack) {
            QCOMPARE(reader.headTick(), std::optional(tick));
            AgentEvent event;
            std::deque<AgentDetail> details;
            reader.take(event, details);
            QCOMPARE(event.op, op);
            QCOMPARE(event.address, address);
            QCOMPARE(event.size, size);
            QCOMPARE(event.stackKey, stack);
        };
        expect(1000, AgentOp::Allocate, 0x1008, 24, 5);
        expect(1000, AgentOp::Allocate, kHigh, 32, 5);
        expect(1000 + kMostTicks, AgentOp::Free, 0x10, 0, 0);
        expect(1001 + kMostTicks, AgentOp::Allocate, 0x20, ~ByteCount{0}, 6);
        expect(20'000, AgentOp::Free, 0x1008, 0, 0);
        expect(20'007, AgentOp::Allocate, 0x30, 0, 6);
        QCOMPARE(reader.headTick(), std::nullopt);
        QVERIFY(!reader.isDamaged());
    }

    // Without a previous record, which no agent writes: the thread's first stack is missing, and its time starts at 0.
    void shortRecordsWithoutOneBeforeThemAreRead() {
        const Channel channel;
        channel.begin({agent::shortWord(RecordOp::AllocateAgain, 3, 0x40), 8});
        auto reader = channel.looked();
        QCOMPARE(reader.headTick(), std::optional<std::uint64_t>(3));
        QCOMPARE(eventsOf(reader), 1u);
        QVERIFY(!reader.isDamaged());
    }

    void aShortRecordThatIsCutOffEndsTheRing() {
        const Channel channel;
        channel.begin(
            {agent::firstWord(RecordOp::Free, 1), 0x10, agent::shortWord(RecordOp::AllocateShort, 3, 0x40), 8});
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 1u);
        QVERIFY(reader.isDamaged());
    }

    void onlyWhatFitsIsShort() {
        QVERIFY(agent::isShort(8191, 0x7FFF'FFFF'FFF0));
        QVERIFY(agent::isShort(0, 0));
        QVERIFY(!agent::isShort(8192, 0x10));
        QVERIFY(!agent::isShort(~std::uint64_t{0}, 0x10)); // a time before that of the previous record
        QVERIFY(!agent::isShort(0, 0x18));
        QVERIFY(!agent::isShort(0, 0x8000'0000'0000));
    }

    void moreThanAChunkHoldsIsNotRead() {
        const Channel channel;
        const auto first = channel.begin(3);
        channel.chunk(first).published.store(std::numeric_limits<std::uint32_t>::max());
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u); // after them there is nothing
        QVERIFY(reader.isDamaged());
    }
};

HIGHWATER_TEST(AgentRingReaderTest);
#include "agent_ring_reader_test.moc"
