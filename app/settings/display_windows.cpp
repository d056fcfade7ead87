#include "app/settings/display.h"

#include <memory>
#include <windows.h>
// after windows.h
#include <shellapi.h>

namespace highwater::app {

// The narrow arguments that main() gets are in the system's old code page, which lacks most names.
QStringList typedWords(int, char**) {
    int count = 0;
    const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(::CommandLineToArgvW(::GetCommandLineW(), &count),
                                                                  &::LocalFree);
    QStringList typed;
    for (int i = 1; i < count; ++i)
        typed << QString::fromWCharArray(words.get()[i]);
    return typed;
}

int wordsForQt(int argc, char**) { return argc; } // of fewer, Qt would take the narrow ones for all that was typed

void drawWithoutDisplay() {} // Windows always has a place for windows

} // namespace highwater::app
