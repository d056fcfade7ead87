#include "core/event/mapping_names.h"

#include "core/base/text.h"
#include "core/event/agent_names.h"

#include <algorithm>
#include <array>

namespace highwater {
namespace {

constexpr std::array<std::string_view, 5> kSharedPaths{"/dev/shm/", "/memfd:", "/SYSV", "/run/shm/", "/dev/zero"};

} // namespace

bool isAgentMapping(std::string_view name) {
    return name == kAgentChannelMapping || name == kAgentPagesMapping || fileName(name).starts_with(kAgentLibraryFile);
}

bool isSharedMemoryName(std::string_view name) {
    return std::ranges::any_of(kSharedPaths, [&](std::string_view path) { return name.starts_with(path); });
}

} // namespace highwater
