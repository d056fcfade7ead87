// Any bytes, opened as a PDB, an ELF file or a Windows image, queried for names and for lines of managed methods, and
// searched for allocators: never a crash, a hang, or a read outside.
#ifdef HIGHWATER_CAN_RECORD
#include "core/source/attach/own_allocator_linux.h"
#endif
#include "core/symbols/answers/il_address.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef HIGHWATER_CAN_RECORD
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#endif

using namespace highwater::symbols;

namespace {

/// Like modules of a recorded program.
void lookForAllocators([[maybe_unused]] const std::uint8_t* data, [[maybe_unused]] std::size_t size) {
#ifdef HIGHWATER_CAN_RECORD
    static const int file = memfd_create("module", MFD_CLOEXEC);
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) return;
    static_cast<void>(highwater::source::allocatorSymbolsIn("/proc/self/fd/" + std::to_string(file)));
#endif
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    lookForAllocators(data, size);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const auto file = openSymbolFileInMemory({bytes, bytes + size});
    if (!file.hasValue()) return 0;
    std::vector<Rva> addresses{0, 1, ~Rva{0}};
    for (Rva address = 0x1000; address < 0x3000; address += 16)
        addresses.push_back(address);
    for (std::uint32_t i = 0; i < 64; ++i)
        addresses.push_back(ilAddress({0x06000000 + i % 8, i / 8 * i}));
    const auto names = file.value()->resolve(addresses);
    return names.addressCount() == addresses.size() ? 0 : -1;
}
