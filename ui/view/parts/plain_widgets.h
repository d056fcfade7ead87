#pragma once

#include <QLabel>
#include <QMessageBox>
#include <QToolButton>

class QMenu;

namespace highwater::ui {

/// A label that shows its text literally; a QLabel would interpret HTML. The program uses it for all labels, except for
/// a few with constant markup.
class PlainLabel : public QLabel {
    Q_OBJECT
  public:
    explicit PlainLabel(const QString& text = {}, QWidget* parent = nullptr);

    /// For sentences that contain names and paths: wraps lines, even inside long words, and limits the text to a
    /// screen.
    void setSentence(const QString& text);
};

/// A question that shows its text literally and deletes itself when answered. Not open yet.
[[nodiscard]] QMessageBox* makeQuestion(const QString& text, QMessageBox::StandardButtons buttons, QWidget* parent);

/// A button that opens a menu. Its contents already indicate the menu, so the style's small arrow is omitted.
class MenuButton : public QToolButton {
    Q_OBJECT
  public:
    explicit MenuButton(QWidget* parent = nullptr);

  protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

} // namespace highwater::ui
