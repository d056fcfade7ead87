#pragma once

#include "core/agent_linux/programs/program_file.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace highwater::source {

/// Checks before a launch whether a program can be recorded with `library` as the agent (empty: the needs of the
/// library are not checked). Errors name the file and the reason: not found; not executable; started by the system on
/// another processor, with elevated privileges or not at all; without a dynamic linker that loads the agent. For
/// scripts the interpreter is examined. Any thread.
[[nodiscard]] Result<std::filesystem::path> checkRecordable(const std::string& program,
                                                            const std::filesystem::path& library = {});

/// The path at which the shell would find a program; empty: not found.
[[nodiscard]] std::filesystem::path findProgram(const std::string& program);

/// The reason why a program with this obstacle is not recorded, as the end of a sentence that starts with its name: "it
/// is ...". `detail` as in ProgramFinding.
[[nodiscard]] std::string reasonFor(agent::Obstacle obstacle, std::string_view detail);

/// The reason for a file that the system refused to execute (ENOEXEC), derived from its first bytes.
[[nodiscard]] std::string systemReasonFor(const std::filesystem::path& program);

/// The reason why the agent cannot be loaded into a running process, derived from its file (/proc/PID/exe); empty:
/// none. Elevated privileges are not a reason.
[[nodiscard]] std::string reasonAgainst(const std::filesystem::path& file);

/// The newest glibc version that the dynamic symbols of a file require or define, such as 36 for 2.36; 0: none.
[[nodiscard]] unsigned glibcVersionIn(const std::filesystem::path& file);

} // namespace highwater::source
