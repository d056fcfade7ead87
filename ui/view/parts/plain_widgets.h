#pragma once

#include <QLabel>
#include <QMessageBox>
#include <QToolButton>

class QMenu;

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

/// A button whose click opens a menu. What it shows says so: the style's own mark of a menu, a speck in the corner, is
/// left out.
class MenuButton : public QToolButton {
    Q_OBJECT
  public:
    explicit MenuButton(QWidget* parent = nullptr);

  protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

} // namespace highwater::ui
