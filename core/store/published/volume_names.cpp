#include "core/store/published/volume_names.h"

#include "core/base/text.h"

#include <string_view>

namespace highwater::store {
namespace {

/// Windows limits a folder that is the mount point of a volume to 260 characters. Each path of the volume contains it,
/// so a longer one would turn a small trace into a large one.
constexpr std::size_t kLongestDosPath = 1024;

} // namespace

void VolumeNames::add(const VolumeMappingEvent& mapping) {
    if (mapping.ntPath.empty() || mapping.dosPath.size() > kLongestDosPath) return;
    dosPaths_.try_emplace(lowered(mapping.ntPath), mapping.dosPath);
    lengths_.insert(mapping.ntPath.size());
}

std::string VolumeNames::dosPath(const std::string& path) const {
    const auto sought = lowered(path);
    for (auto length = lengths_.lower_bound(path.size()); length != lengths_.end(); ++length) {
        const auto found = dosPaths_.find(std::string_view(sought).substr(0, *length));
        if (found != dosPaths_.end()) return found->second + path.substr(*length);
    }
    return path;
}

} // namespace highwater::store
