#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::source {

/// Runtimes that generate code.
enum class Runtime : std::uint8_t { Unknown, V8, HotSpot, Mono, DotNet, Python };

/// The runtime that a loaded module indicates; Unknown: none. `isProgram`: the module is the program itself.
[[nodiscard]] Runtime runtimeOf(std::string_view modulePath, bool isProgram);

/// An interpreter, indicated by a loaded module, that does not report function names, so that stacks show only its own
/// functions: "Python 3.11", "Perl". Empty: none.
[[nodiscard]] std::string silentInterpreter(std::string_view modulePath, bool isProgram);

/// The minor version: 11 for "python3.11" or "libpython3.11.so.1.0".
[[nodiscard]] std::optional<int> minorOfPython3(std::string_view file);
/// Since 3.12.
[[nodiscard]] inline bool reportsPythonNames(int minor) { return minor >= 12; }

/// A function as shown in frames: `module!function`, with its arguments if full names are requested.
struct CodeName {
    std::string module; ///< "app.js", "[Java]", "[stub]"; empty: none
    std::string function;
    std::string arguments;
    bool isCode = true; ///< false: not executed by the processor (byte code), or without a name
};

/// Parses a runtime's text for a piece of code:
///
///     V8       JS:*leak /path/app.js:12:3              app.js!leak:12       (without the compiler's marker)
///              Builtin:ArrayMap                        [builtin]!ArrayMap
///     HotSpot  void Leaky.leak(int)                    [Java]!Leaky.leak    (int)
///     Mono     Leaky:Leak (int)                        [Mono]!Leaky.Leak    (int)
///     .NET     void [App] App.Leaky::Leak(int32)[Tier0]  App.dll!App.Leaky.Leak  (int32)
///     CPython  py::leak:/path/app.py                   app.py!leak
///
/// Code that is not a function of the program is `[stub]!text`. For an unknown runtime the texts of V8, .NET and
/// CPython are recognized by their form; any other text is the function.
[[nodiscard]] CodeName codeNameOf(std::string_view text, std::uint64_t start, Runtime runtime);

} // namespace highwater::source
