#include "core/source/agent/agent_attach_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/core/agent/trials.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <cstdint>
#include <cstdlib>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

using End = AllocatorTrial::End;

QString pathOfAllocator(const QString& library) { return "/usr/lib/x86_64-linux-gnu/" + library; }

/// MEGABYTES THREADS CHURN of allocator_numbers.
Stranger withAllocator(const QString& library, const QString& arguments) {
    return {"/usr/bin/env", QStringList{"LD_PRELOAD=" + pathOfAllocator(library), targetPath("allocator_numbers")} +
                                arguments.split(' ')};
}

Stranger ownMallctl(const QString& arguments = {}) {
    return {targetPath("own_mallctl"), arguments.split(' ', Qt::SkipEmptyParts)};
}

/// The name that allocator_numbers gives it.
QByteArray wordOf(AllocatorNumber number) {
    static constexpr const char* kWords[kAllocatorNumbers] = {"allocated", "active",   "metadata",   "resident",
                                                              "mapped",    "retained", "free_pages", "caches",
                                                              "committed", "arenas"};
    return QByteArray(kWords[static_cast<std::size_t>(number)]) + " ";
}

/// The numbers that differ from those that the program got, by more than what loading the agent allocates.
QStringList differences(const AllocatorTrial& trial, const QByteArray& said) {
    constexpr std::int64_t kMost = 1 << 20;
    QStringList found;
    for (std::size_t i = 0; i < kAllocatorNumbers; ++i) {
        const auto number = static_cast<AllocatorNumber>(i);
        const bool isSaid = said.contains(wordOf(number));
        const auto itself = numberAfter(said, wordOf(number));
        const auto tried = static_cast<std::int64_t>(trial[number].value_or(0));
        if (isSaid != trial[number].has_value() || (isSaid && std::abs(tried - itself) > kMost))
            found << QStringLiteral("%1: %2 tried, %3 itself").arg(QString(wordOf(number))).arg(tried).arg(itself);
    }
    return found;
}

void allocatorRows() {
    QTest::addColumn<QString>("library");
    QTest::addColumn<int>("allocator");
    QTest::newRow("jemalloc") << "libjemalloc.so.2" << static_cast<int>(OtherAllocator::Jemalloc);
    QTest::newRow("tcmalloc") << "libtcmalloc_minimal.so.4" << static_cast<int>(OtherAllocator::Tcmalloc);
    QTest::newRow("mimalloc") << "libmimalloc.so.2" << static_cast<int>(OtherAllocator::Mimalloc);
}

#define SKIP_WITHOUT(library)                                                                                          \
    if (!QFile::exists(pathOfAllocator(library)))                                                                      \
    QSKIP("This allocator is not installed: "                                                                          \
          "installer/packages-test.txt")

} // namespace

/// Trials of allocators other than glibc's, in copies of real programs.
class OtherAllocatorsTest : public QObject {
    Q_OBJECT

  private slots:
    void numbersAndAmountsAreThoseOfTheProgramItself_data() { allocatorRows(); }
    void numbersAndAmountsAreThoseOfTheProgramItself() {
        QFETCH(const QString, library);
        QFETCH(const int, allocator);
        SKIP_WITHOUT(library);
        auto program = withAllocator(library, "200 0 0");
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        QCOMPARE(trial.value().allocators.size(), std::size_t{1});
        const auto& own = trial.value().allocators.front();
        QCOMPARE(static_cast<int>(own.allocator), allocator);
        QCOMPARE(own.end, End::Answered);
        program.say("numbers");
        QVERIFY(program.hasSaid(" end\n"));
        QCOMPARE(differences(own, program.said()), QStringList());
        program.say("release");
        QVERIFY(program.hasSaid("released "));
        QTRY_VERIFY(program.hasSaid(" end\n"));
        const auto itself = numberAfter(program.said(), "released ");
        const auto tried = static_cast<std::int64_t>(own.tried.value_or(0));
        const auto amounts = QStringLiteral("%1 tried, %2 itself").arg(tried).arg(itself);
        QVERIFY2(tried > 50'000'000 && (tried - itself) * 50 <= itself, qPrintable(amounts));
        // mimalloc gives back more as time passes, so that the program itself, which does it later, may give back more.
        const bool dependsOnTime = own.allocator == OtherAllocator::Mimalloc;
        QVERIFY2(dependsOnTime || (itself - tried) * 50 <= itself, qPrintable(amounts));
        QVERIFY(trial.value().tried < 1'000'000); // glibc has nothing
        QCOMPARE(program.exitCode(), 0);
        QTRY_COMPARE(copies(), 0);
    }

    // Some hold locks of the allocator in each copy.
    void busyThreadsDoNotPreventIt_data() { allocatorRows(); }
    void busyThreadsDoNotPreventIt() {
        QFETCH(const QString, library);
        SKIP_WITHOUT(library);
        auto program = withAllocator(library, "20 16 50000");
        QVERIFY(program.hasSaid("ready\n"));
        int answered = 0;
        for (int round = 0; round < 10; ++round) {
            const auto trial = trialOf(program.pid());
            QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
            QCOMPARE(trial.value().allocators.size(), std::size_t{1});
            if (trial.value().allocators.front().end == End::Answered) ++answered;
        }
        qInfo("%d of 10 answered", answered);
        QVERIFY(answered > 0);
        QCOMPARE(program.exitCode(), 0);
    }

    // Some allocators call hooks of the agent; the copy is no recorded child.
    void theRecordingOfTheProgramContinues_data() { allocatorRows(); }
    void theRecordingOfTheProgramContinues() {
        QFETCH(const QString, library);
        SKIP_WITHOUT(library);
        auto program = withAllocator(library, "20 1 50000");
        QVERIFY(program.hasSaid("ready\n"));
        const auto channel = AgentChannel::create(withChildren());
        QVERIFY(channel.hasValue());
        QVERIFY(attachAgent(*channel.value(), program.pid()).hasValue());
        std::size_t events = 0, processes = 0;
        const auto count = [&](std::span<const AgentEvent> some) {
            for (const auto& event : some) {
                ++events;
                if (event.op == AgentOp::ProcessStart) ++processes;
            }
        };
        for (int round = 0; round < 5; ++round) {
            const auto trial = trialOf(program.pid());
            QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
            channel.value()->drain(count);
        }
        const auto before = events;
        const auto hasMore = [&] {
            channel.value()->drain(count);
            return events > before;
        };
        QTRY_VERIFY(hasMore());
        QCOMPARE(processes, std::size_t{1});
        QCOMPARE(program.exitCode(), 0);
    }

    void aProgramMayContainTheAllocator() {
        auto program = ownMallctl();
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        QCOMPARE(trial.value().allocators.size(), std::size_t{1});
        const auto& own = trial.value().allocators.front();
        QCOMPARE(own.allocator, OtherAllocator::Jemalloc);
        QCOMPARE(own[AllocatorNumber::Allocated], std::optional<std::uint64_t>(SIZE_MAX));
        QCOMPARE(own[AllocatorNumber::Active], std::optional<std::uint64_t>(0));
        QCOMPARE(own[AllocatorNumber::Arenas], std::optional<std::uint64_t>(~0u));
        QVERIFY(!own[AllocatorNumber::Resident] && !own[AllocatorNumber::Committed]);
        QCOMPARE(own.tried, std::optional<ByteCount>(16 << 20));
        QCOMPARE(program.exitCode(), 0);
    }

    void anAllocatorThatDoesNotReturnCostsOnlyItsOwnNumbers_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<bool>("isCounted");
        QTest::newRow("it runs on while counting") << "spin numbers" << false;
        QTest::newRow("it sleeps while counting") << "sleep numbers" << false;
        QTest::newRow("it runs on while giving back") << "spin purge" << true;
        QTest::newRow("it sleeps while giving back") << "sleep purge" << true;
    }
    void anAllocatorThatDoesNotReturnCostsOnlyItsOwnNumbers() {
        QFETCH(const QString, arguments);
        QFETCH(const bool, isCounted);
        auto program = ownMallctl(arguments);
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        QCOMPARE(trial.value().allocators.size(), std::size_t{1});
        const auto& own = trial.value().allocators.front();
        QCOMPARE(own.end, End::TooLate);
        QCOMPARE(own[AllocatorNumber::Allocated].has_value(), isCounted);
        QVERIFY(!own.tried);
        QTRY_COMPARE(copies(), 0);
        program.say("lives");
        QVERIFY(program.hasSaid("lives\n"));
        QCOMPARE(program.exitCode(), 0);
    }

    // Neither its handlers nor its exit functions run in the copy.
    void anAllocatorThatFailsCostsOnlyItsOwnNumbers_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<bool>("isCounted");
        QTest::newRow("while counting") << "abort numbers" << false;
        QTest::newRow("while giving back") << "abort purge" << true;
    }
    void anAllocatorThatFailsCostsOnlyItsOwnNumbers() {
        QFETCH(const QString, arguments);
        QFETCH(const bool, isCounted);
        auto program = ownMallctl(arguments);
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        QCOMPARE(trial.value().allocators.size(), std::size_t{1});
        const auto& own = trial.value().allocators.front();
        QCOMPARE(own.end, End::Failed);
        QCOMPARE(own[AllocatorNumber::Allocated].has_value(), isCounted);
        QVERIFY(!own.tried);
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(program.said(), QByteArray("ready\nexits\n"));
    }

    void mostProgramsHaveNone() {
        Stranger program("/bin/sleep", {"600"});
        QTest::qWait(300);
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        QVERIFY(trial.value().allocators.empty());
        program.kill();
    }
};
HIGHWATER_TEST(OtherAllocatorsTest);

#include "other_allocators_test.moc"
