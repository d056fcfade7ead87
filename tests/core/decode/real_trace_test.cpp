#include "core/decode/record_decoder.h"
#include "core/event/opcodes.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/decode/recording_sink.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <map>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

/// Frames of all stacks, judged after the whole trace is known.
struct SeenStacks final : StackObserver {
    struct Frame {
        std::uint32_t pid;
        Address address;
    };
    std::vector<Frame> frames;
    void onStack(TraceTime, std::uint32_t pid, std::span<const Address> stack) override {
        for (const auto address : stack)
            frames.push_back({pid, address});
    }
};

struct DecodedTrace {
    RecordingSink sink;
    SeenStacks stacks;
    RecordCounts counts;
    HealthReport health;
    TraceTime end;
};

struct DecodingSink final : etl::RecordSink {
    RecordDecoder& decoder;
    explicit DecodingSink(RecordDecoder& d) : decoder(d) {}
    void onBatch(etl::RecordBatch& batch) override { decoder.decode(batch.records); }
};

void decodeTrace(const std::vector<std::string>& names, DecodedTrace& out) {
    std::vector<std::filesystem::path> paths;
    for (const auto& name : names)
        paths.push_back(std::filesystem::path(sharedTracesFolder()) / name);
    TraceHealth health;
    auto source = source::EtlFileSource::open(paths, health);
    QVERIFY2(source.hasValue(), source.hasValue() ? "" : source.error().message.c_str());
    RecordDecoder decoder(source.value()->properties(), out.sink, health, {.stackObserver = &out.stacks});
    DecodingSink sink(decoder);
    Progress progress;
    QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
    decoder.finish();
    out.counts = decoder.counts();
    out.health = health.report();
    out.end = decoder.endTime();
}

std::uint64_t opcodes(const RecordCounts& counts, std::uint8_t group, std::initializer_list<int> list) {
    std::uint64_t sum = 0;
    for (const auto opcode : list)
        sum += counts.byGroup[group][static_cast<std::size_t>(opcode)];
    return sum;
}

/// The counts of an independent reader. Image loads are records of the Process group.
struct ExpectedCounts {
    const char* file;
    std::uint64_t events, stackWalk, extendedStacks, image, imageId, process, thread;
    double spanSeconds;
};

const ExpectedCounts kExpected[] = {
    {"airbus_ShutdownPerfDiagLogger.etl", 17078, 0, 0, 13683, 0, 328, 3058, 29523.91},
    {"johnludlow_PerfViewData.etl", 104, 0, 0, 0, 0, 0, 0, 37.07},
    {"krabsetw_powershell.etl", 114, 0, 0, 0, 0, 0, 0, 137.42},
    {"msbuild_PerfViewData.etl", 5871, 0, 0, 0, 0, 0, 0, 4.47},
    {"perfview_diaghub.etl", 62379, 0, 0, 0, 62341, 0, 0, 13.07},
    {"perfview_diaghub.kernel.1.etl", 16335, 0, 0, 15349, 0, 566, 0, 13.07},
    {"perfview_diaghub.user_injected.1.etl", 4, 0, 0, 0, 0, 0, 0, 10.83},
    {"perfview_diaghub.user_paged.1.etl", 22035, 0, 176, 0, 0, 0, 0, 10.81},
    {"perfview_net.4.5.2.x64.etl", 179474, 12280, 655, 3563, 7885, 136, 1358, 12.58},
    {"perfview_smallEtlFile.etl", 2, 0, 0, 0, 0, 0, 0, 0.03},
    {"s4_OneDriveCldFlt0.etl", 17, 0, 0, 0, 0, 0, 0, 20.42},
    {"sawbuck_image_data_32_v0.etl", 27, 0, 0, 26, 0, 0, 0, 2.00},
    {"sawbuck_image_data_64_v2.etl", 27, 0, 0, 26, 0, 0, 0, 2.00},
    {"sawbuck_process_data_32_v1.etl", 3, 0, 0, 0, 0, 2, 0, 1.00},
    {"sawbuck_process_data_64_v3.etl", 9, 0, 0, 0, 0, 8, 0, 1.00},
};

/// Share of the frames of one mode that are in an image of their process (kernel frames: in one of the kernel).
double coverage(const DecodedTrace& trace, bool kernel) {
    std::map<std::uint32_t, std::map<Address, Address>> images; // pid -> base -> end
    for (const auto& image : trace.sink.images)
        images[image.pid][image.base] = image.base + image.size;
    std::size_t total = 0;
    std::size_t covered = 0;
    for (const auto& frame : trace.stacks.frames) {
        if (((frame.address >> 63) != 0) != kernel) continue;
        ++total;
        const auto& known = images[kernel ? 0 : frame.pid];
        const auto after = known.upper_bound(frame.address);
        if (after != known.begin() && frame.address < std::prev(after)->second) ++covered;
    }
    return total == 0 ? 0 : 100.0 * static_cast<double>(covered) / static_cast<double>(total);
}

} // namespace

/// Recordings of real machines, against the counts of an independent reader.
class RealTraceTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not there.");
    }
    void countsAgreeWithAnIndependentReader() {
        for (const auto& expected : kExpected) {
            DecodedTrace trace;
            decodeTrace({expected.file}, trace);
            const auto& counts = trace.counts;
            const QByteArray file(expected.file);
            const auto check = [&](const char* what, std::uint64_t actual, std::uint64_t wanted) {
                QVERIFY2(actual == wanted, file + ": " + what + " " + QByteArray::number(actual));
            };
            check("events", counts.total, expected.events);
            check("stack records", counts.group(group::kStackWalk), expected.stackWalk);
            check("extended stacks", counts.extendedStacks, expected.extendedStacks);
            check("images", counts.group(group::kImage), expected.image);
            check("image ids", counts.imageIds, expected.imageId);
            check("processes", counts.group(group::kProcess), expected.process);
            check("threads", opcodes(counts, group::kThread, {1, 2, 3, 4}), expected.thread);
            QVERIFY2(std::abs(trace.end.seconds() - expected.spanSeconds) < 0.011,
                     file + ": span " + QByteArray::number(trace.end.seconds()));
            QVERIFY2(std::is_sorted(trace.sink.order.begin(), trace.sink.order.end()), file);
        }
    }
    void resolvesEveryStackKey() {
        DecodedTrace trace;
        decodeTrace({"perfview_net.4.5.2.x64.etl"}, trace);
        QCOMPARE(trace.health[Loss::StacksUnresolved], std::uint64_t{0});
        QCOMPARE(opcodes(trace.counts, group::kStackWalk, {32}), std::uint64_t{252});
        QCOMPARE(opcodes(trace.counts, group::kStackWalk, {35}), std::uint64_t{1909});
        QCOMPARE(opcodes(trace.counts, group::kStackWalk, {36}), std::uint64_t{1012});
        QCOMPARE(opcodes(trace.counts, group::kStackWalk, {37, 38}), std::uint64_t{9107});
    }
    void framesLieInImagesOfTheirProcess() {
        DecodedTrace trace;
        decodeTrace({"perfview_net.4.5.2.x64.etl"}, trace);
        const double kernel = coverage(trace, true);
        const double user = coverage(trace, false);
        QVERIFY2(kernel >= 99.8, qPrintable(QString::number(kernel)));
        QVERIFY2(user >= 80.0 && user <= 81.5, qPrintable(QString::number(user))); // the rest is generated code
    }
    void readsNamesPathsAndIdentities() {
        DecodedTrace trace;
        decodeTrace({"perfview_net.4.5.2.x64.etl"}, trace);
        const auto& sink = trace.sink;
        QVERIFY(!sink.processes.empty());
        QVERIFY(
            std::all_of(sink.processes.begin(), sink.processes.end(), [](const auto& p) { return !p.name.empty(); }));
        QVERIFY(std::all_of(sink.images.begin(), sink.images.end(),
                            [](const auto& i) { return !i.path.empty() && i.size > 0; }));
        const auto isPdb = [](const ImageIdentityEvent& event) { return event.identity.pdbName.ends_with(".pdb"); };
        QVERIFY(std::any_of(sink.identities.begin(), sink.identities.end(), isPdb));
        const auto isDriveC = [](const VolumeMappingEvent& mapping) { return mapping.dosPath == "C:\\"; };
        QVERIFY(std::any_of(sink.volumes.begin(), sink.volumes.end(), isDriveC));
        QCOMPARE(trace.health[Loss::RecordsTruncated], std::uint64_t{0});
        const auto isTick = [](const auto& one) { return one.event.operation == MemoryOperation::ManagedAlloc; };
        QVERIFY(std::ranges::all_of(sink.events, isTick)); // the only memory events are ticks of the CLR
        QCOMPARE(sink.events.size(), std::size_t{10'382});
    }
    void decodesSeveralFilesOfOneRecording() {
        DecodedTrace trace;
        decodeTrace({"perfview_diaghub.etl", "perfview_diaghub.kernel.1.etl", "perfview_diaghub.user_injected.1.etl",
                     "perfview_diaghub.user_paged.1.etl"},
                    trace);
        QCOMPARE(trace.counts.total, std::uint64_t{62379 + 16335 + 4 + 22035});
        QCOMPARE(trace.counts.imageIds, std::uint64_t{62341});
        QCOMPARE(trace.counts.extendedStacks, std::uint64_t{176});
        QVERIFY(std::is_sorted(trace.sink.order.begin(), trace.sink.order.end()));
    }
};
HIGHWATER_TEST(RealTraceTest);
#include "real_trace_test.moc"
