#include "core/source/wpr/wpr_snapshots.h"
#include "tests/core/source/wpr/wpr_simulator.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::source;
using highwater::tests::WprSimulator;

namespace {

constexpr std::uint32_t kOwner = 4711;

struct Stage {
    Stage() : journal(std::filesystem::path(folder.filePath("state/wpr-snapshots.txt").toStdString())) {}

    Result<std::unique_ptr<SnapshotRecording>> start(const SnapshotPlan& plan) {
        return WprSnapshots::start(wpr, journal, kOwner, plan);
    }
    /// We have left nothing in the system or in the journal.
    [[nodiscard]] bool isClean() const {
        const bool hasRecording = wpr.isRecording && !wpr.isOfAnotherTool;
        return wpr.enabled.empty() && !wpr.hasPeriod && !hasRecording && journal.read().commands.empty() &&
               !std::filesystem::exists(journal.file());
    }

    QTemporaryDir folder;
    WprJournal journal;
    WprSimulator wpr;
};

SnapshotPlan plan() { return {{100, 200}, "app.exe", 30}; }

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Start, two snapshots, saving: all commands of a recording.
void record(Stage& stage) {
    auto started = stage.start(plan());
    if (!started.hasValue()) return;
    (void)started.value()->takeSnapshot();
    (void)started.value()->takeSnapshot();
    (void)started.value()->stop("out.etl");
}

std::size_t commandsOfARecording() {
    Stage stage;
    record(stage);
    return stage.wpr.commands.size();
}

/// The command with this number fails in this way.
enum class Fault { Fails, Missing, NotStarted, TimesOutBefore, TimesOutAfter };
constexpr Fault kFaults[] = {Fault::Fails, Fault::Missing, Fault::NotStarted, Fault::TimesOutBefore,
                             Fault::TimesOutAfter};

void putFault(Stage& stage, std::size_t number, Fault fault) {
    stage.wpr.fault = [&stage, number, fault](const WprSimulator::Command&,
                                              const std::function<void()>& first) -> std::optional<WprOutcome> {
        if (stage.wpr.commands.size() != number + 1) return std::nullopt;
        switch (fault) {
        case Fault::Fails:
            return WprSimulator::failed(0x80004005);
        case Fault::Missing:
            return WprOutcome{WprOutcome::Kind::Missing, 0, {}};
        case Fault::NotStarted:
            return WprOutcome{WprOutcome::Kind::NotStarted, 5, {}};
        case Fault::TimesOutAfter:
            first();
            break;
        case Fault::TimesOutBefore:
            break;
        }
        return WprOutcome{WprOutcome::Kind::TimedOut, 1, {}};
    };
}

} // namespace

class WprSnapshotsTest : public QObject {
    Q_OBJECT

  private slots:
    void recordsAndTakesBack() {
        Stage stage;
        auto started = stage.start(plan());
        QVERIFY(started.hasValue());
        QCOMPARE(stage.wpr.enabled, (std::set<std::string>{"100", "200", "app.exe"}));
        QVERIFY(stage.wpr.isRecording && stage.wpr.hasPeriod);
        QVERIFY(started.value()->takeSnapshot().hasValue());
        const auto stopped = started.value()->stop("out.etl");
        QVERIFY(stopped.hasValue() && stopped.value().empty());
        QVERIFY(stage.isClean());
        const std::vector<std::string> expected{"-help",
                                                "-snapshotconfig heap -pid 100 enable",
                                                "-snapshotconfig heap -pid 200 enable",
                                                "-snapshotconfig heap -name app.exe enable",
                                                "-start heapsnapshot -filemode",
                                                "-enableperiodicsnapshot heap 30 100 200",
                                                "-singlesnapshot heap 100 200",
                                                "-disableperiodicsnapshot heap",
                                                "-stop out.etl",
                                                "-snapshotconfig heap -name app.exe disable",
                                                "-snapshotconfig heap -pid 200 disable",
                                                "-snapshotconfig heap -pid 100 disable"};
        QCOMPARE(stage.wpr.commands, expected);
        started.value().reset();
        QCOMPARE(stage.wpr.commands.size(), expected.size()); // nothing twice
    }

    void whoLetsGoHasNothingSaved() {
        Stage stage;
        QVERIFY(stage.start(plan()).hasValue());
        QVERIFY(stage.isClean());
        QVERIFY(stage.wpr.saved.empty());
    }

    void whateverFailsNothingIsLeft() {
        const auto count = commandsOfARecording();
        QVERIFY(count > 10);
        for (std::size_t number = 0; number < count; ++number) {
            for (const auto fault : kFaults) {
                Stage stage;
                putFault(stage, number, fault);
                record(stage);
                stage.wpr.fault = {};
                // Settings that could not be restored are in the journal, and the next one restores them.
                (void)takeBackLeftovers(stage.wpr, stage.journal, [](std::uint32_t) { return false; });
                const auto text =
                    fmt::format("command {}, fault {}: {}", number, static_cast<int>(fault), stage.wpr.commands.back());
                QVERIFY2(stage.isClean(), text.c_str());
            }
        }
    }

    /// A crash leaves the system and the journal in their states of that moment.
    void aCrashAnywhereIsTakenBack() {
        const auto count = commandsOfARecording();
        for (std::size_t number = 0; number < count; ++number) {
            for (const bool isAfter : {false, true}) {
                Stage stage;
                WprLeftovers noted;
                WprSimulator then;
                stage.wpr.fault = [&](const WprSimulator::Command&,
                                      const std::function<void()>& first) -> std::optional<WprOutcome> {
                    if (stage.wpr.commands.size() != number + 1) return std::nullopt;
                    if (isAfter) first();
                    noted = stage.journal.read();
                    then = stage.wpr;
                    return std::nullopt;
                };
                record(stage);
                QVERIFY(stage.isClean());
                then.fault = {};
                stage.wpr = then;
                QVERIFY(stage.journal.write(noted).hasValue());
                const auto isOwner = [](std::uint32_t pid) { return pid == kOwner; };
                QVERIFY(takeBackLeftovers(stage.wpr, stage.journal, isOwner).empty()); // its process is running
                const auto isNobody = [](std::uint32_t) { return false; };
                const auto sentences = takeBackLeftovers(stage.wpr, stage.journal, isNobody);
                QCOMPARE(sentences.size(), noted.commands.size());
                QVERIFY2(stage.isClean(), fmt::format("crash at {}", number).c_str());
            }
        }
    }

    void leftoversAreKeptUntilTheyCanBeTakenBack() {
        Stage stage;
        const WprLeftovers noted{kOwner, {{"-cancel"}, {"-snapshotconfig", "heap", "-pid", "100", "disable"}}};
        const auto isNobody = [](std::uint32_t) { return false; };
        stage.wpr.isRecording = true;
        stage.wpr.enabled = {"100"};
        QVERIFY(stage.journal.write(noted).hasValue());
        stage.wpr.fault = [](const WprSimulator::Command&, const auto&) {
            return std::optional(WprSimulator::failed(0x80070005));
        };
        QVERIFY(says(takeBackLeftovers(stage.wpr, stage.journal, isNobody).at(0), "Administrator rights are required"));
        QCOMPARE(stage.journal.read().commands, noted.commands);
        stage.wpr.fault = {};
        stage.wpr.processes.erase("100"); // with its database
        QCOMPARE(takeBackLeftovers(stage.wpr, stage.journal, isNobody).size(), std::size_t{2});
        QVERIFY(!stage.wpr.isRecording && stage.journal.read().commands.empty());
        QVERIFY(takeBackLeftovers(stage.wpr, stage.journal, isNobody).empty());
    }

    void aRecordingOfSomebodyElseIsLeftAlone() {
        Stage stage;
        stage.wpr.isRecording = stage.wpr.isOfAnotherTool = true;
        const auto started = stage.start(plan());
        QVERIFY(!started.hasValue());
        QVERIFY(started.error().kind == ErrorKind::AccessDenied);
        QVERIFY(says(started.error().message, "It says: The profiles are already running."));
        QVERIFY(says(started.error().message, "Windows Performance Recorder is already recording."));
        QVERIFY(stage.wpr.isRecording && stage.wpr.isOfAnotherTool);
        QVERIFY(stage.isClean());
    }

    void oneAtATime() {
        Stage stage;
        const auto first = stage.start(plan());
        QVERIFY(first.hasValue());
        const auto count = stage.wpr.commands.size();
        const auto second = stage.start(plan());
        QVERIFY(!second.hasValue() && says(second.error().message, "Another heap snapshot recording is running"));
        QCOMPARE(stage.wpr.commands.size(), count);
    }

    void saysWhatIsWrong() {
        const auto messageOf = [](const std::function<void(WprSimulator&)>& spoil, const SnapshotPlan& asked) {
            Stage stage;
            spoil(stage.wpr);
            const auto started = stage.start(asked);
            return started.hasValue() ? std::string("started") : started.error().message;
        };
        const auto alwaysFails = [](WprOutcome outcome) {
            return [outcome](WprSimulator& wpr) {
                wpr.fault = [outcome](const WprSimulator::Command&, const auto&) { return std::optional(outcome); };
            };
        };
        const auto nothing = [](WprSimulator&) {};
        QVERIFY(says(messageOf(alwaysFails({WprOutcome::Kind::Missing, 0, {}}), plan()), "wpr.exe was not found. "));
        QVERIFY(says(messageOf([](WprSimulator& wpr) { wpr.help = "-start"; }, plan()), "too old"));
        QVERIFY(
            says(messageOf(nothing, {{999}, {}, 0}), "-pid 999 enable failed (0x80070057). It says: No such process."));
        QVERIFY(says(messageOf(nothing, {{}, {}, 0}), "Specify the processes"));
        QVERIFY(says(messageOf(nothing, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {}, 0}), "at most 8 processes"));
        QVERIFY(says(messageOf(nothing, {{0}, {}, 0}), "0 is not a process"));
        QVERIFY(says(messageOf(nothing, {{100}, {}, 4}), "at most every 5 seconds"));
        QVERIFY(says(messageOf(nothing, {{}, "app.exe", 5}), "need a process ID"));
        for (const auto* name : {"-cancel", "..\\app.exe", "a b|c", "a\tb", "C:app.exe"})
            QVERIFY2(says(messageOf(nothing, {{}, name, 0}), "is not the name of a program"), name);
        QCOMPARE(messageOf(nothing, {{100}, {}, 5}), std::string("started"));
        QCOMPARE(messageOf(nothing, {{}, "my app.exe", 0}), std::string("started"));
    }

    void rightsAreAskedFor() {
        Stage stage;
        stage.wpr.fault = [](const WprSimulator::Command& command, const auto&) -> std::optional<WprOutcome> {
            if (command[0] != "-snapshotconfig") return std::nullopt;
            return WprSimulator::failed(0x80070005, "");
        };
        const auto started = stage.start(plan());
        QVERIFY(!started.hasValue() && started.error().kind == ErrorKind::AccessDenied);
        QCOMPARE(started.error().message,
                 std::string(
                     "wpr -snapshotconfig heap -pid 100 enable failed (0x80070005). Administrator rights are required. "
                     "Start the command prompt as administrator."));
    }

    void aSnapshotThatFailsEndsNothing() {
        Stage stage;
        auto started = stage.start({{100}, {}, 0});
        QVERIFY(started.hasValue());
        stage.wpr.processes.erase("100"); // it ended
        QVERIFY(!started.value()->takeSnapshot().hasValue());
        QVERIFY(stage.wpr.isRecording);
        const auto stopped = started.value()->stop("out.etl");
        QVERIFY(stopped.hasValue());
        QCOMPARE(stage.wpr.saved, std::vector<std::string>{"out.etl"});
        QCOMPARE(stopped.value().size(), std::size_t{1}); // it cannot be disabled any more
        QVERIFY(says(stopped.value()[0], "Run wpr -snapshotconfig heap -pid 100 disable"));
    }

    void whatCannotBeSavedIsCancelled() {
        Stage stage;
        auto started = stage.start(plan());
        QVERIFY(started.hasValue());
        stage.wpr.fault = [](const WprSimulator::Command& command, const auto&) -> std::optional<WprOutcome> {
            if (command[0] != "-stop") return std::nullopt;
            return WprSimulator::failed(0x80070070);
        };
        const auto stopped = started.value()->stop("out.etl");
        QVERIFY(!stopped.hasValue() && says(stopped.error().message, "The disk is full."));
        QVERIFY(stage.isClean());
    }

    void nothingIsDoneThatCannotBeNoted() {
        Stage stage;
        QVERIFY(QDir(stage.folder.path()).mkpath("state/wpr-snapshots.txt/in the way")); // a folder
        QVERIFY(!stage.start(plan()).hasValue());
        QVERIFY(stage.wpr.enabled.empty() && !stage.wpr.isRecording);
    }
};

HIGHWATER_TEST(WprSnapshotsTest);
#include "wpr_snapshots_test.moc"
