#include "core/event/trace_notes.h"

namespace highwater {

void applyEdit(const MarkEdit& edit, std::vector<Mark>& marks) {
    if (edit.name.empty()) {
        std::erase_if(marks, [&](const Mark& mark) { return mark.ticks == edit.ticks; });
        return;
    }
    for (auto& mark : marks) {
        if (mark.ticks == edit.ticks) mark.name = edit.name;
    }
}

} // namespace highwater
