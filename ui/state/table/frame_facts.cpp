#include "ui/state/table/frame_facts.h"

#include "ui/format/facts_format.h"

namespace highwater::ui {

Result<QStringList> answerFacts(const FactsRequest& request, std::stop_token stop) {
    const auto& source = request.answer->source();
    const std::scoped_lock lock(source->mutex);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The request was replaced by one for another row."};
    if (!source->table) return QStringList();
    const auto facts = source->table->frameFacts(request.node);
    return facts ? factsLines(*facts) : QStringList();
}

} // namespace highwater::ui
