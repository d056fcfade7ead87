#pragma once

#include "core/source/contract/record_source.h"

#include <QString>

namespace highwater::app {

/// How a recorded program ended, after its name: "ended (exit code 3)", "crashed (signal 11, SIGSEGV)", "ended by
/// signal 15 (SIGTERM)". Any thread.
[[nodiscard]] QString endText(const source::ProgramEnd& end);

} // namespace highwater::app
