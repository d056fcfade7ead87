#include "app/tools/fleet/command/fleet_files.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

namespace highwater::cli {
namespace {

namespace fs = std::filesystem;

bool isCalledLikeATrace(const fs::path& path) {
    constexpr std::array<std::string_view, 3> kSuffixes{".etl", ".etl.zip", ".diagsession"};
    const auto name = lowered(utf8(path.filename()));
    return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                       [&](auto suffix) { return name.size() > suffix.size() && name.ends_with(suffix); });
}

Result<std::vector<std::string>> filesIn(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator at(fs::path(folder), error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        std::error_code gone; // removed after it was listed
        if (at->is_regular_file(gone) && isCalledLikeATrace(at->path())) files.push_back(at->path().string());
    }
    if (error) return Error{ErrorKind::Io, fmt::format("{} cannot be read: {}.", folder, error.message())};
    if (files.empty())
        return Error{ErrorKind::NotFound, fmt::format("No file in {} has the extension of a trace (.etl, .etl.zip, "
                                                      ".diagsession). Specify other files individually.",
                                                      folder)};
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

Result<std::vector<std::string>> filesOfTraces(std::span<const std::string> named) {
    std::vector<std::string> files;
    for (const auto& name : named) {
        std::error_code none;
        if (!fs::is_directory(fs::path(name), none)) {
            files.push_back(name);
            continue;
        }
        const auto found = TRY(filesIn(name));
        files.insert(files.end(), found.begin(), found.end());
    }
    std::set<std::string> seen;
    std::erase_if(files, [&](const std::string& file) { return !seen.insert(file).second; });
    return files;
}

} // namespace highwater::cli
