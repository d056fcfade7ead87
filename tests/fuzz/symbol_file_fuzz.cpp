// Any bytes, opened as a PDB, an ELF file or a Windows image and asked for names and lines of managed methods: never a
// crash, a hang, or a read outside.
#include "core/symbols/answers/il_address.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace highwater::symbols;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
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
