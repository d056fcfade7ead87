#pragma once

#include "core/event/process_events.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace highwater::store {

/// Kernel names of volumes and their user-visible names. The number of look-ups per path is at most the number of its
/// prefixes, regardless of the number of volumes.
class VolumeNames {
  public:
    void add(const VolumeMappingEvent& mapping);
    /// By the longest prefix, case-insensitive; among equal ones, the first. The path itself if there is none.
    [[nodiscard]] std::string dosPath(const std::string& path) const;

    /// Archives the fields that readers need, for code that writes them to or reads them from a file
    /// (core/pipeline/index): archive(fields...). `self` may be const.
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.dosPaths_, self.lengths_);
    }

  private:
    std::map<std::string, std::string, std::less<>> dosPaths_; ///< by the kernel name in lower case
    std::set<std::size_t, std::greater<>> lengths_;            ///< lengths of the kernel names
};

} // namespace highwater::store
