#include "core/source/agent/agent_channel_memory_linux.h"
#include "core/source/agent/agent_ring_reader_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstring>
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

    /// The thread's first chunk, with so many frees in it.
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
    [[nodiscard]] AgentRingReader looked() const {
        AgentRingReader reader(chunks, 0);
        reader.look(clock.now());
        return reader;
    }
};

/// Takes all that can be taken.
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

/// A target may write anywhere, here, too: what was whole is read, and the reader comes to an end.
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

    // An event may lie there for long, until those of other threads have come: what it was found to be must not change.
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

    void moreThanAChunkHoldsIsNotRead() {
        const Channel channel;
        const auto first = channel.begin(3);
        channel.chunk(first).published.store(std::numeric_limits<std::uint32_t>::max());
        auto reader = channel.looked();
        QCOMPARE(eventsOf(reader), 3u); // behind them there is nothing
        QVERIFY(reader.isDamaged());
    }
};

HIGHWATER_TEST(AgentRingReaderTest);
#include "agent_ring_reader_test.moc"
