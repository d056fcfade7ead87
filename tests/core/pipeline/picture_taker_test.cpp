#include "core/pipeline/picture_taker.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QScopeGuard>
#include <QTest>

#include <atomic>
#include <cstring>
#include <thread>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;
using namespace std::chrono_literals;

namespace {

constexpr Address kVariableAt = 0x5000, kHeapAt = 0x10'0000;

/// A process whose only variable refers to its first block, which refers to the second.
class FakeCopy final : public source::ProcessCopy {
  public:
    FakeCopy(std::optional<std::int64_t> ticks, std::atomic<int>& alive) : ticks_(ticks), alive_(alive) {
        ++alive_;
        mappings_.names = {"/app", ""};
        add(0x5000, 0, mapping_flag::kFile);
        add(kHeapAt, 1, 0);
    }
    ~FakeCopy() override { --alive_; }

    std::optional<std::int64_t> ticks() const override { return ticks_; }
    const ResidentSample& mappings() const override { return mappings_; }
    const std::vector<CopiedThread>& threads() const override { return threads_; }
    std::uint32_t unreadThreads() const override { return 3; }
    std::size_t read(Address from, std::span<std::byte> to) const override {
        std::memset(to.data(), 0, to.size());
        for (const auto& [at, value] : {std::pair(kVariableAt, kHeapAt), std::pair(kHeapAt, kHeapAt + 64)})
            if (at >= from && at + sizeof value <= from + to.size())
                std::memcpy(to.data() + (at - from), &value, sizeof value);
        return to.size();
    }

  private:
    void add(Address begin, std::uint32_t name, std::uint32_t flags) {
        auto& mapping = mappings_.mappings.emplace_back();
        mapping.begin = begin;
        mapping.end = begin + 0x1000;
        mapping.name = name;
        mapping.flags = mapping_flag::kRead | mapping_flag::kWrite | flags;
    }

    std::optional<std::int64_t> ticks_;
    std::atomic<int>& alive_;
    ResidentSample mappings_;
    std::vector<CopiedThread> threads_;
};

/// A taker for a trace of one process with three blocks, the last of which begins after the picture.
class TakerStage {
  public:
    explicit TakerStage(const PicturePlan& plan = {})
        : taker(plan,
                [this](std::uint32_t pid, const std::function<std::int64_t()>& clock,
                       const std::stop_token&) -> Result<std::unique_ptr<source::ProcessCopy>> {
                    copied.push_back(pid);
                    if (refusal) return *refusal;
                    return std::unique_ptr<source::ProcessCopy>(std::make_unique<FakeCopy>(clock(), copies));
                }) {
        const auto process = builder_.process("app", 7, TraceTime{0});
        for (const auto& [at, begin] : {std::pair(0, 1), std::pair(64, 2), std::pair(128, 50)}) {
            ModelRow row;
            row.process = process;
            row.heap = 1;
            row.stack = "main";
            row.address = kHeapAt + static_cast<Address>(at);
            row.size = 48;
            row.begin = TraceTime{begin};
            builder_.alloc(row);
        }
        trace = builder_.publish(TraceTime{60});
    }
    void begin() {
        PictureTaker::Listener listener;
        listener.processes = [this] {
            ++looks;
            return isProcessKnown ? std::vector<std::uint32_t>{7} : std::vector<std::uint32_t>{};
        };
        listener.clock = [] { return 10; };
        listener.timeOf = [](std::int64_t ticks) { return TraceTime{ticks}; };
        listener.latest = [this] {
            const std::lock_guard lock(mutex);
            return trace;
        };
        listener.isDone = [this] { return isDone.load(); };
        listener.taken = [this](const MemoryPicture& picture, std::int64_t ticks) {
            const std::lock_guard lock(mutex);
            if (ticks != 10) qFatal("The ticks of the copy are wrong.");
            pictures.push_back(picture);
        };
        listener.letEnd = [this](std::uint32_t pid) {
            const std::lock_guard lock(mutex);
            ended.push_back(pid);
        };
        listener.refused = [this](const PictureRefusal& why) {
            const std::lock_guard lock(mutex);
            refused.push_back(why.sentence);
            refusedPids.push_back(why.pid);
        };
        taker.begin(std::move(listener));
    }
    /// Its events have not arrived yet.
    std::shared_ptr<const store::PublishedTrace> takeTrace() {
        const std::lock_guard lock(mutex);
        return std::exchange(trace, nullptr);
    }
    void giveTrace(std::shared_ptr<const store::PublishedTrace> later) {
        const std::lock_guard lock(mutex);
        trace = std::move(later);
    }
    std::vector<std::uint32_t> allEnded() {
        const std::lock_guard lock(mutex);
        return ended;
    }
    std::size_t taken() {
        const std::lock_guard lock(mutex);
        return pictures.size();
    }

    std::mutex mutex;
    std::shared_ptr<const store::PublishedTrace> trace;
    std::vector<MemoryPicture> pictures;
    std::vector<std::string> refused;
    std::vector<std::uint32_t> refusedPids;
    std::vector<std::uint32_t> ended;
    std::vector<std::uint32_t> copied;
    std::optional<Error> refusal;
    std::atomic<bool> isDone{false}, isProcessKnown{true};
    std::atomic<int> looks{0};
    std::atomic<int> copies{0};
    PictureTaker taker;

  private:
    ColumnsBuilder builder_;
};

} // namespace

class PictureTakerTest : public QObject {
    Q_OBJECT

  private slots:
    /// The events of a program that was just started or attached arrive somewhat later.
    void aRequestWaitsForTheFirstProcess() {
        TakerStage stage;
        stage.isProcessKnown = false;
        stage.taker.ask();
        stage.begin();
        QTRY_VERIFY(stage.looks > 2);
        QCOMPARE(stage.taken(), std::size_t{0});
        stage.isProcessKnown = true;
        QTRY_COMPARE(stage.taken(), std::size_t{1});
    }
    void aRequestWithoutAProcessIsRefused() {
        TakerStage stage;
        stage.isProcessKnown = false;
        stage.isDone = true;
        stage.taker.ask();
        stage.begin();
        QTRY_VERIFY(!stage.taker.isBusy());
        QCOMPARE(stage.refused,
                 std::vector<std::string>{"No picture of memory was taken because no recorded process is running."});
    }
    void aPictureHasTheBlocksOfItsInstant() {
        TakerStage stage;
        stage.begin();
        stage.taker.ask();
        QTRY_COMPARE(stage.taken(), std::size_t{1});
        const auto& picture = stage.pictures.front();
        QCOMPARE(picture.time, TraceTime{10});
        QCOMPARE(picture.pid, 7u);
        QCOMPARE(picture.unreadThreads, 3u);
        QCOMPARE(picture.blocks.size(), std::size_t{2}); // the third begins later
        QCOMPARE(picture.blocks[1].holder, 0u);
        QVERIFY(picture.blocks[1].reachability == Reachability::Reachable);
        QTRY_VERIFY(!stage.taker.isBusy());
        QCOMPARE(stage.copies.load(), 0);
    }
    /// Events that happened before the copy may arrive after it.
    void waitsUntilTheTraceHasReachedTheCopy() {
        TakerStage stage;
        const auto later = stage.takeTrace();
        stage.begin();
        stage.taker.ask();
        QTest::qWait(50);
        QCOMPARE(stage.taken(), std::size_t{0});
        QVERIFY(stage.taker.isBusy());
        stage.giveTrace(later);
        QTRY_COMPARE(stage.taken(), std::size_t{1});
    }
    /// The recording stops then, so that a program that goes on allocating cannot delay the picture.
    void finishCopiesWhatWasAskedBeforeItCalls() {
        TakerStage stage;
        const auto later = stage.takeTrace();
        stage.taker.ask();
        std::atomic<bool> isCalled{false};
        stage.begin();
        QVERIFY(stage.taker.finish([&] { isCalled = stage.copies == 1; }));
        QTRY_VERIFY(isCalled);
        QCOMPARE(stage.taken(), std::size_t{0});
        stage.giveTrace(later);
        QTRY_COMPARE(stage.taken(), std::size_t{1});
    }
    void theEndWaitsForRequestedPictures() {
        TakerStage stage;
        const auto later = stage.takeTrace();
        stage.begin();
        stage.taker.waitUntilTaken(); // none is requested
        stage.taker.ask();
        QTRY_COMPARE(stage.copies.load(), 1);
        std::atomic<bool> isOver{false};
        std::thread waiting([&] {
            stage.taker.waitUntilTaken();
            isOver = stage.taken() == 1;
        });
        QTest::qWait(20);
        stage.giveTrace(later);
        waiting.join();
        QVERIFY(isOver);
    }
    /// A program may come to its end while it is being stopped.
    void theEndDoesNotWaitForWhatIsRequestedAfterTheLastCopy() {
        TakerStage stage({.every = {}, .atStop = true});
        stage.begin();
        std::atomic<bool> isCalled{false}, isOver{false};
        QVERIFY(stage.taker.finish([&] { isCalled = true; }));
        QTRY_VERIFY(isCalled);
        stage.taker.askAtExit(8);
        stage.taker.ask();
        std::thread waiting([&] {
            stage.taker.waitUntilTaken();
            isOver = true;
        });
        const auto end = qScopeGuard([&] {
            stage.taker.end();
            waiting.join();
        });
        QTRY_VERIFY(isOver);
        QCOMPARE(stage.taken(), std::size_t{1});
        QCOMPARE(stage.allEnded(), std::vector{8u});
    }
    void aPlanTakesAPictureAtTheStop() {
        TakerStage stage({.every = {}, .atStop = true});
        stage.begin();
        std::atomic<bool> isCalled{false};
        QVERIFY(stage.taker.finish([&] { isCalled = true; }));
        QTRY_VERIFY(isCalled);
        QTRY_COMPARE(stage.taken(), std::size_t{1});
        TakerStage without;
        without.begin();
        QVERIFY(!without.taker.finish([] { qFatal("Nothing was to be taken."); }));
    }
    void aPlanTakesPicturesAgainAndAgain() {
        TakerStage stage({.every = 20ms, .atStop = false});
        stage.begin();
        QTRY_VERIFY(stage.taken() >= 3);
    }
    /// Its events may arrive much later, if other threads or processes are busy.
    void aProcessThatWaitsAtItsEndMayEndOnceItIsCopied() {
        TakerStage stage({.every = {}, .atStop = false, .atExit = true});
        const auto later = stage.takeTrace();
        stage.begin();
        stage.taker.askAtExit(7);
        QTRY_COMPARE(stage.allEnded(), std::vector{7u});
        stage.taker.askAtExit(7); // also while a copy waits for its events
        QTRY_COMPARE(stage.allEnded(), (std::vector{7u, 7u}));
        QCOMPARE(stage.taken(), std::size_t{0});
        QCOMPARE(stage.copies.load(), 2);
        stage.giveTrace(later);
        QTRY_VERIFY(!stage.taker.isBusy());
        QCOMPARE(stage.taken(), std::size_t{2});
        QCOMPARE(stage.copies.load(), 0);
        stage.refusal = Error{ErrorKind::AccessDenied, "Not permitted."};
        stage.taker.askAtExit(8); // it may end as well if the picture is refused
        QTRY_VERIFY(!stage.taker.isBusy());
        QCOMPARE(stage.allEnded(), (std::vector{7u, 7u, 8u}));
        QCOMPARE(stage.copied, (std::vector{7u, 7u, 8u}));
    }
    /// It may have ended before its first event arrives.
    void aProcessThatWaitsAtItsEndIsCopiedBesideAllOthers() {
        TakerStage stage({.every = {}, .atStop = true, .atExit = true});
        stage.taker.askAtExit(8);
        stage.taker.ask();
        stage.begin();
        QTRY_VERIFY(!stage.taker.isBusy());
        QCOMPARE(stage.copied, (std::vector{8u, 7u}));
    }
    void copiesThatWaitForTheirEventsAreLimited() {
        constexpr std::size_t kMost = 9; // one of them is examined
        TakerStage stage({.every = {}, .atStop = false, .atExit = true});
        const auto later = stage.takeTrace();
        stage.begin();
        for (std::size_t i = 0; i < 2 * kMost; ++i)
            stage.taker.askAtExit(7);
        QTRY_COMPARE(stage.allEnded().size(), kMost);
        QTest::qWait(20);
        QCOMPARE(stage.copies.load(), int{kMost});
        stage.giveTrace(later);
        QTRY_COMPARE(stage.taken(), 2 * kMost);
    }
    void aRefusalIsReported() {
        TakerStage stage;
        stage.refusal = Error{ErrorKind::AccessDenied, "Not permitted."};
        stage.begin();
        stage.taker.ask();
        QTRY_COMPARE(stage.refused, std::vector<std::string>{"Not permitted."});
        QCOMPARE(stage.refusedPids, stage.copied);
        QCOMPARE(stage.taken(), std::size_t{0});
    }
    void theEndOfTheRecordingEndsTheWait() {
        TakerStage stage;
        stage.trace = nullptr;
        stage.begin();
        stage.taker.ask();
        QTRY_VERIFY(!stage.copied.empty());
        stage.isDone = true;
        QTRY_COMPARE(stage.refused.size(), std::size_t{1});
    }
    /// Nothing hangs, and no copy is left.
    void endInterruptsAWait() {
        TakerStage stage;
        stage.trace = nullptr;
        stage.begin();
        stage.taker.ask();
        QTRY_COMPARE(stage.copies.load(), 1);
        stage.taker.end();
        QCOMPARE(stage.copies.load(), 0);
        QVERIFY(stage.refused.empty());
    }
};

HIGHWATER_TEST(PictureTakerTest);
#include "picture_taker_test.moc"
