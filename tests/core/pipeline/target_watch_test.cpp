#include "core/base/thread_time.h"
#include "core/pipeline/target_watch.h"
#include "tests/support/test_registry.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

using namespace highwater;
using namespace highwater::pipeline;
using namespace std::chrono_literals;

namespace {

constexpr ByteCount kWatchedMegabyte = 1u << 20;
constexpr std::uint32_t kPid = 77;

/// A watch over a process with memory values set by the test.
struct WatchStage {
    explicit WatchStage(StopConditions conditions)
        : watch(conditions, {.memory = [this](std::uint32_t pid) -> std::optional<source::ProcessMemory> {
                    if (pid != kPid || hasEnded) return std::nullopt;
                    return source::ProcessMemory{megabytes * kWatchedMegabyte, 0};
                }}) {}
    void begin() {
        watch.begin({kPid}, {.sampled = [this](std::uint32_t, const source::ProcessMemory&) { ++samples; },
                             .reached =
                                 [this](const std::string& sentence) {
                                     const std::lock_guard lock(mutex);
                                     sentences.push_back(sentence);
                                 }});
    }
    std::vector<std::string> told() {
        const std::lock_guard lock(mutex);
        return sentences;
    }
    std::atomic<ByteCount> megabytes{100};
    std::atomic<bool> hasEnded{false};
    std::atomic<int> samples{0};
    std::mutex mutex;
    std::vector<std::string> sentences;
    TargetWatch watch;
};

/// A watch over processes whose resident memory is sampled.
struct ResidentStage {
    explicit ResidentStage(StopConditions conditions = {})
        : watch(conditions, {.memory =
                                 [](std::uint32_t pid) {
                                     return source::ProcessMemory{(pid == kLargePid ? 300 : 200) * kWatchedMegabyte, 0};
                                 },
                             .resident = [this](std::uint32_t pid) { return answer(pid); }}) {}
    ~ResidentStage() { watch.end(); }

    Result<std::optional<ResidentSample>> answer(std::uint32_t pid) {
        const auto begun = threadTime();
        while (threadTime() - begun < std::chrono::milliseconds(took)) {
        }
        const std::lock_guard lock(mutex);
        asked.push_back(pid);
        if (pid == kForbiddenPid) return Error{ErrorKind::AccessDenied, "forbidden"};
        if (pid == kEndedPid) return std::optional<ResidentSample>();
        ResidentSample sample;
        sample.pid = pid;
        return std::optional(sample);
    }
    void begin(const std::vector<std::uint32_t>& pids) {
        watch.begin(pids, {.sampled =
                               [this](std::uint32_t pid, const source::ProcessMemory&) {
                                   const std::lock_guard lock(mutex);
                                   measured.push_back(pid);
                               },
                           .reached = [this](const std::string&) { note("reached"); },
                           .resident =
                               [this](const ResidentSample& sample, std::optional<std::int64_t> ticks) {
                                   note(std::to_string(sample.pid) + " at " + std::to_string(ticks.value_or(-1)));
                                   return std::uint64_t{0};
                               },
                           .notSampled = [this](const std::string& sentence) { note(sentence); },
                           .clock = [this] { return clock += 10; },
                           .found =
                               [this] {
                                   const std::lock_guard lock(mutex);
                                   return std::exchange(foundPids, {});
                               }});
    }
    void note(const std::string& text) {
        const std::lock_guard lock(mutex);
        notes.push_back(text);
    }
    std::size_t count(const std::string& text) {
        const std::lock_guard lock(mutex);
        return static_cast<std::size_t>(std::ranges::count(notes, text));
    }
    std::size_t samples() {
        const std::lock_guard lock(mutex);
        return asked.size();
    }
    std::ptrdiff_t measurements(std::uint32_t pid) {
        const std::lock_guard lock(mutex);
        return std::ranges::count(measured, pid);
    }
    static constexpr std::uint32_t kForbiddenPid = 78, kEndedPid = 79, kLargePid = 80;
    std::atomic<int> took{0}; ///< milliseconds of a processor
    std::atomic<std::int64_t> clock{0};
    std::mutex mutex;
    std::vector<std::string> notes;
    std::vector<std::uint32_t> asked;
    std::vector<std::uint32_t> measured; ///< pids whose private bytes were sampled
    std::vector<std::uint32_t> foundPids;
    TargetWatch watch;
};

} // namespace

class TargetWatchTest : public QObject {
    Q_OBJECT
  private slots:
    void samplesOnceASecond() {
        WatchStage stage({});
        stage.begin();
        QTRY_VERIFY_WITH_TIMEOUT(stage.samples >= 2, 3000);
        QVERIFY(stage.samples <= 4);
        stage.watch.end();
        QCOMPARE(stage.told().size(), std::size_t{0});
    }
    void severalMayEndIt() {
        WatchStage stage({});
        stage.begin();
        std::thread other([&stage] { stage.watch.end(); });
        stage.watch.end();
        other.join();
    }
    void tellsOnceWhenPrivateBytesExceed() {
        WatchStage stage({.privateBytesAbove = 150 * kWatchedMegabyte});
        stage.begin();
        QTest::qWait(250);
        QCOMPARE(stage.told().size(), std::size_t{0});
        stage.megabytes = 151;
        QTRY_COMPARE_WITH_TIMEOUT(stage.told().size(), std::size_t{1}, 2000);
        QTest::qWait(250);
        QCOMPARE(stage.told(),
                 (std::vector<std::string>{"The recording was stopped as requested: process 77 has 151.0 MB of "
                                           "private bytes, more than 150.0 MB."}));
    }
    void growthCountsFromTheFirstLook() {
        WatchStage stage({.privateBytesGrowth = 20 * kWatchedMegabyte});
        stage.begin();
        QTRY_VERIFY(stage.samples > 0);
        stage.megabytes = 60;
        QTest::qWait(150);
        stage.megabytes = 120;
        QTest::qWait(250);
        QCOMPARE(stage.told().size(), std::size_t{0});
        stage.megabytes = 121;
        QTRY_COMPARE_WITH_TIMEOUT(stage.told().size(), std::size_t{1}, 2000);
        QVERIFY2(stage.told().front().find("have grown by 21.0 MB, more than 20.0 MB") != std::string::npos,
                 stage.told().front().c_str());
    }
    void endsAfterAWhileAlsoWithoutAnyTarget() {
        WatchStage stage({.after = 300ms});
        stage.hasEnded = true;
        stage.begin();
        QTest::qWait(150);
        QCOMPARE(stage.told().size(), std::size_t{0});
        QTRY_COMPARE_WITH_TIMEOUT(stage.told().size(), std::size_t{1}, 2000);
        QCOMPARE(stage.samples.load(), 0);
    }
    void samplesResidentMemoryAtOnceAndOnceASecond() {
        ResidentStage stage;
        stage.begin({kPid});
        QTRY_VERIFY_WITH_TIMEOUT(stage.samples() >= 2, 3000);
        QVERIFY(stage.samples() <= 4);
        QCOMPARE(stage.notes.front(), std::string("77 at 15")); // in the middle
    }
    void samplesAtAMark() {
        ResidentStage stage;
        stage.begin({kPid});
        QTRY_COMPARE(stage.samples(), std::size_t{1});
        stage.watch.sampleSoon();
        QTRY_COMPARE_WITH_TIMEOUT(stage.samples(), std::size_t{2}, 500);
    }
    void takesNoMoreThanItsShareOfAProcessor() {
        ResidentStage stage;
        stage.took = 20; // at most each 4 s
        stage.begin({kPid});
        QTest::qWait(2500);
        QCOMPARE(stage.samples(), std::size_t{1});
    }
    void samplesProcessesThatAreFoundLater() {
        ResidentStage stage;
        stage.begin({kPid});
        QTRY_COMPARE(stage.samples(), std::size_t{1});
        {
            const std::lock_guard lock(stage.mutex);
            stage.foundPids = {90, kPid};
        }
        QTRY_COMPARE_WITH_TIMEOUT(stage.count("90 at 35") + stage.count("90 at 55"), std::size_t{1}, 2500);
    }
    void privateBytesOfProcessesThatAreFoundLaterAreSampled() {
        ResidentStage stage;
        stage.begin({kPid});
        {
            const std::lock_guard lock(stage.mutex);
            stage.foundPids = {90, kPid};
        }
        QTRY_VERIFY_WITH_TIMEOUT(stage.measurements(90) >= 1, 5000);
        stage.watch.end();
        QVERIFY(stage.measurements(90) <= stage.measurements(kPid)); // each process once
    }
    void aLimitIsForProcessesThatAreFoundLater() {
        ResidentStage stage({.privateBytesAbove = 250 * kWatchedMegabyte});
        stage.begin({kPid});
        QTest::qWait(150);
        QCOMPARE(stage.count("reached"), std::size_t{0});
        {
            const std::lock_guard lock(stage.mutex);
            stage.foundPids = {ResidentStage::kLargePid};
        }
        QTRY_COMPARE(stage.count("reached"), std::size_t{1});
    }
    void saysOnceWhatIsNotSampled() {
        ResidentStage stage;
        stage.begin({ResidentStage::kForbiddenPid, ResidentStage::kEndedPid});
        QTRY_VERIFY_WITH_TIMEOUT(stage.samples() >= 3, 3000);
        stage.watch.sampleSoon();
        QTest::qWait(100);
        QCOMPARE(stage.notes, std::vector<std::string>{"forbidden"});
    }
    void samplesBeforeTheLimitIsReported() {
        ResidentStage stage({.privateBytesAbove = 100 * kWatchedMegabyte});
        stage.begin({kPid});
        QTRY_COMPARE(stage.count("reached"), std::size_t{1});
        QTest::qWait(150);
        QCOMPARE(stage.notes.at(0), std::string("77 at 15"));
        QCOMPARE(stage.notes.at(1), std::string("reached"));
        QVERIFY(!stage.watch.sampleLast([] {})); // no samples follow
    }
    void samplesALastTimeBeforeItEnds() {
        ResidentStage stage;
        stage.took = 50; // the next regular one is 10 s later
        stage.begin({kPid});
        QTRY_COMPARE(stage.samples(), std::size_t{1});
        QVERIFY(stage.watch.sampleLast([&stage] { stage.note("then"); }));
        (void)stage.watch.sampleLast([&stage] { stage.note("again"); });
        stage.watch.end();
        QCOMPARE(stage.samples(), std::size_t{2});
        QCOMPARE(stage.notes.back(), std::string("then"));
        QVERIFY(!stage.watch.sampleLast([] {}));
    }
    void aWatchWithoutSamplesHasNoLastOne() {
        WatchStage stage({});
        QVERIFY(!stage.watch.sampleLast([] {}));
        stage.begin(); // without a listener for samples
        QVERIFY(!stage.watch.sampleLast([] {}));
    }
    void theMemoryOfThisProcessIsKnown() {
        const auto pid = static_cast<std::uint32_t>(QCoreApplication::applicationPid());
        const auto before = source::memoryOf(pid);
        QVERIFY(before.has_value());
        const std::vector<char> block(64 * kWatchedMegabyte, 'x');
        QCOMPARE(block.back(), 'x');
        const auto after = source::memoryOf(pid);
        QVERIFY(after->privateBytes >= before->privateBytes + 60 * kWatchedMegabyte);
        QVERIFY(!source::memoryOf(0x7FFFFFF0).has_value());
    }
};
HIGHWATER_TEST(TargetWatchTest);
#include "target_watch_test.moc"
