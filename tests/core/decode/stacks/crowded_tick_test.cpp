#include "core/decode/stacks/recent_events.h"
#include "core/decode/stacks/stack_arming.h"
#include "core/decode/stacks/waiting_event.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <deque>
#include <random>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kPatienceOfCrowds = 1000;

/// The joiner's rules in their simplest form: everything is compared with everything.
class PlainJoiner {
  public:
    struct Event {
        WaitingEvent waiting;
        Frames kernel;
        Frames user;
    };
    struct Stack {
        StackReference reference;
        StackHalf half;
        Frames frames;
        bool mayBeGuessed = true;
    };

    void advance(std::int64_t ticks) {
        std::erase_if(held_, [=](const Stack& stack) { return stack.reference.eventTicks < ticks; });
        while (!queue_.empty() && ticks > queue_.front().waiting.ticks + kPatienceOfCrowds) {
            expire();
            deliverReady();
        }
    }
    void addEvent(std::int64_t ticks, std::uint32_t pid, std::uint32_t tid, std::uint16_t processor,
                  MemoryOperation operation) {
        WaitingEvent waiting;
        waiting.ticks = ticks;
        waiting.event.pid = pid;
        waiting.event.tid = ThreadId{tid};
        waiting.event.operation = operation;
        waiting.processor = processor;
        queue_.push_back({waiting, {}, {}});
        attachHeld(queue_.back());
        deliverReady();
    }
    void addStack(const Stack& stack) {
        bool isRefused = false;
        Event* const event = find(stack, isRefused);
        if (event == nullptr) {
            hold(stack, isRefused);
            return;
        }
        attach(*event, stack);
        attachHeld(*event);
        deliverReady();
    }
    void finish() {
        while (!queue_.empty())
            expire();
    }

    std::vector<Event> delivered;
    std::uint64_t missing = 0;
    std::uint64_t halvesMissing = 0;

  private:
    Event* find(const Stack& stack, bool& isRefused) {
        Event* best = nullptr;
        Fit bestFit = Fit::None;
        for (Event& event : queue_) {
            if (event.waiting.ticks != stack.reference.eventTicks || !event.waiting.isOpenFor(stack.half)) continue;
            const Fit fit = fitOf(event.waiting, stack.reference, stack.half);
            if (fit <= bestFit) continue;
            best = &event;
            bestFit = fit;
        }
        isRefused = isGuess(bestFit) && hasItsEvent(stack);
        return isRefused ? nullptr : best;
    }
    bool hasItsEvent(const Stack& stack) {
        for (const Event& event : queue_)
            if (event.waiting.ticks == stack.reference.eventTicks && !event.waiting.isOpenFor(stack.half) &&
                event.waiting.event.tid == stack.reference.tid)
                return true;
        const auto* recent = recent_.find(stack.reference);
        return recent != nullptr && recent->tid == stack.reference.tid;
    }
    void hold(Stack stack, bool isRefused) {
        if (const auto* recent = recent_.find(stack.reference)) {
            if (!recent->hadStack) arming_.onStack(recent->operation);
            return;
        }
        if (stack.reference.eventTicks < stack.reference.recordTicks) return;
        stack.mayBeGuessed = !isRefused;
        held_.push_back(stack);
    }
    void attachHeld(Event& event) {
        for (std::size_t i = 0; i < held_.size();) {
            Stack& stack = held_[i++];
            if (stack.reference.eventTicks != event.waiting.ticks || !event.waiting.isOpenFor(stack.half)) continue;
            const Fit fit = fitOf(event.waiting, stack.reference, stack.half);
            if (fit == Fit::None || (isGuess(fit) && !stack.mayBeGuessed)) continue;
            if (isGuess(fit) && hasItsEvent(stack)) {
                stack.mayBeGuessed = false;
                continue;
            }
            attach(event, stack);
            held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i - 1));
            i = 0; // the event may have got its thread
        }
    }
    void attach(Event& event, const Stack& stack) {
        WaitingEvent& waiting = event.waiting;
        arming_.onStack(waiting.event.operation);
        if (!waiting.event.tid.isKnown()) waiting.event.tid = stack.reference.tid;
        const bool hasUserMode = stack.reference.pid != 0 && stack.reference.pid != 4;
        waiting.isComplete = stack.half != StackHalf::Kernel || !hasUserMode;
        if (stack.half == StackHalf::Kernel) waiting.kernel.kind = StackPart::Kind::Frames;
        if (stack.half == StackHalf::Whole) event.kernel.clear();
        (stack.half == StackHalf::Kernel ? event.kernel : event.user) = stack.frames;
    }
    bool mayLeave(const Event& event) const {
        if (event.waiting.isComplete) return true;
        return event.kernel.empty() && !arming_.waits(event.waiting.event.operation);
    }
    void deliverReady() {
        while (!queue_.empty() && mayLeave(queue_.front()))
            deliver();
    }
    void expire() {
        const Event& front = queue_.front();
        if (!mayLeave(front) && !front.kernel.empty())
            ++halvesMissing;
        else if (!mayLeave(front) && arming_.onMiss(front.waiting.event.operation))
            ++missing;
        deliver();
    }
    void deliver() {
        const Event& front = queue_.front();
        const MemoryEvent& event = front.waiting.event;
        recent_.add(
            {front.waiting.ticks, event.pid, event.tid, event.operation, !front.kernel.empty() || !front.user.empty()});
        delivered.push_back(front);
        queue_.pop_front();
    }

    std::deque<Event> queue_;
    std::vector<Stack> held_;
    StackArming arming_;
    RecentEvents recent_;
};

/// A random stream of few threads, processes and processors, so that everything matches many other things.
class RandomStream {
  public:
    explicit RandomStream(std::uint32_t seed, int count) : random_(seed) {
        for (int i = 0; i < count; ++i) {
            if (one(150)) ticks_ += one(4) ? 700 : 1;
            model_.advance(ticks_);
            if (one(2))
                addEvent(i);
            else
                addStack(i);
        }
        model_.finish();
    }

    RecordStream records;
    PlainJoiner model_;

  private:
    bool one(std::uint32_t in) { return random_() % in == 0; }
    std::uint32_t among(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
    std::uint32_t anyPid() { return one(20) ? 4 : kPid + among(3); }

    void addEvent(int number) {
        const auto pid = anyPid();
        const auto address = static_cast<Address>(number + 1) * 4096;
        if (one(2)) {
            const auto tid = among(12);
            records.heapAlloc(ticks_, pid, tid, address);
            model_.addEvent(ticks_, pid, tid, 0, MemoryOperation::HeapAlloc);
        } else {
            const auto processor = static_cast<std::uint16_t>(among(4));
            records.virtualAlloc(ticks_, pid, processor, address);
            model_.addEvent(ticks_, pid, etl::kNoId, processor, MemoryOperation::VirtualAlloc);
        }
    }
    void addStack(int number) {
        const Address kernel = 0xFFFFF80000000000 + static_cast<Address>(number) * 16;
        const Address user = 0x7FF000000000 + static_cast<Address>(number) * 16;
        PlainJoiner::Stack stack{};
        const std::uint32_t kind = among(8);
        stack.half = kind < 3 ? StackHalf::Kernel : kind < 7 ? StackHalf::User : StackHalf::Whole;
        if (stack.half != StackHalf::User) stack.frames.push_back(kernel);
        if (stack.half != StackHalf::Kernel) stack.frames.push_back(user);
        stack.reference.eventTicks = one(10) ? ticks_ - 1 : ticks_;
        stack.reference.recordTicks = ticks_;
        stack.reference.pid = anyPid();
        stack.reference.tid = ThreadId{one(30) ? etl::kNoId : among(14)};
        stack.reference.processor = static_cast<std::uint16_t>(among(5));
        records.stackWalk(ticks_, stack.reference.eventTicks, stack.reference.pid, stack.reference.tid.value,
                          stack.frames, stack.reference.processor);
        model_.addStack(stack);
    }

    std::mt19937 random_;
    std::int64_t ticks_ = 10;
};

Frames framesOf(const PlainJoiner::Event& event) {
    Frames frames = event.kernel;
    frames.insert(frames.end(), event.user.begin(), event.user.end());
    return frames;
}

constexpr std::size_t kCrowd = 100'000;

} // namespace

/// Many events in one tick: each gets the right stack, at the same cost as elsewhere.
class CrowdedTickTest : public QObject {
    Q_OBJECT

  private slots:
    void attachesWhatAPlainSearchAttaches() {
        std::size_t withStack = 0;
        for (std::uint32_t seed = 1; seed <= 300; ++seed) {
            const RandomStream stream(seed, 1500);
            RecordingSink sink;
            const auto health = stream.records.decodeInto(sink, kPatienceOfCrowds);
            const auto& expected = stream.model_.delivered;
            QCOMPARE(sink.events.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const Frames frames = framesOf(expected[i]);
                withStack += frames.empty() ? 0 : 1;
                QVERIFY2(sink.framesOf(i) == frames && sink.events[i].event.tid == expected[i].waiting.event.tid,
                         qPrintable(QStringLiteral("event %1 of seed %2").arg(i).arg(seed)));
            }
            QCOMPARE(health[Loss::StacksMissing], stream.model_.missing);
            QCOMPARE(health[Loss::StackHalvesMissing], stream.model_.halvesMissing);
        }
        QVERIFY(withStack > 20'000);
    }

    // Each of these takes hours if every stack is compared with all events, or every held stack with every event.
    void manyEventsOfOneTickGetTheirStacks_data() {
        QTest::addColumn<bool>("stacksFirst");
        QTest::addColumn<bool>("fromTheBack");
        QTest::addColumn<bool>("ofOneThread");
        QTest::addColumn<bool>("withoutThread");
        QTest::newRow("events first, last stack first") << false << true << false << false;
        QTest::newRow("events first, of one thread") << false << false << true << false;
        QTest::newRow("events first, without thread") << false << true << false << true;
        QTest::newRow("stacks first, last event first") << true << true << false << false;
        QTest::newRow("stacks first, of one thread") << true << false << true << false;
        QTest::newRow("stacks first, without thread") << true << true << false << true;
    }
    void manyEventsOfOneTickGetTheirStacks() {
        QFETCH(const bool, stacksFirst);
        QFETCH(const bool, fromTheBack);
        QFETCH(const bool, ofOneThread);
        QFETCH(const bool, withoutThread);
        RecordStream stream;
        // The class is known to have stacks.
        if (withoutThread)
            stream.virtualAlloc(5, kPid, 0);
        else
            stream.heapAlloc(5, kPid, 1);
        stream.stackWalk(6, 5, kPid, 1, kUser);
        for (std::uint32_t i = 0; i < kCrowd; ++i) {
            const auto tid = ofOneThread ? 7 : i;
            if (withoutThread)
                stream.virtualAlloc(10, i, static_cast<std::uint16_t>(i % 16));
            else
                stream.heapAlloc(10, kPid, tid);
        }
        for (std::uint32_t i = 0; i < kCrowd; ++i)
            stream.stackWalk(10, 10, withoutThread ? i : kPid, ofOneThread ? 7 : i, {Address{0x7FF000000000} + i},
                             static_cast<std::uint16_t>(withoutThread ? 16 : 0));
        auto records = stream.records();
        const auto first = records.begin() + 2;
        if (fromTheBack) std::reverse(first + kCrowd, records.end());
        if (stacksFirst) std::rotate(first, first + kCrowd, records.end());
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {kPatienceOfCrowds, nullptr});
        decoder.decode(records);
        decoder.finish();
        QCOMPARE(sink.events.size(), kCrowd + 1);
        for (std::size_t i = 0; i < kCrowd; ++i)
            QCOMPARE(sink.framesOf(i + 1), Frames{Address{0x7FF000000000} + i});
        QVERIFY(health.report().isClean());
    }

    // None of these stacks belongs to any of the events; all of them would be guesses.
    void stacksThatFitNothingCostNoMore() {
        RecordStream stream;
        for (std::uint32_t i = 0; i < 100'000; ++i) {
            stream.heapAlloc(10, kPid, 7);
            stream.stackWalk(10, 10, kPid, 7, kUser);
            stream.stackWalk(10, 10, kPid + 1, 7, kOtherUser, 1);
            stream.virtualAlloc(10, kPid + 2, 1);
        }
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.events.size(), std::size_t{200'000});
    }
};
HIGHWATER_TEST(CrowdedTickTest);

#include "crowded_tick_test.moc"
