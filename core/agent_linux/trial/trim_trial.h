#pragma once

namespace highwater::agent {

/// Starts a copy of this process, in which malloc_trim(0) runs, and then public functions of other allocators that
/// count and give back their memory. Returns its pid without waiting for it; otherwise a TrimRefusal or a negative
/// errno. This process itself does not change: it has no child afterwards, gets no signal, and none of its handlers
/// run. The calling thread stops while the system copies the page tables: about 20 ms for each GB of resident memory.
/// Signal-safe.
///
/// The copy writes a TrimAnswer to the file and ends. The system kills it after two seconds, whatever it does.
[[nodiscard]] int startTrimTrial(const char* answerPath);

} // namespace highwater::agent
