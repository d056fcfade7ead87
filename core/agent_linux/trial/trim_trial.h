#pragma once

namespace highwater::agent {

/// Starts a copy of this process (see startCopy), in which malloc_trim(0) runs, and then public functions of other
/// allocators that count and give back their memory. The copy writes a TrimAnswer to the file and ends. The system
/// kills it after two seconds, whatever it does.
[[nodiscard]] int startTrimTrial(const char* answerPath);

} // namespace highwater::agent
