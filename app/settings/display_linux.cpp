#include "app/settings/display.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace highwater::app {

bool hasDisplay(int argc, char** argv) {
    constexpr const char* kVariables[] = {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"};
    const auto isSet = [](const char* name) {
        const auto* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return std::any_of(std::begin(kVariables), std::end(kVariables), isSet) ||
           std::find(argv, argv + argc, std::string_view("-platform")) != argv + argc;
}

} // namespace highwater::app
