#include "core/pipeline/index/trace_index_cache.h"

#include "core/files/output_file.h"
#include "core/pipeline/index/trace_index_key.h"
#include "tests/core/pipeline/index/index_stage.h"
#include "tests/support/test_registry.h"

#include <chrono>

using namespace highwater;
using pipeline::TraceIndexCache;
using pipeline::TraceLoader;
namespace fs = std::filesystem;

class TraceIndexCacheTest : public QObject {
    Q_OBJECT
  private slots:
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
        const auto left = write("b.12.index-part", std::chrono::hours(0)); // by a killed process
        const auto isWritten = write("c.12.index-part", std::chrono::hours(7));
        const auto writer = OutputFile::hold(isWritten); // by a running process
        QVERIFY(writer.hasValue());
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
        fs::resize_file(unused, bytes / 2 + 2); // too much together with the others
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
HIGHWATER_TEST(TraceIndexCacheTest);
#include "trace_index_cache_test.moc"
