#include "core/pipeline/event_relay.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <string>
#include <thread>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// What it is told, line by line.
class PrintingSink final : public EventSink {
  public:
    void onMemoryEvent(const MemoryEvent& event) override {
        print("memory {} at {} {}", event.address, event.time.ns, stackText(event.stack));
    }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        print("pending {} is {}", id.value, fmt::join(frames, " "));
    }
    void onProcess(const ProcessEvent& event) override { print("process {} {}", event.pid, event.name); }
    void onThread(const ThreadEvent& event) override { print("thread {} {}", event.pid, event.name); }
    void onImage(const ImageEvent& event) override { print("image {} {}", event.pid, event.path); }
    void onImageIdentity(const ImageIdentityEvent& event) override { print("identity {}", event.pid); }
    void onCode(const CodeEvent& event) override { print("code {} {}", event.start, event.name); }
    void onManagedType(std::uint32_t number, std::string_view name) override { print("type {} is {}", number, name); }
    void onGc(const GcEvent& event) override { print("heap of {}: {}", event.pid, event.sizes[1]); }
    void onVolumeMapping(const VolumeMappingEvent& event) override {
        print("volume {} {}", event.ntPath, event.dosPath);
    }
    void onRetainedRange(const RetainedRange& window) override { print("kept from {}", window.start.ns); }
    void onMachine(const Guid& machine) override { print("machine {}", toString(machine)); }
    void onSnapshot(const SnapshotTaken& taken) override { print("snapshot {}", taken.number); }
    void onSnapshotUndone(TraceTime time) override { print("no snapshot at {}", time.ns); }
    void onSnapshotBlock(const SnapshotBlock& block) override {
        print("block {} {}", block.address, stackText(block.stack));
    }
    void onRundown(Occasion occasion, TraceTime time) override {
        print("rundown {} at {}", static_cast<int>(occasion), time.ns);
    }
    void onTimeReached(TraceTime time) override { print("reached {}", time.ns); }

    std::string text;

  private:
    static std::string stackText(const EventStack& stack) {
        // Of a stack with a hash it is the right one.
        const bool isRight = !stack.hasHash || stack.hash == hashFrames(stack.frames);
        return fmt::format("{} {} [{}]{}", static_cast<int>(stack.kind), stack.pending.value,
                           fmt::join(stack.frames, " "), isRight ? "" : " of another hash");
    }
    template <typename... Values>
    void print(fmt::format_string<Values...> line, Values&&... values) {
        text += fmt::format(line, std::forward<Values>(values)...) + '\n';
    }
};

template <typename Event, typename Change>
Event made(Change change) {
    Event event;
    change(event);
    return event;
}

/// Tells a story of events of all kinds, the same each time, to a sink.
void tellStory(EventSink& sink, unsigned seed, int events) {
    std::mt19937 random(seed);
    std::vector<Address> frames;
    const auto shuffleFrames = [&](std::size_t most) {
        frames.resize(random() % (most + 1));
        for (auto& frame : frames)
            frame = random();
    };
    for (int i = 0; i < events; ++i) {
        const TraceTime time{i};
        switch (random() % 40) {
        case 0:
            shuffleFrames(400);
            sink.onPendingStackDefined(PendingStackId{static_cast<std::uint32_t>(random() % 9)}, frames);
            break;
        case 1:
            sink.onProcess(
                made<ProcessEvent>([&](auto& event) { event.pid = 5, event.name = std::string(random() % 50, 'p'); }));
            break;
        case 2:
            sink.onThread(made<ThreadEvent>([](auto& event) { event.pid = 6, event.name = "worker"; }));
            break;
        case 3:
            sink.onImage(made<ImageEvent>([](auto& event) { event.pid = 7, event.path = "C:\\a.dll"; }));
            break;
        case 4:
            sink.onImageIdentity(made<ImageIdentityEvent>([](auto& event) { event.pid = 8; }));
            break;
        case 5: {
            CodeEvent code;
            code.start = random();
            code.name = "App.Run";
            sink.onCode(code);
            break;
        }
        case 6:
            sink.onVolumeMapping({"\\Device\\HarddiskVolume3", "C:"});
            break;
        case 7:
            sink.onRetainedRange(made<RetainedRange>([&](auto& window) { window.start = time; }));
            break;
        case 8:
            sink.onMachine(Guid{static_cast<std::uint32_t>(random())});
            break;
        case 9:
            sink.onSnapshot(made<SnapshotTaken>([](auto& taken) { taken.number = 3; }));
            sink.onSnapshotUndone(time);
            break;
        case 10: {
            SnapshotBlock block;
            shuffleFrames(192);
            block.address = random();
            block.stack = {EventStack::Kind::Frames, {}, frames};
            sink.onSnapshotBlock(block);
            break;
        }
        case 11:
            sink.onManagedType(static_cast<std::uint32_t>(i), "System.String");
            sink.onGc(made<GcEvent>([&](auto& gc) { gc.sizes[1] = random(); }));
            sink.onRundown(Occasion::RundownStart, time);
            break;
        case 12:
            sink.onTimeReached(time);
            break;
        default: {
            MemoryEvent event;
            event.time = time;
            event.address = random();
            const auto kind = random() % 10;
            shuffleFrames(random() % 100 == 0 ? 100'000 : 40); // no recorder has so many
            if (kind == 0) event.stack = {EventStack::Kind::Pending, PendingStackId{static_cast<std::uint32_t>(i)}, {}};
            if (kind > 1) event.stack = {EventStack::Kind::Frames, {}, frames};
            sink.onMemoryEvent(event);
        }
        }
    }
    sink.onTimeReached(TraceTime{events});
}

} // namespace

/// Events on their way from one thread to the next.
class EventRelayTest : public QObject {
    Q_OBJECT
  private slots:
    void allComeOutAsTheyWentIn() {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            PrintingSink expected, got;
            tellStory(expected, seed, 5000);
            EventRelay relay;
            std::thread decoding([&] {
                tellStory(relay, seed, 5000);
                relay.finish();
            });
            std::size_t blocks = 0;
            bool isWhole = false;
            while (auto block = relay.pop()) {
                block->deliverTo(got);
                isWhole = block->endsWithTimeReached();
                relay.giveBack(std::move(*block));
                ++blocks;
            }
            decoding.join();
            QVERIFY(got.text == expected.text);
            QVERIFY(isWhole);
            QVERIFY2(blocks > 2, "nothing was handed on before the end");
        }
    }

    void whoDecodesIsNotHeldUpByAStoreThatHasGone() {
        EventRelay relay;
        std::thread decoding([&] {
            for (unsigned seed = 1; !relay.isGone(); ++seed)
                tellStory(relay, seed, 5000);
            relay.finish();
        });
        QVERIFY(relay.pop().has_value());
        relay.consumerGone();
        decoding.join();
    }

    void aTimeThatIsReachedInTheMiddleIsNoEnd() {
        EventBlock block;
        QVERIFY(!block.endsWithTimeReached());
        block.onTimeReached(TraceTime{1});
        QVERIFY(block.endsWithTimeReached());
        block.onMemoryEvent({});
        QVERIFY(!block.endsWithTimeReached());
        block.onTimeReached(TraceTime{2});
        QVERIFY(block.endsWithTimeReached());
        block.clear();
        QVERIFY(block.isEmpty() && !block.endsWithTimeReached());
    }
};

HIGHWATER_TEST(EventRelayTest);

#include "event_relay_test.moc"
