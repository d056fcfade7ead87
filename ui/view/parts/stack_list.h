#pragma once

#include <QListWidget>
#include <QStringList>

#include <cstddef>
#include <string>
#include <vector>

namespace highwater::ui {

/// A stack as a list, innermost function first, whose owner is bold and in sight. GUI thread only.
class StackList : public QListWidget {
    Q_OBJECT
  public:
    explicit StackList(QWidget* parent = nullptr);

    /// `owner`: its place in `frames`; beyond them there is none.
    void setStack(const std::vector<std::string>& frames, std::size_t owner);
};

/// Lines to be copied below what has this stack.
[[nodiscard]] QStringList indentedFrames(const std::vector<std::string>& frames);

} // namespace highwater::ui
