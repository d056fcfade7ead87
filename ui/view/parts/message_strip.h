#pragma once

#include <QFrame>

class QLabel;

namespace highwater::ui {

/// One sentence inside the window, with a link that does something about it and an x. Never a modal dialog.
class MessageStrip : public QFrame {
    Q_OBJECT
  public:
    enum class Tone { Plain, Warning };

    explicit MessageStrip(QWidget* parent = nullptr);
    /// `linkText` may be empty. Plain text: nothing in it is read as markup.
    void showMessage(const QString& sentence, Tone tone = Tone::Plain, const QString& linkText = {});
    [[nodiscard]] QString message() const { return sentence_; }

  signals:
    void linkActivated();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void paintTone();

    QLabel* label_;
    QString sentence_;
    Tone tone_ = Tone::Plain;
    bool painting_ = false; ///< a new palette is itself a change of it
};

/// Amber over the window's own ground, readable with its text colour in light and dark palettes.
[[nodiscard]] QColor warningGround(const QPalette& palette);

} // namespace highwater::ui
