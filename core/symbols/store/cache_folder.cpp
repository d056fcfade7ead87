#include "core/symbols/store/cache_folder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace highwater::symbols {
namespace {

using Path = std::filesystem::path;

constexpr std::size_t kGuidDigits = 32;

std::vector<Path> childrenOf(const Path& folder) {
    std::vector<Path> children;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        children.push_back(it->path());
    return children;
}

bool isHex(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

/// GUID and age.
bool isPdbKey(const std::string& text) { return text.size() > kGuidDigits && isHex(text); }

/// Files of Highwater, recognized by their places.
std::vector<Path> cachedFiles(const Path& folder) {
    std::vector<Path> files;
    const auto take = [&](const Path& place) {
        std::error_code error;
        if (std::filesystem::is_regular_file(place, error)) files.push_back(place);
    };
    for (const auto& top : childrenOf(folder)) {
        for (const auto& below : childrenOf(top)) {
            const auto name = below.filename().string();
            if (top.filename() == "names" && (below.extension() == ".names" || below.extension() == ".part"))
                take(below);
            const bool isBuild = top.filename() == "buildid" && isHex(name);
            if (!isBuild && !isPdbKey(name)) continue;
            for (const auto& file : childrenOf(below))
                take(file);
        }
    }
    return files;
}

} // namespace

std::uint64_t cacheBytes(const Path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& file : cachedFiles(folder)) {
        std::error_code error;
        const auto size = std::filesystem::file_size(file, error);
        if (!error) bytes += size;
    }
    return bytes;
}

std::uint64_t clearCache(const Path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& file : cachedFiles(folder)) {
        std::error_code error;
        const auto size = std::filesystem::file_size(file, error);
        if (!std::filesystem::remove(file, error) || error) continue;
        bytes += size;
        // Removes folders that became empty; others cannot be removed.
        for (auto parent = file.parent_path(); parent != folder && !parent.empty(); parent = parent.parent_path()) {
            std::error_code isNotEmpty;
            if (!std::filesystem::remove(parent, isNotEmpty)) break;
        }
    }
    return bytes;
}

} // namespace highwater::symbols
