#pragma once

#include "core/source/profiles/profile.h"

#include <string_view>

namespace highwater::source {

/// Adds a frame as printed by valgrind and other tools: "0x109164: leakOne(int) (known.cpp:4)",
/// "0x48417B4: malloc (in /usr/lib/x.so)", "0x1: ???", "0x1040: app::main (src/main.rs:20:5)", "main". Only frames
/// without a source location contain their module.
void addValgrindFrame(Profile& profile, std::string_view text);

} // namespace highwater::source
