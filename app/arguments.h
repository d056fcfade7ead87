#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QStringList>

namespace highwater::app {

/// What the program was started with: highwater [TRACE.etl ...] [--screenshot FILE [--size WxH]]
struct Arguments {
    QStringList traces;
    QString screenshot; ///< empty: none
    QSize size;         ///< invalid: as the last time
    bool showsHelp = false;
    bool showsVersion = false;
};

/// `words` without the program's name.
[[nodiscard]] Result<Arguments> parseArguments(const QStringList& words);
[[nodiscard]] QString usage();

} // namespace highwater::app
