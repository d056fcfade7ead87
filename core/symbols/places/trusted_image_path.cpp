#include "core/symbols/places/trusted_image_path.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace highwater::symbols {
namespace {

constexpr std::size_t kMostPathBytes = 4096;
constexpr std::size_t kMostNameBytes = 255;

bool isControl(char c) { return static_cast<unsigned char>(c) < ' '; }

/// Windows reserves these in every folder, with any extension.
bool isDeviceName(std::string_view name) {
    auto stem = lowered(name.substr(0, name.find_first_of(".:")));
    while (stem.ends_with(' '))
        stem.pop_back();
    constexpr std::array kDevices{"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"};
    if (std::find(kDevices.begin(), kDevices.end(), stem) != kDevices.end()) return true;
    if (!stem.starts_with("com") && !stem.starts_with("lpt")) return false;
    const auto number = stem.substr(3);
    constexpr std::array kRaised{"\xC2\xB9", "\xC2\xB2", "\xC2\xB3"}; // superscript 1, 2, 3 in UTF-8
    return (number.size() == 1 && number.front() >= '0' && number.front() <= '9') ||
           std::find(kRaised.begin(), kRaised.end(), number) != kRaised.end();
}

template <typename Visit>
bool allSteps(std::string_view path, std::string_view separators, const Visit& visit) {
    while (!path.empty()) {
        const auto end = std::min(path.find_first_of(separators), path.size());
        if (!visit(path.substr(0, end))) return false;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return true;
}

bool isDots(std::string_view step) { return step == "." || step == ".."; }

bool isBelow(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string objectionToWindows(std::string_view path) {
    constexpr std::string_view kSlashes = "\\/";
    const auto isSlash = [&](std::size_t at) { return at < path.size() && kSlashes.find(path[at]) != kSlashes.npos; };
    if (isSlash(0) && path.size() > 1 &&
        (path[1] == '?' || (isSlash(1) && path.size() > 2 && (path[2] == '?' || path[2] == '.'))))
        return "is a device";
    if (isSlash(0) && isSlash(1)) return "is a network path";
    if (isSlash(0) && lowered(path.substr(1)).starts_with("device")) return "is a device";
    const bool hasDrive = path.size() > 3 && lowered(path[0]) >= 'a' && lowered(path[0]) <= 'z' && path[1] == ':';
    if (!hasDrive || !isSlash(2)) return "is not an absolute path on this system";
    const auto isPlain = [](std::string_view step) { return step.empty() || isPlainName(step); };
    if (!allSteps(path.substr(3), kSlashes, isPlain)) return "is not a plain path";
    return {};
}

std::string objectionToLinux(std::string_view path) {
    if (!path.starts_with('/')) return "is not an absolute path on this system";
    if (path.starts_with("//")) return "is a network path";
    if (!allSteps(path.substr(1), "/", [](std::string_view step) { return !isDots(step); }))
        return "is not a plain path";
    for (const auto* folder : {"/net", "/afs"}) {
        if (isBelow(path, folder)) return "is a network path";
    }
    for (const auto* folder : {"/dev", "/proc", "/sys"}) {
        if (isBelow(path, folder)) return "is a device";
    }
    return {};
}

} // namespace

std::string objectionTo(std::string_view path, PathStyle style) {
    if (path.empty() || path.size() > kMostPathBytes) return "is not a valid path";
    if (std::any_of(path.begin(), path.end(), isControl)) return "is not a plain path";
    return style == PathStyle::Windows ? objectionToWindows(path) : objectionToLinux(path);
}

bool isPlainName(std::string_view name) {
    if (name.empty() || name.size() > kMostNameBytes || isDots(name)) return false;
    if (name.find_first_of("/\\:*?\"<>|") != std::string_view::npos) return false;
    if (std::any_of(name.begin(), name.end(), isControl)) return false;
    // Windows drops trailing dots and blanks, so the name would mean another file.
    return !name.ends_with('.') && !name.ends_with(' ') && !isDeviceName(name);
}

} // namespace highwater::symbols
