#pragma once

namespace highwater {

/// The calling thread takes from now on what the others leave it: for work that nobody waits for, while the GUI thread
/// or a recording needs the processors. For good: Linux lets nobody take it back. Threads that it starts are to call
/// it, too (Linux hands it on, Windows does not). Where the system refuses, nothing changes.
void lowerThreadPriority();

/// lowerThreadPriority() was called on this thread.
[[nodiscard]] bool isThreadPriorityLow();

} // namespace highwater
