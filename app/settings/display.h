#pragma once

#include <QStringList>

namespace highwater::app {

// Display checks for main(), because Qt aborts if there is no display.

/// The arguments after the program's name. Does not need a QApplication, which requires a display.
[[nodiscard]] QStringList typedWords(int argc, char** argv);
/// Removes Qt options (-platform xcb, -style fusion and the like) from the arguments, except after --record and --.
[[nodiscard]] QStringList withoutOptionsOfQt(const QStringList& words);

/// Number of arguments that Qt may parse; those after --record belong to another program.
[[nodiscard]] int wordsForQt(int argc, char** argv);

/// Makes Qt draw offscreen regardless of the platform in the environment. Call before creating the QApplication.
void drawWithoutDisplay();

/// While this object exists, Qt ends the program with an error message and exit code 2 instead of aborting. Holds back
/// other messages of Qt until the destructor. One at a time, on the main thread, around the creation of the
/// QApplication.
class DisplayWatch {
  public:
    DisplayWatch();
    ~DisplayWatch();
    DisplayWatch(const DisplayWatch&) = delete;
    DisplayWatch& operator=(const DisplayWatch&) = delete;

    /// Also ends the program if Qt started without a screen, because the first window would abort.
    void requireScreen() const;
};

} // namespace highwater::app
