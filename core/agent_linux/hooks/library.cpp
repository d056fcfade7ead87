#include "core/agent_linux/allocator_modules.h"
#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/real_functions.h"
#include "core/agent_linux/launch_variables.h"
#include "core/agent_linux/modules.h"
#include "core/agent_linux/recording.h"

#include <cstring>
#include <dlfcn.h>

// Where the agent begins, as the dynamic linker loads it before everything else (it is linked with "initfirst", so that
// what other libraries allocate when they are initialised is seen).

#define HIGHWATER_EXPORT extern "C" __attribute__((visibility("default")))

using namespace highwater::agent;

namespace {

/// An allocator that we call may jump to another function instead of calling it, which then seems to be called by us.
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
    }
    if ((recording.options & kChildren) == 0) hideFromPrograms(environment);
}

} // namespace

/// For who loaded the agent into a running process: starts recording. Returns a StartResult.
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

/// What is unloaded must not be taken for what is loaded there next. (dlopen is left alone: it looks at who calls it.
/// New modules are noticed with the first stack through them.)
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
