#pragma once

#include <string>
#include <string_view>

namespace highwater::summary {

/// A name of a frame that is the same in every run: docs/numbers.md, Fleet.
struct NormalisedName {
    std::string text;   ///< "app!main", "app!+0x1234", "[unknown]"
    std::string module; ///< "libapp.so"; empty if its code is not in a module
    bool isNamed = false;
};

/// For the label of a frame (analysis::FrameLabels), or the name that another profiler uses: "module!function".
[[nodiscard]] NormalisedName normalised(std::string_view label);
/// Without folders and version, and for Windows in lower case: "libfoo-1.2.so.3" becomes "libfoo.so", "App-8123.EXE"
/// becomes "app.exe".
[[nodiscard]] std::string normalisedModule(std::string_view module);
/// Without parameters, return type, template arguments, compiler suffixes and lines.
[[nodiscard]] std::string normalisedFunction(std::string_view function);

} // namespace highwater::summary
