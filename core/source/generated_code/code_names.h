#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::source {

/// Who generates code in a process.
enum class Runtime : std::uint8_t { Unknown, V8, HotSpot, Mono, DotNet, Python };

/// The runtime that a module of a process is the sign of; Unknown: of none. `isProgram`: it is the program itself.
[[nodiscard]] Runtime runtimeOf(std::string_view modulePath, bool isProgram);

/// An interpreter that a module of a process is the sign of, and that names no functions, so that stacks have only its
/// own: "Python 3.11", "Perl". Empty: of none.
[[nodiscard]] std::string silentInterpreter(std::string_view modulePath, bool isProgram);

/// 11 of "python3.11" or "libpython3.11.so.1.0".
[[nodiscard]] std::optional<int> minorOfPython3(std::string_view file);
/// Since 3.12.
[[nodiscard]] inline bool doesPythonTell(int minor) { return minor >= 12; }

/// A function as frames name it: `module!function`, with its arguments where full names are asked for.
struct CodeName {
    std::string module; ///< "app.js", "[Java]", "[stub]"; empty: it has none
    std::string function;
    std::string arguments;
    bool isCode = true; ///< false: no processor runs what lies there (byte code), or it has no name
};

/// What a runtime's own text for a piece of code says:
///
///     V8       JS:*leak /path/app.js:12:3              app.js!leak:12       (the sign of the compiler is left out)
///              Builtin:ArrayMap                        [builtin]!ArrayMap
///     HotSpot  void Leaky.leak(int)                    [Java]!Leaky.leak    (int)
///     Mono     Leaky:Leak (int)                        [Mono]!Leaky.Leak    (int)
///     .NET     void [App] App.Leaky::Leak(int32)[Tier0]  App.dll!App.Leaky.Leak  (int32)
///     CPython  py::leak:/path/app.py                   app.py!leak
///
/// What a runtime does not call a function of a program is `[stub]!text`. Of an unknown runtime the text itself tells
/// V8, .NET and CPython; else it is the function.
[[nodiscard]] CodeName codeNameOf(std::string_view text, std::uint64_t start, Runtime runtime);

} // namespace highwater::source
