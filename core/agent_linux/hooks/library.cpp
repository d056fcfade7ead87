#include "core/agent_linux/allocator_modules.h"
#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/exit_wait.h"
#include "core/agent_linux/hooks/real_functions.h"
#include "core/agent_linux/launch_variables.h"
#include "core/agent_linux/modules.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/trial/process_copy.h"
#include "core/agent_linux/trial/trim_trial.h"

#include <cstring>
#include <dlfcn.h>

// The entry point of the agent, which the dynamic linker runs before all other initializers (it is linked with
// "initfirst"), so that allocations of other initializers are recorded.

#define HIGHWATER_EXPORT extern "C" __attribute__((visibility("default")))

using namespace highwater::agent;

namespace {

/// An allocator may tail-call another function, which then appears to be called by us.
bool findAllocators() {
    noteAllocator(reinterpret_cast<const void*>(real().malloc));
    noteAllocator(&realFunctions);
    return findOwnOperators();
}

void remember(const char* channelPath) { rememberForNextProgram(channelPath, recording.channel.header().filters); }

__attribute__((constructor)) void start(int, char**, char** environment) {
    static_cast<void>(real());
    char** const channel = findVariable(environment, kChannelVariable);
    if (channel == nullptr) return;
    const char* const value = std::strchr(*channel, '=') + 1;
    if (startLaunched(value) == StartResult::Started) {
        remember(std::strchr(value, kAfterFilters) + 1);
        if (findAllocators()) takeOverCalls(Taken::Operators);
        if ((recording.options & kWaitsAtExit) != 0) waitAtExit();
    }
    if ((recording.options & kChildren) == 0) hideFromPrograms(environment);
}

} // namespace

/// For an agent loaded into a running process: starts recording. Returns a StartResult.
HIGHWATER_EXPORT int highwaterAgentStart(const char* channelPath) {
    const StartResult result = startRecording(channelPath, Begin::InItsMidst);
    if (result == StartResult::Started) remember(channelPath);
    if (result != StartResult::Started) return static_cast<int>(result);
    const bool hasOperators = findAllocators();
    if (isFirstInLine()) {
        if (hasOperators) takeOverCalls(Taken::Operators);
        return static_cast<int>(result);
    }
    return static_cast<int>(takeOverCalls(Taken::All) ? StartResult::Started : StartResult::NoCallsFound);
}

/// For an agent in a running process, which need not be recorded: see startTrimTrial.
HIGHWATER_EXPORT int highwaterAgentTryTrim(const char* answerPath) { return startTrimTrial(answerPath); }

/// For an agent in a running process, which need not be recorded: see startReadableCopy.
HIGHWATER_EXPORT int highwaterAgentCopy(const char* path) { return startReadableCopy(path); }

/// Forgets unloaded modules, so that they are not confused with modules loaded at the same address. (dlopen is not
/// hooked, because it depends on its caller. New modules are detected with the first stack through them.)
HIGHWATER_EXPORT int dlclose(void* module) noexcept {
    const int result = real().dlclose(module);
    recheckModules();
    if (isRecording()) reportUnloaded();
    return result;
}

HIGHWATER_OURS(dlclose);

namespace highwater::agent {

const Hook moduleHooks[] = {HIGHWATER_HOOK_ROW(dlclose, &realFunctions.dlclose), {}};

} // namespace highwater::agent
