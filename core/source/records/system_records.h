#pragma once

#include "core/base/guid.h"
#include "core/base/units.h"
#include "core/event/module_identity.h"
#include "core/event/trace_health.h"
#include "core/source/records/batch_builder.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::source {

/// A module as reported by the system.
struct SystemImage {
    std::uint32_t pid = 0; ///< 0: a kernel module
    Address base = 0;
    ByteCount size = 0;
    std::uint32_t timeDateStamp = 0; ///< 0: not known
    std::string path;
};

/// Records about the state before a recording and about facts missing in the system's own events, in the format of the
/// kernel's rundown and of the merge step of Windows' recorders (docs/etl-format.md 5 and 6).

/// A process that was already running.
void addRunningProcess(BatchBuilder& batch, std::int64_t ticks, std::uint32_t pid, std::uint32_t parentPid,
                       const std::string& name, const std::string& commandLine);
/// Whether a module was loaded before, or is being loaded now.
enum class ImageLoad : std::uint8_t { Before, Now };
void addLoadedImage(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image,
                    ImageLoad load = ImageLoad::Before);
/// Identifies the PDB of a module and the version of its file.
void addImageIdentity(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image,
                      const ModuleIdentity& identity);
/// Maps a volume to its drive letter: \Device\HarddiskVolume3 is C:
void addVolume(BatchBuilder& batch, std::int64_t ticks, const std::string& ntPath, const std::string& dosPath);
/// Identifies the recording computer (see machineId). Only for sources that record themselves.
void addMachine(BatchBuilder& batch, std::int64_t ticks, const Guid& machine);
/// The number of processors of the computer, because the file header that Highwater writes counts its streams. Does not
/// change the computer's name.
void addProcessors(BatchBuilder& batch, std::int64_t ticks, std::uint32_t processors);
/// A remark about the recording. Stored in the file, so that it is shown whenever the file is opened. `severity` as in
/// TraceHealth: Bound means that something is missing. UTF-8.
void addRemark(BatchBuilder& batch, std::int64_t ticks, Severity severity, std::string_view sentence);

/// The time range in which that many events were lost, in ticks; `flags` of opcodes.h. TraceHealth also counts the
/// events.
void addLossPlace(BatchBuilder& batch, std::int64_t ticks, std::int64_t first, std::int64_t last, std::uint64_t events,
                  std::uint32_t flags);

} // namespace highwater::source
