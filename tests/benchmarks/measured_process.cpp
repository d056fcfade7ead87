#include "tests/benchmarks/measured_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace highwater::benchmarks {

MeasuredProcess measureProcess(const std::vector<std::string>& command, const std::filesystem::path& input,
                               const std::filesystem::path& output) {
    std::vector<char*> arguments;
    for (const auto& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str())); // as POSIX requires; it is not written to
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    MeasuredProcess result;
    pid_t process = 0;
    const auto begin = std::chrono::steady_clock::now();
    result.isInstalled = posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    if (!result.isInstalled) return result;
    int status = 0;
    rusage usage{};
    (void)wait4(process, &status, 0, &usage);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.peakMegabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
    return result;
}

} // namespace highwater::benchmarks
