#include "core/source/contract/process_memory.h"
#include "core/source/contract/resident_memory.h"

#include "core/event/mapping_names.h"
#include "tests/support/test_registry.h"
#include "tests/support/wine.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>
#include <windows.h>

using namespace highwater;
using namespace highwater::source;

namespace {

namespace flag = mapping_flag;

std::uint32_t ownPid() { return ::GetCurrentProcessId(); }

ResidentSample ownSample() {
    auto answer = residentMemoryOf(ownPid());
    if (!answer.hasValue()) qFatal("%s", answer.error().message.c_str());
    if (!answer.value() || !isValid(*answer.value())) qFatal("there is no valid sample");
    return *std::move(answer).value();
}

const Mapping* mappingAt(const ResidentSample& sample, const void* place) {
    const auto address = reinterpret_cast<Address>(place);
    const auto found = std::ranges::find_if(sample.mappings, [address](const Mapping& mapping) {
        return mapping.begin <= address && address < mapping.end;
    });
    return found == sample.mappings.end() ? nullptr : &*found;
}

/// Memory of VirtualAlloc.
class OwnMemory {
  public:
    OwnMemory(std::size_t pages, DWORD how, DWORD protection = PAGE_READWRITE)
        : memory_(static_cast<char*>(::VirtualAlloc(nullptr, pages * kResidentPageBytes, how, protection))) {}
    ~OwnMemory() { ::VirtualFree(memory_, 0, MEM_RELEASE); }
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;
    void write(std::size_t page) const { static_cast<volatile char*>(memory_)[page * kResidentPageBytes] = 1; }
    [[nodiscard]] char* get() const { return memory_; }

  private:
    char* memory_;
};

/// A process that sleeps until it is ended.
class Sleeper {
  public:
    Sleeper() {
        STARTUPINFOW start{};
        start.cb = sizeof(start);
        wchar_t command[] = L"cmd.exe /c pause";
        ::CreateProcessW(nullptr, command, nullptr, nullptr, FALSE, CREATE_NO_WINDOW, nullptr, nullptr, &start,
                         &process_);
    }
    ~Sleeper() {
        end();
        ::CloseHandle(process_.hProcess);
        ::CloseHandle(process_.hThread);
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;
    void end() {
        ::TerminateProcess(process_.hProcess, 1);
        ::WaitForSingleObject(process_.hProcess, INFINITE);
    }
    [[nodiscard]] std::uint32_t pid() const { return process_.dwProcessId; }

  private:
    PROCESS_INFORMATION process_{};
};

} // namespace

class ResidentMemoryTest : public QObject {
    Q_OBJECT

  private slots:
    /// Pages change meanwhile, so it is tried again. The samples are kept, because otherwise each attempt could take
    /// the same page for its buffers and give it back to the system.
    void theSumIsTheWorkingSet() {
        std::vector<ResidentSample> samples{ownSample()};
        for (int attempt = 0; attempt < 50; ++attempt) {
            const auto before = memoryOf(ownPid());
            samples.push_back(ownSample());
            const auto sum = samples.back().resident();
            const auto after = memoryOf(ownPid());
            QVERIFY(before && after);
            if (sum >= std::min(before->residentBytes, after->residentBytes) &&
                sum <= std::max(before->residentBytes, after->residentBytes))
                return;
        }
        QFAIL("The sum never was between the working sets before and after.");
    }
    void committedMemoryHasItsPages() {
        constexpr std::size_t kPagesOfTest = 1000;
        const OwnMemory memory(kPagesOfTest, MEM_RESERVE | MEM_COMMIT);
        for (std::size_t page = 0; page < kPagesOfTest; page += 4)
            memory.write(page);
        const auto sample = ownSample();
        QCOMPARE(sample.pid, ownPid());
        const auto* const mapping = mappingAt(sample, memory.get());
        QVERIFY(mapping != nullptr);
        QCOMPARE(sample.nameOf(*mapping), std::string(kPrivateMemory));
        QCOMPARE(mapping->flags, flag::kRead | flag::kWrite | flag::kPages);
        QCOMPARE(mapping->end - mapping->begin, ByteCount{kPagesOfTest * kResidentPageBytes});
        std::vector<std::uint64_t> pages;
        mapping->pages.each([&](std::uint64_t first, std::uint64_t count) { pages.insert(pages.end(), count, first); });
        QCOMPARE(pages.size(), kPagesOfTest / 4);
        QCOMPARE(pages[1], std::uint64_t{4});
        QCOMPARE(mapping->resident, ByteCount{kPagesOfTest / 4 * kResidentPageBytes});
        QCOMPARE(mapping->privateDirty, mapping->resident);
        QCOMPARE(mapping->proportional, mapping->resident);
    }
    void reservedMemoryHasNone() {
        const OwnMemory memory(1 << 20, MEM_RESERVE);
        const auto sample = ownSample();
        const auto* const mapping = mappingAt(sample, memory.get());
        QVERIFY(mapping != nullptr);
        QCOMPARE(mapping->flags, 0u);
        QCOMPARE(mapping->resident, ByteCount{0});
    }
    void protectionsBecomeFlags() {
        const OwnMemory code(1, MEM_RESERVE | MEM_COMMIT, PAGE_EXECUTE_READ);
        const OwnMemory constant(1, MEM_RESERVE | MEM_COMMIT, PAGE_READONLY);
        const OwnMemory none(1, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
        const auto sample = ownSample();
        QCOMPARE(mappingAt(sample, code.get())->flags, flag::kRead | flag::kExecute);
        QCOMPARE(mappingAt(sample, constant.get())->flags, std::uint32_t{flag::kRead});
        QCOMPARE(mappingAt(sample, none.get())->flags, 0u);
    }
    void stacksOfAllThreadsAreRecognised() {
        const int ofThisThread = 0;
        ResidentSample sample;
        const void* placeOfOther = nullptr;
        std::thread([&] {
            const int ofOther = 0;
            placeOfOther = &ofOther;
            sample = ownSample();
        }).join();
        for (const void* place : {static_cast<const void*>(&ofThisThread), placeOfOther}) {
            const auto* const mapping = mappingAt(sample, place);
            QVERIFY(mapping != nullptr);
            QCOMPARE(sample.nameOf(*mapping), std::string(kStackMemory));
            QVERIFY(mapping->resident > 0);
        }
    }
    void theProgramIsAnImageWithItsPath() {
        const auto sample = ownSample();
        const auto* const mapping = mappingAt(sample, reinterpret_cast<const void*>(&residentMemoryOf));
        QVERIFY(mapping != nullptr);
        QCOMPARE(mapping->flags & (flag::kExecute | flag::kFile | flag::kShared | flag::kPages),
                 flag::kExecute | flag::kFile);
        const auto& name = sample.nameOf(*mapping);
        QVERIFY2(name.size() > 3 && name[1] == ':' && name[2] == '\\', name.c_str());
        QVERIFY2(name.ends_with(".exe"), name.c_str());
    }
    void aMappedFileIsSharedAndHasItsPath() {
        wchar_t program[MAX_PATH];
        ::GetModuleFileNameW(nullptr, program, MAX_PATH);
        const auto file = ::CreateFileW(program, GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr);
        const auto section = ::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
        const auto* const view = static_cast<const volatile char*>(::MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0));
        (void)view[0];
        const auto sample = ownSample();
        const auto* const mapping = mappingAt(sample, const_cast<const char*>(view));
        QVERIFY(mapping != nullptr);
        QCOMPARE(mapping->flags, flag::kRead | flag::kFile | flag::kShared);
        QVERIFY(sample.nameOf(*mapping).ends_with(".exe"));
        QVERIFY(mapping->resident > 0);
        ::UnmapViewOfFile(const_cast<const char*>(view));
        ::CloseHandle(section);
        ::CloseHandle(file);
    }
    void anotherProcessIsSampledToo() {
        const Sleeper sleeper;
        const auto answer = residentMemoryOf(sleeper.pid());
        if (tests::runsUnderWine()) {
            QVERIFY(!answer.hasValue());
            const auto& sentence = answer.error().message;
            QVERIFY2(sentence.starts_with("The resident memory of cmd.exe ("), sentence.c_str());
            QVERIFY2(sentence.find(") was not sampled because Windows did not list its resident pages (error ") !=
                         std::string::npos,
                     sentence.c_str());
            return;
        }
        QVERIFY2(answer.hasValue(), answer.hasValue() ? "" : answer.error().message.c_str());
        QVERIFY(answer.value() && isValid(*answer.value()) && answer.value()->resident() > 0);
    }
    void anEndedProcessHasNone() {
        const auto unknown = residentMemoryOf(0x7FFFFFF0);
        QVERIFY(unknown.hasValue() && !unknown.value());
        Sleeper sleeper;
        sleeper.end(); // its handle is still open, so that its number remains
        const auto ended = residentMemoryOf(sleeper.pid());
        QVERIFY2(ended.hasValue(), ended.hasValue() ? "" : ended.error().message.c_str());
        QVERIFY(!ended.value());
    }
    void threadsThatMapAndUnmapAreHarmless() {
        std::atomic<bool> isOver = false;
        std::thread mapping([&isOver] {
            while (!isOver) {
                const OwnMemory memory(64, MEM_RESERVE | MEM_COMMIT);
                memory.write(0);
            }
        });
        for (int i = 0; i < 20; ++i) // Wine takes a tenth of a second for each
            (void)ownSample();
        isOver = true;
        mapping.join();
    }
};

HIGHWATER_TEST(ResidentMemoryTest);
#include "resident_memory_test_windows.moc"
