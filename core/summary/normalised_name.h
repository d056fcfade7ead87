#pragma once

#include <string>
#include <string_view>

namespace highwater::summary {

/// What a frame is called in every run: docs/numbers.md, Fleet.
struct NormalisedName {
    std::string text;   ///< "app!main", "app!+0x1234", "[unknown]"
    std::string module; ///< "libapp.so"; empty: its code is in none
    bool isNamed = false;
};

/// Of a label of a frame (analysis::FrameLabels), or of what another profiler calls one: "module!function".
[[nodiscard]] NormalisedName normalised(std::string_view label);
/// Without folders and version, of Windows in small letters: "libfoo-1.2.so.3" is "libfoo.so", "App-8123.EXE"
/// "app.exe".
[[nodiscard]] std::string normalisedModule(std::string_view module);
/// Without parameters, return type, template arguments, marks of compilers and lines.
[[nodiscard]] std::string normalisedFunction(std::string_view function);

} // namespace highwater::summary
