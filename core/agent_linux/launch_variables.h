#pragma once

#include <cstdint>

namespace highwater::agent {

/// Environment variables that the launcher set: the channel, and LD_PRELOAD with the agent in front. They are kept for
/// programs that this process executes. Unrecorded programs find only their own values.

/// The position of a variable in an environment, or null. Replaces getenv, because libc may not be initialized yet.
[[nodiscard]] char** findVariable(char** environment, const char* name);
/// Parses the value of kChannelVariable. False: invalid.
[[nodiscard]] bool readChannelVariable(const char* value, std::uint32_t& filters, const char*& path);
/// Removes the agent's variables from an environment, for the program itself and the programs that it starts.
void hideFromPrograms(char** environment);
/// Stores the paths of the channel and the agent for the next program. Call it once per recording; programs executed
/// before are not recorded.
void rememberForNextProgram(const char* channelPath, std::uint32_t filters);

} // namespace highwater::agent
