#include "core/source/generated_code/runtime_options_linux.h"

#include "core/base/text.h"

#include <fstream>
#include <sstream>
#include <string_view>

namespace highwater::source {
namespace {

namespace fs = std::filesystem;

Runtime runtimeOfFile(const fs::path& file) {
    const auto name = file.filename().string();
    if (name == "node" || name == "nodejs") return Runtime::V8;
    if (name == "java") return Runtime::HotSpot;
    if (name == "mono" || name.starts_with("mono-sgen")) return Runtime::Mono;
    if (const auto python = minorOfPython3(name); python && reportsPythonNames(*python)) return Runtime::Python;
    std::error_code error;
    const bool isApp = fs::exists(file.parent_path() / (name + ".runtimeconfig.json"), error);
    return name == "dotnet" || isApp ? Runtime::DotNet : Runtime::Unknown;
}

/// The interpreter after "#!"; for env the first word that is neither an option nor an assignment.
std::string interpreterOf(const fs::path& script, const FindProgram& find) {
    constexpr std::size_t kMostLine = 256; // the limit of the kernel
    std::error_code unknown;
    if (!fs::is_regular_file(script, unknown)) return {}; // reading a pipe would block
    std::ifstream file(script, std::ios::binary);
    char line[kMostLine] = {};
    file.read(line, kMostLine - 1);
    const std::string_view text(line, static_cast<std::size_t>(file.gcount()));
    if (!text.starts_with("#!")) return {};
    std::istringstream words{std::string(text.substr(2, text.find('\n') - 2))};
    std::string word;
    words >> word;
    if (fileName(word) != "env") return word;
    while (words >> word)
        if (!word.starts_with('-') && word.find('=') == std::string::npos) return find(word).string();
    return {};
}

fs::path resolved(const fs::path& path) {
    std::error_code error;
    auto target = fs::canonical(path, error);
    return error ? path : target;
}

} // namespace

std::string RuntimeOptions::text() const {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    for (const auto& [name, value] : environment)
        add(name + '=' + value);
    for (const auto& argument : arguments)
        add(argument);
    return text;
}

Runtime runtimeOfProgram(const fs::path& program, const FindProgram& find) {
    const auto file = resolved(program);
    if (const auto runtime = runtimeOfFile(file); runtime != Runtime::Unknown) return runtime;
    const auto interpreter = interpreterOf(file, find);
    return interpreter.empty() ? Runtime::Unknown : runtimeOfFile(resolved(interpreter));
}

RuntimeOptions runtimeOptions(Runtime runtime, const std::function<std::string(const std::string& name)>& valueOf) {
    RuntimeOptions options;
    // Extends the current value. Leaves it alone if it already has the option, because the user wants the files for
    // another purpose.
    const auto add = [&](const std::string& name, std::string_view option, const std::string& value, char between) {
        const auto before = valueOf(name);
        if (before.find(option) != std::string::npos) return false;
        options.environment.emplace_back(name, before.empty() ? value : before + between + value);
        return true;
    };
    bool isAsked = false;
    switch (runtime) {
    case Runtime::V8:
        isAsked = add("NODE_OPTIONS", "--perf-basic-prof", "--perf-basic-prof --interpreted-frames-native-stack", ' ');
        break;
    case Runtime::HotSpot: // as arguments, because HotSpot reports options from variables on stderr
        options.arguments = {"-XX:+IgnoreUnrecognizedVMOptions", "-XX:+PreserveFramePointer",
                             "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit"};
        isAsked = true;
        break;
    case Runtime::Mono: // precompiled code, and much of the other code, does not keep frame pointers
        isAsked = add("MONO_ENV_OPTIONS", "--jitmap", "--jitmap -O=-aot", ' ');
        (void)add("MONO_DEBUG", "disable_omit_fp", "disable_omit_fp", ',');
        break;
    case Runtime::DotNet: // 3: perf maps without jitdump files
        isAsked = valueOf("COMPlus_PerfMapEnabled").empty() && valueOf("DOTNET_PerfMapEnabled").empty() &&
                  add("DOTNET_PerfMapEnabled", "3", "3", ' ');
        break;
    case Runtime::Python:
        isAsked = valueOf("PYTHONPERFSUPPORT").empty() && add("PYTHONPERFSUPPORT", "1", "1", ' ');
        break;
    case Runtime::Unknown:
        break;
    }
    if (isAsked) options.runtime = runtime;
    return options;
}

} // namespace highwater::source
