#include "core/decode/record_decoder.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kPatience = 1000;

/// One half of a stack of the model: plain frames, or a key whose frames are in the definition after it.
struct Half {
    std::int64_t recordTicks = 0;
    bool isKey = false;
    std::uint64_t key = 0;
    Frames frames;
};
/// The generator's decisions for an event; the expected delivery follows from these alone.
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
    /// The frames of a half, or nullopt if its key is never defined.
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
        const auto processor = static_cast<std::uint16_t>(tid); // one processor per thread: no two events are alike
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
        const auto times = pick(5) == 0 ? 2 : 1; // merged files repeat records
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

/// Blocks with their stacks right after them, nearly all correct: a stack may be of another time, thread or process,
/// come late, twice, before its event or not at all, have no frames or be a half.
std::vector<etl::RawRecord> blocksWithStacks(RecordStream& stream, std::mt19937& random) {
    const auto pick = [&](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
    std::int64_t ticks = 10;
    for (unsigned i = 0; i < 60; ++i) {
        const std::uint32_t pid = pick(6) == 0 ? 4 : kPid, tid = pick(20) == 0 ? etl::kNoId : 7 + pick(3);
        ticks += pick(3);
        const auto odd = pick(16);
        auto stackTicks = ticks + pick(3);
        if (odd == 0) stackTicks = ticks + kPatience + pick(3);
        Frames frames(pick(4), 0x1000 + pick(4));
        for (unsigned k = odd == 1 ? 1 + pick(2) : 0; k > 0; --k)
            frames.insert(pick(2) == 0 ? frames.begin() : frames.end(), 0xFFFFF80000000000 + k);
        const auto addStack = [&] {
            stream.stackWalk(stackTicks, odd == 2 ? ticks - 1 : ticks, odd == 3 ? 4 : pid, odd == 4 ? 8 : tid, frames);
        };
        if (odd == 5) addStack();
        auto& record = pick(2) == 0 ? stream.heapAlloc(ticks, pid, tid) : stream.heapFree(ticks, pid, tid);
        if (odd == 6) record.payloadBytes = 8;
        if (odd == 7) stream.process(ticks, 2, 1);
        if (odd != 8) addStack();
        if (odd == 9) addStack();
        if (odd == 10) stream.heapAlloc(stackTicks, pid, tid);
        ticks = std::max(ticks, stackTicks);
    }
    return stream.records();
}

/// All deliveries and counts, as text.
QStringList told(const RecordingSink& sink, const HealthReport& health, const RecordCounts& counts) {
    QStringList lines;
    for (std::size_t i = 0; i < sink.events.size(); ++i) {
        const auto& event = sink.events[i].event;
        QString frames;
        for (const auto frame : sink.framesOf(i))
            frames += QString(" %1").arg(frame, 0, 16);
        lines.append(QString("%1: process %2, thread %3, operation %4, kind %5:%6")
                         .arg(event.time.ns)
                         .arg(event.pid)
                         .arg(event.tid.value)
                         .arg(static_cast<int>(event.operation))
                         .arg(static_cast<int>(event.stack.kind))
                         .arg(frames));
    }
    for (const auto& name : sink.log)
        lines.append(QString::fromStdString(name));
    for (const auto count : health.counts)
        lines.append(QString("lost %1").arg(count));
    lines.append(QString("records %1, until %2").arg(counts.total).arg(sink.reached.back().ns));
    for (const auto& group : {counts.byGroup[group::kHeap], counts.byGroup[group::kStackWalk]})
        lines.append(QString("of a group %1").arg(std::accumulate(group.begin(), group.end(), std::uint64_t{0})));
    lines.append(QString("SYSTEM64 %1").arg(counts.byHeaderType[static_cast<std::size_t>(etl::HeaderType::System64)]));
    return lines;
}

/// In batches of this many records.
QStringList deliveriesInBatches(const std::vector<etl::RawRecord>& records, std::size_t most) {
    TraceHealth health;
    RecordingSink sink;
    RecordDecoder decoder(RecordStream::properties(), sink, health, {kPatience, nullptr});
    for (std::size_t i = 0; i < records.size(); i += most)
        decoder.decode(std::span(records).subspan(i, std::min(most, records.size() - i)));
    decoder.finish();
    return told(sink, health.report(), decoder.counts());
}

/// The expected delivery for an event: nullopt frames mean "promised, never defined".
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

/// Empty if all deliveries are as the model expects.
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

/// The decoder against a model without queues, which gets every event's stack from the generator.
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
    /// A block and its stack are decoded together if they are in one batch.
    void aBlockAndItsStackAreDecodedAsOneByOne() {
        for (unsigned seed = 0; seed < 3000; ++seed) {
            std::mt19937 random(seed);
            RecordStream stream;
            const auto records = blocksWithStacks(stream, random);
            const auto expected = deliveriesInBatches(records, 1);
            for (const auto most : {records.size(), std::size_t{3}}) {
                const auto is = deliveriesInBatches(records, most);
                for (qsizetype i = 0; i < std::min(is.size(), expected.size()); ++i)
                    QVERIFY2(is[i] == expected[i],
                             qPrintable(QString("seed %1: %2, not %3").arg(seed).arg(is[i], expected[i])));
                QCOMPARE(is.size(), expected.size());
            }
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
