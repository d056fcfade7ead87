#include "core/symbols/places/trusted_image_path.h"

#include <windows.h>

namespace highwater::symbols {
namespace {

namespace fs = std::filesystem;

Error refusedPath(const char* why) { return {ErrorKind::AccessDenied, why}; }

PlaceBelow placeAt(const fs::path& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str()); // for a link, not for its target
    if (attributes == INVALID_FILE_ATTRIBUTES) return PlaceBelow::NotThere;
    if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return PlaceBelow::Link;
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return PlaceBelow::Folder;
    return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? PlaceBelow::Other : PlaceBelow::File;
}

} // namespace

Result<fs::path> trustedPath(std::string_view text) {
    if (const auto objection = objectionTo(text); !objection.empty())
        return Error{ErrorKind::AccessDenied, objection + "; skipped"};
    auto path = fs::path(std::u8string(text.begin(), text.end())).lexically_normal();
    path.make_preferred();
    if (::GetDriveTypeW(path.root_path().c_str()) != DRIVE_FIXED)
        return refusedPath("is not on a fixed drive of this computer; skipped");
    // Step by step, because a link on the way could lead to the network.
    auto reached = path.root_path();
    DWORD attributes = FILE_ATTRIBUTE_DIRECTORY;
    for (const auto& step : path.relative_path()) {
        reached /= step;
        attributes = ::GetFileAttributesW(reached.c_str());
        if (attributes == INVALID_FILE_ATTRIBUTES) return Error{ErrorKind::NotFound, "not found"};
        if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return refusedPath("is reached through a link; skipped");
    }
    if ((attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE)) != 0)
        return refusedPath("is not a regular file; skipped");
    return path;
}

PlaceBelow placeTypeBelow(const fs::path& folder, const fs::path& place) {
    auto reached = folder.has_filename() ? folder : folder.parent_path();
    if (reached.empty()) reached = ".";
    auto found = placeAt(reached);
    for (const auto& step : place.lexically_relative(folder)) {
        if (step == "..") return PlaceBelow::Other;
        if (step.empty() || step == ".") continue;
        if (found != PlaceBelow::Folder) return found == PlaceBelow::Link ? found : PlaceBelow::NotThere;
        reached /= step;
        found = placeAt(reached);
    }
    return found;
}

} // namespace highwater::symbols
