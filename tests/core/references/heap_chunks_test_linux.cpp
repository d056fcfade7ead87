#include "core/references/heap_chunks.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <random>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace highwater;
using references::Block, references::HeapChunks;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HIGHWATER_HAS_OTHER_MALLOC
#endif

namespace {

/// Blocks that one thread has allocated, and some of which it has freed. Uses no memory beyond that.
struct Allocations {
    static constexpr std::size_t kCount = 20'000;

    /// `largest`: of most blocks.
    void make(unsigned seed, std::size_t largest) {
        std::minstd_rand random(seed);
        for (auto& block : blocks) {
            const auto kind = random() % 100;
            const auto bytes = kind < 60   ? random() % 300
                               : kind < 99 ? random() % largest
                                           : 200'000 + random() % 2'000'000;
            const auto alignment = std::size_t{16} << random() % 10;
            block = kind % 10 == 9 ? aligned_alloc(alignment, (bytes / alignment + 1) * alignment) : std::malloc(bytes);
        }
        // In the lists of the thread, of its arena, and joined with free neighbors.
        for (std::size_t i = 0; i < kCount; ++i)
            std::swap(blocks[i], blocks[random() % kCount]);
        for (std::size_t i = 0; i < kCount / 2; ++i)
            std::free(blocks[i]);
    }
    ~Allocations() {
        for (std::size_t i = kCount / 2; i < kCount; ++i)
            std::free(blocks[i]);
    }

    void* blocks[kCount] = {};
};

/// This process as it is now: a copy that does nothing.
class Copy {
  public:
    Copy() : pid_(fork()) {
        if (pid_ == 0)
            for (;;)
                pause();
        const auto folder = "/proc/" + std::to_string(pid_);
        memory_ = ::open((folder + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
        std::ifstream lines(folder + "/maps");
        for (std::string line; std::getline(lines, line);)
            addMapping(line);
    }
    ~Copy() {
        ::close(memory_);
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    [[nodiscard]] HeapChunks chunks(std::stop_token stop = {}) const {
        return references::findHeapChunks(
            mappings_, [this](Address from, std::span<std::byte> to) { return read(from, to); }, stop);
    }
    [[nodiscard]] const ResidentSample& mappings() const { return mappings_; }

  private:
    void addMapping(const std::string& line) {
        std::istringstream fields(line);
        Mapping mapping;
        std::string rights, offset, device, inode, name;
        char dash = 0;
        fields >> std::hex >> mapping.begin >> dash >> mapping.end >> rights >> offset >> device >> inode >> name;
        if (rights[0] == 'r') mapping.flags |= mapping_flag::kRead;
        if (rights[1] == 'w') mapping.flags |= mapping_flag::kWrite;
        if (rights[2] == 'x') mapping.flags |= mapping_flag::kExecute;
        if (rights[3] == 's') mapping.flags |= mapping_flag::kShared;
        if (inode != "0") mapping.flags |= mapping_flag::kFile;
        mapping.name = static_cast<std::uint32_t>(mappings_.names.size());
        mappings_.names.push_back(name);
        mappings_.mappings.push_back(mapping);
    }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const {
        const auto bytes = ::pread(memory_, to.data(), to.size(), static_cast<off_t>(from));
        return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
    }

    pid_t pid_;
    int memory_ = -1;
    ResidentSample mappings_;
};

/// The usable bytes of the block that is found there; 0: none.
ByteCount bytesAt(const HeapChunks& found, const void* block) {
    const auto address = reinterpret_cast<Address>(block);
    const auto at = std::ranges::lower_bound(found.blocks, address, {}, &Block::address);
    return at != found.blocks.end() && at->address == address ? at->bytes : 0;
}

void compare(const HeapChunks& found, const Allocations& made) {
    std::size_t missing = 0, wrong = 0, freed = 0;
    for (std::size_t i = 0; i < Allocations::kCount / 2; ++i)
        freed += bytesAt(found, made.blocks[i]) != 0 ? 1 : 0;
    for (std::size_t i = Allocations::kCount / 2; i < Allocations::kCount; ++i) {
        const auto bytes = bytesAt(found, made.blocks[i]);
        missing += bytes == 0 ? 1 : 0;
        wrong += bytes != 0 && bytes != malloc_usable_size(made.blocks[i]) ? 1 : 0;
    }
    QCOMPARE(freed, std::size_t{0});
    QCOMPARE(wrong, std::size_t{0});
    QCOMPARE(missing, std::size_t{0});
}

} // namespace

/// Heaps of this process.
class HeapChunksTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
#ifdef HIGHWATER_HAS_OTHER_MALLOC
        QSKIP("A sanitizer has its own malloc.");
#endif
    }

    void blocksOfTheProgramHeapAreThoseThatItHas() {
        const auto made = std::make_unique<Allocations>();
        made->make(1, 5'000);
        const Copy copy;
        compare(copy.chunks(), *made);
    }
    /// One thread has several heaps.
    void blocksOfThreadsAreThoseThatTheyHave() {
        constexpr std::size_t kThreads = 4;
        std::vector<std::unique_ptr<Allocations>> made;
        for (std::size_t i = 0; i < kThreads; ++i)
            made.push_back(std::make_unique<Allocations>());
        std::atomic<std::size_t> ready = 0;
        std::atomic<bool> isOver = false;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < kThreads; ++i)
            threads.emplace_back([&, i] {
                made[i]->make(static_cast<unsigned>(i + 7), i == 0 ? 60'000 : 5'000);
                ++ready;
                while (!isOver)
                    std::this_thread::yield();
            });
        while (ready < kThreads)
            std::this_thread::yield();
        const Copy copy;
        const auto found = copy.chunks();
        isOver = true;
        for (auto& thread : threads)
            thread.join();
        for (const auto& some : made)
            compare(found, *some);
        QVERIFY2(found.heaps.size() >= kThreads + 3, qPrintable(QString::number(found.heaps.size())));
        QVERIFY(std::ranges::is_sorted(found.blocks, {}, &Block::address));
        QVERIFY(std::ranges::is_sorted(found.heaps, {}, &references::AddressRange::begin));
    }
};

HIGHWATER_TEST(HeapChunksTest);
#include "heap_chunks_test_linux.moc"
