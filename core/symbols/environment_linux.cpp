#include "core/symbols/symbol_path.h"
#include "core/symbols/system_symbol_places.h"

#include <cstdlib>

namespace highwater::symbols {

Environment systemEnvironment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nothing here sets variables
        if (value == nullptr) return std::nullopt;
        return std::string(value);
    };
}

std::vector<SymbolPathEntry> systemSymbolPlaces() {
    return {{SymbolPathEntry::Kind::BuildIdFolder, {}, "/usr/lib/debug/.build-id", true}};
}

} // namespace highwater::symbols
