#include "core/analysis/leaks/leak_suspects.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <optional>
#include <random>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr int kSteps = 1000;
constexpr std::int64_t kStepNs = 100'000;
constexpr ByteCount kKb = 1024;

/// The memory use of a program, call by call. Each call takes a nanosecond.
class Memory {
  public:
    Memory() { builder_.process("shop", 7, TraceTime{0}); }

    using Block = std::size_t;
    Block take(const std::string& stack, ByteCount size, Address heap = 0x10000) {
        return add(stack, size, heap, false);
    }
    void give(Block block, store::EndKind kind = store::EndKind::Free) {
        ModelRelease release;
        release.time = TraceTime{++now_};
        release.kind = kind;
        release.stack = builder_.model().rows[block].stack;
        release.thread = 3;
        builder_.end(block, release);
    }
    Block change(Block block, const std::string& stack, ByteCount size) {
        give(block, store::EndKind::ReAlloc);
        --now_;
        return add(stack, size, builder_.model().rows[block].heap, true);
    }
    void startStep(int step) { now_ = std::max(now_, step * kStepNs); }
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish() {
        return builder_.publish(TraceTime{kSteps * kStepNs});
    }

  private:
    Block add(const std::string& stack, ByteCount size, Address heap, bool isRealloc) {
        ModelRow row;
        row.heap = heap;
        row.thread = 3;
        row.begin = TraceTime{++now_};
        row.size = size;
        row.stack = "main;" + stack;
        row.isRealloc = isRealloc;
        row.address = nextAddress_;
        nextAddress_ += 0x100;
        return builder_.alloc(row);
    }

    ColumnsBuilder builder_;
    std::int64_t now_ = 0;
    Address nextAddress_ = 0x100000;
};

/// One part of a program, called at every step from 0 to kSteps.
using Actor = std::function<void(Memory&, int step)>;

enum class Way { Copy, SlowCopy, Realloc };

/// The common behaviour of std::vector, a log by realloc, a string and the buckets of a hash table.
class Buffer {
  public:
    Buffer(std::string stack, ByteCount first, double factor, Way way = Way::Copy, Address heap = 0x10000)
        : stack_(std::move(stack)), first_(first), factor_(factor), way_(way), heap_(heap) {}

    void append(Memory& memory, ByteCount bytes) {
        used_ += bytes;
        if (old_ && --copySteps_ == 0) {
            memory.give(*old_);
            old_.reset();
        }
        while (used_ > capacity_)
            grow(memory);
    }
    void clear(Memory& memory) {
        if (block_) memory.give(*block_);
        block_.reset();
        used_ = capacity_ = 0;
    }

  private:
    void grow(Memory& memory) {
        // A factor of 1 adds the same number of bytes each time.
        capacity_ = capacity_ == 0 ? first_
                    : factor_ > 1  ? static_cast<ByteCount>(static_cast<double>(capacity_) * factor_)
                                   : capacity_ + first_;
        if (!block_) {
            block_ = memory.take(stack_, capacity_, heap_);
        } else if (way_ == Way::Realloc) {
            block_ = memory.change(*block_, stack_, capacity_);
        } else {
            const auto larger = memory.take(stack_, capacity_, heap_);
            if (way_ == Way::SlowCopy && !old_) {
                old_ = block_;
                copySteps_ = kSteps / 40; // less than a slice
            } else {
                memory.give(*block_);
            }
            block_ = larger;
        }
    }

    std::string stack_;
    ByteCount first_;
    double factor_;
    Way way_;
    Address heap_;
    std::optional<Memory::Block> block_;
    std::optional<Memory::Block> old_; ///< being copied
    int copySteps_ = 0;
    ByteCount used_ = 0;
    ByteCount capacity_ = 0;
};

/// Appends this many bytes per step, from one step to another.
Actor appends(Buffer buffer, ByteCount bytes, int from = 0, int to = kSteps) {
    auto shared = std::make_shared<Buffer>(std::move(buffer));
    return [=](Memory& memory, int step) {
        if (step >= from && step < to) shared->append(memory, bytes);
    };
}

/// Fills a buffer and empties it once per period.
Actor sawtooth(Buffer buffer, ByteCount bytes, int period) {
    auto shared = std::make_shared<Buffer>(std::move(buffer));
    return [=](Memory& memory, int step) {
        if (step % period == 0) shared->clear(memory);
        shared->append(memory, bytes);
    };
}

/// Blocks of one size that are never freed, one every `every` steps.
Actor keeps(const std::string& stack, ByteCount size, int every, int from = 0, int to = kSteps) {
    return [=](Memory& memory, int step) {
        if (step >= from && step < to && step % every == 0) (void)memory.take(stack, size);
    };
}

/// Frees its oldest block when it has this many.
Actor cacheOf(const std::string& stack, std::size_t most, std::function<ByteCount(int)> sizeAt) {
    auto blocks = std::make_shared<std::deque<Memory::Block>>();
    return [=](Memory& memory, int step) {
        blocks->push_back(memory.take(stack, sizeAt(step)));
        if (blocks->size() <= most) return;
        memory.give(blocks->front());
        blocks->pop_front();
    };
}

/// Several actors at once, one after the other in each step.
Actor all(std::vector<Actor> actors) {
    return [=](Memory& memory, int step) {
        for (const auto& actor : actors)
            actor(memory, step);
    };
}

/// Other stacks: temporary blocks, a cache, a leak, start-up.
Actor others() {
    return all({[](Memory& memory, int) {
                    const auto block = memory.take("temporary", 300);
                    memory.give(memory.take("temporary", 5000));
                    memory.give(block);
                },
                cacheOf("othercache", 50, [](int step) { return ByteCount(64 + step % 7 * 16); }),
                keeps("otherleak", 48, 9), keeps("globals", 200, 1, 0, 20)});
}

/// A log by realloc that three functions write to in turns.
Actor writers(int to) {
    struct State {
        std::optional<Memory::Block> block;
        ByteCount size = 0;
    };
    auto state = std::make_shared<State>();
    return [=](Memory& memory, int step) {
        if (step % 7 != 0 || step >= to) return;
        const std::string stacks[] = {"first;it", "second;it", "third;it"};
        const auto& stack = stacks[step / 7 * 5 % 3];
        state->size += 16 * kKb;
        state->block =
            state->block ? memory.change(*state->block, stack, state->size) : memory.take(stack, state->size);
    };
}

struct Variant {
    const char* name;
    LeakVerdict verdict;
    Actor actor;
};

Buffer vectorOf(double factor = 2, ByteCount first = 16) { return {"it", first, factor}; }
Buffer logOf(ByteCount more) { return {"it", more, 1, Way::Realloc}; }

std::vector<Variant> growing() {
    const auto inSteps = [buffer = std::make_shared<Buffer>("it", 64 * kKb, 1)](Memory& memory, int step) {
        if (step % 130 == 60) buffer->append(memory, 300 * kKb);
    };
    const auto accelerating = [buffer = std::make_shared<Buffer>("it", 16, 2)](Memory& memory, int step) {
        buffer->append(memory, static_cast<ByteCount>(step) * 40);
    };
    const auto arena = [used = std::make_shared<ByteCount>(0), size = std::make_shared<ByteCount>(kKb)](Memory& memory,
                                                                                                        int step) {
        *used += 32 * kKb;
        for (; step >= 0 && *used > *size; *size *= 2)
            (void)memory.take("it", *size);
    };
    const auto vectors = [many = std::make_shared<std::vector<Buffer>>()](Memory& memory, int step) {
        if (step % 40 == 0) many->push_back({"it", 16, 2});
        for (auto& one : *many)
            one.append(memory, 100);
    };
    const auto staggered = [many = std::make_shared<std::vector<Buffer>>(7, Buffer{"it", 100, 2})](Memory& memory,
                                                                                                   int step) {
        for (std::size_t i = 0; i < many->size(); ++i)
            (*many)[i].append(memory, 200 + 90 * i + static_cast<ByteCount>(step % 3));
    };
    const auto besideShortOnes = [buffer = std::make_shared<Buffer>("it", 64, 2)](Memory& memory, int step) {
        buffer->append(memory, 32 * kKb);
        Buffer text{"it", 32, 2};
        text.append(memory, 900 + static_cast<ByteCount>(step % 11) * 90);
        text.clear(memory);
    };
    return {
        {"vector that doubles", LeakVerdict::Growing, appends(vectorOf(), 32 * kKb)},
        {"vector that doubled just before the end", LeakVerdict::Growing, appends(vectorOf(2, 16), 16'800)},
        {"vector that doubles soon behind the end", LeakVerdict::Growing, appends(vectorOf(2, 16), 16'700)},
        {"vector that grows by half", LeakVerdict::Growing, appends(vectorOf(1.5), 32 * kKb)},
        {"vector that grows by an eighth", LeakVerdict::Growing, appends(vectorOf(1.125, 4096), 8 * kKb)},
        {"vector that begins halfway", LeakVerdict::Growing, appends(vectorOf(), 32 * kKb, 500)},
        {"vector that begins late", LeakVerdict::Growing, appends(vectorOf(), 32 * kKb, 780)},
        {"string builder", LeakVerdict::Growing, appends({"it", 31, 2}, 77)},
        {"buckets of a hash table", LeakVerdict::Growing, appends({"it", 13 * 8, 2.1}, 3 * 8)},
        {"map of a deque", LeakVerdict::Growing, appends({"it", 64, 2}, 8)},
        {"nodes of a deque", LeakVerdict::Growing, keeps("it", 512, 4)},
        {"nodes of a rope", LeakVerdict::Growing, all({keeps("it", 64, 3), keeps("it", 1000, 5)})},
        {"log by realloc", LeakVerdict::Growing, appends(logOf(32 * kKb), 32 * kKb)},
        {"log by realloc in small steps", LeakVerdict::Growing, appends(logOf(4 * kKb), 9 * kKb)},
        {"log by realloc in large steps", LeakVerdict::Growing, appends(logOf(4096 * kKb), 32 * kKb)},
        {"log by realloc that doubles", LeakVerdict::Growing, appends({"it", 64, 2, Way::Realloc}, 5000)},
        {"steps of jobs", LeakVerdict::Growing, inSteps},
        {"ever faster", LeakVerdict::Growing, accelerating},
        {"arena of blocks twice as large", LeakVerdict::Growing, arena},
        {"ever more vectors that grow", LeakVerdict::Growing, vectors},
        {"seven vectors of one stack", LeakVerdict::Growing, staggered},
        {"vector beside strings of its stack", LeakVerdict::Growing, besideShortOnes},
        {"vectors in two heaps", LeakVerdict::Growing,
         all({appends({"it", 16, 2, Way::Copy, 0x10000}, 3000), appends({"it", 16, 2, Way::Copy, 0x20000}, 5000)})},
        {"log with three writers", LeakVerdict::Growing, writers(kSteps)},
        {"cleared once at the begin", LeakVerdict::Growing,
         all({appends(vectorOf(), 32 * kKb, 50),
              [buffer = std::make_shared<Buffer>("it", 16, 2)](Memory& memory, int step) {
                  if (step < 30) buffer->append(memory, 1000);
                  if (step == 30) buffer->clear(memory);
              }})},
    };
}

std::vector<Variant> notGrowing() {
    const auto twoSteps = [buffer = std::make_shared<Buffer>("it", 64 * kKb, 2)](Memory& memory, int step) {
        if (step == 300 || step == 600) buffer->append(memory, 60 * kKb);
    };
    const auto ring = [buffer = std::make_shared<Buffer>("it", 256, 2)](Memory& memory, int step) {
        if (step < 200) buffer->append(memory, 4 * kKb);
        if (step >= 200 && step < 400 && step % 50 == 0) buffer->append(memory, 60 * kKb);
    };
    return {
        {"vector that is filled and kept", LeakVerdict::LevelledOff, appends(vectorOf(), 32 * kKb, 0, 250)},
        {"vector that is full halfway", LeakVerdict::LevelledOff, appends(vectorOf(1.5), 32 * kKb, 0, 500)},
        {"vector of the start", LeakVerdict::LevelledOff, appends(vectorOf(), 32 * kKb, 0, 60)},
        {"log that stops", LeakVerdict::LevelledOff, appends(logOf(8 * kKb), 9 * kKb, 100, 550)},
        {"ring buffer that settles", LeakVerdict::LevelledOff, ring},
        {"buckets of a table that is full", LeakVerdict::LevelledOff, appends({"it", 13 * 8, 2.1}, 3 * 8, 100, 450)},
        {"several that settle", LeakVerdict::LevelledOff,
         all({appends(vectorOf(), 5 * kKb, 0, 300), appends(vectorOf(1.5), 9 * kKb, 50, 420),
              appends({"it", 100, 2, Way::Copy, 0x20000}, 700, 20, 400)})},
        {"log with three writers that is full", LeakVerdict::LevelledOff, writers(400)},
        {"pool that is full", LeakVerdict::LevelledOff, keeps("it", 4096, 4, 150, 450)},
        {"grown in two steps", LeakVerdict::Kept, twoSteps},
        {"begun just before the end", LeakVerdict::TooEarly, appends(vectorOf(), 32 * kKb, 930)},
        {"sawtooth of a vector", LeakVerdict::Sawtooth, sawtooth(vectorOf(), 32 * kKb, 190)},
        {"sawtooth of a log", LeakVerdict::Sawtooth, sawtooth(logOf(8 * kKb), 9 * kKb, 220)},
        {"sawtooth of several", LeakVerdict::Sawtooth,
         all({sawtooth(vectorOf(), 9000, 240), sawtooth(vectorOf(1.5), 7000, 240)})},
        {"cache with a limit", LeakVerdict::Renewed, cacheOf("it", 40, [](int) { return ByteCount{512}; })},
        {"cache of all sizes", LeakVerdict::Renewed,
         cacheOf("it", 60,
                 [random = std::make_shared<std::mt19937>(5)](int) { return ByteCount{100 + (*random)() % 9000}; })},
        {"two buffers by turns", LeakVerdict::Renewed, cacheOf("it", 2, [](int) { return 256 * kKb; })},
    };
}

std::optional<LeakSuspect> judged(const Actor& actor) {
    Memory memory;
    for (int step = 0; step < kSteps; ++step) {
        memory.startStep(step);
        actor(memory, step);
    }
    const auto trace = memory.publish();
    LeakQuery query;
    query.interval = trace->wholeRange();
    FrameLabels labels;
    auto report = findLeaks(*trace, labels, query);
    if (!report.hasValue()) qFatal("%s", report.error().message.c_str());
    for (auto& suspect : report.value().suspects) {
        if (suspect.stack.front() == "it!+0x1") return std::move(suspect);
    }
    return std::nullopt;
}

void addRows(const std::vector<Variant>& variants) {
    QTest::addColumn<Actor>("actor");
    QTest::addColumn<int>("verdict");
    for (const auto& variant : variants) {
        QTest::newRow(variant.name) << variant.actor << static_cast<int>(variant.verdict);
    }
}

QByteArray verdictOf(const std::optional<LeakSuspect>& suspect) {
    if (!suspect) return "no suspect";
    const auto word = verdictWord(suspect->verdict);
    return QByteArray(word.data(), static_cast<qsizetype>(word.size())) + ": " + suspect->why.c_str();
}

} // namespace

Q_DECLARE_METATYPE(Actor)

/// Programs with known behaviour: growth is called growing, however its blocks behave.
class GrowingBuffersTest : public QObject {
    Q_OBJECT

    static void check(bool isAlone) {
        QFETCH(Actor, actor);
        QFETCH(int, verdict);
        const auto suspect = judged(isAlone ? actor : all({actor, others()}));
        QVERIFY2(suspect && static_cast<int>(suspect->verdict) == verdict, verdictOf(suspect).constData());
        const bool isGrowing = suspect->verdict == LeakVerdict::Growing;
        QVERIFY2((suspect->confidence >= 0.5) == isGrowing, suspect->why.c_str());
    }

  private slots:
    void whatGrowsIsGrowing_data() { addRows(growing()); }
    void whatGrowsIsGrowing() { check(true); }
    void whatDoesNotGrowIsNot_data() { addRows(notGrowing()); }
    void whatDoesNotGrowIsNot() { check(true); }
    /// Actors keep state, so each run needs new ones.
    void othersBesideItChangeNothing_data() {
        auto variants = growing();
        for (auto& variant : notGrowing())
            variants.push_back(std::move(variant));
        addRows(variants);
    }
    void othersBesideItChangeNothing() { check(false); }

    /// Whenever it doubles, some of the copies last into the next slice.
    void aCopyThatTakesLongIsNoFall() {
        for (ByteCount pace = 17 * kKb; pace < 33 * kKb; pace += kKb / 2) {
            const auto suspect = judged(appends({"it", 16, 2, Way::SlowCopy}, pace));
            QVERIFY2(suspect && suspect->verdict == LeakVerdict::Growing, verdictOf(suspect).constData());
        }
    }
    /// A fifth more or less: the use of a buffer is known up to one step.
    void saysHowFastItIsFilled() {
        const auto suspect = judged(appends(logOf(16 * kKb), 20 * kKb));
        const auto perSecond = 20.0 * 1024 * kSteps / (kSteps * static_cast<double>(kStepNs) / 1e9);
        QVERIFY2(std::abs(suspect->growth.perSecond / perSecond - 1) < 0.2, suspect->why.c_str());
        QVERIFY(suspect->growth.low > 0 && suspect->growth.low <= suspect->growth.perSecond);
    }
    void saysThatItIsTheSizeThatGrows() {
        const auto suspect = judged(appends(vectorOf(), 32 * kKb));
        QVERIFY2(suspect->why.find("in size") != std::string::npos, suspect->why.c_str());
    }
};

HIGHWATER_TEST(GrowingBuffersTest);
#include "growing_buffers_test.moc"
