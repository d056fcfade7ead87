#include "core/source/systems/resident_pages_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>
#include <vector>

using namespace highwater;
using namespace highwater::source;

namespace {

using PageRuns = std::vector<std::pair<std::uint64_t, std::uint64_t>>; // first page, pages
using By = ResidentPages::By;

/// Pages of this process, none of them in RAM at first.
class OwnPages {
  public:
    explicit OwnPages(std::uint64_t pages) : bytes_(pages * kResidentPageBytes) {
        memory_ = static_cast<char*>(
            ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        ::madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    }
    ~OwnPages() { ::munmap(memory_, bytes_); }
    OwnPages(const OwnPages&) = delete;
    OwnPages& operator=(const OwnPages&) = delete;
    void write(std::uint64_t page, std::uint64_t pages = 1) {
        for (auto i = page; i < page + pages; ++i)
            static_cast<volatile char*>(memory_)[i * kResidentPageBytes] = 1;
    }
    void swapOut(std::uint64_t page) {
        constexpr int kPageOut = 21; // MADV_PAGEOUT, since Linux 5.4
        ::madvise(memory_ + page * kResidentPageBytes, kResidentPageBytes, kPageOut);
    }
    void read(std::uint64_t page) const { (void)static_cast<const volatile char*>(memory_)[page * kResidentPageBytes]; }
    [[nodiscard]] Address begin() const { return reinterpret_cast<Address>(memory_); }
    [[nodiscard]] Address end() const { return begin() + bytes_; }

  private:
    std::size_t bytes_;
    char* memory_;
};

class Pagemap {
  public:
    explicit Pagemap(const std::string& process = "self")
        : file_(::open(("/proc/" + process + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Pagemap() { ::close(file_); }
    Pagemap(const Pagemap&) = delete;
    Pagemap& operator=(const Pagemap&) = delete;
    [[nodiscard]] int file() const { return file_; }

  private:
    int file_;
};

PageRuns runsOf(const OwnPages& pages, By by, ResidentPages::Which which = ResidentPages::Which::Resident) {
    const Pagemap map;
    const auto found = ResidentPages(map.file(), by, which).of(pages.begin(), pages.end());
    PageRuns runs{{~0u, 0}};
    if (!found) return runs;
    runs.clear();
    found->each([&](std::uint64_t first, std::uint64_t count) { runs.emplace_back(first, count); });
    return runs;
}

void eachWay() {
    QTest::addColumn<bool>("isScan");
    QTest::addRow("scan") << true;
    QTest::addRow("bits") << false;
}

} // namespace

class ResidentPagesTest : public QObject {
    Q_OBJECT

    /// Nothing if the kernel cannot do it.
    static std::optional<By> way() {
        QFETCH(bool, isScan);
        if (isScan && ResidentPages::best() != By::Scan) return std::nullopt;
        return isScan ? By::Scan : By::Bits;
    }

  private slots:
    void writtenPagesAreResident_data() { eachWay(); }
    void writtenPagesAreResident() {
        const auto by = way();
        if (!by) QSKIP("This kernel has no PAGEMAP_SCAN.");
        OwnPages pages(20'000);
        QCOMPARE(runsOf(pages, *by), PageRuns{});
        pages.write(0);
        pages.write(7, 3);
        pages.write(19'999);
        QCOMPARE(runsOf(pages, *by), (PageRuns{{0, 1}, {7, 3}, {19'999, 1}}));
        pages.write(0, 20'000);
        QCOMPARE(runsOf(pages, *by), (PageRuns{{0, 20'000}})); // the kernel's answers are joined
    }
    /// More runs than the kernel returns at once.
    void manyRunsAreComplete_data() { eachWay(); }
    void manyRunsAreComplete() {
        const auto by = way();
        if (!by) QSKIP("This kernel has no PAGEMAP_SCAN.");
        OwnPages pages(20'000);
        PageRuns expected;
        for (std::uint64_t page = 1; page < 20'000; page += 2) {
            pages.write(page);
            expected.emplace_back(page, 1);
        }
        QCOMPARE(runsOf(pages, *by), expected);
    }
    /// A page that was only read is the one page of zeros, which does not count as resident.
    void pagesOfZerosAreNotResidentInAScan() {
        if (ResidentPages::best() != By::Scan) QSKIP("This kernel has no PAGEMAP_SCAN.");
        OwnPages pages(10);
        pages.read(3);
        pages.write(5);
        QCOMPARE(runsOf(pages, By::Scan), (PageRuns{{5, 1}}));
    }
    void touchedPagesAreThoseInRamOrInSwapSpace_data() { eachWay(); }
    void touchedPagesAreThoseInRamOrInSwapSpace() {
        const auto by = way();
        if (!by) QSKIP("This kernel has no PAGEMAP_SCAN.");
        OwnPages pages(20'000);
        QCOMPARE(runsOf(pages, *by, ResidentPages::Which::Touched), PageRuns{});
        pages.write(7, 3);
        pages.write(19'999);
        pages.swapOut(8); // stays in RAM where the system has no swap space
        QCOMPARE(runsOf(pages, *by, ResidentPages::Which::Touched), (PageRuns{{7, 3}, {19'999, 1}}));
    }
    void hugeReservationsAreScannedQuickly() {
        if (ResidentPages::best() != By::Scan) QSKIP("This kernel has no PAGEMAP_SCAN.");
        OwnPages pages((std::uint64_t{1} << 40) / kResidentPageBytes);
        pages.write(100'000'000);
        QCOMPARE(runsOf(pages, By::Scan), (PageRuns{{100'000'000, 1}}));
        const Pagemap map;
        QVERIFY(!ResidentPages(map.file(), By::Bits).of(pages.begin(), pages.end())); // too many to read
    }
    void anEndedProcessHasNone() {
        const auto child = ::fork();
        if (child == 0) {
            ::pause();
            ::_exit(0);
        }
        const Pagemap map(std::to_string(child));
        const OwnPages pages(10); // mapped after the fork; any address will do
        ResidentPages resident(map.file(), ResidentPages::best());
        QVERIFY(resident.isAlive(pages.begin()));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(!resident.isAlive(pages.begin()));
        const auto found = resident.of(pages.begin(), pages.end());
        QVERIFY(!found || found->isEmpty());
    }
};

HIGHWATER_TEST(ResidentPagesTest);
#include "resident_pages_test_linux.moc"
