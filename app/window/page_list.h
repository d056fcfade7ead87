#pragma once

#include <vector>

namespace highwater::app {

class Page;
struct PageContext;

/// Creates the page of a tool. The window of the context owns it.
using MakePage = Page* (*)(const PageContext& context);

/// The pages of app/tools/tools.h, in the same order.
[[nodiscard]] std::vector<MakePage> toolPages();

/// The pages about the trace on screen, in the order of the View menu. GUI thread only.
[[nodiscard]] std::vector<Page*> makePages(const PageContext& context, const std::vector<MakePage>& makers);

} // namespace highwater::app
