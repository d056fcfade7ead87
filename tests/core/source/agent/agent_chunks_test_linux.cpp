#include "core/source/agent/agent_chunks_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstring>
#include <sys/stat.h>
#include <vector>

using namespace highwater::source;
using namespace highwater;

namespace {

constexpr std::uint32_t kKept = (256u << 20) / agent::kChunkBytes;

std::uint64_t bytesTaken(const AgentChannelMemory& memory) {
    struct stat state {};
    return fstat(memory.file(), &state) == 0 ? static_cast<std::uint64_t>(state.st_blocks) * 512 : 0;
}

} // namespace

class AgentChunksTest : public QObject {
    Q_OBJECT
  private slots:
    void thoseThatAreTakenAreInUse() {
        const auto memory = AgentChannelMemory::make({.mostBytes = 1 << 20}, AgentClock()).value();
        AgentChunks chunks(memory);
        QCOMPARE(chunks.inUse(), 0u);
        std::vector<std::uint32_t> taken;
        for (int i = 0; i < 10; ++i)
            taken.push_back(memory.view().takeChunk());
        QCOMPARE(chunks.inUse(), 10u);
        for (int i = 0; i < 4; ++i) {
            chunks.giveBack(taken.back());
            taken.pop_back();
        }
        QCOMPARE(chunks.inUse(), 6u);
        for (int round = 0; round < 1000; ++round)
            chunks.giveBack(memory.view().takeChunk());
        QCOMPARE(chunks.inUse(), 6u);
        QVERIFY(memory.view().takeChunk() != agent::kNoChunk);
        QCOMPARE(chunks.inUse(), 7u);
    }

    void aPoolThatIsNoneIsEmpty() {
        const auto memory = AgentChannelMemory::make({.mostBytes = 1 << 20}, AgentClock()).value();
        const AgentChunks chunks(memory);
        memory.view().header().freshChunks.store(0xFFFFFFFF);
        memory.view().header().freeChunks.store(~std::uint64_t{0});
        QVERIFY(chunks.inUse() <= memory.view().chunkCount());
    }

    // All chunks of a burst are given back.
    void memoryOfManyGoesBack() {
        const auto memory = AgentChannelMemory::make({.mostBytes = 1u << 30}, AgentClock()).value();
        AgentChunks chunks(memory);
        memory.view().header().freshChunks.store(kKept - 2);
        const auto before = bytesTaken(memory);
        std::vector<std::uint32_t> taken;
        for (int i = 0; i < 10; ++i) {
            taken.push_back(memory.view().takeChunk());
            std::memset(reinterpret_cast<char*>(&memory.view().chunk(taken.back())) + sizeof(agent::ChunkHeader), 7,
                        agent::kChunkBytes - sizeof(agent::ChunkHeader));
        }
        QCOMPARE(bytesTaken(memory) - before, 10u * agent::kChunkBytes);
        for (const auto number : taken)
            chunks.giveBack(number);
        QVERIFY(bytesTaken(memory) - before <= 2u * agent::kChunkBytes + 4096); // and the location of the pool
        const auto again = memory.view().takeChunk(); // the last one returned: as good as ever
        QCOMPARE(again, taken.back());
        QCOMPARE(memory.view().chunk(again).published.load(), std::uint32_t{sizeof(agent::ChunkHeader)});
    }
};

HIGHWATER_TEST(AgentChunksTest);
#include "agent_chunks_test_linux.moc"
