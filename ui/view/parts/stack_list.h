#pragma once

#include <QListWidget>
#include <QStringList>

#include <cstddef>
#include <string>
#include <vector>

namespace highwater::ui {

/// A stack as a list, innermost function first. The owner is bold and scrolled into view. GUI thread only.
class StackList : public QListWidget {
    Q_OBJECT
  public:
    explicit StackList(QWidget* parent = nullptr);

    /// `owner`: index in `frames`; out of range: none.
    void setStack(const std::vector<std::string>& frames, std::size_t owner);
};

/// Stack lines for the clipboard, below the item that has the stack.
[[nodiscard]] QStringList indentedFrames(const std::vector<std::string>& frames);

} // namespace highwater::ui
