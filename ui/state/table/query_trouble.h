#pragma once

#include "core/analysis/query/query_text.h"

#include <QByteArray>
#include <QString>

namespace highwater::ui {

/// An error in a query, with the characters to mark; length 0: a position between two of them.
struct QueryTrouble {
    QString sentence;
    int position = 0;
    int length = 0;
};

/// `text`: the parsed UTF-8, to which the error's offsets refer.
[[nodiscard]] QueryTrouble troubleOf(const analysis::QueryError& error, const QByteArray& text);

} // namespace highwater::ui
