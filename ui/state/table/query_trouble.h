#pragma once

#include "core/analysis/query/query_text.h"

#include <QByteArray>
#include <QString>

namespace highwater::ui {

/// Why a text is no query that can be used, with the characters to point at; length 0: a place between two of them.
struct QueryTrouble {
    QString sentence;
    int position = 0;
    int length = 0;
};

/// `text`: the UTF-8 that was read, whose bytes the error counts.
[[nodiscard]] QueryTrouble troubleOf(const analysis::QueryError& error, const QByteArray& text);

} // namespace highwater::ui
