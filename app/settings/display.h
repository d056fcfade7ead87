#pragma once

#include <QStringList>

namespace highwater::app {

// The display of the window, for main(): Qt aborts where it finds none.

/// What the user typed behind the program's name. Needs no QApplication, which cannot be made without a display.
[[nodiscard]] QStringList typedWords(int argc, char** argv);
/// Of words that the user typed, those that are not for Qt (-platform xcb, -style fusion and the like). Behind --record
/// and -- all words are kept.
[[nodiscard]] QStringList withoutOptionsOfQt(const QStringList& words);

/// How many of the arguments Qt may read as its own options: those behind --record are another program's.
[[nodiscard]] int wordsForQt(int argc, char** argv);

/// Lets Qt draw what nobody looks at, whatever platform the environment names. Before the QApplication is made.
void drawWithoutDisplay();

/// While it lives, Qt ends the program with a sentence and exit code 2 in place of an abort, and what else Qt says is
/// kept back; the destructor prints it. One at a time, on the main thread, around the making of the QApplication.
class DisplayWatch {
  public:
    DisplayWatch();
    ~DisplayWatch();
    DisplayWatch(const DisplayWatch&) = delete;
    DisplayWatch& operator=(const DisplayWatch&) = delete;

    /// Ends the program likewise where Qt started without a screen: its first window would abort.
    void requireScreen() const;
};

} // namespace highwater::app
