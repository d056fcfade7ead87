#pragma once

#include <cstdint>

namespace highwater::agent {

class RecordWriter;

/// Reports all loaded modules. Called when recording starts, while only one thread runs.
void reportModules();
/// Reports the module of a return address if that has not been done. Lock-free, also in a signal handler.
void reportModuleOf(RecordWriter& writer, std::uint64_t returnAddress);
/// Call it after a module may have been unloaded: reports unloaded modules and forgets cached data about their code.
void reportUnloaded();
/// In a forked child: reports everything again that its parent had reported.
void reportModulesAgain();

} // namespace highwater::agent
