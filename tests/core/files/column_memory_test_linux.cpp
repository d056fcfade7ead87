#include "core/files/column_memory.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace highwater;

namespace {

constexpr std::uint64_t kLate = 20; ///< a chunk that only large traces have

std::size_t residentPages(const ColumnChunk& chunk) {
    const auto pageBytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages(kHugePageBytes / pageBytes);
    if (::mincore(chunk.get(), kHugePageBytes, pages.data()) != 0) return pages.size();
    return static_cast<std::size_t>(std::ranges::count_if(pages, [](auto page) { return (page & 1) != 0; }));
}

/// The bytes that RLIMIT_AS counts.
rlim_t mappedBytes() {
    std::ifstream file("/proc/self/statm");
    rlim_t pages = 0;
    file >> pages;
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

/// While it exists, no file can grow beyond this many bytes, as on a full disk.
class SmallScratchFiles {
  public:
    explicit SmallScratchFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallScratchFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallScratchFiles(const SmallScratchFiles&) = delete;
    SmallScratchFiles& operator=(const SmallScratchFiles&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

} // namespace

class ColumnMemoryLinuxTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        before_ = qgetenv("TMPDIR");
        setColumnMemoryBudget(1);
    }
    void cleanup() {
        if (before_.isNull())
            qunsetenv("TMPDIR");
        else
            qputenv("TMPDIR", before_);
        setColumnMemoryBudget(0);
    }

    /// Otherwise a trace of some hundred thousand rows would use as much memory as one of some million.
    void takesWhatIsWrittenOnlyOfTheFirstChunksOfAColumn() {
        setColumnMemoryBudget(0);
        for (const std::uint64_t number : {0, 1, 2, 3}) {
            const auto chunk = allocateColumnChunk(number);
            chunk[kHugePageBytes / 2] = std::byte{1};
            QCOMPARE(residentPages(chunk), std::size_t{1});
        }
    }
    /// A process limit is not reported as an exhausted budget.
    void saysWhichLimitSendsRowsToTheFile() {
        setColumnMemoryBudget(0);
        rlimit before{};
        ::getrlimit(RLIMIT_AS, &before);
        std::vector<ColumnChunk> chunks;
        // Two chunks and their alignment do not fit; one chunk in the file does.
        void* const room = ::mmap(nullptr, kHugePageBytes + kHugePageBytes / 2, PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        const rlimit limit{mappedBytes(), before.rlim_max};
        ::munmap(room, kHugePageBytes + kHugePageBytes / 2);
        ::setrlimit(RLIMIT_AS, &limit);
        chunks.push_back(allocateColumnChunk(kLate));
        const auto memory = columnMemory();
        const auto text = describe(memory);
        ::setrlimit(RLIMIT_AS, &before);
        QVERIFY(chunks.back() != nullptr);
        QCOMPARE(memory.fileBytes, ByteCount{kHugePageBytes});
        QVERIFY2(text.find("used up") == std::string::npos, text.c_str());
        QVERIFY2(text.find("the system refused more memory to this program, which may map ") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("(ulimit -v)") != std::string::npos, text.c_str());
    }

    /// A killed program leaves nothing behind because the file never has a name.
    void hasNoName() {
        const QTemporaryDir folder(QStringLiteral("/var/tmp/highwater-XXXXXX"));
        qputenv("TMPDIR", folder.path().toUtf8());
        const auto chunk = allocateColumnChunk(kLate);
        QCOMPARE(columnMemory().fileBytes, ByteCount{kHugePageBytes});
        QCOMPARE(columnMemory().folder.string(), folder.path().toStdString());
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot));
    }
    /// Writing to the mapping beyond the file's end would kill the program.
    void takesMemoryWhereTheDiskIsFull() {
        const SmallScratchFiles small(2 * kHugePageBytes);
        std::vector<ColumnChunk> chunks;
        for (int i = 0; i < 4; ++i) {
            chunks.push_back(allocateColumnChunk(kLate));
            QVERIFY(chunks.back() != nullptr);
            std::memset(chunks.back().get(), i + 1, kHugePageBytes);
        }
        QCOMPARE(columnMemory().fileBytes, ByteCount{2 * kHugePageBytes});
        QCOMPARE(columnMemory().anonymousBytes, ByteCount{2 * kHugePageBytes});
        const auto said = describe(columnMemory());
        QVERIFY2(said.find("4.0 MB of the rows") != std::string::npos, said.c_str());
        QVERIFY2(said.find("take 4.0 MB of memory") != std::string::npos, said.c_str());
        QVERIFY2(said.find("cannot be written: File too large") != std::string::npos, said.c_str());
        chunks.erase(chunks.begin());
        QVERIFY(allocateColumnChunk(kLate) != nullptr); // there is room again
        QVERIFY(columnMemory().refusal.empty());
    }
    void takesMemoryWhereThereIsNoFolder() {
        qputenv("TMPDIR", "/nonexistent");
        const SmallScratchFiles small(0); // nor in /var/tmp
        const auto chunk = allocateColumnChunk(kLate);
        QVERIFY(chunk != nullptr);
        QCOMPARE(columnMemory().fileBytes, ByteCount{0});
        QVERIFY(!describe(columnMemory()).empty());
    }
    void doesNotTakeMemoryForADisk() {
        if (!QFileInfo(QStringLiteral("/dev/shm")).isWritable()) QSKIP("There is no folder in memory.");
        qputenv("TMPDIR", "/dev/shm");
        const auto chunk = allocateColumnChunk(kLate);
        QVERIFY(chunk != nullptr);
        QCOMPARE(columnMemory().folder.string(), std::string("/var/tmp"));
    }

  private:
    QByteArray before_;
};
HIGHWATER_TEST(ColumnMemoryLinuxTest);
#include "column_memory_test_linux.moc"
