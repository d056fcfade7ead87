#pragma once

#include "app/settings/theme.h"
#include "app/window/start_view.h"
#include "core/base/result.h"
#include "core/log/log_level.h"

#include <QSize>
#include <QStringList>

#include <vector>

namespace highwater::app {

/// What the program was started with; usage() lists it.
struct Arguments {
    QStringList traces;   ///< or whatever else the window opens
    QStringList profiles; ///< whose presets are taken
    QString fleet;        ///< a store of runs, for the Fleet page; empty: none
    QStringList record;   ///< a program and its arguments, to be recorded at once; empty: none
    StartView view;
    bool asksWhatToRecord = false;    ///< opens the page for it
    QString screenshot;               ///< empty: none
    QSize size;                       ///< invalid: as the last time
    std::optional<Theme> theme;       ///< nothing: as the last time
    std::optional<LogLevel> logLevel; ///< nothing: as HIGHWATER_LOG has it
    bool showsHelp = false;
    bool showsVersion = false;
    bool showsManual = false; ///< the page that packages install; --help does not name it
};

struct OptionHelp {
    const char* option; ///< with what its value is called
    const char* meaning;
};

struct OptionGroup {
    const char* title;
    std::vector<OptionHelp> options;
};

/// `words` without the program's name.
[[nodiscard]] Result<Arguments> parseArguments(const QStringList& words);
[[nodiscard]] const std::vector<OptionGroup>& optionGroups();
/// The text of --help.
[[nodiscard]] QString usage();

} // namespace highwater::app
