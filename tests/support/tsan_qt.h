#pragma once

namespace highwater::tests {

/// For ThreadSanitizer, which does not see what threads hand over to each other by Qt: from here on this thread has all
/// that others gave. To be called before each event is delivered, and give() behind.
void take();
void give();

} // namespace highwater::tests
