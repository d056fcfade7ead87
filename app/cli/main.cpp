#include "app/cli/command_line.h"
#include "app/cli/program_start.h"
#include "core/files/file_limits.h"
#include "core/files/library_search.h"

#include <iostream>

int main(int argc, char** argv) {
    using namespace highwater::cli;
    highwater::searchOnlyTrustedFolders();
    highwater::reportFileLimits();
    const auto exitCode = onUsualStack([&] {
        return static_cast<int>(runCommandLine(startProgram(argc, argv), {std::cout, std::cerr}));
    });
    std::cout.flush();
    // Fail if the output could not be written (disk full, closed pipe).
    if (std::cout) return exitCode;
    std::cerr << "highwater-cli: The output could not be written.\n";
    return static_cast<int>(ExitCode::CannotRead);
}
