#include "core/source/contract/resident_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;

namespace {

std::uint32_t ownPid() { return static_cast<std::uint32_t>(::getpid()); }

/// In bytes; 0 if the kernel does not report it.
ByteCount rollupOf(const std::string& field) {
    std::ifstream file("/proc/self/smaps_rollup");
    for (std::string word; file >> word;) {
        ByteCount kilobytes = 0;
        if (word == field && file >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

const Mapping* mappingAt(const ResidentSample& sample, const void* place) {
    const auto address = reinterpret_cast<Address>(place);
    for (const auto& mapping : sample.mappings)
        if (mapping.begin <= address && address < mapping.end) return &mapping;
    return nullptr;
}

std::uint64_t pagesIn(const Mapping& mapping) {
    std::uint64_t sum = 0;
    mapping.pages.each([&](std::uint64_t, std::uint64_t pages) { sum += pages; });
    return sum;
}

/// A process that runs `work` until it is killed.
template <typename Work>
class Child {
  public:
    explicit Child(Work work) : pid_(::fork()) {
        if (pid_ != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            work();
    }
    ~Child() { end(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    void end() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(pid_); }

  private:
    pid_t pid_;
};

} // namespace

class ResidentMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    /// Pages change meanwhile, so it is tried again.
    void theSumIsThatOfTheKernel() {
        (void)residentMemoryOf(ownPid()); // its buffers are in RAM after that
        for (int attempt = 0; attempt < 50; ++attempt) {
            const auto before = rollupOf("Rss:");
            if (before == 0) QSKIP("This kernel has no smaps_rollup.");
            const auto answer = residentMemoryOf(ownPid());
            const auto after = rollupOf("Rss:");
            QVERIFY(answer.hasValue() && answer.value());
            QVERIFY(isValid(*answer.value()));
            const auto sum = answer.value()->resident();
            if (sum >= std::min(before, after) && sum <= std::max(before, after)) return;
        }
        QFAIL("The sum never was between the kernel's own before and after.");
    }
    void aMappingHasItsNameAndPages() {
        constexpr std::size_t kPages = 1000;
        auto* const memory = static_cast<char*>(
            ::mmap(nullptr, kPages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ::madvise(memory, kPages * 4096, MADV_NOHUGEPAGE);
        for (std::size_t page = 0; page < kPages; page += 4)
            static_cast<volatile char*>(memory)[page * 4096] = 1;
        const bool isNamed = ::prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, memory, kPages * 4096, "pages of a test") == 0;
        const auto answer = residentMemoryOf(ownPid());
        const auto& sample = *answer.value();
        QCOMPARE(sample.pid, ownPid());
        const auto* const mapping = mappingAt(sample, memory);
        QVERIFY(mapping != nullptr);
        if (isNamed) {
            QCOMPARE(sample.nameOf(*mapping), std::string("[anon:pages of a test]"));
            QCOMPARE(mapping->resident, ByteCount{kPages / 4 * 4096});
            QCOMPARE(pagesIn(*mapping), std::uint64_t{kPages / 4});
        }
        QVERIFY((mapping->flags & mapping_flag::kPages) != 0);
        const auto* const code = mappingAt(sample, reinterpret_cast<const void*>(&residentMemoryOf));
        QVERIFY(code != nullptr && (code->flags & mapping_flag::kFile) != 0 && code->pages.isEmpty());
        QVERIFY(sample.nameOf(*code).starts_with('/'));
        ::munmap(memory, kPages * 4096);
    }
    void aPrivateMappingOfTheZeroDeviceHasPages() {
        constexpr std::size_t kBytes = 100 * 4096;
        const int device = ::open("/dev/zero", O_RDWR | O_CLOEXEC);
        auto* const memory =
            static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, device, 0));
        ::close(device);
        QVERIFY(memory != MAP_FAILED);
        memory[3 * 4096] = 1;
        const auto answer = residentMemoryOf(ownPid());
        const auto* const mapping = mappingAt(*answer.value(), memory);
        QVERIFY(mapping != nullptr);
        QCOMPARE(answer.value()->nameOf(*mapping), std::string(kZeroDevice));
        QCOMPARE(mapping->flags & (mapping_flag::kFile | mapping_flag::kPages), mapping_flag::kPages);
        QCOMPARE(pagesIn(*mapping), std::uint64_t{1});
        ::munmap(memory, kBytes);
    }
    void thereIsNoneOfAnEndedProcess() {
        const auto unknown = residentMemoryOf(0x7FFFFFF0);
        QVERIFY(unknown.hasValue() && !unknown.value());
        const auto zombie = ::fork();
        if (zombie == 0) ::_exit(0);
        siginfo_t end{};
        ::waitid(P_PID, static_cast<id_t>(zombie), &end, WEXITED | WNOWAIT);
        const auto ended = residentMemoryOf(static_cast<std::uint32_t>(zombie));
        ::waitpid(zombie, nullptr, 0);
        QVERIFY(ended.hasValue() && !ended.value());
    }
    void whatIsForbiddenIsSaid() {
        if (::geteuid() == 0) {
            QSKIP("The system user may read the memory of all processes.");
        }
        const auto answer = residentMemoryOf(1);
        QVERIFY(!answer.hasValue());
        const auto& sentence = answer.error().message;
        QVERIFY2(sentence.starts_with("The resident memory of "), sentence.c_str());
        QVERIFY2(sentence.find("(1) was not sampled because ") != std::string::npos, sentence.c_str());
    }
    /// Each sample is valid and complete, or there is none.
    void aProcessThatMapsAndUnmapsIsHarmless() {
        const Child child([] {
            void* memory[40];
            for (auto& place : memory) {
                place = ::mmap(nullptr, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                *static_cast<volatile char*>(place) = 1;
            }
            for (auto* place : memory)
                ::munmap(place, 64 * 4096);
        });
        for (int i = 0; i < 200; ++i) {
            const auto answer = residentMemoryOf(child.pid());
            QVERIFY2(answer.hasValue(), answer.hasValue() ? "" : answer.error().message.c_str());
            QVERIFY(answer.value() && isValid(*answer.value()));
        }
    }
    void aProcessThatExecutesIsHarmless() {
        for (int round = 0; round < 20; ++round) {
            const auto child = ::fork();
            if (child == 0) {
                ::execl("/bin/sh", "sh", "-c", "exec sh -c 'exec sh -c \"exec sleep 10\"'", nullptr);
                ::_exit(1);
            }
            for (int i = 0; i < 20; ++i) {
                const auto answer = residentMemoryOf(static_cast<std::uint32_t>(child));
                QVERIFY2(answer.hasValue(), answer.hasValue() ? "" : answer.error().message.c_str());
                if (answer.value()) QVERIFY(isValid(*answer.value()) && answer.value()->resident() > 0);
            }
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    void aProcessThatEndsIsHarmless() {
        for (int round = 0; round < 50; ++round) {
            Child child([] { ::pause(); });
            const auto pid = child.pid();
            std::thread killer([&child] { child.end(); });
            for (int i = 0; i < 5; ++i) {
                const auto answer = residentMemoryOf(pid);
                QVERIFY2(answer.hasValue(), answer.hasValue() ? "" : answer.error().message.c_str());
                if (answer.value()) QVERIFY(isValid(*answer.value()) && answer.value()->resident() > 0);
            }
            killer.join();
        }
    }
};

HIGHWATER_TEST(ResidentMemoryTest);
#include "resident_memory_test_linux.moc"
