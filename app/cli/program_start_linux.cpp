#include "app/cli/program_start.h"

namespace highwater::cli {

std::vector<std::string> startProgram(int argc, char** argv) {
    if (argc < 1) return {};
    return {argv + 1, argv + argc};
}

} // namespace highwater::cli
