#include "app/settings/display.h"

#include <memory>
#include <windows.h>
// after windows.h
#include <shellapi.h>

namespace highwater::app {

// main() gets arguments in the legacy code page, which cannot represent most names.
QStringList typedWords(int, char**) {
    int count = 0;
    const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(::CommandLineToArgvW(::GetCommandLineW(), &count),
                                                                  &::LocalFree);
    QStringList typed;
    for (int i = 1; i < count; ++i)
        typed << QString::fromWCharArray(words.get()[i]);
    return typed;
}

int wordsForQt(int argc, char**) { return argc; } // with fewer, Qt would use the narrow ones instead

void drawWithoutDisplay() {} // Windows always has a display

} // namespace highwater::app
