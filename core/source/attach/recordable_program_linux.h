#pragma once

#include "core/agent_linux/programs/program_file.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace highwater::source {

/// Whether a program can be recorded, before it is started, with `library` as the agent (empty: its needs are not
/// checked). Errors say which file prevents it and why: not found; not executable; started by the system under another
/// processor, with rights of its own or not at all; without a dynamic linker that loads the agent. For scripts the
/// interpreter is examined. Any thread.
[[nodiscard]] Result<std::filesystem::path> checkRecordable(const std::string& program,
                                                            const std::filesystem::path& library = {});

/// Where the shell finds a program; empty: nowhere.
[[nodiscard]] std::filesystem::path findProgram(const std::string& program);

/// Why a program with this obstacle is not recorded, as the end of a sentence that begins with its name: "it is ...".
/// `detail` as ProgramFinding has it.
[[nodiscard]] std::string reasonFor(agent::Obstacle obstacle, std::string_view detail);

/// The same for a file that the system refused to execute (ENOEXEC), by what it begins with.
[[nodiscard]] std::string reasonOfSystem(const std::filesystem::path& program);

/// Why the agent cannot be loaded into a process that runs, by its file (/proc/PID/exe); empty: nothing in it prevents
/// that. Rights of its own do not.
[[nodiscard]] std::string reasonAgainst(const std::filesystem::path& file);

/// The newest version of glibc that the names of a file's dynamic symbols require or define, as 36 of 2.36; 0: none.
[[nodiscard]] unsigned glibcVersionIn(const std::filesystem::path& file);

} // namespace highwater::source
