// Records a program as Highwater does, until it is killed: `agent_reader OUTPUT PROGRAM ARGS...` launches it,
// `agent_reader --pid PID` attaches to it. Prints the pid of the program after its first events; for an attached one at
// once. `agent_reader --waits OUTPUT PROGRAM ARGS...` prints the pid and "waits" when it waits at its end, and never
// lets it end.
#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/agent_launch_linux.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;

namespace {

Result<AgentTarget> launch(const AgentChannel& channel, int count, char** arguments) {
    AgentLaunch launch;
    launch.program = arguments[2];
    launch.arguments.assign(arguments + 3, arguments + count);
    launch.output = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return launchUnderAgent(channel, launch);
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3) return 64;
    const bool isAttached = std::strcmp(arguments[1], "--pid") == 0;
    AgentOptions options;
    options.waitsAtExit = std::strcmp(arguments[1], "--waits") == 0;
    if (options.waitsAtExit) --count, ++arguments;
    auto channel = AgentChannel::create(options);
    if (!channel.hasValue()) return 65;
    auto target =
        isAttached ? attachAgent(*channel.value(), static_cast<std::uint32_t>(std::strtoul(arguments[2], nullptr, 10)))
                   : launch(*channel.value(), count, arguments);
    if (!target.hasValue()) {
        std::fprintf(stderr, "%s\n", target.error().message.c_str());
        return 66;
    }
    channel.value()->whenProcessWaits([](std::uint32_t pid) {
        std::printf("%u\nwaits\n", pid);
        std::fflush(stdout);
    });
    bool isSaid = false;
    const auto say = [&] {
        isSaid = true;
        std::printf("%d\n", target.value().pid());
        std::fflush(stdout);
    };
    if (isAttached) say();
    const auto sink = [&](std::span<const AgentEvent> events) {
        if (!isSaid && events.size() >= 1000) say();
    };
    channel.value()->run(sink, {}, [&] { return target.value().hasEnded(); });
    return 0;
}
