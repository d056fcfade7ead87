#include "core/files/mapped_file.h"

#include "core/files/scratch_file.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <fstream>
#include <numeric>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace highwater;

namespace {

constexpr std::size_t kMappedBytes = 4 << 20;
constexpr std::size_t kKeptBytes = 8192;

std::uint64_t sumOf(ByteSpan bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                           [](std::uint64_t sum, std::byte b) { return sum + std::to_integer<std::uint64_t>(b); });
}

std::filesystem::path writeOnes(const QTemporaryDir& folder) {
    const auto path = std::filesystem::path(folder.filePath("ones").toStdString());
    std::ofstream(path, std::ios::binary) << std::string(kMappedBytes, '\1');
    return path;
}

/// Bytes of mapped files that this process has in memory.
std::uint64_t mappedResidentBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssFile:")) return std::stoull(line.substr(8)) * 1024;
    }
    return 0;
}

/// Whether reading an unwatched mapping that has lost its file ends a child process.
bool endsByUnwatchedFault(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    auto* bytes = static_cast<volatile char*>(::mmap(nullptr, kMappedBytes, PROT_READ, MAP_SHARED, fd, 0));
    std::filesystem::resize_file(path, kKeptBytes);
    const auto child = ::fork();
    if (child == 0) {
        (void)bytes[kMappedBytes - 1];
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(fd);
    return status != 0; // by the signal, or by the sanitizer that handled it before
}

} // namespace

class MappedFileTest : public QObject {
    Q_OBJECT
  private slots:
    void readsZerosWhereTheFileWasCutOffMeanwhile() {
        const QTemporaryDir folder;
        const auto path = writeOnes(folder);
        const auto file = MappedFile::open(path);
        QVERIFY(file.hasValue());
        const auto bytes = file.value()->bytes();
        QCOMPARE(sumOf(bytes.first(kKeptBytes)), std::uint64_t{kKeptBytes});
        QVERIFY(!file.value()->hasLostBytes());
        std::filesystem::resize_file(path, kKeptBytes);
        QCOMPARE(sumOf(bytes), std::uint64_t{kKeptBytes});
        QVERIFY(file.value()->hasLostBytes());
        // The next file at the same place is complete.
        const auto other = MappedFile::open(writeOnes(folder));
        QCOMPARE(sumOf(other.value()->bytes()), std::uint64_t{kMappedBytes});
        QVERIFY(!other.value()->hasLostBytes());
    }
    void whatIsLetGoIsNoMemoryOfThisProcessAndIsReadAgain() {
        const QTemporaryDir folder;
        const auto file = MappedFile::open(writeOnes(folder));
        QCOMPARE(sumOf(file.value()->bytes()), std::uint64_t{kMappedBytes});
        const auto before = mappedResidentBytes();
        file.value()->letGo();
        const auto after = mappedResidentBytes();
        QVERIFY2(after + kMappedBytes * 3 / 4 < before, qPrintable(QString("%1, then %2").arg(before).arg(after)));
        QCOMPARE(sumOf(file.value()->bytes()), std::uint64_t{kMappedBytes});
        QVERIFY(!file.value()->hasLostBytes());
    }
    void readsPiecesWithoutMappingThemIn() {
        const QTemporaryDir folder;
        const auto path = writeOnes(folder);
        const auto file = MappedFile::open(path);
        std::array<std::byte, 512> room{};
        const auto before = mappedResidentBytes();
        for (std::uint64_t at = 0; at < kMappedBytes; at += 4096)
            QCOMPARE(sumOf(file.value()->read(at, room)), std::uint64_t{512});
        QVERIFY(mappedResidentBytes() < before + kMappedBytes / 4);
        QCOMPARE(sumOf(file.value()->read(kMappedBytes - 100, room)), std::uint64_t{100});
        QVERIFY(file.value()->read(kMappedBytes, room).empty());
        QVERIFY(!file.value()->hasLostBytes());
        // The same as when it is read as a whole.
        std::filesystem::resize_file(path, kKeptBytes);
        QCOMPARE(file.value()->read(kKeptBytes, room).size(), std::size_t{512});
        QVERIFY(file.value()->hasLostBytes());
    }
    void isReadByManyThreadsWhileItIsCutOff() {
        const QTemporaryDir folder;
        const auto path = writeOnes(folder);
        const auto file = MappedFile::open(path);
        QVERIFY(file.hasValue());
        std::vector<std::thread> readers;
        for (int i = 0; i < 4; ++i) {
            readers.emplace_back([&] {
                for (int pass = 0; pass < 10; ++pass)
                    (void)sumOf(file.value()->bytes());
            });
        }
        std::filesystem::resize_file(path, kKeptBytes);
        for (auto& reader : readers)
            reader.join();
        QCOMPARE(sumOf(file.value()->bytes()), std::uint64_t{kKeptBytes});
        QVERIFY(file.value()->hasLostBytes());
    }
    void leavesTheFaultsOfOthersAlone() {
        const QTemporaryDir folder;
        const auto watched = MappedFile::open(writeOnes(folder)); // opening any file installs the signal handler
        QVERIFY(watched.hasValue());
        const QTemporaryDir other;
        QVERIFY(endsByUnwatchedFault(writeOnes(other)));
    }
    void keepsAScratchFileWithoutAName() {
        const QTemporaryDir folder;
        qputenv("TMPDIR", folder.path().toUtf8());
        auto scratch = ScratchFile::create();
        QVERIFY(scratch.hasValue());
        QVERIFY(ScratchFile::freeBytes() > 0);
        const std::vector<std::byte> part(1'000'000, std::byte{1});
        for (int i = 0; i < 3; ++i)
            QVERIFY(scratch.value()->append(part).hasValue());
        QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
        auto mapped = scratch.value()->map();
        QVERIFY(mapped.hasValue());
        scratch.value().reset();
        QCOMPARE(sumOf(mapped.value()->bytes()), std::uint64_t{3'000'000});
        qputenv("TMPDIR", "/nowhere");
        const auto failed = ScratchFile::create();
        QVERIFY(!failed.hasValue());
        QCOMPARE(failed.error().message, std::string("Cannot write /nowhere: No such file or directory."));
        qunsetenv("TMPDIR");
    }
};
HIGHWATER_TEST(MappedFileTest);
#include "mapped_file_test_linux.moc"
