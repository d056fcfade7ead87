// highwater-attach: operations on other processes that must not be interrupted by killing Highwater. It is installed
// next to the agent's library and started by Highwater, with a connection to it as standard input:
//
//     highwater-attach load PID LIBRARY CHANNEL   loads the agent into a process, and reports the result
//     highwater-attach try-trim PID LIBRARY FILE  the same, but tries malloc_trim in a copy instead of recording
//     highwater-attach copy PID LIBRARY FILE      the same, but stops all threads and makes a copy that can be read
//     highwater-attach watch FROM BYTES           after Highwater has ended, empties that part of the channel
//
// It ends by itself and ignores signals that would end it.
#include "core/agent_linux/channel_layout.h"
#include "core/source/attach/agent_loading_linux.h"
#include "core/source/attach/loader_process_linux.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace highwater;
using source::LoaderProcess;

constexpr int kBadUsage = 64;

/// Ignores all signals that end or stop a program, except those for its own faults. SIGCHLD is not changed.
void ignoreSignals() {
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
                             SIGTTOU, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR})
        std::signal(number, SIG_IGN);
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number)
        std::signal(number, SIG_IGN);
}

/// False after any input on the connection, or its end: Highwater does not wait any more.
bool isAwaited() {
    pollfd connection{LoaderProcess::kConnection, POLLIN, 0};
    return poll(&connection, 1, 0) == 0;
}

int load(char** arguments, source::AgentFunction function) {
    const source::AgentLoad what{static_cast<std::uint32_t>(std::strtoul(arguments[0], nullptr, 10)), arguments[1],
                                 arguments[2], true, function};
    const auto answer = source::answerFor(source::loadAgent(what, isAwaited));
    send(LoaderProcess::kConnection, answer.data(), answer.size(), MSG_NOSIGNAL);
    return 0;
}

/// False: Highwater has ended the connection and emptied the channel itself.
bool isLeftAlone() {
    std::array<char, 1> word{};
    ssize_t bytes = 0;
    do {
        bytes = read(LoaderProcess::kConnection, word.data(), word.size());
    } while (bytes < 0 && errno == EINTR);
    return bytes <= 0;
}

int watch(char** arguments) {
    const auto from = static_cast<off_t>(std::strtoull(arguments[0], nullptr, 10));
    const auto bytes = static_cast<off_t>(std::strtoull(arguments[1], nullptr, 10));
    void* const begin =
        mmap(nullptr, sizeof(agent::ChannelHeader), PROT_READ | PROT_WRITE, MAP_SHARED, LoaderProcess::kFile, 0);
    if (begin == MAP_FAILED) return 1;
    if (!isLeftAlone()) return 0;
    agent::ChannelView(begin).header().isRecording.store(0);
    constexpr auto kUntilAllHaveLeft = std::chrono::milliseconds(20);
    std::this_thread::sleep_for(kUntilAllHaveLeft);
    return fallocate(LoaderProcess::kFile, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, bytes) == 0 ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    ignoreSignals();
    const std::string_view what = count > 1 ? arguments[1] : "";
    if (what == "load" && count == 5) return load(arguments + 2, source::AgentFunction::Start);
    if (what == "try-trim" && count == 5) return load(arguments + 2, source::AgentFunction::TryTrim);
    if (what == "copy" && count == 5) return load(arguments + 2, source::AgentFunction::Copy);
    if (what == "watch" && count == 4) return watch(arguments + 2);
    std::fputs("highwater-attach is started by Highwater.\n", stderr);
    return kBadUsage;
}
