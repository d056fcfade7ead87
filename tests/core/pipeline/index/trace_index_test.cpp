#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/index/trace_index_key.h"
#include "core/pipeline/trace_loader.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace highwater;
using pipeline::LoadState;
using pipeline::TraceIndexCache;
using pipeline::TraceLoader;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kManyBytes = std::uint64_t{1} << 30;

/// A trace in a folder of its own, and a folder for its index.
class IndexStage {
  public:
    IndexStage() : trace_(writeFile(folder_, "t1.etl", fixtures::exercise2Trace().bytes().value())) {}

    [[nodiscard]] const fs::path& trace() const { return trace_; }
    [[nodiscard]] fs::path indexes() const { return folder_.filePath("indexes").toStdString(); }
    [[nodiscard]] TraceIndexCache::Options options() const {
        return {.folder = indexes(), .limitBytes = kManyBytes, .leastTraceBytes = 0};
    }
    /// The only one.
    [[nodiscard]] fs::path index() const {
        fs::path found;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(indexes(), error))
            found = entry.path();
        return found;
    }
    void open(const TraceIndexCache::Options& options) const {
        TraceLoader loader({trace_}, std::make_shared<TraceIndexCache>(options));
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
    }
    /// What an index says; nothing: there is none that can be used.
    [[nodiscard]] std::optional<pipeline::IndexedTrace> find() const {
        const TraceIndexCache cache(options());
        return cache.find(cache.keyOf({trace_}), {trace_});
    }

  private:
    QTemporaryDir folder_;
    fs::path trace_;
};

void changeByte(const fs::path& path, std::int64_t at) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
}

} // namespace

class TraceIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsAllThatWasMadeOfATrace() {
        const IndexStage stage;
        TraceLoader first({stage.trace()}, std::make_shared<TraceIndexCache>(stage.options()));
        first.wait();
        QVERIFY(stage.find().has_value());
        TraceLoader again({stage.trace()}, std::make_shared<TraceIndexCache>(stage.options()));
        again.wait();
        QCOMPARE(again.state(), LoadState::Finished);
        QCOMPARE(again.progress().done.load(), first.progress().done.load());
        QCOMPARE(again.progress().total.load(), first.progress().total.load());
        QCOMPARE(again.facts().counts.total, first.facts().counts.total);
        QCOMPARE(again.facts().properties.paths, first.facts().properties.paths);
        const auto a = first.latest();
        const auto b = again.latest();
        QVERIFY(b->columns->names->backing != nullptr);
        QVERIFY(a->columns->names->backing == nullptr);
        QCOMPARE(b->heap.rows, a->heap.rows);
        for (std::uint32_t row = 0; row < a->heap.rows; ++row) {
            QCOMPARE(b->heap.begin(row).ns, a->heap.begin(row).ns);
            QCOMPARE(b->heap.end(row).ns, a->heap.end(row).ns);
            QCOMPARE(b->heap.size(row), a->heap.size(row));
            QCOMPARE(b->columns->heap.rows.address(row), a->columns->heap.rows.address(row));
            QVERIFY(b->heap.site(row) == a->heap.site(row));
            QCOMPARE(b->leaf(b->heap.site(row).stack), a->leaf(a->heap.site(row).stack));
        }
    }
    void outlivesItsFile() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto found = stage.find();
        QVERIFY(found.has_value());
        fs::remove(stage.index());
        QCOMPARE(found->trace->heap.size(0), ByteCount{1000});
    }
    /// Wherever it is damaged.
    void isNotUsedWhenItIsDamaged() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto index = stage.index();
        const auto bytes = static_cast<std::int64_t>(fs::file_size(index));
        QVERIFY(stage.find().has_value());
        constexpr std::int64_t kPlaces = 50;
        for (std::int64_t i = 0; i < kPlaces; ++i) {
            const auto at = i < 32 ? i : bytes - 1 - (i - 32) * (bytes - 33) / kPlaces; // all of the header that counts
            changeByte(index, at);
            QVERIFY2(!stage.find().has_value(), qPrintable(QString::number(at)));
            changeByte(index, at);
        }
        QVERIFY(stage.find().has_value());
    }
    void isNotUsedWhenItIsCutOff_data() {
        QTest::addColumn<double>("left");
        for (const auto left : {0.0, 0.0001, 0.5, 0.99, 1.01})
            QTest::newRow(qPrintable(QString::number(left))) << left;
    }
    void isNotUsedWhenItIsCutOff() {
        QFETCH(double, left);
        const IndexStage stage;
        stage.open(stage.options());
        const auto index = stage.index();
        fs::resize_file(index, static_cast<std::uintmax_t>(static_cast<double>(fs::file_size(index)) * left));
        QVERIFY(!stage.find().has_value());
        stage.open(stage.options()); // and is written again
        QVERIFY(stage.find().has_value());
    }
    void isNotUsedWhenTheTraceHasChanged() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto time = fs::last_write_time(stage.trace());
        fs::last_write_time(stage.trace(), time + std::chrono::seconds(1));
        QVERIFY(!stage.find().has_value());
        fs::last_write_time(stage.trace(), time);
        QVERIFY(stage.find().has_value());
        changeByte(stage.trace(), static_cast<std::int64_t>(fs::file_size(stage.trace()) / 2));
        fs::last_write_time(stage.trace(), time);
        QVERIFY(!stage.find().has_value());
    }
    void isNotUsedByAnotherVersion() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto file = MappedFile::open(stage.index());
        const auto key = TraceIndexCache(stage.options()).keyOf({stage.trace()});
        const std::vector<std::string> named{stage.trace().string()};
        QVERIFY(pipeline::readTraceIndex(file.value(), key, named).has_value());
        QVERIFY(!pipeline::readTraceIndex(file.value(), "Highwater 9.9.9" + key.substr(15), named).has_value());
    }
    void knowsATraceByAnotherName() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto other = stage.trace().parent_path() / "." / "t1.etl";
        TraceLoader loader({other}, std::make_shared<TraceIndexCache>(stage.options()));
        loader.wait();
        QVERIFY(loader.latest()->columns->names->backing != nullptr);
        QCOMPARE(loader.facts().properties.paths, std::vector<std::string>{other.string()});
    }
    void isNotWrittenForSmallTraces() {
        const IndexStage stage;
        auto options = stage.options();
        options.leastTraceBytes = fs::file_size(stage.trace()) + 1;
        stage.open(options);
        QVERIFY(!fs::exists(stage.indexes()));
    }
    void isNotWrittenByThoseWhoOnlyRead() {
        const IndexStage stage;
        auto options = stage.options();
        options.writes = false;
        stage.open(options);
        QVERIFY(!fs::exists(stage.indexes()));
    }
    void isNotWrittenBeyondTheLimit() {
        const IndexStage stage;
        auto options = stage.options();
        options.limitBytes = 1000;
        stage.open(options);
        QVERIFY(stage.index().empty());
    }
    void isNotWrittenForRecordingsThatGoOn() {
        const IndexStage stage;
        TraceIndexCache cache(stage.options());
        TraceLoader loader({stage.trace()});
        loader.wait();
        pipeline::IndexedTrace trace{loader.latest(), loader.facts(), loader.notes()};
        trace.facts.properties.closed = false;
        const std::stop_source stop;
        cache.save(cache.keyOf({stage.trace()}), {stage.trace()}, trace, stop.get_token());
        QVERIFY(stage.index().empty());
        trace.facts.properties.closed = true;
        cache.save(cache.keyOf({stage.trace()}), {stage.trace()}, trace, stop.get_token());
        QVERIFY(!stage.index().empty());
    }
    void leavesNothingWhenItIsStopped() {
        const IndexStage stage;
        TraceIndexCache cache(stage.options());
        TraceLoader loader({stage.trace()});
        loader.wait();
        std::stop_source stop;
        stop.request_stop();
        cache.save(cache.keyOf({stage.trace()}), {stage.trace()}, {loader.latest(), loader.facts(), loader.notes()},
                   stop.get_token());
        QVERIFY(fs::exists(stage.indexes()));
        QVERIFY(stage.index().empty());
    }
    void makesRoomOfWhatWasNotUsedForTheLongestTime() {
        const IndexStage stage;
        fs::create_directories(stage.indexes());
        const auto write = [&](const char* name, std::chrono::hours age) {
            const auto path = stage.indexes() / name;
            std::ofstream(path) << std::string(1000, 'x');
            fs::last_write_time(path, fs::file_time_type::clock::now() - age);
            return path;
        };
        const auto old = write("a.index", std::chrono::hours(24 * 61));
        const auto left = write("b.12.index-part", std::chrono::hours(7));
        const auto isWritten = write("c.12.index-part", std::chrono::hours(1));
        const auto others = write("notes.txt", std::chrono::hours(24 * 100));
        const auto unused = write("d.index", std::chrono::hours(48));
        const auto used = write("e.index", std::chrono::hours(1));
        stage.open(stage.options());
        QVERIFY(!fs::exists(old) && !fs::exists(left));
        QVERIFY(fs::exists(isWritten) && fs::exists(others) && fs::exists(unused) && fs::exists(used));

        const auto index = stage.indexes() / (pipeline::traceIndexName({stage.trace()}) + ".index");
        const auto bytes = fs::file_size(index);
        fs::remove(index);
        auto options = stage.options();
        options.limitBytes = bytes * 2;         // an index may take half of it
        fs::resize_file(unused, bytes / 2 + 1); // with the others too much
        fs::resize_file(used, bytes / 2);
        fs::last_write_time(unused, fs::file_time_type::clock::now() - std::chrono::hours(48));
        fs::last_write_time(used, fs::file_time_type::clock::now() - std::chrono::hours(1));
        stage.open(options);
        QVERIFY(fs::exists(index));
        QVERIFY(!fs::exists(unused));
        QVERIFY(fs::exists(used));
    }
    void isForItsOwnerAlone() {
        const IndexStage stage;
        stage.open(stage.options());
#ifdef Q_OS_LINUX
        QCOMPARE(fs::status(stage.indexes()).permissions(), fs::perms::owner_all);
        QCOMPARE(fs::status(stage.index()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
#endif
    }
};
HIGHWATER_TEST(TraceIndexTest);
#include "trace_index_test.moc"
