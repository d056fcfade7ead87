#pragma once

#include "core/event/process_events.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace highwater::store {

/// Names of volumes as the kernel has them, and as people know them. However many there are, a path costs as many
/// look-ups as it has prefixes at most.
class VolumeNames {
  public:
    void add(const VolumeMappingEvent& mapping);
    /// By the longest prefix, case-insensitive; of equal ones by that which came first. The path itself if there is
    /// none.
    [[nodiscard]] std::string dosPath(const std::string& path) const;

    /// What readers need, for who writes it to a file or takes it from there (core/pipeline/index): archive(fields...).
    /// `self` may be const.
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.dosPaths_, self.lengths_);
    }

  private:
    std::map<std::string, std::string, std::less<>> dosPaths_; ///< by the kernel's, lowered
    std::set<std::size_t, std::greater<>> lengths_;            ///< of the kernel's
};

} // namespace highwater::store
