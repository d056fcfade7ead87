// Records a program as Highwater does, until it is killed: `agent_reader OUTPUT PROGRAM ARGS...`. Prints the pid of the
// program when it has seen events of it.
#include "core/source/agent_launch_linux.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace highwater::source;

int main(int count, char** arguments) {
    if (count < 3) return 64;
    auto channel = AgentChannel::create({});
    if (!channel.hasValue()) return 65;
    AgentLaunch launch;
    launch.program = arguments[2];
    launch.arguments.assign(arguments + 3, arguments + count);
    launch.output = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    auto target = launchUnderAgent(*channel.value(), launch);
    if (!target.hasValue()) return 66;
    bool isSaid = false;
    const auto sink = [&](std::span<const AgentEvent> events) {
        if (isSaid || events.size() < 1000) return;
        isSaid = true;
        std::printf("%d\n", target.value().pid());
        std::fflush(stdout);
    };
    channel.value()->run(sink, {}, [&] { return target.value().hasEnded(); });
    return 0;
}
