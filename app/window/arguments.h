#pragma once

#include "app/settings/theme.h"
#include "app/window/start_view.h"
#include "core/base/result.h"
#include "core/log/log_level.h"

#include <QSize>
#include <QStringList>

#include <vector>

namespace highwater::app {

/// The parsed command line; usage() describes it.
struct Arguments {
    QStringList traces;   ///< or other files that the window opens
    QStringList profiles; ///< profiles to import presets from
    QString fleet;        ///< store of runs for the Fleet page; empty: none
    QStringList record;   ///< program and arguments to record at once; empty: none
    StartView view;
    bool asksWhatToRecord = false;    ///< opens the record page
    QString screenshot;               ///< empty: none
    QSize size;                       ///< invalid: as in the last run
    std::optional<Theme> theme;       ///< empty: as in the last run
    std::optional<LogLevel> logLevel; ///< empty: use HIGHWATER_LOG
    bool showsHelp = false;
    bool showsVersion = false;
    bool showsManual = false; ///< the manual page for packages; not listed by --help
};

struct OptionHelp {
    const char* option; ///< including the value name
    const char* meaning;
};

struct OptionGroup {
    const char* title;
    std::vector<OptionHelp> options;
};

/// `words` excludes the program's name.
[[nodiscard]] Result<Arguments> parseArguments(const QStringList& words);
[[nodiscard]] const std::vector<OptionGroup>& optionGroups();
/// The text of --help.
[[nodiscard]] QString usage();

} // namespace highwater::app
