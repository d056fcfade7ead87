#include "tests/app/cli/planted_leaks/planted.h"

#include <libxml/parser.h>

namespace {

/// Leaks: the document is never freed.
[[gnu::noinline]] bool isAccepted(const std::string& message) {
    auto* document = xmlReadMemory(message.data(), static_cast<int>(message.size()), "message.xml", nullptr, 0);
    if (document == nullptr) return false;
    auto* root = xmlDocGetRootElement(document);
    return root != nullptr && xmlHasProp(root, BAD_CAST "accepted") != nullptr;
}

/// The correct version.
[[gnu::noinline]] bool isWellFormed(const std::string& message) {
    auto* document = xmlReadMemory(message.data(), static_cast<int>(message.size()), "check.xml", nullptr, 0);
    xmlFreeDoc(document);
    return document != nullptr;
}

} // namespace

int main() {
    return planted::serve([](int request) {
        const auto message = "<message accepted='yes'><item>" + std::to_string(request) + "</item></message>";
        return isWellFormed(message) && isAccepted(message);
    });
}
