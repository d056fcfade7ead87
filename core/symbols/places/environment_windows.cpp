#include "core/base/text.h"
#include "core/symbols/places/symbol_path.h"
#include "core/symbols/places/system_symbol_places.h"

#include <cstdlib>
#include <filesystem>

namespace highwater::symbols {

Environment systemEnvironment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const std::filesystem::path wide(std::u8string(name.begin(), name.end()));
        const wchar_t* value = ::_wgetenv(wide.c_str());
        if (value == nullptr) return std::nullopt;
        return utf8(value);
    };
}

std::vector<SymbolPathEntry> systemSymbolPlaces() { return {}; }

} // namespace highwater::symbols
