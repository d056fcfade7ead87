#include "app/cli/program_start.h"

#include "core/base/text.h"

#include <cstdio>
#include <io.h>
#include <memory>
#include <windows.h>
// after windows.h
#include <shellapi.h>

namespace highwater::cli {
namespace {

constexpr int kBinary = 0x8000; // _O_BINARY; a Linux header has the same name

} // namespace

// main() gets arguments in the legacy code page, which cannot represent most names.
std::vector<std::string> startProgram(int, char**) {
    ::SetConsoleOutputCP(CP_UTF8);
    ::_setmode(::_fileno(stdout), kBinary);
    ::_setmode(::_fileno(stderr), kBinary);
    int count = 0;
    const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(::CommandLineToArgvW(::GetCommandLineW(), &count),
                                                                  &::LocalFree);
    std::vector<std::string> arguments;
    for (int i = 1; i < count; ++i)
        arguments.push_back(utf8(words.get()[i]));
    return arguments;
}

int onUsualStack(const std::function<int()>& work) { return work(); } // the executable specifies its stack size

} // namespace highwater::cli
