#include "core/decode/record_decoder.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <random>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kPatience = 1000;

/// One half of a stack that the model knows: plain frames, or a key whose frames come from the definition after it.
struct Half {
    std::int64_t recordTicks = 0;
    bool isKey = false;
    std::uint64_t key = 0;
    Frames frames;
};
/// What the generator decided about an event; from this alone follows what must be delivered.
struct Truth {
    std::int64_t ticks = 0;
    bool isVirtual = false;
    std::optional<Half> kernel;
    std::optional<Half> user; ///< or a whole stack
};
struct Definition {
    std::int64_t ticks = 0;
    std::uint64_t key = 0;
    Frames frames;
};

/// A random trace in which every (time, thread) is used once, so that the answer does not depend on any order. The
/// first events arm both classes.
class RandomTrace {
  public:
    explicit RandomTrace(unsigned seed) : random_(seed) {
        addEvent(1, true, Scenario::Immediate);
        addEvent(2, false, Scenario::Immediate);
        const unsigned events = pick(40) + 1;
        std::int64_t ticks = 10;
        for (unsigned i = 0; i < events; ++i) {
            ticks += static_cast<std::int64_t>(pick(4) == 0 ? 0 : pick(300));
            addEvent(ticks, pick(2) == 0, Scenario::Random);
            if (pick(5) == 0) addNoise(ticks);
            if (pick(3) == 0) define(ticks + pick(2000), 35);
        }
        if (pick(2) == 0) {
            for (std::uint64_t key = 0; key < kKeys; ++key)
                defineKey(ticks + 5000, 36, key);
        }
        sortStream();
    }

    [[nodiscard]] std::vector<etl::RawRecord> records() const {
        std::vector<etl::RawRecord> sorted;
        for (const auto index : order_)
            sorted.push_back(all_[index]);
        return sorted;
    }
    [[nodiscard]] const std::vector<Truth>& truths() const { return truths_; }
    [[nodiscard]] std::size_t processEnds() const { return processEnds_; }
    [[nodiscard]] std::uint64_t unresolvedReferences() const {
        std::uint64_t open = 0;
        for (const auto& half : references_)
            open += definitionFor(half) == nullptr ? 1 : 0;
        return open;
    }
    /// Frames of a half, or nullopt if its key is never defined.
    [[nodiscard]] std::optional<Frames> framesOf(const Half& half) const {
        if (!half.isKey) return half.frames;
        const auto* definition = definitionFor(half);
        return definition == nullptr ? std::nullopt : std::optional(definition->frames);
    }

  private:
    enum class Scenario { Immediate, Random };
    static constexpr std::uint64_t kKeys = 4;

    std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
    std::int64_t delay() { return pick(8) == 0 ? kPatience - 2 + pick(6) : pick(8) == 0 ? 3000 : pick(400); }

    // Definitions of one tick come after references of that tick, in stream order; the generator keeps times apart.
    const Definition* definitionFor(const Half& half) const {
        const Definition* first = nullptr;
        for (const auto& definition : definitions_) {
            if (definition.key != half.key || definition.ticks < half.recordTicks) continue;
            if (first == nullptr || definition.ticks < first->ticks) first = &definition;
        }
        return first;
    }

    void addEvent(std::int64_t ticks, bool isVirtual, Scenario scenario) {
        Truth truth;
        truth.ticks = ticks;
        truth.isVirtual = isVirtual;
        const auto tid = nextTid_++;
        const auto processor = static_cast<std::uint16_t>(tid); // one processor a thread: no event is like another
        if (isVirtual)
            stream_.virtualAlloc(ticks, kPid, processor, tid);
        else
            stream_.heapAlloc(ticks, kPid, tid, tid);
        const bool always = scenario == Scenario::Immediate;
        const auto kind = always ? 0 : pick(6);
        if (kind == 0) truth.user = addHalf(ticks, tid, always ? ticks : ticks + delay(), false, always);
        if (kind == 1 || kind == 2) {
            truth.kernel = addHalf(ticks, tid, ticks + delay(), true, false);
            truth.user = addHalf(ticks, tid, truth.kernel->recordTicks + delay(), false, false);
        }
        if (kind == 3) truth.kernel = addHalf(ticks, tid, ticks + delay(), true, false);
        if (kind == 4) truth.user = addWhole(ticks, tid, ticks + delay());
        if (pick(8) == 0) endProcess(ticks);
        truths_.push_back(truth);
    }

    Half addHalf(std::int64_t eventTicks, std::uint32_t tid, std::int64_t recordTicks, bool kernel, bool plain) {
        Half half;
        half.recordTicks = recordTicks;
        half.isKey = !plain && pick(2) == 0;
        const auto processor = static_cast<std::uint16_t>(tid);
        if (half.isKey) {
            half.key = pick(kKeys);
            if (kernel)
                stream_.kernelKey(recordTicks, eventTicks, kPid, tid, half.key, processor);
            else
                stream_.userKey(recordTicks, eventTicks, kPid, tid, half.key, processor);
            references_.push_back(half);
            return half;
        }
        half.frames = someFrames(kernel);
        const auto times = pick(5) == 0 ? 2 : 1; // merges repeat records
        for (int i = 0; i < times; ++i) {
            stream_.stackWalk(recordTicks, eventTicks, kPid, tid, half.frames, processor);
        }
        return half;
    }
    Half addWhole(std::int64_t eventTicks, std::uint32_t tid, std::int64_t recordTicks) {
        Half half;
        half.recordTicks = recordTicks;
        half.frames = someFrames(true);
        const auto user = someFrames(false);
        half.frames.insert(half.frames.end(), user.begin(), user.end());
        stream_.stackWalk(recordTicks, eventTicks, kPid, tid, half.frames, static_cast<std::uint16_t>(tid));
        return half;
    }
    void addNoise(std::int64_t ticks) {
        stream_.stackWalk(ticks + pick(3), ticks, 99, 1'000'000, someFrames(pick(2) == 0), 9999);
        references_.push_back({ticks, true, pick(kKeys), {}});
        stream_.userKey(ticks, ticks, 99, 1'000'001, references_.back().key);
    }
    void endProcess(std::int64_t ticks) {
        stream_.process(ticks, 2, 1);
        ++processEnds_;
    }
    void define(std::int64_t ticks, std::uint8_t opcode) { defineKey(ticks, opcode, pick(kKeys)); }
    void defineKey(std::int64_t ticks, std::uint8_t opcode, std::uint64_t key) {
        const bool taken = std::any_of(definitions_.begin(), definitions_.end(),
                                       [&](const auto& d) { return d.key == key && d.ticks == ticks; });
        if (taken) return;
        definitions_.push_back({ticks, key, someFrames(key % 2 == 0)});
        stream_.keyFrames(ticks, opcode, key, definitions_.back().frames);
    }
    Frames someFrames(bool kernel) {
        Frames frames;
        for (unsigned i = 0; i <= pick(20); ++i)
            frames.push_back(++nextFrame_ + (kernel ? 0xFFFFF80000000000 : 0));
        return frames;
    }

    // Within one tick: events, then stacks and references, then definitions; kernel halves before user halves.
    void sortStream() {
        all_ = stream_.records();
        const auto rank = [](const etl::RawRecord& record) {
            if (record.group != group::kStackWalk) return 0;
            return record.opcode == 35 || record.opcode == 36 ? 2 : 1;
        };
        for (std::size_t i = 0; i < all_.size(); ++i)
            order_.push_back(i);
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(all_[a].ticks, rank(all_[a])) < std::pair(all_[b].ticks, rank(all_[b]));
        });
    }

    std::mt19937 random_;
    RecordStream stream_;
    std::vector<etl::RawRecord> all_;
    std::vector<std::size_t> order_;
    std::vector<Truth> truths_;
    std::vector<Half> references_;
    std::vector<Definition> definitions_;
    std::size_t processEnds_ = 0;
    std::uint32_t nextTid_ = 10;
    Address nextFrame_ = 0x1000;
};

/// What must be delivered for an event: nullopt frames mean "promised, never defined".
struct Expected {
    bool hasStack = false;
    bool halfMissing = false;
    std::optional<Frames> frames;
};

bool inTime(const std::optional<Half>& half, const Truth& truth) {
    return half && half->recordTicks - truth.ticks <= kPatience;
}

Expected expectedOf(const RandomTrace& trace, const Truth& truth) {
    Expected expected;
    const bool kernel = inTime(truth.kernel, truth);
    const bool user = inTime(truth.user, truth);
    if (!kernel && !user) return expected;
    expected.hasStack = true;
    expected.halfMissing = !user;
    const auto first = kernel ? trace.framesOf(*truth.kernel) : Frames{};
    const auto second = user ? trace.framesOf(*truth.user) : Frames{};
    if (!first || !second) return expected;
    expected.frames = *first;
    expected.frames->insert(expected.frames->end(), second->begin(), second->end());
    return expected;
}

/// Empty if everything was delivered as the model says.
QString compare(const RandomTrace& trace, const RecordingSink& sink, const HealthReport& health) {
    auto truths = trace.truths();
    if (sink.events.size() != truths.size()) return "number of events";
    if (sink.processes.size() != trace.processEnds()) return "number of process ends";
    if (!std::is_sorted(sink.order.begin(), sink.order.end())) return "order of events";
    if (sink.definedTwice) return "a stack was defined twice";
    std::uint64_t missing = 0;
    std::uint64_t halves = 0;
    for (std::size_t i = 0; i < truths.size(); ++i) {
        const auto expected = expectedOf(trace, truths[i]);
        missing += expected.hasStack ? 0 : 1;
        halves += expected.halfMissing ? 1 : 0;
        const auto kind = sink.events[i].event.stack.kind;
        if (sink.events[i].event.time.ns != truths[i].ticks) return QString("time of event %1").arg(i);
        if ((kind != EventStack::Kind::None) != expected.hasStack) return QString("stack of event %1").arg(i);
        if (sink.framesOf(i) != expected.frames.value_or(Frames{})) return QString("frames of event %1").arg(i);
    }
    if (health[Loss::StacksMissing] != missing) return "stacks missing";
    if (health[Loss::StackHalvesMissing] != halves) return "halves missing";
    if (health[Loss::StacksUnresolved] != trace.unresolvedReferences()) return "stacks unresolved";
    return {};
}

} // namespace

/// The decoder against a model that knows every event's stack from the generator and needs no queue.
class DecoderModelTest : public QObject {
    Q_OBJECT
  private slots:
    void agreesWithTheModelOnRandomTraces() {
        for (unsigned seed = 0; seed < 4000; ++seed) {
            const RandomTrace trace(seed);
            RecordingSink sink;
            const auto health = RecordStream::decodeRecordsInto(trace.records(), sink, kPatience);
            const auto difference = compare(trace, sink, health);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(difference)));
        }
    }
    void batchesDoNotMatterAndTheReachedTimeIsKept() {
        for (unsigned seed = 0; seed < 500; ++seed) {
            const RandomTrace trace(seed);
            const auto records = trace.records();
            TraceHealth health;
            RecordingSink sink;
            RecordDecoder decoder(RecordStream::properties(), sink, health, {kPatience, nullptr});
            for (std::size_t i = 0; i < records.size(); i += 1 + seed % 7) {
                decoder.decode(std::span(records).subspan(i, std::min<std::size_t>(1 + seed % 7, records.size() - i)));
            }
            decoder.finish();
            const auto difference = compare(trace, sink, health.report());
            QVERIFY2(difference.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(difference)));
            QVERIFY(std::is_sorted(sink.reached.begin(), sink.reached.end()));
            for (std::size_t i = 0; i < sink.reached.size(); ++i) {
                for (std::size_t e = sink.eventsWhenReached[i]; e < sink.order.size(); ++e) {
                    QVERIFY(sink.order[e] >= sink.reached[i]); // nothing before a reached time comes later
                }
            }
        }
    }
};
HIGHWATER_TEST(DecoderModelTest);
#include "decoder_model_test.moc"
