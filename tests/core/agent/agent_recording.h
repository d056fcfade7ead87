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

/// What a program is run with.
struct AgentRun {
    QString program;
    QStringList arguments;
    source::AgentOptions options = {};
    QString folder = {};
    QString library = {};       ///< the agent's; empty: as it was built
    QString preload = {};       ///< a library that the program has before its own
    bool isDrainedLate = false; ///< read only after the program ended
    /// While it runs, so many events are read at one time, every millisecond; 0: as many as there are.
    std::size_t eventsAtOnce = 0;
};

/// A program that ran to its end: what it said and, if it was recorded, what it did. The order of time, that every
/// stack is defined before it is used, and that threads and processes begin before they act is checked for each
/// recording.
struct AgentRecording {
    QString problem; ///< not empty: it could not be started, or a rule above was broken
    source::AgentTarget::End end;
    QByteArray output;
    QByteArray errors;
    std::vector<source::AgentEvent> events;
    std::vector<std::shared_ptr<source::AgentDetail>> details; ///< keeps those of events
    std::map<std::uint64_t, std::vector<Address>> stacks;      ///< by key
    source::AgentLosses losses;
    std::uint32_t pid = 0;

    [[nodiscard]] std::size_t count(source::AgentOp op, std::optional<ByteCount> size = {}) const;
    [[nodiscard]] std::vector<source::AgentEvent> all(source::AgentOp op) const;
    /// Events of heap and pages of the thread that marked, between its two marks, as agent_target prints them.
    [[nodiscard]] QStringList linesBetweenMarks() const;
    /// Frees of blocks that were not outstanding, and allocations at addresses that were.
    [[nodiscard]] std::size_t contradictions() const;
};

/// Runs a program under the agent.
AgentRecording record(const AgentRun& run);
/// Runs it as it is.
AgentRecording runAlone(const AgentRun& run);
/// A small C program in a folder, made by a compiler with these options; empty: it cannot be made here.
QString compileProgram(const QTemporaryDir& folder, const QString& compiler, const QStringList& options);
/// The path of a program or library of targets/.
QString targetPath(const QString& name);
/// agent_target with these arguments.
AgentRun target(const QStringList& arguments, const source::AgentOptions& options = {});
source::AgentOptions withChildren();

} // namespace highwater::tests
