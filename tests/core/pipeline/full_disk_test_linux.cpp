#include "core/base/text.h"
#include "core/pipeline/recording.h"
#include "core/pipeline/spool/memory_record.h"
#include "tests/core/pipeline/small_batches.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// While it exists, no file of this program can grow beyond this many bytes.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit small{bytes, limit_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    rlimit limit_{};
    void (*before_)(int);
};

/// A file's remark about itself, if there is exactly one.
std::string saidIn(const std::filesystem::path& path) {
    const auto remarks = load(path)->health.remarks;
    return remarks.size() == 1 ? remarks[0] : std::to_string(remarks.size()) + " remarks";
}

/// The number of memory records in a file, counted as a recording counts them.
std::uint64_t memoryRecordsIn(const std::vector<std::byte>& bytes) {
    struct Counter final : etl::RecordSink {
        std::uint64_t count = 0;
        void onBatch(etl::RecordBatch& batch) override {
            count +=
                static_cast<std::uint64_t>(std::count_if(batch.records.begin(), batch.records.end(), isMemoryRecord));
        }
    } counter;
    TraceHealth health;
    Progress progress;
    auto file = source::EtlFileSource::fromMemory(bytes, "trace.etl", health);
    if (!file.hasValue() || !file.value()->run(counter, health, {}, progress).hasValue()) qFatal("cannot be read");
    return counter.count;
}

std::vector<std::byte> bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

} // namespace

/// Recordings whose file cannot grow any more.
class FullDiskTest : public QObject {
    Q_OBJECT
  private slots:
    void saysInTheFileThatItWasCutOff() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        for (const auto compression : {etl::Compression::None, etl::Compression::Xpress}) {
            std::optional<SmallFiles> full(std::in_place, compression == etl::Compression::None ? 400'000 : 20'000);
            auto options = keeping(folder, std::nullopt);
            options.compression = compression;
            Recording recording(smallBatches(fixtures::exercise2Trace().bytes().value()), options);
            recording.wait();
            QVERIFY(recording.status().spoolError.has_value());
            // An unsaved file has the remark as well.
            QVERIFY2(saidIn(options.spool).starts_with("The file was cut off at "), saidIn(options.spool).c_str());
            const auto told = recording.save(saved).value();
            const auto lacks = thousands(recording.status().missingEvents);
            QVERIFY2(told.starts_with("The file ends before the recording does. It lacks at least " + lacks + " events. "),
                     told.c_str());
            full.reset();
            const auto file = load(saved);
            QVERIFY(file->heap.rows < recording.trace().latest()->heap.rows);
            QVERIFY(file->health.totalsAreBounds());
            QCOMPARE(file->health[Loss::EventsLost], recording.status().missingEvents);
            const auto said = saidIn(saved);
            QVERIFY2(said.starts_with("The file was cut off at "), said.c_str());
            QVERIFY2(said.find(thousands(recording.status().missingEvents) + " events") != std::string::npos,
                     said.c_str());
            QVERIFY2(said.find(": File too large. Highwater may write files of at most ") != std::string::npos,
                     said.c_str());
            std::filesystem::remove(saved);
        }
    }
    /// Including events that came before the disk was full and were still in buffers.
    void everyEventIsInTheFileOrToldToBeMissing() {
        const auto all = fixtures::exercise2Trace().bytes().value();
        for (const auto compression : {etl::Compression::None, etl::Compression::Xpress}) {
            const QTemporaryDir folder(folderInMemory());
            const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
            std::optional<SmallFiles> full(std::in_place, compression == etl::Compression::None ? 400'000 : 20'000);
            auto options = keeping(folder, std::nullopt);
            options.compression = compression;
            Recording recording(smallBatches(all), options);
            recording.wait();
            QVERIFY(recording.status().spoolError.has_value());
            (void)recording.save(saved).value();
            full.reset();
            const auto kept = memoryRecordsIn(bytesOf(saved));
            QVERIFY(kept > 0);
            QCOMPARE(kept + recording.status().missingEvents, memoryRecordsIn(all));
        }
    }
    void goesOnInALaterFileWhenThereIsRoomAgain() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        std::optional<SmallFiles> full(std::in_place, 200'000);
        std::atomic<const Recording*> watched{nullptr};
        std::atomic<bool> wasFull{false};
        const auto makeRoomWhenToldSo = [&] {
            while (watched == nullptr)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (!full || !watched.load()->status().spoolError) return;
            wasFull = true;
            full.reset();
        };
        auto options = keeping(folder, KeepLast{std::chrono::milliseconds(500), 0});
        options.compression = etl::Compression::None;
        Recording recording(smallBatches(fixtures::exercise2Trace().bytes().value(), makeRoomWhenToldSo), options);
        watched = &recording;
        recording.wait();
        QVERIFY(wasFull);
        QVERIFY(!recording.status().spoolError.has_value());
        QVERIFY(!recording.status().windowError.has_value());
        QCOMPARE(recording.save(saved).value(), std::string());
        const auto file = load(saved);
        QVERIFY(file->isTrimmed());
        QCOMPARE(file->wholeRange().end.ns, recording.trace().latest()->wholeRange().end.ns);
    }
};
HIGHWATER_TEST(FullDiskTest);
#include "full_disk_test_linux.moc"
