#include "ui/format/count_text.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {

QString countText(std::uint64_t count, const char* one, const char* several) {
    return count == 1 ? tr(one) : tr(several).arg(formatCount(static_cast<std::int64_t>(count)));
}

} // namespace highwater::ui
