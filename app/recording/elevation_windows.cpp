#include "app/recording/elevation.h"

#include "core/source/etw/target_process_windows.h"

#include <QCoreApplication>
#include <QDir>

// after windows.h
#include <shellapi.h>

namespace highwater::app {

bool needsElevation() {
    HANDLE opened = nullptr;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened)) return false;
    const source::WindowsHandle token(opened);
    TOKEN_ELEVATION elevation{};
    DWORD bytes = 0;
    const bool isKnown = ::GetTokenInformation(token.get(), TokenElevation, &elevation, sizeof(elevation), &bytes);
    return isKnown && elevation.TokenIsElevated == 0;
}

bool startElevated(const QStringList& arguments) {
    std::vector<std::string> words;
    for (const auto& argument : arguments)
        words.push_back(argument.toStdString());
    // The parameters do not include the program's name, so the two quotation marks and the space of an empty name are
    // removed.
    const auto line = source::commandLineOf({}, words).substr(2);
    const auto program = QDir::toNativeSeparators(QCoreApplication::applicationFilePath()).toStdWString();
    const auto folder = QDir::toNativeSeparators(QDir::currentPath()).toStdWString();
    SHELLEXECUTEINFOW start{};
    start.cbSize = sizeof(start);
    start.lpVerb = L"runas"; // requests administrator rights
    start.lpFile = program.c_str();
    start.lpParameters = line.c_str();
    start.lpDirectory = folder.c_str();
    start.nShow = SW_SHOWNORMAL;
    return ::ShellExecuteExW(&start) != FALSE;
}

} // namespace highwater::app
