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

/// A module as the system tells of it.
struct SystemImage {
    std::uint32_t pid = 0; ///< 0: a module of the kernel
    Address base = 0;
    ByteCount size = 0;
    std::uint32_t timeDateStamp = 0; ///< 0: not known
    std::string path;
};

/// The records that tell what was there before a recording began, and what the system's own events leave out: as the
/// kernel's rundown and the merge step of Windows' recorders write them (docs/etl-format.md 5 and 6).

/// A process that was running.
void addRunningProcess(BatchBuilder& batch, std::int64_t ticks, std::uint32_t pid, std::uint32_t parentPid,
                       const std::string& name, const std::string& commandLine);
/// A module that was loaded before, or is loaded at this moment.
enum class ImageLoad : std::uint8_t { Before, Now };
void addLoadedImage(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image,
                    ImageLoad load = ImageLoad::Before);
/// Which PDB belongs to a module, and which version of the file it is.
void addImageIdentity(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image,
                      const ModuleIdentity& identity);
/// What a volume is called by people: \Device\HarddiskVolume3 is C:
void addVolume(BatchBuilder& batch, std::int64_t ticks, const std::string& ntPath, const std::string& dosPath);
/// Which computer records (see machineId): only sources that record themselves may say so.
void addMachine(BatchBuilder& batch, std::int64_t ticks, const Guid& machine);
/// How many processors the computer has: the header of a file that Highwater writes counts its streams. Its name stays
/// where it is.
void addProcessors(BatchBuilder& batch, std::int64_t ticks, std::uint32_t processors);
/// What the source says of the recording: in its file, too, so that whoever opens that is told the same. `severity` as
/// TraceHealth has it: Bound means that something is missing. UTF-8.
void addRemark(BatchBuilder& batch, std::int64_t ticks, Severity severity, std::string_view sentence);

/// When so many events were lost, in ticks; `flags` of opcodes.h. Their number is counted by TraceHealth besides.
void addLossPlace(BatchBuilder& batch, std::int64_t ticks, std::int64_t first, std::int64_t last, std::uint64_t events,
                  std::uint32_t flags);

} // namespace highwater::source
