// A program that was compiled with -gsplit-dwarf and its package: 4 bytes with the length of the program, the program,
// FILE.dwp (or a .dwo file). Names of addresses: never a crash, a hang, or a read outside.
#include "core/symbols/store/symbol_file_opener.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

using namespace highwater::symbols;

namespace {

/// Files of this process alone, in memory if the system has such a folder.
std::filesystem::path placeOf(const char* ending) {
    const std::filesystem::path memory = "/dev/shm";
    const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    return folder / ("split_dwarf_fuzz." + std::to_string(getpid()) + ending);
}

void writeTo(const std::filesystem::path& place, const std::uint8_t* data, std::size_t size) {
    std::ofstream(place, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint32_t programBytes = 0;
    if (size < sizeof(programBytes)) return 0;
    std::memcpy(&programBytes, data, sizeof(programBytes));
    data += sizeof(programBytes);
    size -= sizeof(programBytes);
    if (programBytes > size) return 0;
    const auto program = placeOf(""), package = placeOf(".dwp");
    writeTo(program, data, programBytes);
    writeTo(package, data + programBytes, size - programBytes);
    std::size_t answered = 0;
    std::vector<Rva> addresses{0, 1, ~Rva{0}};
    for (Rva address = 0x1000; address < 0x3000; address += 16)
        addresses.push_back(address);
    if (const auto file = openSymbolFile(program); file.hasValue()) {
        (void)file.value()->remark();
        answered = file.value()->resolve(addresses).addressCount();
    } else {
        answered = addresses.size();
    }
    std::filesystem::remove(program);
    std::filesystem::remove(package);
    return answered == addresses.size() ? 0 : -1;
}
