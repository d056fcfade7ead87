#pragma once

#include "core/event/module_identity.h"
#include "core/source/records/system_records.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace highwater::source {

/// What there is at one moment, asked of the system without event tracing (docs/etw.md 4.6): its own rundown may be
/// late, or not come. Milliseconds each.

/// What a process has loaded; empty: it may not be asked, or has only begun to load.
[[nodiscard]] std::vector<SystemImage> modulesOf(std::uint32_t pid);
[[nodiscard]] std::vector<SystemImage> kernelModules();

struct SystemProcess {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::string name;
};
[[nodiscard]] std::vector<SystemProcess> systemProcesses();

/// How the kernel begins paths, and people: \Device\HarddiskVolume3\ and C:\.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> volumes();

/// Which PDBs belong to modules, read from their files, or if those were replaced, from the process (docs/etw.md 4.7).
/// Keeps what it has read. One thread.
class ImageIdentities {
  public:
    /// Nothing: the image cannot be read.
    [[nodiscard]] std::optional<ModuleIdentity> of(const SystemImage& image);

  private:
    using Version = std::tuple<std::string, std::uint32_t, ByteCount>; ///< of a file: path, time stamp, size
    std::map<Version, std::optional<ModuleIdentity>> known_;
};

} // namespace highwater::source
