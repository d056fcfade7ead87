// Any text as a symbol path and as text with variables: never a crash, and a printed path is read as the same path.
#include "core/symbols/places/symbol_path.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater::symbols;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto path = SymbolPath::parse(text);
    if (SymbolPath::parse(path.toText()) != path) std::abort();
    const Environment environment = [](const std::string& name) -> std::optional<std::string> {
        if (name.size() % 2 == 0) return std::nullopt;
        return "%" + name + "%"; // the value of a variable is not expanded
    };
    (void)expandVariables(text, environment);
    for (const auto& entry : path.entries())
        (void)toText(parseSymbolPathEntry(entry.place));
    return 0;
}
