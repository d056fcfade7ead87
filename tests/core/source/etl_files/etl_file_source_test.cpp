#include "core/source/etl_files/etl_file_source.h"

#include "core/event/opcodes.h"
#include "core/event/record_counts.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// Counts as `info` does, and checks the order.
class CountingSink final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        ++batches;
        largestBatch = std::max(largestBatch, batch.records.size());
        for (const auto& record : batch.records) {
            ++total;
            ++byHeader[etl::name(record.header)];
            backwards += record.ticks < last;
            last = record.ticks;
            if (record.kind == etl::RawRecord::Kind::Classic) ++byGroup[record.group];
            imageIds += record.kind == etl::RawRecord::Kind::Provider && record.providerGuid().data1 == 0xb3e675d7;
        }
        if (stopAfterFirst != nullptr) stopAfterFirst->request_stop();
    }
    [[nodiscard]] QString headers() const {
        QStringList parts;
        for (const auto& [header, count] : byHeader)
            parts << QString("%1:%2").arg(header.c_str()).arg(count);
        return parts.join(' ');
    }

    std::uint64_t total = 0, batches = 0, backwards = 0, imageIds = 0;
    std::size_t largestBatch = 0;
    std::map<std::string, std::uint64_t> byHeader;
    std::map<int, std::uint64_t> byGroup;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    std::stop_source* stopAfterFirst = nullptr;
};

std::vector<std::filesystem::path> traces(const std::vector<const char*>& names) {
    std::vector<std::filesystem::path> paths;
    for (const auto* name : names)
        paths.push_back(std::filesystem::path(sharedTracesFolder()) / name);
    return paths;
}

void write(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::string errorOf(const std::vector<std::filesystem::path>& paths) {
    TraceHealth health;
    const auto source = EtlFileSource::open(paths, health);
    return source.hasValue() ? "" : source.error().message;
}

} // namespace

class EtlFileSourceTest : public QObject {
    Q_OBJECT
  private slots:
    /// The table in the README beside the traces.
    void readsRealTraces_data() {
        QTest::addColumn<qulonglong>("buffers");
        QTest::addColumn<qulonglong>("compressed");
        QTest::addColumn<qulonglong>("events");
        QTest::addColumn<QString>("headers");
        const auto add = [](const char* name, qulonglong buffers, qulonglong compressed, qulonglong events,
                            const char* headers) {
            QTest::newRow(name) << buffers << compressed << events << QString(headers);
        };
        add("airbus_ShutdownPerfDiagLogger.etl", 49, 0, 17078, "PERFINFO64:8645 SYSTEM64:8433");
        add("johnludlow_PerfViewData.etl", 13, 12, 104, "EVENT64:64 FULL64:36 SYSTEM64:4");
        add("krabsetw_powershell.etl", 26, 0, 114, "EVENT64:112 SYSTEM64:2");
        add("msbuild_PerfViewData.etl", 30, 29, 5871, "EVENT32:5795 FULL32:72 SYSTEM32:1 SYSTEM64:3");
        add("perfview_diaghub.etl", 103, 0, 62379, "FULL64:62378 SYSTEM64:1");
        add("perfview_diaghub.kernel.1.etl", 59, 0, 16335, "EVENT64:1 PERFINFO64:15299 SYSTEM64:1035");
        add("perfview_diaghub.user_injected.1.etl", 2, 0, 4, "EVENT64:3 SYSTEM64:1");
        add("perfview_diaghub.user_paged.1.etl", 139, 0, 22035, "EVENT64:22034 SYSTEM64:1");
        add("perfview_net.4.5.2.x64.etl", 360, 359, 179474,
            "EVENT32:33378 EVENT64:34765 FULL32:27 FULL64:7956 PERFINFO64:100157 SYSTEM32:2 SYSTEM64:3189");
        add("perfview_smallEtlFile.etl", 2, 1, 2, "EVENT32:1 SYSTEM32:1");
        add("s4_OneDriveCldFlt0.etl", 2, 0, 17, "MESSAGE:13 PERFINFO64:2 SYSTEM64:2");
        add("sawbuck_image_data_32_v0.etl", 3, 0, 27, "FULL32:26 SYSTEM32:1");
        add("sawbuck_image_data_64_v2.etl", 3, 0, 27, "FULL32:26 SYSTEM32:1");
        add("sawbuck_process_data_32_v1.etl", 2, 0, 3, "FULL32:2 SYSTEM32:1");
        add("sawbuck_process_data_64_v3.etl", 2, 0, 9, "FULL32:8 SYSTEM32:1");
    }
    void readsRealTraces() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not here.");
        QFETCH(qulonglong, buffers);
        QFETCH(qulonglong, compressed);
        QFETCH(qulonglong, events);
        QFETCH(QString, headers);
        TraceHealth health;
        auto source = EtlFileSource::open(traces({QTest::currentDataTag()}), health);
        QVERIFY(source.hasValue());
        QCOMPARE(qulonglong{source.value()->facts().buffers}, buffers);
        QCOMPARE(qulonglong{source.value()->facts().buffersCompressed}, compressed);
        Progress progress;
        for (int round = 0; round < 2; ++round) { // a second run starts from the beginning
            CountingSink sink;
            QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
            QCOMPARE(qulonglong{sink.total}, events);
            QCOMPARE(sink.headers(), headers);
            QCOMPARE(sink.backwards, std::uint64_t{0});
            QVERIFY(sink.largestBatch <= 1024);
        }
        QCOMPARE(progress.done.load(), progress.total.load());
        QCOMPARE(progress.total.load(), source.value()->properties().fileBytes);
        QVERIFY(health.report().isClean());
    }
    void opensFilesOfOneBootTogether() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not here.");
        TraceHealth health;
        const auto paths = traces({"perfview_diaghub.user_paged.1.etl", "perfview_diaghub.etl",
                                   "perfview_diaghub.kernel.1.etl", "perfview_diaghub.user_injected.1.etl"});
        auto source = EtlFileSource::open(paths, health);
        QVERIFY(source.hasValue());
        QCOMPARE(source.value()->facts().buffers, std::uint64_t{103 + 59 + 2 + 139});
        QCOMPARE(source.value()->properties().firstTicks, std::int64_t{13764840754});
        QCOMPARE(source.value()->properties().startFileTime, std::int64_t{132445973972118091});
        CountingSink sink;
        Progress progress;
        QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
        QCOMPARE(sink.total, std::uint64_t{62379 + 16335 + 4 + 22035});
        QCOMPARE(sink.backwards, std::uint64_t{0});
        QCOMPARE(sink.imageIds, std::uint64_t{62341});
        QCOMPARE(sink.byGroup[group::kProcess] + sink.byGroup[group::kImage], std::uint64_t{15349 + 566});
        QVERIFY(health.report().isClean());
    }
    void refusesFilesOfDifferentBoots() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not here.");
        const auto error = errorOf(traces({"perfview_diaghub.etl", "johnludlow_PerfViewData.etl"}));
        QVERIFY(error.find("different system boots") != std::string::npos);
        const auto clock = errorOf(traces({"perfview_diaghub.etl", "s4_OneDriveCldFlt0.etl"}));
        QVERIFY(clock.find("different clocks") != std::string::npos);
    }
    void allowsBootTimesThatDifferALittle() {
        const QTemporaryDir folder;
        const std::filesystem::path base(folder.path().toStdString());
        const auto record = classicRecord(etl::HeaderType::System64, 2000, 0, 8);
        auto properties = exampleProperties();
        write(base / "a.etl", writeTrace({record}, {}, properties));
        properties.bootFileTime += 5'000'000; // half a second
        write(base / "b.etl", writeTrace({record}, {}, properties));
        properties.bootFileTime += 3'600'000'000'0;
        write(base / "c.etl", writeTrace({record}, {}, properties));
        properties.bootFileTime = exampleProperties().bootFileTime;
        properties.ticksPerSecond = 2'400'000;
        write(base / "d.etl", writeTrace({record}, {}, properties));
        QCOMPARE(errorOf({base / "a.etl", base / "b.etl"}), std::string());
        QVERIFY(errorOf({base / "a.etl", base / "c.etl"}).find("different system boots") != std::string::npos);
        QVERIFY(errorOf({base / "a.etl", base / "d.etl"}).find("different speeds") != std::string::npos);
    }
    void knowsTheClocks() {
        struct Case {
            std::uint32_t type;
            ClockKind clock;
            std::int64_t ticksPerSecond;
        };
        for (const auto& [type, clock, ticksPerSecond] :
             {Case{0, ClockKind::Qpc, 3'117'777}, Case{1, ClockKind::Qpc, 3'117'777},
              Case{2, ClockKind::SystemTime, 10'000'000}, Case{3, ClockKind::CpuCycle, 2'400'000'000}}) {
            auto properties = exampleProperties();
            properties.ticksPerSecond = 3'117'777;
            auto file = writeTrace({}, {}, properties);
            patch(file, 72 + 32 + 272, type);
            TraceHealth health;
            auto source = EtlFileSource::fromMemory(std::move(file), "a.etl", health);
            QVERIFY(source.hasValue());
            QCOMPARE(source.value()->properties().clock, clock);
            QCOMPARE(source.value()->properties().ticksPerSecond, ticksPerSecond);
        }
    }
    void saysWhenAFileWasNotClosed() {
        auto file = writeTrace({classicRecord(etl::HeaderType::System64, 2000, 0, 8)});
        patch(file, 72 + 32 + 16, std::int64_t{0});
        patch(file, 72 + 32 + 36, std::uint32_t{0});
        TraceHealth health;
        auto source = EtlFileSource::fromMemory(std::move(file), "a.etl", health);
        QVERIFY(!source.value()->properties().closed);
        CountingSink sink;
        Progress progress;
        QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
        QCOMPARE(sink.total, std::uint64_t{2});
        const auto report = health.report();
        QCOMPARE(report.remarks,
                 std::vector<std::string>{"The recording was not ended properly. Its end may be missing in "
                                          "a.etl. The recorder was killed or is still recording."});
        QVERIFY(report.totalsAreBounds());
        QVERIFY(report.counts == HealthReport().counts);
    }
    void stopsWithinOneBatch() {
        std::vector<OwnedRecord> records;
        for (std::int64_t i = 0; i < 5000; ++i)
            records.push_back(classicRecord(etl::HeaderType::System64, 2000 + i, 0, 8));
        TraceHealth health;
        auto source = EtlFileSource::fromMemory(writeTrace(records), "a.etl", health);
        std::stop_source stop;
        CountingSink sink;
        sink.stopAfterFirst = &stop;
        Progress progress;
        const auto result = source.value()->run(sink, health, stop.get_token(), progress);
        QCOMPARE(result.error().kind, ErrorKind::Cancelled);
        QCOMPARE(sink.batches, std::uint64_t{1});
    }
    void tellsWhenTheFileIsCutOffWhileItIsRead() {
#ifndef Q_OS_WIN // impossible there
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.filePath("a.etl").toStdString());
        std::vector<OwnedRecord> records;
        for (int i = 0; i < 5000; ++i)
            records.push_back(classicRecord(etl::HeaderType::System64, 2000 + i, 0, 368));
        const auto bytes = writeTrace(records);
        write(path, bytes);
        TraceHealth health;
        auto source = EtlFileSource::open({path}, health);
        QVERIFY(source.hasValue());
        std::filesystem::resize_file(path, bytes.size() / 2);
        CountingSink sink;
        Progress progress;
        QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
        QVERIFY(sink.total > 2000 && sink.total < 3000);
        QVERIFY(health.report().totalsAreBounds());
        QCOMPARE(health.report().remarks.at(0),
                 path.string() + " was cut off while it was being read, or its disk failed: part of it is missing.");
#endif
    }
    void refusesWhatIsNoTrace() {
        const QTemporaryDir folder;
        const std::filesystem::path base(folder.path().toStdString());
        write(base / "empty.etl", {});
        write(base / "picture.etl",
              {std::byte{0x89}, std::byte{'P'}, std::byte{'N'}, std::byte{'G'}, std::byte{'\r'}, std::byte{'\n'}});
        QVERIFY(errorOf({base / "empty.etl"}).find("empty.etl is empty.") != std::string::npos);
        QVERIFY(errorOf({base / "picture.etl"}).find("picture.etl is a PNG image. Highwater opens ") !=
                std::string::npos);
        QVERIFY(errorOf({base}).find("is a folder.") != std::string::npos);
        QVERIFY(errorOf({base / "absent.etl"}).find("absent.etl does not exist. Check ") != std::string::npos);
        QVERIFY(!errorOf({}).empty());
    }
};
HIGHWATER_TEST(EtlFileSourceTest);
#include "etl_file_source_test.moc"
