#pragma once

#include <vector>

namespace highwater::app {

class Page;
struct PageContext;

/// Makes the page of a tool. The window of the context owns it.
using MakePage = Page* (*)(const PageContext& context);

/// Those of app/tools/tools.h, in its order.
[[nodiscard]] std::vector<MakePage> toolPages();

/// The pages about the trace on screen, in the order of the View menu. GUI thread only.
[[nodiscard]] std::vector<Page*> makePages(const PageContext& context, const std::vector<MakePage>& makers);

} // namespace highwater::app
