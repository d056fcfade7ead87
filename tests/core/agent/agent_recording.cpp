#include "tests/core/agent/agent_recording.h"

#include "tests/core/agent/targets/agent_target.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <fcntl.h>
#include <set>
#include <thread>
#include <unistd.h>

namespace highwater::tests {

using namespace highwater::source;

namespace {

/// Stores the contents of a batch and checks the rules that hold for every recording.
class Collector {
  public:
    explicit Collector(AgentRecording& recording) : recording_(recording) {}

    void take(std::span<const AgentEvent> events) {
        for (const AgentEvent& event : events) {
            check(event);
            recording_.events.push_back(event);
            if (event.detail == nullptr) continue;
            recording_.details.push_back(std::make_shared<AgentDetail>(*event.detail));
            recording_.events.back().detail = recording_.details.back().get();
            if (event.op == AgentOp::Stack) recording_.stacks[event.stackKey] = event.detail->frames;
        }
    }

  private:
    void check(const AgentEvent& event) {
        if (event.timeNs < lastNs_) broken("time goes back", event);
        lastNs_ = event.timeNs;
        if (event.op == AgentOp::ProcessStart)
            processes_.insert(event.pid);
        else if (!processes_.contains(event.pid))
            broken("before its process began", event);
        if (event.op == AgentOp::ThreadStart)
            threads_.insert({event.pid, event.tid});
        else if (event.tid != 0 && !threads_.contains({event.pid, event.tid}))
            broken("before its thread began", event);
        if (event.op == AgentOp::ThreadEnd) threads_.erase({event.pid, event.tid});
        if (event.op == AgentOp::Stack)
            keys_[event.stackKey] = event.pid;
        else if (event.stackKey != 0 && keys_[event.stackKey] != event.pid)
            broken("with a stack of nobody", event);
    }
    void broken(const char* what, const AgentEvent& event) {
        recording_.problem =
            QStringLiteral("%1 of %2/%3 %4").arg(name(event.op)).arg(event.pid).arg(event.tid).arg(what);
    }

    AgentRecording& recording_;
    std::int64_t lastNs_ = 0;
    std::set<std::uint32_t> processes_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads_;
    std::map<std::uint64_t, std::uint32_t> keys_;
};

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString line(const AgentEvent& event) {
    QString what = name(event.op);
    if (event.op == AgentOp::Map || event.op == AgentOp::Protect) what += QStringLiteral(" %1").arg(event.protection);
    return QStringLiteral("%1 0x%2 %3").arg(what).arg(event.address, 0, 16).arg(event.size);
}

} // namespace

std::size_t AgentRecording::count(AgentOp op, std::optional<ByteCount> size) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        events, [&](const AgentEvent& event) { return event.op == op && (!size || event.size == *size); }));
}

std::vector<AgentEvent> AgentRecording::all(AgentOp op) const {
    std::vector<AgentEvent> found;
    std::ranges::copy_if(events, std::back_inserter(found), [&](const AgentEvent& event) { return event.op == op; });
    return found;
}

QStringList AgentRecording::linesBetweenMarks() const {
    QStringList lines;
    int marks = 0;
    for (const AgentEvent& event : events) {
        const bool isMark = event.op == AgentOp::Allocate && event.size == kMarkBytes;
        if (isMark) ++marks;
        if (marks == 1 && !isMark && event.op <= AgentOp::Break) lines.append(line(event));
    }
    return marks == 2 ? lines : QStringList{QStringLiteral("%1 marks").arg(marks)};
}

std::size_t AgentRecording::contradictions() const {
    std::size_t found = 0;
    std::map<std::uint32_t, std::set<Address>> outstanding;
    for (const AgentEvent& event : events) {
        auto& blocks = outstanding[event.pid];
        if (event.op == AgentOp::Allocate || event.op == AgentOp::ReallocateMake)
            found += blocks.insert(event.address).second ? 0 : 1;
        if (event.op == AgentOp::Free || event.op == AgentOp::ReallocateRelease)
            found += blocks.erase(event.address) ? 0 : 1;
        if (event.op == AgentOp::Reallocate) found += blocks.contains(event.address) ? 0 : 1;
    }
    return found;
}

AgentRecording record(const AgentRun& run) {
    AgentRecording recording;
    auto channel = AgentChannel::create(run.options, run.library.toStdString());
    if (!channel.hasValue()) {
        recording.problem = QString::fromStdString(channel.error().message);
        return recording;
    }
    const QTemporaryDir folder;
    AgentLaunch launch;
    launch.program = run.program.toStdString();
    for (const QString& argument : run.arguments)
        launch.arguments.push_back(argument.toStdString());
    launch.folder = run.folder.toStdString();
    if (!run.preload.isEmpty()) launch.environment.emplace_back("LD_PRELOAD", run.preload.toStdString());
    launch.output = open(folder.filePath("out").toLocal8Bit(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    launch.errors = open(folder.filePath("err").toLocal8Bit(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    auto launched = launchUnderAgent(*channel.value(), launch);
    close(*launch.output);
    close(*launch.errors);
    if (!launched.hasValue()) {
        recording.problem = QString::fromStdString(launched.error().message);
        return recording;
    }
    AgentTarget& process = launched.value();
    recording.pid = static_cast<std::uint32_t>(process.pid());
    Collector collector(recording);
    if (run.isDrainedLate) recording.end = process.waitForEnd();
    if (run.eventsAtOnce > 0) {
        for (bool hasEnded = false; !hasEnded || channel.value()->runningProcesses() > 0;) {
            hasEnded = process.hasEnded();
            channel.value()->look();
            channel.value()->read([&](std::span<const AgentEvent> events) { collector.take(events); },
                                  run.eventsAtOnce);
            std::this_thread::sleep_for(std::chrono::milliseconds(hasEnded ? 0 : 1));
        }
    }
    channel.value()->run([&](std::span<const AgentEvent> events) { collector.take(events); }, {},
                         [&] { return run.isDrainedLate || process.hasEnded(); });
    recording.end = process.waitForEnd();
    recording.losses = channel.value()->losses();
    recording.output = contentOf(folder.filePath("out"));
    recording.errors = contentOf(folder.filePath("err"));
    return recording;
}

AgentRecording runAlone(const AgentRun& run) {
    AgentRecording recording;
    QProcess process;
    if (!run.folder.isEmpty()) process.setWorkingDirectory(run.folder);
    if (!run.preload.isEmpty()) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_PRELOAD", run.preload);
        process.setProcessEnvironment(environment);
    }
    process.start(run.program, run.arguments);
    if (!process.waitForFinished(-1)) recording.problem = process.errorString();
    recording.end.exitCode = process.exitCode();
    recording.output = process.readAllStandardOutput();
    recording.errors = process.readAllStandardError();
    return recording;
}

QString compileProgram(const QTemporaryDir& folder, const QString& compiler, const QStringList& options) {
    const auto source = folder.filePath("program.c"), program = folder.filePath("compiled");
    QFile file(source);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#include <stdio.h>\nint main(void) { puts(\"done\"); return 9; }\n");
    file.close();
    QProcess process;
    process.start(compiler, QStringList{"-o", program, source} + options);
    if (!process.waitForStarted() || !process.waitForFinished(-1)) return {};
    return process.exitCode() == 0 ? program : QString();
}

QString targetPath(const QString& name) { return QStringLiteral(HIGHWATER_AGENT_TARGETS "/") + name; }
AgentRun target(const QStringList& arguments, const AgentOptions& options) {
    return {targetPath("agent_target"), arguments, options};
}
AgentOptions withChildren() {
    AgentOptions options;
    options.children = AgentOptions::Children::Recorded;
    return options;
}

} // namespace highwater::tests
