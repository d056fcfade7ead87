#include "core/base/counted.h"
#include "core/source/agent/agent_launch_linux.h"
#include "core/source/agent/agent_source_linux.h"
#include "core/source/agent/backlog_memory_linux.h"
#include "core/source/attach/agent_library_linux.h"
#include "core/source/attach/recordable_program_linux.h"
#include "core/source/contract/capture.h"
#include "core/source/systems/capture_log.h"
#include "core/source/systems/launch_folder.h"

#include <fmt/format.h>

#include <unistd.h>

namespace highwater::source {
namespace {

/// `pid`: the process whose memory limits the backlog.
AgentOptions agentOptions(const CaptureOptions& options, std::uint32_t pid) {
    AgentOptions agent;
    agent.heap = options.heap;
    agent.virtualMemory = options.virtualAlloc;
    agent.freeStacks = options.stacksOnFree;
    agent.managedNames = options.managedNames;
    agent.waitsAtExit = options.waitsAtExit;
    if (options.mayLag) {
        agent.reading = AgentOptions::Reading::WhenIdle;
        agent.mostBytes = backlogMemoryBytes(pid);
    }
    if (options.children) agent.children = AgentOptions::Children::Recorded;
    return agent;
}

Result<AgentLaunch> agentLaunch(const CaptureLaunch& launch) {
    AgentLaunch agent;
    agent.program = launch.program;
    agent.arguments = launch.arguments;
    agent.folder = launch.folder;
    for (const auto& assignment : launch.environment) {
        const auto equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error{ErrorKind::Usage,
                         fmt::format("{} is not an environment variable. Write NAME=value.", assignment)};
        }
        agent.environment.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    return agent;
}

} // namespace

Result<void> checkLaunch(const CaptureLaunch& launch) {
    TRY(checkFolder(launch));
    TRY(agentLaunch(launch));
    TRY(checkRecordable(launch.program, findAgentLibrary()));
    return {};
}

Result<std::unique_ptr<RecordSource>> startCapture(const CaptureLaunch& launch, const CaptureOptions& options) {
    logLaunch(launch, options);
    const auto agent = TRY(agentLaunch(launch));
    auto source = TRY(AgentSource::launch(agentOptions(options, static_cast<std::uint32_t>(::getpid())), agent));
    return std::unique_ptr<RecordSource>(std::move(source));
}

Result<std::unique_ptr<RecordSource>> startCapture(std::uint32_t pid, const CaptureOptions& options) {
    logAttach(pid, options);
    auto source = TRY(AgentSource::attach(agentOptions(options, pid), pid, options.stop));
    return std::unique_ptr<RecordSource>(std::move(source));
}

// The memory of an agent is freed with the processes that map it.
std::vector<std::string> cleanUpCaptureLeftovers() {
    const auto links = removeStaleAgentLinks();
    if (links == 0) return {};
    return loggedCleanUp(
        {fmt::format("Removed leftovers of interrupted recordings: {} to the recorder.", counted(links, "link"))});
}

} // namespace highwater::source
