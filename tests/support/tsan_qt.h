#pragma once

namespace highwater::tests {

/// For ThreadSanitizer, which does not see hand-overs between threads through Qt: from here on this thread has
/// everything that others gave. Call it before each event is delivered, and give() afterwards.
void take();
void give();

} // namespace highwater::tests
