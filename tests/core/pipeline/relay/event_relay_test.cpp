#include "core/pipeline/relay/event_relay.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// Prints the events it receives, line by line.
class PrintingSink final : public EventSink {
  public:
    void onMemoryEvent(const MemoryEvent& event) override {
        print("memory {} of {} at {} {}", event.address, event.pid, event.time.ns, stackText(withFrames(event)));
    }
    void onPendingStackDefined(PendingStackId id, std::span<const Address> frames) override {
        print("pending {} is {}", id.value, fmt::join(frames, " "));
    }
    void onProcess(const ProcessEvent& event) override { printOther("process {} {}", event.pid, event.name); }
    void onThread(const ThreadEvent& event) override { printOther("thread {} {}", event.pid, event.name); }
    void onImage(const ImageEvent& event) override { printOther("image {} {}", event.pid, event.path); }
    void onImageIdentity(const ImageIdentityEvent& event) override { printOther("identity {}", event.pid); }
    void onCode(const CodeEvent& event) override { printOther("code {} {}", event.start, event.name); }
    void onManagedType(std::uint32_t number, std::string_view name) override {
        printOther("type {} is {}", number, name);
    }
    void onGc(const GcEvent& event) override { printOther("heap of {}: {}", event.pid, event.sizes[1]); }
    void onVolumeMapping(const VolumeMappingEvent& event) override {
        printOther("volume {} {}", event.ntPath, event.dosPath);
    }
    void onRetainedRange(const RetainedRange& window) override { printOther("kept from {}", window.start.ns); }
    void onMachine(const Guid& machine) override { printOther("machine {}", toString(machine)); }
    void onSnapshot(const SnapshotTaken& taken) override { printOther("snapshot {}", taken.number); }
    void onResidentSample(const SharedResidentSample& sample) override {
        printOther("resident {} {}", sample->pid, sample->mappings.size());
    }
    void onMemoryPicture(const SharedMemoryPicture& picture) override {
        printOther("picture {} {}", picture->pid, picture->blocks.size());
    }
    void onSnapshotUndone(TraceTime time) override { printOther("no snapshot at {}", time.ns); }
    void onSnapshotBlock(const SnapshotBlock& block) override {
        print("block {} {}", block.address, stackText(block.stack));
    }
    void onRundown(Occasion occasion, TraceTime time) override {
        printOther("rundown {} at {}", static_cast<int>(occasion), time.ns);
    }
    void onTimeReached(TraceTime time) override { print("reached {}", time.ns); }

    std::string text;

    std::size_t known = 0; ///< stacks marked as those of an earlier event

  private:
    /// Checks the guarantees on which stores rely: a stack that is marked as known was delivered before, and no event
    /// since then has changed the meaning of its addresses.
    EventStack withFrames(const MemoryEvent& event) {
        auto stack = event.stack;
        if (stack.kind == EventStack::Kind::Known) {
            const auto before = frames_.find({event.pid, stack.hash.first, stack.hash.second});
            if (before == frames_.end()) return {};
            stack.kind = EventStack::Kind::Frames;
            stack.frames = before->second;
            ++known;
        } else if (stack.kind == EventStack::Kind::Frames && memoryKind(event.operation) != MemoryKind::HeapRange) {
            const auto hash = hashFrames(stack.frames);
            frames_[{event.pid, hash.first, hash.second}].assign(stack.frames.begin(), stack.frames.end());
        }
        return stack;
    }
    static std::string stackText(const EventStack& stack) {
        // If a stack has a hash, it is the right one.
        const bool isRight = !stack.hasHash || stack.hash == hashFrames(stack.frames);
        return fmt::format("{} {} [{}]{}", static_cast<int>(stack.kind), stack.pending.value,
                           fmt::join(stack.frames, " "), isRight ? "" : " of another hash");
    }
    template <typename... Values>
    void print(fmt::format_string<Values...> line, Values&&... values) {
        text += fmt::format(line, std::forward<Values>(values)...) + '\n';
    }
    template <typename... Values>
    void printOther(fmt::format_string<Values...> line, Values&&... values) {
        frames_.clear();
        print(line, std::forward<Values>(values)...);
    }

    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::vector<Address>> frames_;
};

template <typename Event, typename Change>
Event made(Change change) {
    Event event;
    change(event);
    return event;
}

/// Sends events of all kinds, the same each time, to a sink.
void sendEvents(EventSink& sink, unsigned seed, int events) {
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
            sink.onResidentSample(made<std::shared_ptr<ResidentSample>>([](auto& sample) {
                sample = std::make_shared<ResidentSample>();
                sample->pid = 7;
            }));
            sink.onMemoryPicture(made<std::shared_ptr<MemoryPicture>>([](auto& picture) {
                picture = std::make_shared<MemoryPicture>();
                picture->blocks.resize(2);
            }));
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
            event.pid = static_cast<std::uint32_t>(random() % 3);
            event.operation = static_cast<MemoryOperation>(random() % kMemoryOperationCount);
            const auto kind = random() % 10;
            shuffleFrames(random() % 100 == 0 ? 100'000 : 40); // no recorder has this many
            if (random() % 2 == 0) frames = {0x1000, 0x2000, 0x3000 + random() % 5};
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
            sendEvents(expected, seed, 5000);
            EventRelay relay;
            std::thread decoding([&] {
                sendEvents(relay, seed, 5000);
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
            QVERIFY2(got.known > 10, "frames were sent again and again");
        }
    }

    void whoDecodesIsNotHeldUpByAStoreThatHasGone() {
        EventRelay relay;
        std::thread decoding([&] {
            for (unsigned seed = 1; !relay.isGone(); ++seed)
                sendEvents(relay, seed, 5000);
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
