#include "core/decode/record_decoder.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/partial_event_sink.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <utility>

using namespace highwater;
using namespace highwater::fixtures;

namespace {

/// Output of a decoder, in the types of the builder.
class HappeningSink final : public tests::PartialEventSink {
  public:
    std::vector<Happening> memory;
    std::vector<ProcessEvent> processes;
    std::vector<ThreadEvent> threads;
    std::vector<ImageEvent> images;
    std::vector<ImageIdentityEvent> identities;
    std::vector<VolumeMappingEvent> volumes;

    void onMemoryEvent(const MemoryEvent& event) override {
        if (event.stack.kind == EventStack::Kind::Pending) waiting_.emplace_back(event.stack.pending, memory.size());
        memory.push_back(
            {event.time, event.pid, event.tid.value, event, {event.stack.frames.begin(), event.stack.frames.end()}});
    }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        for (const auto& [pending, index] : waiting_) {
            if (pending == id) memory[index].frames.assign(frames.begin(), frames.end());
        }
        std::erase_if(waiting_, [&](const auto& each) { return each.first == id; });
    }
    void onProcess(const ProcessEvent& event) override { processes.push_back(event); }
    void onThread(const ThreadEvent& event) override { threads.push_back(event); }
    void onImage(const ImageEvent& event) override { images.push_back(event); }
    void onImageIdentity(const ImageIdentityEvent& event) override { identities.push_back(event); }
    void onVolumeMapping(const VolumeMappingEvent& event) override { volumes.push_back(event); }
    void onTimeReached(TraceTime) override {}

  private:
    std::vector<std::pair<PendingStackId, std::size_t>> waiting_;
};

class DecodingSink final : public etl::RecordSink {
  public:
    explicit DecodingSink(decode::RecordDecoder& decoder) : decoder_(decoder) {}
    void onBatch(etl::RecordBatch& batch) override { decoder_.decode(batch.records); }

  private:
    decode::RecordDecoder& decoder_;
};

/// All values of a memory event, to compare and to sort by.
auto contentOf(const Happening& happening) {
    const auto& e = std::get<MemoryEvent>(happening.event);
    return std::tuple(e.time, e.operation, e.pid, e.address, e.size, e.heap, e.oldAddress, e.oldSize, e.flags, e.source,
                      happening.frames);
}

template <typename Event>
std::vector<Event> only(const std::vector<Happening>& happenings) {
    std::vector<Event> events;
    for (const auto& happening : happenings) {
        if (const auto* event = std::get_if<Event>(&happening.event)) events.push_back(*event);
    }
    return events;
}

} // namespace

/// Building events, writing them and reading them gives the same events again.
class TraceBuilderTest : public QObject {
    Q_OBJECT

    static void addShapes() {
        QTest::addColumn<QString>("name");
        for (const auto& shape : exercise2Shapes()) {
            if (shape.shape.dropBuffer) continue;
            const auto name = QString::fromUtf8(shape.name.data(), static_cast<qsizetype>(shape.name.size()));
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }

  private slots:
    void readingReturnsTheBuiltEvents_data() { addShapes(); }
    void readingReturnsTheBuiltEvents() {
        QFETCH(QString, name);
        const auto shape = *findExercise2Shape(name.toStdString());
        const auto trace = exercise2Trace(shape);
        auto bytes = trace.bytes();
        QVERIFY(bytes.hasValue());
        TraceHealth health;
        auto source = source::EtlFileSource::fromMemory(std::move(bytes).value(), "example", health);
        QVERIFY(source.hasValue());
        HappeningSink read;
        decode::RecordDecoder decoder(source.value()->properties(), read, health);
        DecodingSink sink(decoder);
        Progress progress;
        QVERIFY(source.value()->run(sink, health, {}, progress).hasValue());
        decoder.finish();
        QVERIFY(health.report().isClean());
        QCOMPARE(decoder.endTime(), seconds(34.0));

        auto told = trace.happenings();
        std::vector<Happening> reportedMemory;
        for (auto& happening : told) {
            if (!std::holds_alternative<MemoryEvent>(happening.event)) continue;
            if (shape.stacks == StackForm::None) happening.frames.clear();
            reportedMemory.push_back(happening);
        }
        const auto byContent = [](const Happening& a, const Happening& b) { return contentOf(a) < contentOf(b); };
        std::sort(reportedMemory.begin(), reportedMemory.end(), byContent);
        std::sort(read.memory.begin(), read.memory.end(), byContent);
        QCOMPARE(read.memory.size(), reportedMemory.size());
        for (std::size_t i = 0; i < reportedMemory.size(); ++i) {
            QVERIFY(contentOf(read.memory[i]) == contentOf(reportedMemory[i]));
            if (!reportedMemory[i].frames.empty()) QCOMPARE(read.memory[i].tid, reportedMemory[i].tid);
        }
        compareTheRest(read, told);
    }

    void noThreadDoesTwoThingsAtOneInstant() {
        // A stack refers to its event by time and thread.
        std::set<std::pair<TraceTime, std::uint32_t>> instants;
        for (const auto& happening : exercise2Trace().happenings()) {
            if (!std::holds_alternative<MemoryEvent>(happening.event)) continue;
            QVERIFY2(instants.emplace(happening.time, happening.tid).second,
                     qPrintable(QString::number(happening.time.ns)));
        }
    }

    void placesOfFunctionsArePredictable() {
        AddressSpace addresses(8);
        addresses.declare("a.dll", {"first", "second"});
        QCOMPARE(addresses.label("a.dll!second"), std::string("a.dll!+0x1120"));
        QCOMPARE(addresses.label("a.dll!second+0x48"), std::string("a.dll!+0x1148"));
        QCOMPARE(addresses.label("a.dll!third"), std::string("a.dll!+0x1220"));
        QCOMPARE(addresses.label("0x1234"), std::string("0x1234"));
        const auto frames = addresses.frames("a.dll!first;ntoskrnl.exe!NtClose");
        QCOMPARE(frames.size(), std::size_t{2});
        QVERIFY(addresses.isKernelAddress(frames[0])); // innermost first
        QVERIFY(!addresses.isKernelAddress(frames[1]));
        QVERIFY(AddressSpace(4).address("ntoskrnl.exe!NtClose") < 0x1'0000'0000);
    }

  private:
    static void compareTheRest(const HappeningSink& read, const std::vector<Happening>& told) {
        const auto processes = only<ProcessEvent>(told);
        QCOMPARE(read.processes.size(), processes.size());
        for (std::size_t i = 0; i < processes.size(); ++i) {
            QCOMPARE(read.processes[i].time, processes[i].time);
            QCOMPARE(read.processes[i].pid, processes[i].pid);
            QCOMPARE(read.processes[i].parentPid, processes[i].parentPid);
            QCOMPARE(read.processes[i].occasion, processes[i].occasion);
            QCOMPARE(read.processes[i].name, processes[i].name);
            QCOMPARE(read.processes[i].commandLine, processes[i].commandLine);
        }
        QCOMPARE(read.threads.size(), only<ThreadEvent>(told).size());
        const auto images = only<ImageEvent>(told);
        QCOMPARE(read.images.size(), images.size());
        for (const auto& image : read.images) {
            QVERIFY(std::any_of(images.begin(), images.end(), [&](const auto& each) {
                return each.time == image.time && each.pid == image.pid && each.base == image.base &&
                       each.size == image.size && each.occasion == image.occasion && each.path == image.path &&
                       each.timeDateStamp == image.timeDateStamp;
            }));
        }
        const auto identities = only<ImageIdentityEvent>(told);
        for (const auto& identity : identities) {
            QVERIFY(std::any_of(read.identities.begin(), read.identities.end(), [&](const auto& each) {
                return each.pid == identity.pid && each.base == identity.base &&
                       each.identity.pdbGuid == identity.identity.pdbGuid && each.identity.pdbAge == 1 &&
                       each.identity.pdbName == identity.identity.pdbName;
            }));
        }
        QCOMPARE(read.volumes.size(), std::size_t{1});
        QCOMPARE(read.volumes[0].dosPath, std::string("C:\\"));
    }
};
HIGHWATER_TEST(TraceBuilderTest);
#include "trace_builder_test.moc"
