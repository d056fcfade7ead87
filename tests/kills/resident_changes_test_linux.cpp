#include "core/analysis/balance/balance.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/resident_memory.h"
#include "tests/kills/changing_target.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <random>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 200;
constexpr const char* kChanges[] = {"kill", "exit", "execute", "remap"};
/// A sample takes some milliseconds, so a program that changes all the time does it during several samples.
constexpr auto kRemapping = std::chrono::milliseconds(60);

/// Opens the gate of a changing_target: it changes then.
class Gate {
  public:
    explicit Gate(std::string path) : path_(std::move(path)) {
        if (::mkfifo(path_.c_str(), 0600) != 0) qFatal("no pipe");
    }
    ~Gate() {
        close();
        ::unlink(path_.c_str());
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Waits until the program has its memory.
    void waitForProgram() { file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC); }
    void open() const {
        if (::write(file_, "x", 1) != 1) qWarning("the program is gone");
    }
    void close() {
        if (file_ >= 0) ::close(file_);
        file_ = -1;
    }

  private:
    std::string path_;
    int file_ = -1;
};

/// Makes the change now. The program makes it itself, except for kinds that must be caused from outside (kill).
void cause(const std::string& change, pid_t pid, Gate& gate) {
    if (change == "kill")
        ::kill(pid, SIGKILL);
    else
        gate.open();
    if (change == "remap") std::this_thread::sleep_for(kRemapping);
    gate.close();
}

std::vector<std::string> argumentsOf(const std::string& change, const std::string& gate) {
    return {gate, change == "kill" ? "wait" : change};
}

std::uint64_t pagesIn(const Mapping& mapping) {
    std::uint64_t sum = 0;
    mapping.pages.each([&](std::uint64_t, std::uint64_t pages) { sum += pages; });
    return sum;
}

std::string describe(const Mapping& mapping) {
    return fmt::format("{:x}-{:x} has {} bytes and {} pages", mapping.begin, mapping.end, mapping.resident,
                       pagesIn(mapping));
}

/// All markers of one group, or none. Returns the problem.
std::string wrongMarkers(const ResidentSample& sample, Address begin, std::size_t& found) {
    found = 0;
    for (const auto& mapping : sample.mappings) {
        if (mapping.begin < begin || mapping.begin >= begin + kMarkers * kMarkerStep) continue;
        if ((mapping.flags & mapping_flag::kWrite) == 0) continue;
        ++found;
        const bool isTrue = mapping.end - mapping.begin == kMarkerBytes &&
                            mapping.resident == kMarkerResidentPages * kPageBytes &&
                            pagesIn(mapping) == kMarkerResidentPages;
        if (!isTrue) return describe(mapping);
    }
    return found == 0 || found == kMarkers ? "" : fmt::format("{} markers", found);
}

/// A sample shows the program before its change, or after it, and never something in between. Returns the problem.
std::string wrongIn(const ResidentSample& sample) {
    if (!isValid(sample)) return "the mappings contradict each other";
    if (sample.resident() == 0) return "nothing is resident";
    std::size_t low = 0, high = 0;
    for (auto wrong : {wrongMarkers(sample, kLowMarkers, low), wrongMarkers(sample, kHighMarkers, high)})
        if (!wrong.empty()) return wrong;
    return low == high ? "" : fmt::format("{} low markers, {} high ones", low, high);
}

/// The results of one or more rounds.
struct Findings {
    int samples = 0, withMarkers = 0, without = 0;
    std::string wrong;

    void add(const Findings& other) {
        samples += other.samples;
        withMarkers += other.withMarkers;
        without += other.without;
    }
    void take(const Result<std::optional<ResidentSample>>& answer) {
        if (!answer.hasValue()) {
            wrong = answer.error().message;
        } else if (!answer.value()) {
            ++without;
        } else {
            ++samples;
            std::size_t markers = 0;
            (void)wrongMarkers(*answer.value(), kLowMarkers, markers);
            withMarkers += markers > 0;
            if (wrong.empty()) wrong = wrongIn(*answer.value());
        }
    }
};

pid_t start(const std::vector<std::string>& arguments) {
    std::vector<char*> pointers{const_cast<char*>(HIGHWATER_CHANGING_TARGET)};
    for (const auto& argument : arguments)
        pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    pid_t pid = -1;
    if (::posix_spawn(&pid, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) qFatal("no program");
    return pid;
}

/// As in shells: the exit code, or 128 + the number of the signal.
int statusOf(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
int expectedStatus(const std::string& change) { return change == "kill" ? 128 + SIGKILL : kExitCode; }

class RandomMoments {
  public:
    explicit RandomMoments(Clock::duration longest) : longest_(longest) {}
    [[nodiscard]] Clock::duration next() {
        return std::chrono::duration_cast<Clock::duration>(longest_ * share_(random_));
    }

  private:
    std::mt19937 random_{43};
    std::uniform_real_distribution<double> share_{0, 1};
    std::chrono::duration<double, std::nano> longest_;
};

Result<std::optional<ResidentSample>> takeInto(Findings& findings, Result<std::optional<ResidentSample>> answer) {
    findings.take(answer);
    return answer;
}

/// The program is unharmed, and each balance adds up. Returns the problem.
std::string wrongIn(const pipeline::Recording& recording, const std::string& kind) {
    if (recording.trace().state() != pipeline::LoadState::Finished) return "the recording is not finished";
    const auto end = recording.trace().facts().programEnd;
    if (!end || static_cast<int>(end->status()) != expectedStatus(kind))
        return fmt::format("it ended with {}", end ? static_cast<int>(end->status()) : -1);
    const auto trace = recording.trace().latest();
    for (const auto& note : trace->health.notes)
        if (note.find("was not sampled") != std::string::npos) return note;
    const auto courses = analysis::balanceCourses(*trace, {trace->wholeRange()});
    if (!courses.hasValue()) return courses.error().message;
    for (const auto& course : courses.value())
        for (const auto& point : course.points)
            if (point.layers.sum() != point.resident) return "the layers do not add up to Rss";
    return {};
}

/// The duration of a sample of the unchanged program.
Clock::duration sampleTime(pid_t pid) {
    (void)source::residentMemoryOf(static_cast<std::uint32_t>(pid));
    const auto begin = Clock::now();
    constexpr int kSamples = 5;
    for (int i = 0; i < kSamples; ++i)
        (void)source::residentMemoryOf(static_cast<std::uint32_t>(pid));
    return (Clock::now() - begin) / kSamples;
}

/// Samples a process again and again, and changes it at a moment within the first sample.
Findings sampleWhile(pid_t pid, Clock::duration moment, const std::function<void()>& change) {
    std::atomic<bool> isSampling = false, isOver = false;
    std::thread other([&] {
        while (!isSampling) {
        }
        const auto begin = Clock::now();
        while (Clock::now() - begin < moment) {
        }
        change();
        isOver = true;
    });
    Findings findings;
    isSampling = true;
    do {
        findings.take(source::residentMemoryOf(static_cast<std::uint32_t>(pid)));
    } while (!isOver);
    other.join();
    findings.take(source::residentMemoryOf(static_cast<std::uint32_t>(pid)));
    return findings;
}

} // namespace

/// Recorded programs that die, execute, or map and unmap their memory in the middle of a sample of it.
class ResidentChangesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

    /// The program changes in the middle of the sample of this number.
    [[nodiscard]] Findings record(const std::string& kind, int number, Clock::duration moment) const {
        Gate gate(path("gate"));
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_CHANGING_TARGET;
        launch.arguments = argumentsOf(kind, gate.path());
        Findings findings;
        int samples = 0;
        std::atomic<bool> isReady = false, hasChanged = false;
        pipeline::RecordingOptions options{.spool = path("spool.etl")};
        options.ask.resident = [&](std::uint32_t pid) {
            if (!isReady) return source::residentMemoryOf(pid); // it maps the markers
            if (hasChanged || ++samples != number) return takeInto(findings, source::residentMemoryOf(pid));
            std::thread other([&] {
                std::this_thread::sleep_for(moment);
                cause(kind, static_cast<pid_t>(pid), gate);
                hasChanged = true;
            });
            auto answer = takeInto(findings, source::residentMemoryOf(pid));
            while (!hasChanged)
                answer = takeInto(findings, source::residentMemoryOf(pid));
            other.join();
            return answer;
        };
        pipeline::Recording recording([&](TraceHealth&) { return source::startCapture(launch, {}); }, options);
        gate.waitForProgram();
        isReady = true;
        const auto patience = Clock::now() + std::chrono::seconds(60);
        while (!recording.trace().isDone()) {
            if (Clock::now() > patience) return {.wrong = "no end"};
            recording.mark("now");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        recording.wait();
        if (findings.wrong.empty()) findings.wrong = wrongIn(recording, kind);
        return findings;
    }

  private slots:
    void aSampleShowsTheProgramBeforeOrAfter_data() {
        QTest::addColumn<QString>("change");
        for (const auto* change : kChanges)
            QTest::newRow(change) << change;
    }
    void aSampleShowsTheProgramBeforeOrAfter() {
        QFETCH(const QString, change);
        const auto kind = change.toStdString();
        std::optional<RandomMoments> moments;
        Findings all;
        for (int round = 0; round < kRounds; ++round) {
            Gate gate(path("gate"));
            const auto pid = start(argumentsOf(kind, gate.path()));
            gate.waitForProgram();
            if (!moments) moments.emplace(sampleTime(pid));
            const auto found = sampleWhile(pid, moments->next(), [&] { cause(kind, pid, gate); });
            QCOMPARE(statusOf(pid), expectedStatus(kind));
            QVERIFY2(found.wrong.empty(), fmt::format("round {}: {}", round, found.wrong).c_str());
            all.add(found);
        }
        qInfo("%d samples, %d before the change; %d times nothing", all.samples, all.withMarkers, all.without);
        QVERIFY(all.samples > 0 && all.samples + all.without > kRounds);
    }
    void aRecordingIsWholeWhateverItsProgramDoes() {
        Findings all;
        RandomMoments moments(std::chrono::milliseconds(4));
        for (int round = 0; round < kRounds; ++round) {
            const std::string kind = kChanges[static_cast<std::size_t>(round) % std::size(kChanges)];
            const auto found = record(kind, 1 + round / 4 % 3, moments.next());
            QVERIFY2(found.wrong.empty(), fmt::format("round {}, {}: {}", round, kind, found.wrong).c_str());
            all.add(found);
        }
        qInfo("%d samples, %d before the change; %d times nothing", all.samples, all.withMarkers, all.without);
        QVERIFY(all.samples > kRounds);
    }
};

HIGHWATER_TEST(ResidentChangesTest);
#include "resident_changes_test_linux.moc"
