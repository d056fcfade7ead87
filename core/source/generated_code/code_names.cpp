#include "core/source/generated_code/code_names.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::string_view kStub = "[stub]";
constexpr std::string_view kAnonymous = "(anonymous)";

CodeName stub(std::string_view text) { return {std::string(kStub), std::string(text), {}, true}; }

// ---- V8 ----

/// A source position in a script: "URL:line:column" at the end of the text.
struct ScriptPlace {
    std::string_view before; ///< the text before the line number
    std::string_view line;
};

bool isNumber(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<ScriptPlace> placeIn(std::string_view text) {
    const auto column = text.rfind(':');
    if (column == std::string_view::npos || column == 0) return std::nullopt;
    const auto line = text.rfind(':', column - 1);
    if (line == std::string_view::npos) return std::nullopt;
    const auto number = text.substr(line + 1, column - line - 1);
    if (!isNumber(number) || !isNumber(text.substr(column + 1))) return std::nullopt;
    return ScriptPlace{text.substr(0, line), number};
}

/// Start of the URL. Both the function and the URL may contain blanks.
std::size_t urlIn(std::string_view text) {
    auto first = std::string_view::npos;
    for (const std::string_view begin : {" /", " node:", " file:", " http:", " https:", " evalmachine."})
        first = std::min(first, text.find(begin));
    return first != std::string_view::npos ? first : text.find(' ');
}

CodeName scriptFunction(std::string_view text) {
    const auto place = placeIn(text);
    if (!place) return {"[script]", text.empty() ? std::string(kAnonymous) : std::string(text), {}, true};
    const auto blank = urlIn(place->before);
    const auto function = blank == std::string_view::npos ? std::string_view() : place->before.substr(0, blank);
    const auto url = blank == std::string_view::npos ? place->before : place->before.substr(blank + 1);
    CodeName name;
    name.module = url.starts_with("node:") ? url : fileName(url);
    if (name.module.empty()) name.module = "[script]";
    name.function = std::string(function.empty() ? kAnonymous : function) + ':' + std::string(place->line);
    return name;
}

/// "Tag:text"; nothing: not a text of V8.
std::optional<CodeName> ofV8(std::string_view text, std::uint64_t start) {
    constexpr std::array<std::string_view, 5> kScriptTags{"JS", "Eval", "Script", "Function", "LazyCompile"};
    constexpr std::array<std::string_view, 6> kOtherTags{"Stub",    "Handler", "Callback", "BytecodeHandler",
                                                         "Builtin", "RegExp"};
    constexpr std::string_view kCompilers = "*~^+";
    constexpr std::uint64_t kCodeAlignment = 16; // minimum; byte code can be at any address
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto tag = text.substr(0, colon);
    auto rest = text.substr(colon + 1);
    if (std::find(kScriptTags.begin(), kScriptTags.end(), tag) != kScriptTags.end()) {
        const bool isInterpreted = rest.starts_with('~');
        if (!rest.empty() && kCompilers.find(rest.front()) != std::string_view::npos) rest.remove_prefix(1);
        if (rest.starts_with(' ')) rest.remove_prefix(1); // an anonymous function
        auto name = scriptFunction(rest);
        name.isCode = !isInterpreted || start % kCodeAlignment == 0;
        return name;
    }
    if (std::find(kOtherTags.begin(), kOtherTags.end(), tag) == kOtherTags.end()) return std::nullopt;
    if (tag == "Builtin" || tag == "BytecodeHandler") return CodeName{"[builtin]", std::string(rest), {}, true};
    if (tag == "RegExp") return CodeName{"[regexp]", std::string(rest), {}, true};
    return stub(rest);
}

// ---- other runtimes ----

/// "returns Type.method(arguments)"
CodeName ofHotSpot(std::string_view text) {
    const auto open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return stub(text);
    auto method = text.substr(0, open);
    if (const auto blank = method.rfind(' '); blank != std::string_view::npos) method.remove_prefix(blank + 1);
    if (method.find('.') == std::string_view::npos) return stub(text);
    return {"[Java]", std::string(method), std::string(text.substr(open)), true};
}

/// "(wrapper kind) Type:Method (arguments)", where the first part is rare.
CodeName ofMono(std::string_view text) {
    if (text == "(null)") return {{}, {}, {}, false};
    std::string_view wrapper;
    if (text.starts_with("(wrapper ")) {
        const auto end = text.find(") ");
        if (end == std::string_view::npos) return stub(text);
        wrapper = text.substr(0, end + 1);
        text.remove_prefix(end + 2);
    }
    const auto open = text.find(" (");
    const auto method = text.substr(0, open);
    const auto colon = method.rfind(':');
    if (open == std::string_view::npos || colon == std::string_view::npos) return stub(text);
    CodeName name{"[Mono]", std::string(method), std::string(text.substr(open + 1)), true};
    name.function[colon] = '.';
    if (!wrapper.empty()) name.arguments += ' ' + std::string(wrapper);
    return name;
}

/// "returns [Assembly] Type::Method(arguments)[tier]"; nothing: not a method of .NET.
std::optional<CodeName> ofDotNet(std::string_view text) {
    const auto scope = text.find("::");
    const auto close = text.rfind("] ", scope);
    const auto open = close == std::string_view::npos ? close : text.rfind('[', close);
    if (scope == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
    const auto assembly = text.substr(open + 1, close - open - 1);
    const auto type = text.substr(close + 2, scope - close - 2);
    auto method = text.substr(scope + 2);
    const auto arguments = method.find('(');
    const auto end = method.rfind(')');
    if (assembly.empty() || arguments == std::string_view::npos || end == std::string_view::npos || end < arguments)
        return std::nullopt;
    CodeName name;
    name.module = assembly;
    if (name.module.find(".dll") == std::string::npos) name.module += ".dll";
    name.function = std::string(type) + '.' + std::string(method.substr(0, arguments));
    name.arguments = method.substr(arguments, end - arguments + 1);
    return name;
}

/// "py::function:file"; nothing: not a Python function.
std::optional<CodeName> ofPython(std::string_view text) {
    constexpr std::string_view kBegin = "py::";
    if (!text.starts_with(kBegin)) return std::nullopt;
    text.remove_prefix(kBegin.size());
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    CodeName name;
    name.module = fileName(text.substr(colon + 1));
    name.function = text.substr(0, colon);
    return name;
}

CodeName ofAny(std::string_view text, std::uint64_t start) {
    if (auto name = ofPython(text)) return *name;
    if (auto name = ofV8(text, start)) return *name;
    if (auto name = ofDotNet(text)) return *name;
    return {{}, std::string(text), {}, true};
}

/// Other Java machines have a library with this name in another folder, and would misinterpret the attach signal.
bool isOfHotSpot(std::string_view libjvm) {
    const auto folder = fileName(libjvm.substr(0, libjvm.rfind('/') == std::string_view::npos ? 0 : libjvm.rfind('/')));
    return folder == "server" || folder == "client" || folder == "minimal" || folder == "zero";
}

} // namespace

Runtime runtimeOf(std::string_view modulePath, bool isProgram) {
    const auto file = fileName(modulePath);
    if (file == "libjvm.so") return isOfHotSpot(modulePath) ? Runtime::HotSpot : Runtime::Unknown;
    if (file.starts_with("libcoreclr.so")) return Runtime::DotNet;
    if (file.starts_with("libmonosgen") || file.starts_with("libmono-2") || file.starts_with("libmonoboehm"))
        return Runtime::Mono;
    if (file.starts_with("libnode.so")) return Runtime::V8;
    if (file.starts_with("libpython3")) return Runtime::Python;
    if (!isProgram) return Runtime::Unknown;
    if (file == "node" || file == "nodejs" || file == "electron") return Runtime::V8;
    if (file == "mono" || file.starts_with("mono-sgen")) return Runtime::Mono;
    if (file.starts_with("python3")) return Runtime::Python;
    return Runtime::Unknown;
}

std::optional<int> minorOfPython3(std::string_view file) {
    if (file.starts_with("lib")) file.remove_prefix(3);
    constexpr std::string_view kBegin = "python3.";
    int minor = 0;
    if (!file.starts_with(kBegin) ||
        std::from_chars(file.data() + kBegin.size(), file.data() + file.size(), minor).ec != std::errc())
        return std::nullopt;
    return minor;
}

std::string silentInterpreter(std::string_view modulePath, bool isProgram) {
    auto file = fileName(modulePath);
    if (const auto python = minorOfPython3(file); python && (isProgram || file.starts_with("lib")))
        return reportsPythonNames(*python) ? std::string() : fmt::format("Python 3.{}", *python);
    const bool isLibrary = file.starts_with("lib") && file.find(".so") != std::string_view::npos;
    if (!isProgram && !isLibrary) return {};
    if (isLibrary) file.remove_prefix(3);
    // The name is followed by a version or nothing: "perl5.36", "ruby-3.1.so", but neither "perldoc" nor
    // "libphpcpp.so".
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"perl", "Perl"},     {"ruby", "Ruby"},
                                                                        {"php", "PHP"},       {"lua", "Lua"},
                                                                        {"luajit", "LuaJIT"}, {"python2", "Python 2"}};
    for (const auto& [begin, name] : kNames) {
        const auto rest = file.starts_with(begin) ? file.substr(begin.size()) : std::string_view("no");
        if (rest.empty() || rest.find_first_of(".-0123456789") == 0) return std::string(name);
    }
    return {};
}

CodeName codeNameOf(std::string_view text, std::uint64_t start, Runtime runtime) {
    if (text.empty()) return {{}, {}, {}, false};
    switch (runtime) {
    case Runtime::HotSpot:
        return ofHotSpot(text);
    case Runtime::Mono:
        return ofMono(text);
    case Runtime::V8:
        return ofV8(text, start).value_or(stub(text));
    case Runtime::DotNet:
        return ofDotNet(text).value_or(stub(text));
    case Runtime::Python:
    case Runtime::Unknown:
        break;
    }
    return ofAny(text, start);
}

} // namespace highwater::source
