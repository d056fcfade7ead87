#include "core/pipeline/target_watch.h"
#include "tests/support/test_registry.h"

#include <QCoreApplication>
#include <QTest>

#include <atomic>
#include <thread>

using namespace highwater;
using namespace highwater::pipeline;
using namespace std::chrono_literals;

namespace {

constexpr ByteCount kWatchedMegabyte = 1u << 20;
constexpr std::uint32_t kPid = 77;

/// A watch over a process with memory values set by the test.
struct WatchStage {
    explicit WatchStage(StopConditions conditions)
        : watch(conditions, [this](std::uint32_t pid) -> std::optional<source::ProcessMemory> {
              if (pid != kPid || hasEnded) return std::nullopt;
              return source::ProcessMemory{megabytes * kWatchedMegabyte, 0};
          }) {}
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
