#pragma once

#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/agent_launch_linux.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <optional>
#include <vector>

namespace highwater::tests {

/// Parameters for running a program.
struct AgentRun {
    QString program;
    QStringList arguments;
    source::AgentOptions options = {};
    QString folder = {};
    QString library = {};       ///< the agent's library; empty: the one that was built
    QString preload = {};       ///< a library that is loaded before the program's own
    bool isDrainedLate = false; ///< read only after the program has ended
    /// While it runs, read this many events at a time, every millisecond; 0: all that are available.
    std::size_t eventsAtOnce = 0;
};

/// A program that ran to its end: its output and, if it was recorded, its events. Each recording is checked for three
/// rules: times ascend, every stack is defined before it is used, and threads and processes start before they act.
struct AgentRecording {
    QString problem; ///< not empty: it could not be started, or it broke a rule above
    source::AgentTarget::End end;
    QByteArray output;
    QByteArray errors;
    std::vector<source::AgentEvent> events;
    std::vector<std::shared_ptr<source::AgentDetail>> details; ///< owns the details of the events
    std::map<std::uint64_t, std::vector<Address>> stacks;      ///< by key
    source::AgentLosses losses;
    std::uint32_t pid = 0;

    [[nodiscard]] std::size_t count(source::AgentOp op, std::optional<ByteCount> size = {}) const;
    [[nodiscard]] std::vector<source::AgentEvent> all(source::AgentOp op) const;
    /// Heap and page events of the marking thread, between its two marks, as agent_target prints them.
    [[nodiscard]] QStringList linesBetweenMarks() const;
    /// Frees of blocks that were not outstanding, and allocations at addresses that were.
    [[nodiscard]] std::size_t contradictions() const;
};

/// Runs a program under the agent.
AgentRecording record(const AgentRun& run);
/// Runs it without the agent.
AgentRecording runAlone(const AgentRun& run);
/// Compiles a small C program in a folder, with this compiler and these options; empty: it cannot be compiled here.
QString compileProgram(const QTemporaryDir& folder, const QString& compiler, const QStringList& options);
/// The path of a program or library in targets/.
QString targetPath(const QString& name);
/// agent_target with these arguments.
AgentRun target(const QStringList& arguments, const source::AgentOptions& options = {});
source::AgentOptions withChildren();

} // namespace highwater::tests
