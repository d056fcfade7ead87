#pragma once

#include <QLabel>
#include <QMessageBox>

class QMenu;
class QToolButton;

namespace highwater::ui {

/// A label that shows its text as it stands; a QLabel would read what looks like HTML as HTML. All labels of the
/// program are of this class, but for those few whose words are the program's own and have markup.
class PlainLabel : public QLabel {
    Q_OBJECT
  public:
    explicit PlainLabel(const QString& text = {}, QWidget* parent = nullptr);

    /// For sentences that quote names and paths: broken into lines that fit, in long words, too, and never more than a
    /// screen has room for.
    void setSentence(const QString& text);
};

/// A question that shows its text as it stands, and deletes itself when it is answered. Not yet open.
[[nodiscard]] QMessageBox* makeQuestion(const QString& text, QMessageBox::StandardButtons buttons, QWidget* parent);

/// A click opens the menu. What the button shows says so: the style's own mark of a menu is a speck in its corner.
void openMenuByClick(QToolButton& button, QMenu* menu);

} // namespace highwater::ui
