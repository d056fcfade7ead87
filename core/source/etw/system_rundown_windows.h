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

/// Queries the current state of the system without event tracing (docs/etw.md 4.6), because the rundown of event
/// tracing may be late or missing. Milliseconds each.

/// The loaded modules of a process; empty if access is denied or the process has only begun to load.
[[nodiscard]] std::vector<SystemImage> modulesOf(std::uint32_t pid);
[[nodiscard]] std::vector<SystemImage> kernelModules();

struct SystemProcess {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::string name;
};
[[nodiscard]] std::vector<SystemProcess> systemProcesses();

/// Pairs of the kernel's and the user's path prefixes: \Device\HarddiskVolume3\ and C:\.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> volumes();

/// Identities of PDBs of modules, read from their files or, if the files were replaced, from the process (docs/etw.md
/// 4.7). Cached. One thread.
class ImageIdentities {
  public:
    /// Nothing if the image cannot be read.
    [[nodiscard]] std::optional<ModuleIdentity> of(const SystemImage& image);

  private:
    using Version = std::tuple<std::string, std::uint32_t, ByteCount>; ///< identifies a file: path, time stamp, size
    std::map<Version, std::optional<ModuleIdentity>> known_;
};

} // namespace highwater::source
