#include "tests/benchmarks/heapload.h"

#include <fmt/format.h>

#include <cstdlib>

namespace highwater::benchmarks {

namespace fs = std::filesystem;

fs::path buildHeapload(const fs::path& folder) {
    const fs::path source = fs::path(HIGHWATER_SHARED_TRACES).parent_path() / "bench" / "heapload.cpp";
    if (!fs::exists(source)) return {};
    const fs::path program = folder / "heapload";
    const std::string command = fmt::format("c++ -O2 -g -pthread -o \"{}\" \"{}\"", program.string(), source.string());
    return std::system(command.c_str()) == 0 ? program : fs::path();
}

} // namespace highwater::benchmarks
