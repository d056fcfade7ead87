#include "core/symbols/places/symbol_path.h"
#include "core/symbols/places/system_symbol_places.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace highwater::symbols {

namespace {

/// From the system, for programs that were started without an environment.
std::optional<std::string> homeOfUser() {
    constexpr std::size_t kMostBytes = 65536;
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> text(kMostBytes);
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr)
        return std::nullopt;
    return std::string(entry.pw_dir);
}

} // namespace

Environment systemEnvironment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nothing here sets variables
        if (value != nullptr) return std::string(value);
        return name == "HOME" ? homeOfUser() : std::nullopt;
    };
}

std::vector<SymbolPathEntry> systemSymbolPlaces() {
    return {{SymbolPathEntry::Kind::BuildIdFolder, {}, "/usr/lib/debug/.build-id", true}};
}

} // namespace highwater::symbols
