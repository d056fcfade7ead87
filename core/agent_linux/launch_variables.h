#pragma once

#include <cstdint>

namespace highwater::agent {

/// What the launcher put into the environment: the channel, and the agent before what LD_PRELOAD was. Kept for programs
/// that this process executes; a program that runs alone finds only what was its own.

/// The place of a variable in an environment, or null. Not getenv: libc may not be initialised yet.
[[nodiscard]] char** findVariable(char** environment, const char* name);
/// Reads the value of kChannelVariable. False: it is none.
[[nodiscard]] bool readChannelVariable(const char* value, std::uint32_t& filters, const char*& path);
/// Takes the agent's variables out of an environment, as what it belongs to, and what that starts, shall find it.
void hideFromPrograms(char** environment);
/// Where the next program finds the channel and the agent. Once for a recording; until then they go unrecorded.
void rememberForNextProgram(const char* channelPath, std::uint32_t filters);

} // namespace highwater::agent
