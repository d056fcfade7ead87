#pragma once

#include <cstdint>

namespace highwater::agent {

class RecordWriter;

/// Reports every module that is loaded now. While one thread runs: when recording starts.
void reportModules();
/// Reports the module of a return address if it was not reported yet. Without lock, also in a signal handler.
void reportModuleOf(RecordWriter& writer, std::uint64_t returnAddress);
/// Something was unloaded, perhaps: reports what is gone, and forgets what was known of its code.
void reportUnloaded();
/// In a forked child: everything that its parent had reported is reported anew.
void reportModulesAgain();

} // namespace highwater::agent
