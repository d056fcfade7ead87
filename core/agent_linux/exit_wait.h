#pragma once

namespace highwater::agent {

/// Makes this program wait when it ends by exit() or by returning from main, if its recorder wants a picture of its
/// memory then (kWaitsAtExit). Call it before other initializers: it then waits after all handlers and destructors of
/// the program, as LeakSanitizer looks for leaks, when memory that these release is gone.
///
/// It waits until the recorder has copied it: 10 seconds for its answer, and a minute for the copy. It does not wait
/// for a recorder that has ended, has stopped recording, or does not read. Forks of the program do not wait.
void waitAtExit();

} // namespace highwater::agent
