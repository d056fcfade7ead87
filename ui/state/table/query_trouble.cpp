#include "ui/state/table/query_trouble.h"

namespace highwater::ui {

QueryTrouble troubleOf(const analysis::QueryError& error, const QByteArray& text) {
    // Converts UTF-8 byte offsets to QString characters.
    const auto charactersBefore = [&](std::size_t bytes) {
        return static_cast<int>(QString::fromUtf8(text.left(static_cast<qsizetype>(bytes))).size());
    };
    const auto begin = charactersBefore(error.position);
    return {QString::fromStdString(error.sentence), begin, charactersBefore(error.position + error.length) - begin};
}

} // namespace highwater::ui
